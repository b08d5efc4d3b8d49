"""The surface of the standard as data: read and write `standard.json`.

`python -m conformance._standard SUITE` writes it again from the stubs in a checkout of
array-api-tests. It has only facts (names, parameters, versions) and no text of the standard.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

PATH = Path(__file__).with_name("standard.json")
VERSION = "2025.12"
EXTENSIONS = ("linalg", "fft")
DTYPES = (
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float32", "float64", "complex64", "complex128"),
)
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_POSITIONAL: "variadic",
    inspect.Parameter.VAR_KEYWORD: "keywords",
}
NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name, one of the words of `KINDS`, and its default or `NO_DEFAULT`."""

    name: str
    kind: str
    default: Any = NO_DEFAULT

    def __str__(self) -> str:
        star = {"variadic": "*", "keywords": "**"}.get(self.kind, "")
        tail = "" if self.default is NO_DEFAULT else f"={self.default!r}"
        return f"{star}{self.name}{tail}"


@dataclass(frozen=True)
class Function:
    """A function or a method: the version that added it, and its parameters without `self`."""

    name: str
    since: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Standard:
    """All names of the standard.

    `chapters` are the chapters of the top-level namespace, `extensions` those of the extensions,
    `methods` those of the array; the other names have no signature.
    """

    version: str
    chapters: dict[str, dict[str, Function]]
    extensions: dict[str, dict[str, Function]]
    methods: dict[str, Function]
    reflected: tuple[str, ...]
    in_place: tuple[str, ...]
    attributes: dict[str, str]
    inspection: dict[str, Function]
    constants: dict[str, Any]
    dtypes: tuple[str, ...]

    def top_level(self) -> set[str]:
        """Every public name of the namespace itself."""
        functions = {name for chapter in self.chapters.values() for name in chapter}
        return functions | set(self.extensions) | set(self.constants) | set(self.dtypes)


def _read_functions(table: dict[str, Any]) -> dict[str, Function]:
    def default(value: object) -> Any:
        return tuple(value) if isinstance(value, list) else value

    return {
        name: Function(
            name,
            entry["since"],
            tuple(Parameter(p[0], p[1], *map(default, p[2:])) for p in entry["parameters"]),
        )
        for name, entry in table.items()
    }


@lru_cache
def load() -> Standard:
    """The standard, read from `standard.json`."""
    data = json.loads(PATH.read_text(encoding="utf-8"))
    constants = {n: float(v) if isinstance(v, str) else v for n, v in data["constants"].items()}
    return Standard(
        version=data["version"],
        chapters={name: _read_functions(table) for name, table in data["chapters"].items()},
        extensions={name: _read_functions(table) for name, table in data["extensions"].items()},
        methods=_read_functions(data["methods"]),
        reflected=tuple(data["reflected"]),
        in_place=tuple(data["in_place"]),
        attributes=data["attributes"],
        inspection=_read_functions(data["inspection"]),
        constants=constants,
        dtypes=tuple(data["dtypes"]),
    )


def _entry(function: Any, since: str, *, method: bool = False) -> dict[str, Any]:
    parameters = []
    for p in list(inspect.signature(function).parameters.values())[1 if method else 0 :]:
        row = [p.name, KINDS[p.kind]]
        parameters.append(row if p.default is NO_DEFAULT else [*row, p.default])
    return {"since": since, "parameters": parameters}


def _functions(module: ModuleType) -> dict[str, Any]:
    """The functions that a stub module defines (`__all__` of linalg lacks eig and eigvals)."""
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }


class _Stubs:
    """The stub modules of every version in one checkout of the standard."""

    def __init__(self, checkout: Path) -> None:
        self.root = checkout / "src" / "array_api_stubs"
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(self.root.parent))
        found = sorted(p.name for p in self.root.glob("_20*"))
        self.versions = [name[1:].replace("_", ".") for name in found]

    def module(self, version: str, name: str) -> ModuleType | None:
        package = "_" + version.replace(".", "_")
        if not (self.root / package / f"{name}.py").exists():
            return None
        return importlib.import_module(f"array_api_stubs.{package}.{name}")

    def require(self, name: str) -> ModuleType:
        module = self.module(VERSION, name)
        if module is None:
            raise FileNotFoundError(f"{self.root}: no stubs for {name} of {VERSION}")
        return module

    def chapter_names(self) -> list[str]:
        package = self.root / ("_" + VERSION.replace(".", "_"))
        return sorted(p.stem.removesuffix("_functions") for p in package.glob("*_functions.py"))

    def since_function(self, name: str, group: str | None = None) -> str:
        """The first version with a function, in one stub module or in any chapter."""
        for version in self.versions:
            package = self.root / ("_" + version.replace(".", "_"))
            chapters = [p.stem for p in package.glob("*_functions.py")]
            modules = [self.module(version, m) for m in ([group] if group else chapters)]
            if any(m is not None and name in _functions(m) for m in modules):
                return version
        raise LookupError(name)

    def since_member(self, name: str) -> str:
        """The first version with an attribute or a method of the array."""
        for version in self.versions:
            module = self.module(version, "array_object")
            array = getattr(module, "array", None) or getattr(module, "_array", None)
            if array is not None and hasattr(array, name):
                return version
        raise LookupError(name)


def generate(suite: Path) -> dict[str, Any]:
    """The content of `standard.json`, from a checkout of array-api-tests."""
    checkout = suite / "array-api"
    stubs = _Stubs(checkout)
    chapters: dict[str, Any] = {}
    for chapter in stubs.chapter_names():
        module = stubs.require(f"{chapter}_functions")
        chapters[chapter] = {
            name: _entry(function, stubs.since_function(name))
            for name, function in _functions(module).items()
        }
    info = stubs.require("info")
    entry = info.__array_namespace_info__
    since = stubs.since_function(entry.__name__, "info")
    chapters["inspection"] = {entry.__name__: _entry(entry, since)}
    extensions = {}
    for ext in EXTENSIONS:
        module = stubs.require(ext)
        extensions[ext] = {
            name: _entry(function, stubs.since_function(name, ext))
            for name, function in _functions(module).items()
        }
        for name, alias in extensions[ext].items():
            # The stub of an alias has no signature of its own: `(*args, **kwargs)` or less.
            twin = next((c[name] for c in chapters.values() if name in c), None)
            if twin is not None:
                alias["parameters"] = twin["parameters"]
    array = stubs.require("array_object").array
    members = {n: v for n, v in vars(array).items() if n != "__init__"}
    text = (checkout / "spec" / VERSION / "API_specification" / "array_object.rst").read_text()
    constants = stubs.require("constants")
    return {
        "version": VERSION,
        "chapters": chapters,
        "extensions": extensions,
        "methods": {
            n: _entry(f, stubs.since_member(n), method=True)
            for n, f in members.items()
            if inspect.isfunction(f)
        },
        "reflected": re.findall(r"^-   ``(__r\w+__)``$", text, re.MULTILINE),
        "in_place": re.findall(r"via ``(__i\w+__)``", text),
        "attributes": {
            n: stubs.since_member(n) for n, v in members.items() if isinstance(v, property)
        },
        "inspection": {
            name: _entry(function, stubs.since_function(name, "info"))
            for name, function in _functions(info).items()
            if name != entry.__name__
        },
        "constants": {
            # JSON does not support inf and nan.
            n: str(v) if isinstance(v, float) and v not in (constants.e, constants.pi) else v
            for n in constants.__all__
            for v in [getattr(constants, n)]
        },
        "dtypes": list(DTYPES),
    }


def dump(data: dict[str, object]) -> str:
    """JSON with one function per line, so that a diff shows a change of the standard."""
    lines = []

    def write(value: object, indent: str, prefix: str, comma: str) -> None:
        if isinstance(value, dict) and "since" not in value and value:
            lines.append(f"{indent}{prefix}{{")
            for i, (key, item) in enumerate(value.items(), 1):
                end = "," if i < len(value) else ""
                write(item, indent + "  ", f"{json.dumps(key)}: ", end)
            lines.append(f"{indent}}}{comma}")
        else:
            lines.append(f"{indent}{prefix}{json.dumps(value)}{comma}")

    write(data, "", "", "")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PATH.write_text(dump(generate(Path(sys.argv[1]))), encoding="utf-8")
