"""The strictness switches: names, behaviours and extensions of each version of the standard."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

import xp_torch as xp
from tests import forks
from xp_torch import _flags

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def restored():
    """Every test leaves the flags as they were."""
    with xp.flags():
        yield


@pytest.mark.parametrize("name", sorted(_flags.SINCE))
def test_a_name_exists_from_its_version_on(name: str):
    """Each name is absent in the version before the one that brought it, and present in it."""
    since = _flags.SINCE[name]
    before = _flags.VERSIONS[_flags.VERSIONS.index(since) - 1]
    owner, _, attribute = name.rpartition(".")
    for version, present in ((before, False), (since, True)):
        xp.flags.set(api_version=version)
        module = getattr(xp, owner) if owner else xp
        assert hasattr(module, attribute) is present
        assert (attribute in module.__all__) is present


def test_version_is_published():
    for version in _flags.VERSIONS:
        with xp.flags(api_version=version):
            assert xp.__array_api_version__ == version
            x = xp.zeros(1)
            assert x.__array_namespace__() is xp
            assert x.__array_namespace__(api_version=version) is xp
    assert xp.__array_api_version__ == "2025.12"


def test_another_version_is_a_view():
    """Asked for another version, an array answers with exactly that version's names."""
    x = xp.asarray([1.0], dtype=xp.float32)
    old = x.__array_namespace__(api_version="2022.12")
    assert old.__array_api_version__ == "2022.12"
    assert not hasattr(old, "clip")
    assert not hasattr(old.linalg, "eig")
    assert old.sin is xp.sin
    assert type(old.meshgrid(x, x)) is list
    assert old.sum(x).dtype == xp.float64
    assert xp.sum(x).dtype == xp.float32
    assert x.__array_namespace__(api_version="2022.12") is old
    with xp.flags(api_version="2022.12"):
        assert set(old.__all__) == set(xp.__all__)


def test_an_unknown_version_is_refused():
    with pytest.raises(ValueError, match=r"1999\.12"):
        xp.zeros(1).__array_namespace__(api_version="1999.12")
    with pytest.raises(ValueError, match=r"1999\.12"):
        xp.flags.set(api_version="1999.12")


def test_nothing_changes_when_a_value_is_wrong():
    before = xp.flags.get()
    with pytest.raises(ValueError, match="extension"):
        xp.flags.set(api_version="2022.12", enabled_extensions=["sparse"])
    with pytest.raises(ValueError, match="default_float"):
        xp.flags.set(api_version="2022.12", default_float=torch.int8)
    with pytest.raises(ValueError, match=r"2022\.12"):
        xp.flags.set(api_version="2021.12", enabled_extensions=["fft"])
    assert xp.flags.get() == before


def test_extensions():
    with xp.flags(enabled_extensions=["fft"]):
        assert not hasattr(xp, "linalg")
        assert hasattr(xp, "fft")
        assert "linalg" not in xp.__all__
        assert xp.flags.enabled_extensions == ("fft",)
    assert hasattr(xp, "linalg")
    with xp.flags(api_version="2021.12"):
        assert xp.flags.enabled_extensions == ("linalg",)
        with xp.flags(api_version="2022.12"):
            assert xp.flags.enabled_extensions == ("linalg", "fft")


def test_lists_before_2025_12_tuples_since():
    x = xp.asarray([1, 2])
    with xp.flags(api_version="2024.12"):
        assert type(xp.meshgrid(x, x)) is list
        assert type(xp.broadcast_arrays(x, x)) is list
        assert type(xp.__array_namespace_info__().devices()) is list
    assert type(xp.meshgrid(x, x)) is tuple
    assert type(xp.broadcast_arrays(x, x)) is tuple
    assert type(xp.__array_namespace_info__().devices()) is tuple


