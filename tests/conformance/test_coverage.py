"""`python -m conformance coverage` and the data of the standard that it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance import _standard
from conformance._cli import main
from conformance._coverage import compare, compare_module
from conformance._standard import NO_DEFAULT, Function, Parameter
from conformance.array_api._checkout import Checkout, pinned


def parameters(*rows: tuple[str, str] | tuple[str, str, object]) -> list[Parameter]:
    return [Parameter(*row) for row in rows]


WANTED = Function(
    "f",
    "2025.12",
    tuple(parameters(("x", "positional"), ("axis", "either", None), ("k", "keyword", 0))),
)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (parameters(("x", "positional"), ("axis", "either", None), ("k", "keyword", 0)), ""),
        (parameters(("a", "either"), ("axis", "either", None), ("k", "either", 0)), ""),
        (
            parameters(("x", "positional"), ("axis", "either", None)),
            "lacks the keyword parameter k",
        ),
        (
            parameters(("x", "positional"), ("dim", "either", None), ("k", "keyword", 0)),
            "axis is dim, either; should be positional or keyword",
        ),
        (
            parameters(("x", "positional"), ("axis", "either", -1), ("k", "keyword", 0)),
            "axis=None is declared as axis=-1",
        ),
        (
            parameters(("x", "positional"), ("axis", "either", None), ("k", "keyword", False)),
            "k=0 is declared as k=False",
        ),
        (
            parameters(
                ("x", "positional"), ("axis", "either", None), ("k", "keyword", 0), ("m", "keyword")
            ),
            "requires m, which the standard does not name",
        ),
    ],
)
def test_signatures_are_compared_by_kind_and_default(found: list[Parameter], message: str) -> None:
    """A laxer signature is right; a missing, renamed or differently defaulted parameter is not."""
    assert compare(WANTED, found) == message


class _Marker(type):
    """The metaclass of a library's "not given", as numpy_shim has it."""


class _NotGiven(metaclass=_Marker):
    pass


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (("norm", "keyword", "backward"), ("norm", "either", None)),
        (("dtype", "keyword", None), ("dtype", "either", float)),
        (("keepdims", "keyword", False), ("keepdims", "either", _NotGiven)),
    ],
)
def test_other_spellings_of_a_default(
    wanted: tuple[str, str, object], found: tuple[str, str, object]
) -> None:
    """They count as equal, unless the module is strict."""
    function = Function("f", "2025.12", tuple(parameters(wanted)))
    assert compare(function, parameters(found), strict=False) == ""
    assert "is declared as" in compare(function, parameters(found))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (("norm", "keyword", "backward"), ("norm", "keyword", "ortho")),
        (("dtype", "keyword", None), ("dtype", "keyword", int)),
        (("mode", "keyword", "backward"), ("mode", "keyword", None)),
        (("axis", "keyword", None), ("axis", "keyword", float)),
    ],
)
def test_other_defaults_stay_wrong(
    wanted: tuple[str, str, object], found: tuple[str, str, object]
) -> None:
    """A spelling belongs to its parameter and its value."""
    function = Function("f", "2025.12", tuple(parameters(wanted)))
    assert "is declared as" in compare(function, parameters(found), strict=False)


def test_one_parameter_declared_by_position_and_by_name() -> None:
    """`clip(x, a_min, a_max, *, min, max)` takes what `clip(x, /, min, max)` takes."""
    rows = parameters(("x", "positional"), ("min", "either", None), ("max", "either", None))
    clip = Function("clip", "2023.12", tuple(rows))
    twice = parameters(
        *(("x", "either"), ("a_min", "either", None), ("a_max", "either", None)),
        *(("min", "keyword", None), ("max", "keyword", None)),
    )
    assert compare(clip, twice, strict=False) == ""
    assert compare(clip, twice) == "min is a_min, either; should be positional or keyword"
    assert "should be positional" in compare(clip, twice[:4], strict=False)


def test_numpy_shim_differs_where_numpy_does() -> None:
    """Its signatures are NumPy's: `stable` may be None, and fftfreq has no dtype."""
    report = compare_module("numpy_shim")
    assert {c.title: c.missing for c in report.chapters if c.missing} == {}
    assert {name: why for c in report.chapters for name, why in c.wrong.items()} == {
        "argsort": "stable=True is declared as stable=None",
        "sort": "stable=True is declared as stable=None",
        "fftfreq": "lacks the keyword parameter dtype",
        "rfftfreq": "lacks the keyword parameter dtype",
    }


def test_array_api_strict_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    """The reference implementation has every name: the data asks for nothing that is not there."""
    pytest.importorskip("array_api_strict")
    assert main(["coverage", "--module", "array_api_strict"]) == 0
    assert "beyond the standard" in capsys.readouterr().out


def test_xp_torch_is_complete_and_has_nothing_else() -> None:
    """Every name of the standard, and beyond them only the documented extras."""
    report = compare_module("xp_torch")
    assert {c.title: (c.missing, c.wrong) for c in report.chapters if c.missing or c.wrong} == {}
    assert report.strict
    assert report.forbidden == []


def test_gaps_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A namespace with little in it: what is missing and what is wrong is listed, status 1."""
    (tmp_path / "tiny_namespace.py").write_text(
        "pi = 3.0\ndef sort(x, /, *, axis=0, descending=False, stable=True): ...\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["coverage", "--module", "tiny_namespace"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "missing from Sorting: argsort" in printed
    assert "Sorting, sort: axis=-1 is declared as axis=0" in printed
    assert "Constants, pi: is 3.0, not 3.14" in printed
    assert main(["coverage", "--module", "no_such_namespace"]) == 2
    (tmp_path / "broken_namespace.py").write_text("raise OSError('no such library')\n")
    assert main(["coverage", "--module", "broken_namespace"]) == 2
    assert "OSError: no such library" in capsys.readouterr().out


def test_standard_is_what_the_stubs_say(public_suite: Checkout) -> None:
    """`standard.json` is what its script makes of the pinned revision."""
    if public_suite.standard_revision != pinned()["array-api"]:
        pytest.skip(f"the suite's standard is at {public_suite.standard_revision or 'unknown'}")
    made = json.loads(_standard.dump(_standard.generate(public_suite.path)))
    assert made == json.loads(_standard.PATH.read_text("utf-8"))


def test_standard_knows_the_newest_names() -> None:
    """Names with the version that brought them, from the standard's own change log."""
    standard = _standard.load()
    assert standard.version == "2025.12"
    assert standard.chapters["searching"]["count_nonzero"].since == "2024.12"
    assert standard.chapters["set"]["isin"].since == "2025.12"
    assert standard.extensions["linalg"]["eigvals"].since == "2025.12"
    assert standard.chapters["creation"]["asarray"].parameters[0] == Parameter("obj", "positional")
    assert standard.chapters["creation"]["asarray"].parameters[0].default is NO_DEFAULT
    assert len(standard.dtypes) == 13
