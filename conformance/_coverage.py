"""Compare a namespace's names, signatures and dtypes with the standard. Needs no suite."""

from __future__ import annotations

import inspect
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from . import _namespace, _standard
from ._standard import NO_DEFAULT, Function, Parameter
from .array_api._chapters import TITLES

_PLAIN = (bool, int, float, complex, str, tuple, type(None))
# Two defaults that mean the same, by the name of the parameter: the standard's and a library's.
# NumPy documents both: norm=None is "backward", and dtype=float is the default real dtype.
_SPELLINGS = {("norm", "backward", None), ("dtype", None, float)}
DOCUMENTED_EXTRAS = Path(__file__).with_name("documented_extras.json")


@dataclass
class Chapter:
    """One chapter: the number of the standard's names, and the problems by name."""

    title: str
    total: int
    missing: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def present(self) -> int:
        return self.total - len(self.missing) - len(self.wrong)


@dataclass
class Coverage:
    """The whole comparison. With `strict`, names beyond the standard are errors."""

    module: str
    version: str
    standard: str
    strict: bool
    chapters: list[Chapter] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)

    @property
    def problems(self) -> int:
        return sum(len(c.missing) + len(c.wrong) for c in self.chapters)

    @property
    def forbidden(self) -> list[str]:
        """The extra names that make a strict module incomplete."""
        return [name for name, reason in self.extras.items() if not reason] if self.strict else []

    @property
    def ok(self) -> bool:
        return not self.problems and not self.forbidden