def test_scalars_in_functions_since_2024_12():
    x = xp.asarray([1.0])
    with xp.flags(api_version="2023.12"):
        for call in (
            lambda: xp.add(x, 1.0),
            lambda: xp.multiply(2.0, x),
            lambda: xp.where(x > 0, x, 0.0),
            lambda: xp.maximum(x, 0.0),
        ):
            with pytest.raises(TypeError, match=r"2024\.12"):
                call()
        assert float((x + 1.0)[0]) == 2.0
    assert float(xp.add(x, 1.0)[0]) == 2.0


def test_sums_of_float32_before_2023_12():
    x = xp.asarray([1.0], dtype=xp.float32)
    with xp.flags(api_version="2022.12"):
        assert xp.sum(x).dtype == xp.float64
        assert xp.prod(x).dtype == xp.float64
    assert xp.sum(x).dtype == xp.float32


def test_expand_dims_of_several_axes_since_2025_12():
    x = xp.asarray([1.0])
    assert xp.expand_dims(x, axis=(0, 2)).shape == (1, 1, 1)
    with xp.flags(api_version="2024.12"), pytest.raises(TypeError, match=r"2025\.12"):
        xp.expand_dims(x, axis=(0, 2))


def test_searchsorted_of_a_scalar_since_2025_12():
    x = xp.asarray([1.0, 2.0])
    assert int(xp.searchsorted(x, 1.5)) == 1
    with xp.flags(api_version="2024.12"), pytest.raises(TypeError, match="x2 must be"):
        xp.searchsorted(x, 1.5)


def test_complex_input_before_2022_12():
    with xp.flags(api_version="2021.12"), pytest.raises(TypeError, match=r"2022\.12"):
        xp.asarray(1j)


def test_boolean_indexing_off():
    x = xp.asarray([1, 2])
    with xp.flags(boolean_indexing=False):
        with pytest.raises(RuntimeError, match="boolean_indexing"):
            x[x > 1]
        with pytest.raises(RuntimeError, match="boolean_indexing"):
            x[x > 1] = 0
        assert xp.__array_namespace_info__().capabilities()["boolean indexing"] is False
    assert x[x > 1].shape == (1,)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: xp.nonzero(x),
        lambda x: xp.unique_all(x),
        lambda x: xp.unique_counts(x),
        lambda x: xp.unique_inverse(x),
        lambda x: xp.unique_values(x),
        lambda x: xp.repeat(x, x),
    ],
)
def test_data_dependent_shapes_off(call):
    x = xp.asarray([1, 2])
    with xp.flags(data_dependent_shapes=False):
        with pytest.raises(RuntimeError, match="data_dependent_shapes"):
            call(x)
        assert xp.__array_namespace_info__().capabilities()["data-dependent shapes"] is False
        assert xp.repeat(x, 2).shape == (4,)
    call(x)


def test_default_float():
    assert xp.zeros(1).dtype == xp.float64
    with xp.flags(default_float=xp.float32):
        assert xp.zeros(1).dtype == xp.float32
        assert xp.asarray(1j).dtype == xp.complex64
        assert xp.__array_namespace_info__().default_dtypes()["real floating"] == xp.float32
    with xp.flags(default_float=None):
        assert xp.asarray(1.5).dtype == torch.get_default_dtype()


def test_reset_and_repr():
    xp.flags.set(api_version="2022.12", boolean_indexing=False)
    assert "api_version='2022.12'" in repr(xp.flags)
    xp.flags.reset()
    assert xp.flags.get()["api_version"] == "2025.12"
    assert xp.flags.boolean_indexing is True


def test_flags_are_restored_after_an_error():
    with pytest.raises(KeyError), xp.flags(api_version="2022.12"):
        raise KeyError
    assert xp.flags.api_version == "2025.12"


@pytest.mark.parametrize("version", _flags.VERSIONS)
def test_environment_variable(version: str):
    """``XP_TORCH_API_VERSION`` sets the version when the package is imported."""
    program = "import xp_torch as xp; print(xp.__array_api_version__, hasattr(xp, 'isin'))"
    variables = {**os.environ, "XP_TORCH_API_VERSION": version}
    done = forks.run(["-c", program], cwd=ROOT, variables=variables, imported=forks.TORCH)
    assert done.stdout.split() == [version, str(version == "2025.12")]


