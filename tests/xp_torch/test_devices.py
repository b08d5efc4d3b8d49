"""Devices: operands on two are refused by name, and results stay where their operands are.

The CPU and ``meta`` are two devices that every machine has; CUDA joins them where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode

import xp_torch as xp
from tests.cases import all_cases, arrays, labels, leaves, on
from tests.surface import Case
from xp_torch._core import defaults, devices
from xp_torch._core.devices import default_is_cpu

OTHERS = ["meta"] + (["cuda:0"] if torch.cuda.is_available() else [])
CASES = all_cases()
PAIRED = [c for c in CASES if len(c.inputs) > 1]


def refuses(call: Callable[[], Any], other: str) -> None:
    """A ``ValueError`` that names both devices."""
    with pytest.raises(ValueError, match="device") as caught:
        call()
    words = str(caught.value)
    assert type(caught.value) is ValueError
    assert "cpu" in words, words
    assert other in words, words


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("case", PAIRED, ids=labels(PAIRED))
def test_surface_refuses_two_devices(case: Case, other: str):
    """Every function of two arrays refuses any one of them on another device."""
    here, there = arrays(case, "cpu"), arrays(case, other)
    for i in range(len(here)):
        refuses(lambda i=i: case.body(xp, *here[:i], there[i], *here[i + 1 :]), other)


FLOAT_FUNCTIONS = [
    "add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal",
    "hypot", "less", "less_equal", "logaddexp", "maximum", "minimum", "multiply", "nextafter",
    "not_equal", "pow", "remainder", "subtract",
]  # fmt: skip
INTEGER_FUNCTIONS = [
    "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
]  # fmt: skip
BOOLEAN_FUNCTIONS = ["logical_and", "logical_or", "logical_xor"]
FUNCTIONS = {
    **dict.fromkeys(FLOAT_FUNCTIONS, "float64"),
    **dict.fromkeys(INTEGER_FUNCTIONS, "uint32"),
    **dict.fromkeys(BOOLEAN_FUNCTIONS, "bool"),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize(("name", "dtype"), FUNCTIONS.items(), ids=FUNCTIONS)
def test_zero_dimensional_array_is_no_exception(name: str, dtype: str, other: str):
    """A 0-D array on the CPU is refused beside another device, which torch would let pass."""
    function = getattr(xp, name)
    kind = getattr(xp, dtype)
    zero_d = xp.ones((), dtype=kind)
    for there in (xp.ones(3, dtype=kind, device=other), xp.ones((), dtype=kind, device=other)):
        refuses(partial(function, zero_d, there), other)
        refuses(partial(function, there, zero_d), other)


def made(device: str, shape: tuple[int, ...] = (3,), dtype: str = "float64") -> Any:
    return xp.ones(shape, dtype=getattr(xp, dtype), device=device)


def mask(device: str) -> Any:
    return made(device, dtype="bool")


def index(device: str) -> Any:
    return made(device, dtype="int64")


def assigned(x: Any, key: Any, value: Any) -> None:
    x[key] = value


def added(x: Any, y: Any) -> None:
    x += y


def multiplied(x: Any, y: Any) -> None:
    x *= y


# Each takes the two devices, once as (here, there) and once as (there, here).
MIXED: dict[str, Callable[[str, str], Any]] = {
    "x + y": lambda a, b: made(a) + made(b),
    "x + 0-D": lambda a, b: made(a) + made(b, ()),
    "x < y": lambda a, b: made(a) < made(b),
    "x == 0-D": lambda a, b: made(a) == made(b, ()),
    "x @ y": lambda a, b: made(a) @ made(b),
    "x += y": lambda a, b: added(made(a), made(b)),
    "x += 0-D": lambda a, b: added(made(a), made(b, ())),
    "x *= 0-D of uint64": lambda a, b: multiplied(
        made(a, dtype="uint64"), made(b, (), dtype="uint64")
    ),
    "concat first": lambda a, b: xp.concat([made(a), made(b)]),
    "concat last": lambda a, b: xp.concat([made(a), made(a), made(b)]),
    "concat of an empty one": lambda a, b: xp.concat([made(a), made(b, (0,))]),
    "stack": lambda a, b: xp.stack([made(a), made(b)]),
    "stack of 0-D": lambda a, b: xp.stack([made(a, ()), made(b, ())]),
    "where mask": lambda a, b: xp.where(mask(a), made(b), made(b)),
    "where x1": lambda a, b: xp.where(mask(b), made(a), made(b)),
    "where x2": lambda a, b: xp.where(mask(b), made(b), made(a)),
    "where 0-D": lambda a, b: xp.where(mask(b), made(b), made(a, ())),
    "where 0-D mask": lambda a, b: xp.where(made(a, (), dtype="bool"), made(b), made(b)),
    "where and a scalar": lambda a, b: xp.where(mask(b), made(a), 1.0),
    "clip min": lambda a, b: xp.clip(made(a), made(b), None),
    "clip max": lambda a, b: xp.clip(made(a), 0.0, made(b)),
    "clip 0-D": lambda a, b: xp.clip(made(a), made(b, ()), made(b, ())),
    "searchsorted": lambda a, b: xp.searchsorted(made(a), made(b)),
    "searchsorted 0-D": lambda a, b: xp.searchsorted(made(a), made(b, ())),
    "searchsorted sorter": lambda a, b: xp.searchsorted(made(a), made(a), sorter=index(b)),
    "take": lambda a, b: xp.take(made(a), index(b)),
    "take_along_axis": lambda a, b: xp.take_along_axis(made(a), index(b)),
    "isin": lambda a, b: xp.isin(index(a), index(b)),
    "repeat": lambda a, b: xp.repeat(made(a), index(b)),
    "diff prepend": lambda a, b: xp.diff(made(a), prepend=made(b)),
    "diff append": lambda a, b: xp.diff(made(a), append=made(b)),
    "meshgrid": lambda a, b: xp.meshgrid(made(a), made(b)),
    "broadcast_arrays": lambda a, b: xp.broadcast_arrays(made(a), made(b)),
    "x[index]": lambda a, b: made(a)[index(b)],
    "x[0-D index]": lambda a, b: made(a)[made(b, (), dtype="int64")],
    "x[mask]": lambda a, b: made(a)[mask(b)],
    "x[index] = 1.0": lambda a, b: assigned(made(a), index(b), 1.0),
    "x[mask] = 1.0": lambda a, b: assigned(made(a), mask(b), 1.0),
    "x[:] = y": lambda a, b: assigned(made(a), slice(None), made(b)),
    "x[0] = 0-D": lambda a, b: assigned(made(a), 0, made(b, ())),
    "x[index] = y": lambda a, b: assigned(made(a), index(a), made(b)),
    "x[mask] = 0-D": lambda a, b: assigned(made(a), mask(a), made(b, ())),
    "matmul": lambda a, b: xp.matmul(made(a, (2, 2)), made(b, (2, 2))),
    "tensordot": lambda a, b: xp.tensordot(made(a), made(b), axes=1),
    "vecdot": lambda a, b: xp.vecdot(made(a), made(b)),
    "linalg.cross": lambda a, b: xp.linalg.cross(made(a), made(b)),
    "linalg.outer": lambda a, b: xp.linalg.outer(made(a), made(b)),
    "linalg.solve": lambda a, b: xp.linalg.solve(made(a, (2, 2)), made(b, (2,))),
    "linalg.matrix_rank": lambda a, b: xp.linalg.matrix_rank(made(a, (2, 2)), rtol=made(b, ())),
    "linalg.pinv": lambda a, b: xp.linalg.pinv(made(a, (2, 2)), rtol=made(b, ())),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("call", MIXED.values(), ids=MIXED)
def test_two_devices_are_refused(call: Callable[[str, str], Any], other: str):
    """In either order, and whether or not one of them is 0-D."""
    refuses(lambda: call("cpu", other), other)
    refuses(lambda: call(other, "cpu"), other)


@pytest.mark.parametrize("other", OTHERS)
def test_result_type_takes_any_devices(other: str):
    """Only dtypes count there, as in ``can_cast`` and ``isdtype``."""
    assert xp.result_type(made("cpu"), made(other, dtype="float32")) is xp.float64


ANYWHERE = [c for c in CASES if c.name != "Array.__array__"]  # NumPy is on the CPU only


@pytest.mark.parametrize("case", ANYWHERE, ids=labels(ANYWHERE))
def test_surface_stays_on_the_device(case: Case, device: str):
    """Results are where the operands are, or where arrays are created by default."""
    with on(device):
        result = case.body(xp, *arrays(case, device))
    assert {t.device.type for t in leaves(result)} <= {torch.device(device).type}


def test_creation_takes_a_device(device: str):
    """As a string or a ``torch.device``; what is created lies there."""
    for given in (device, torch.device(device)):
        assert xp.zeros(3, device=given).device.type == device
        assert xp.asarray([1, 2], device=given).device.type == device
        assert xp.zeros_like(xp.zeros(3), device=given).device.type == device


@pytest.mark.parametrize("wrong", ["gpu", "cuda:99", "cpu:x", 3.5])
def test_wrong_device_is_refused(wrong: Any):
    """A device that this machine does not have is a ``ValueError`` that names it."""
    for call in (
        lambda: xp.zeros(3, device=wrong),
        lambda: xp.asarray([1.0], device=wrong),
        lambda: xp.arange(3, device=wrong),
        lambda: xp.zeros(3).to_device(wrong),
    ):
        with pytest.raises((ValueError, TypeError)) as caught:
            call()
        assert str(wrong) in str(caught.value)


def test_new_arrays_go_to_torchs_default_device():
    """However it is set: for good, for a block, or by a mode that moves new tensors."""

    class Moving(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            moved = {"device": "meta"} if func is torch.empty else {}
            return func(*args, **(kwargs or {}) | moved)

    assert default_is_cpu()
    with torch.device("meta"):
        assert not default_is_cpu()
        assert xp.asarray([1.0]).device == torch.device("meta")
        with torch.device("cpu"):
            assert default_is_cpu()
    with Moving():
        assert not default_is_cpu()
    torch.set_default_device("meta")
    try:
        assert not default_is_cpu()
    finally:
        torch.set_default_device(None)
    assert default_is_cpu()
    where = torch.compile(default_is_cpu, backend="eager", fullgraph=True)
    assert where()
    with torch.device("meta"):
        assert not where()


@pytest.fixture
def apple(monkeypatch: pytest.MonkeyPatch):
    """What torch says on a machine with MPS. No tensor can be made there; the rules are ours."""
    place = torch.device("mps")
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda check_available: place)
    monkeypatch.setattr(torch.accelerator, "device_count", lambda: 1)
    monkeypatch.setattr(devices, "_exists", lambda device: device.type == "mps")


@pytest.mark.usefixtures("apple")
def test_mps_is_a_device_with_its_own_dtypes():
    """It is listed as its arrays name it; float64 and complex128 are not its dtypes."""
    info = xp.__array_namespace_info__()
    assert info.devices() == (torch.device("cpu"), torch.device("mps:0"))
    assert devices.normalize_device("zeros", "mps") == torch.device("mps:0")
    assert defaults.float_dtype_on(torch.device("mps:0")) is xp.float32
    assert info.default_dtypes(device="mps")["complex floating"] is xp.complex64
    assert info.default_dtypes(device="cpu")["complex floating"] is xp.complex128
    lost = info.dtypes(device="cpu").keys() - info.dtypes(device="mps").keys()
    assert lost == {"float64", "complex128"}
    with xp.flags(default_float=xp.float32):
        assert info.default_dtypes(device="mps")["real floating"] is xp.float32
