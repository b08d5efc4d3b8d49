"""The namespace has the standard's names and signatures, and nothing else."""

from __future__ import annotations

import builtins
import importlib.metadata
import inspect
import json
import pickle
import re
import types
from pathlib import Path
from typing import Any

import pytest

import conformance
import xp_torch
from xp_torch import _flags
from xp_torch._array import Array

STANDARD: dict[str, Any] = json.loads(
    (Path(conformance.__file__).parent / "standard.json").read_text(encoding="utf-8")
)
EXTRAS = {"flags", "to_torch"}


def test_all_is_what_dir_shows():
    """``dir`` shows the standard's names, the two documented extras and the module's own."""
    shown = {n for n in dir(xp_torch) if not n.startswith("_")}
    assert shown == {n for n in xp_torch.__all__ if not n.startswith("_")} | EXTRAS


def test_every_name_of_all_is_defined_once():
    assert len(set(xp_torch.__all__)) == len(xp_torch.__all__)
    for module in (xp_torch, xp_torch.linalg, xp_torch.fft):
        for name in module.__all__:
            assert hasattr(module, name)


def test_extensions_are_modules():
    assert isinstance(xp_torch.linalg, types.ModuleType)
    assert isinstance(xp_torch.fft, types.ModuleType)


def test_no_builtin_is_shadowed_by_accident():
    """A name that shadows a built-in is one of the standard's."""
    shadowed = {n for n in vars(xp_torch) if n in vars(builtins) and not n.startswith("_")}
    assert shadowed == {"abs", "all", "any", "bool", "max", "min", "pow", "round", "sum"}


@pytest.mark.parametrize("name", [n for n in xp_torch.__all__ if callable(getattr(xp_torch, n))])
def test_functions_are_documented_and_named(name: str):
    """A docstring with an example and a source, the right name, and annotations."""
    function = getattr(xp_torch, name)
    assert function.__name__ == name
    assert ">>> " in function.__doc__
    assert "standard" in function.__doc__
    signature = inspect.signature(function)
    assert not any(
        p.kind is p.VAR_KEYWORD or (p.kind is p.VAR_POSITIONAL and name in ("add", "sum"))
        for p in signature.parameters.values()
    )
    assert function.__annotations__.get("return") is not None


FUNCTIONS = {
    **{n: getattr(xp_torch, n) for n in (*xp_torch.__all__, "to_torch")},
    **{f"linalg.{n}": getattr(xp_torch.linalg, n) for n in xp_torch.linalg.__all__},
    **{f"fft.{n}": getattr(xp_torch.fft, n) for n in xp_torch.fft.__all__},
}
FUNCTIONS = {name: f for name, f in FUNCTIONS.items() if inspect.isfunction(f)}
METHODS = {f"Array.{n}": f for n, f in vars(Array).items() if not n.startswith("_")}


@pytest.mark.parametrize("name", [*FUNCTIONS, "Array.to_device"])
def test_docstring_has_every_section(name: str):
    """Parameters if there are any, Returns, Raises, Examples, and the source of the rule."""
    function = FUNCTIONS.get(name) or METHODS[name]
    doc = inspect.getdoc(function)
    arguments = set(inspect.signature(function).parameters) - {"self"}
    asked = ["Parameters", "Raises"] if arguments else []
    if inspect.signature(function).return_annotation not in (None, "None"):
        asked.append("Returns")
    assert [p for p in (*asked, "Examples") if f"{p}\n{'-' * len(p)}\n" not in doc] == []
    assert "standard" in doc or name in ("to_torch", "Array.to_device")


@pytest.mark.parametrize("name", METHODS)
def test_member_of_array_has_an_example(name: str):
    assert "Examples\n--------\n" in inspect.getdoc(METHODS[name])


@pytest.mark.parametrize("name", [n for n in xp_torch.__all__ if callable(getattr(xp_torch, n))])
def test_functions_pickle(name: str):
    function = getattr(xp_torch, name)
    assert pickle.loads(pickle.dumps(function)) is function


def test_entry_point():
    """The standard's entry point names the package, so that a tool can find it."""
    points = importlib.metadata.entry_points(group="array_api")
    assert any(p.value == "xp_torch" for p in points)


def test_array_has_no_public_name_beyond_the_standard():
    names = {n for n in vars(Array) if not n.startswith("_")}
    assert names == {"T", "mT", "device", "dtype", "ndim", "shape", "size", "to_device"}


def test_array_is_not_constructed_directly():
    with pytest.raises(TypeError, match="takes no arguments"):
        Array([1])


def test_since_names_exist():
    for name in _flags.SINCE:
        owner, _, attribute = name.rpartition(".")
        assert hasattr(getattr(xp_torch, owner) if owner else xp_torch, attribute)


def test_the_reference_has_every_name():
    """Each function stands on one page under docs/api; dtypes and constants stand in a sentence."""
    pages = (Path(__file__).parents[2] / "docs" / "api").glob("*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    entries = re.findall("^::: xp_torch\\.(.*)$", text, re.MULTILINE)
    assert len(entries) == len(set(entries))
    shown = {getattr(xp_torch, e) for e in entries if hasattr(xp_torch, e)}  # once for two names
    for name, function in FUNCTIONS.items():
        assert name in entries or function in shown, name
    for name in set(xp_torch.__all__) - FUNCTIONS.keys() - {"linalg", "fft"}:
        assert f"`{name}`" in text, name