def state() -> list[Any]:
    """All that flags change: values, names, what functions do, and what they refuse."""
    x = xp.ones(2, dtype=xp.float32)
    found: list[Any] = [
        xp.flags.get(), hasattr(xp, "clip"), hasattr(xp, "fft"), hasattr(xp.linalg, "eig"),
        list(xp.__all__), xp.__array_api_version__, list(xp.linalg.__all__), dir(xp),
        type(xp.meshgrid(x, x)), xp.zeros(1).dtype,
    ]  # fmt: skip
    for refused in (lambda: x[x > 0], lambda: xp.nonzero(x)):
        try:
            refused()
        except (RuntimeError, IndexError) as error:
            found.append(str(error))
    return found


OTHER: dict[str, Any] = {
    "api_version": "2021.12", "boolean_indexing": False, "data_dependent_shapes": False,
    "default_float": torch.float32,
}  # fmt: skip


def test_flags_of_two_threads_that_overlap():
    """Blocks entered in one order and left in the same: each sees its own, and both restore."""
    inside, left = threading.Event(), threading.Event()
    default = state()
    with xp.flags(**OTHER):
        other = state()
    assert all(a != b for a, b in zip(default, other, strict=False))
    seen: list[Any] = []

    def second() -> None:
        seen.append(state())
        with xp.flags(**OTHER):
            inside.set()
            left.wait(30)
            seen.append(state())
        seen.append(state())

    thread = threading.Thread(target=second)
    with xp.flags(api_version="2022.12"):
        thread.start()
        inside.wait(30)
        assert xp.flags.api_version == xp.__array_api_version__ == "2022.12"
        assert not hasattr(xp, "clip")
        assert hasattr(xp, "fft")
    assert state() == default
    left.set()
    thread.join()
    assert seen == [default, other, default]


def test_flags_of_tasks():
    """A task has its maker's flags, and keeps its own to itself."""

    async def child() -> list[str]:
        seen = [xp.__array_api_version__]
        with xp.flags(api_version="2023.12"):
            await asyncio.sleep(0)
            seen.append(xp.__array_api_version__)
        return seen

    async def program() -> list[Any]:
        with xp.flags(api_version="2022.12"):
            tasks = [asyncio.create_task(child()) for _ in range(2)]
        return [*await asyncio.gather(*tasks), xp.__array_api_version__]

    expected = [["2022.12", "2023.12"], ["2022.12", "2023.12"], "2025.12"]
    assert asyncio.run(program()) == expected


def test_names_are_plain_attributes_again():
    """After the last context that differs nothing asks the context any more."""
    names = {n: vars(xp)[n] for n in ("clip", "fft", "__all__")}
    context = contextvars.Context()
    context.run(xp.flags.set, api_version="2021.12", boolean_indexing=False)
    assert "clip" not in vars(xp)
    assert "sin" in vars(xp)
    assert xp.clip is names["clip"]
    assert xp.ones(2)[xp.ones(2) > 0].shape == (2,)
    star: dict[str, Any] = {}
    context.run(exec, "from xp_torch import *", star)
    assert "sin" in star
    assert "clip" not in star
    del context
    assert {n: vars(xp)[n] for n in names} == names
    assert vars(_flags)["api_version"] == "2025.12"
    assert vars(_flags)["boolean_indexing"] is True


def test_a_view_behaves_as_its_version_in_this_context_alone():
    """What a function of a view calls behaves by the view's version, and nothing else does."""
    x = xp.ones(2, dtype=xp.float32)
    old = x.__array_namespace__(api_version="2022.12")
    wrong: list[Any] = []

    def views() -> None:
        wrong.extend(d for _ in range(200) if (d := old.sum(x).dtype) is not torch.float64)

    thread = threading.Thread(target=views)
    thread.start()
    while thread.is_alive():
        if xp.sum(x).dtype is not torch.float32:
            wrong.append("now")
    assert not wrong