def _read(function: Any) -> list[Parameter] | None:
    """The parameters of a callable, or None if its signature is unknown."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [Parameter(p.name, _standard.KINDS[p.kind], p.default) for p in found]


def _is_marker(default: object) -> bool:
    """Whether a default is a library's private marker for "not given": no plain value, no dtype.

    A marker may be a class of a metaclass of its own.
    """
    return not isinstance(default, _PLAIN) and type(default) is not type


def _same(name: str, wanted: object, found: object, strict: bool) -> bool:
    """Whether a default is the standard's. Unless strict, it may also mean "not given" or be

    another spelling of the same: a default where the standard has none, a library's private marker,
    or a pair of `_SPELLINGS`.
    """
    if not strict and (wanted is NO_DEFAULT or _is_marker(found)):
        return found is not NO_DEFAULT or wanted is NO_DEFAULT
    if not strict and any(
        name == parameter and wanted == theirs and found is ours
        for parameter, theirs, ours in _SPELLINGS
    ):
        return True
    if wanted is NO_DEFAULT or found is NO_DEFAULT:
        return wanted is found
    return isinstance(wanted, bool) == isinstance(found, bool) and bool(wanted == found)


def compare(wanted: Function, found: list[Parameter], strict: bool = True) -> str:
    """The problem of a signature, or "". As in the suite, a parameter may be laxer:

    a positional-only one may have any name and accept it as a keyword; a keyword-only one may be
    accepted by position. A parameter beyond the standard's must be optional. Unless strict, two
    parameters may stand for one, the first for its position and the second for its name.
    """
    by_name = {p.name: p for p in found}
    used = set()
    for index, want in enumerate(wanted.parameters):
        by_position = want.kind in ("positional", "either")
        if by_position and index < len(found) and found[index].kind in ("positional", "either"):
            have = found[index]
        elif want.kind == "variadic":
            have = next((p for p in found if p.kind == "variadic"), want)
            if have is want:
                return f"takes no *{want.name}"
        elif want.kind == "keyword" and want.name in by_name:
            have = by_name[want.name]
        else:
            return f"lacks the {want.kind} parameter {want.name}"
        used.add(have.name)
        named = by_name.get(want.name)
        if not strict and want.kind == "either" and named and named.kind == "keyword":
            used.add(named.name)  # clip(x, a_min, *, min): by position and by name, twice declared
        elif want.kind == "either" and (have.name, have.kind) != (want.name, "either"):
            return f"{want.name} is {have.name}, {have.kind}; should be positional or keyword"
        if want.kind == "keyword" and have.kind not in ("keyword", "either"):
            return f"{want.name} is {have.kind}-only, should be a keyword"
        if want is not have and not _same(want.name, want.default, have.default, strict):
            return f"{_shown(want)} is declared as {_shown(have)}"
    for extra in found:
        lax = extra.kind in ("variadic", "keywords") or extra.default is not NO_DEFAULT
        if extra.name not in used and not lax:
            return f"requires {extra.name}, which the standard does not name"
    return ""


def _shown(parameter: Parameter) -> str:
    bare = parameter.default is NO_DEFAULT
    return f"{parameter.name} (no default)" if bare else str(parameter)


def _extra_parameters(wanted: Function, found: list[Parameter]) -> list[str]:
    """The optional parameters that the standard does not name, positional-only ones aside."""
    names = {p.name for p in wanted.parameters}
    positional = sum(p.kind in ("positional", "either") for p in wanted.parameters)
    return [
        str(p)
        for i, p in enumerate(found)
        if p.name not in names
        and not (i < positional and p.kind in ("positional", "either"))
        and not (p.kind == "variadic" and any(w.kind == "variadic" for w in wanted.parameters))
    ]


class _NoArray:
    """Stands for the array of a namespace that has no `zeros`."""


class _Comparison:
    """The comparison of one namespace with the standard."""

    def __init__(self, module: str) -> None:
        self.xp = _namespace.load(module)
        self.standard = _standard.load()
        documented = json.loads(DOCUMENTED_EXTRAS.read_text("utf-8"))
        self.documented: dict[str, str] = documented.get(module, {})
        self.report = Coverage(
            module,
            str(getattr(self.xp, "__version__", "")),
            self.standard.version,
            strict=module in documented,
        )

    def chapter(self, title: str, owner: Any, table: dict[str, Function]) -> None:
        """Compare the functions of one chapter: those of a module, or the methods of a class."""
        chapter = Chapter(title, len(table))
        is_class = isinstance(owner, type)
        for name, wanted in table.items():
            function = getattr(owner, name, None)
            if not callable(function) or (is_class and not _defines(owner, name)):
                chapter.missing.append(name)
                continue
            found = _read(function)
            message = self.signature(wanted, found[1:] if found and is_class else found)
            if message:
                chapter.wrong[name] = message
        self.report.chapters.append(chapter)

    def signature(self, wanted: Function, found: list[Parameter] | None) -> str:
        """The problem of a signature. An unreadable one is a problem if strict."""
        if found is None:
            return "has no signature to read" if self.report.strict else ""
        message = compare(wanted, found, self.report.strict)
        if not message and self.report.strict and (extra := _extra_parameters(wanted, found)):
            message = f"takes {', '.join(extra)} beyond the standard"
        return message

    def values(self) -> None:
        """The constants and the version string."""
        constants = self.standard.constants
        chapter = Chapter("Constants", len(constants) + 1)
        for name, value in constants.items():
            if not hasattr(self.xp, name):
                chapter.missing.append(name)
                continue
            found = getattr(self.xp, name)
            both_nan = isinstance(value, float) and math.isnan(value) and found != found
            if not both_nan and found != value:
                chapter.wrong[name] = f"is {found!r}, not {value!r}"
        version = getattr(self.xp, "__array_api_version__", None)
        if version is None:
            chapter.missing.append("__array_api_version__")
        elif version != self.standard.version:
            chapter.wrong["__array_api_version__"] = f"is {version!r}"
        self.report.chapters.append(chapter)

    def dtypes(self) -> None:
        """The dtypes: each exists, and `zeros` makes an array that reports it."""
        chapter = Chapter("dtypes", len(self.standard.dtypes))
        for name in self.standard.dtypes:
            dtype = getattr(self.xp, name, None)
            if dtype is None:
                chapter.missing.append(name)
                continue
            try:
                made = self.xp.zeros((2,), dtype=dtype).dtype
            except (TypeError, ValueError, RuntimeError, AttributeError) as error:
                chapter.wrong[name] = f"zeros raises {type(error).__name__}: {error}"
                continue
            if made != dtype:
                chapter.wrong[name] = f"zeros gives {made}"
        self.report.chapters.append(chapter)

    def array(self) -> None:
        """The array's class: attributes, methods, operators, and no other public names."""
        try:
            array = type(self.xp.zeros((1,)))
        except AttributeError:
            array = _NoArray
        standard = self.standard
        self.chapter("Array methods", array, standard.methods)
        for title, names in (
            ("Array attributes", tuple(standard.attributes)),
            ("Reflected operators", standard.reflected),
            ("In-place operators", standard.in_place),
        ):
            missing = [name for name in names if not _defines(array, name)]
            self.report.chapters.append(Chapter(title, len(names), missing))
        known = {*standard.attributes, *standard.methods}
        public = (name for name in dir(array) if not name.startswith("_"))
        self.extras("array.", sorted(set(public) - known))

    def inspection(self) -> None:
        """The result of `__array_namespace_info__`."""
        entry = getattr(self.xp, "__array_namespace_info__", None)
        found = entry() if callable(entry) else None
        # The standard allows a class here; its functions then have no self either.
        info = SimpleNamespace(**{n: getattr(found, n) for n in dir(found)})
        self.chapter("Inspection methods", info, self.standard.inspection)

    def extras(self, prefix: str, names: list[str]) -> None:
        for name in names:
            self.report.extras[prefix + name] = self.documented.get(prefix + name, "")

    def all(self) -> Coverage:
        """Compare everything."""
        standard = self.standard
        for name, functions in standard.chapters.items():
            self.chapter(TITLES.get(f"{name}_functions", _title(name)), self.xp, functions)
        self.inspection()
        for name, functions in standard.extensions.items():
            owner = getattr(self.xp, name, None)
            self.chapter(name, owner, functions)
            self.extras(f"{name}.", sorted(_public(owner) - set(functions)))
        self.array()
        self.dtypes()
        self.values()
        # In a strict namespace every reachable name counts, whether in __all__ or not.
        names = _public(self.xp)
        if self.report.strict:
            names |= {name for name in dir(self.xp) if not name.startswith("_")}
        self.extras("", sorted(names - standard.top_level()))
        return self.report


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _public(module: object) -> set[str]:
    """The public names of a module: `__all__`, or the names without an underscore."""
    named = getattr(module, "__all__", None) or (dir(module) if module else ())
    return {name for name in named if not name.startswith("_")}


def _defines(owner: type, name: str) -> bool:
    """Whether a class has a name of its own; `object` and `type` have comparisons and `|`."""
    return any(name in vars(base) for base in owner.__mro__ if base is not object)


def compare_module(module: str) -> Coverage:
    """Compare an importable namespace with the standard. Raises what its import raises."""
    return _Comparison(module).all()
