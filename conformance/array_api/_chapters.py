"""Map a test's id to the chapter and the function of the standard that it tests."""

from __future__ import annotations

import re
from functools import cache

from .. import _standard

TITLES = {
    "array_object": "Array object",
    "constants": "Constants",
    "creation_functions": "Creation",
    "data_type_functions": "Data types",
    "dlpack": "DLPack",
    "fft": "fft",
    "has_names": "Names",
    "indexing_functions": "Indexing",
    "inspection_functions": "Inspection",
    "linalg": "linalg",
    "manipulation_functions": "Manipulation",
    "operators_and_elementwise_functions": "Operators, elementwise",
    "searching_functions": "Searching",
    "set_functions": "Sets",
    "signatures": "Signatures",
    "sorting_functions": "Sorting",
    "special_cases": "Special cases",
    "statistical_functions": "Statistics",
    "utility_functions": "Utility",
}
_ID = re.compile(
    r"(?:.*/)?test_(?P<file>\w+)\.py::(?:Test(?P<cls>\w+)::)?"
    r"test_(?P<test>\w+?)(?:\[(?P<arg>.*)\])?$"
)


def chapter(test_id: str) -> str:
    """The chapter's title: one for each file of the suite."""
    stem = test_id.split("::")[0].rsplit("/", 1)[-1].removesuffix(".py").removeprefix("test_")
    return TITLES.get(stem) or stem.replace("_", " ").capitalize()


@cache
def groups() -> dict[str, tuple[str, ...]]:
    """The chapters of the standard with the names in each, extensions dotted."""
    standard = _standard.load()
    table = {
        TITLES.get(f"{name}_functions", name.replace("_", " ").capitalize()): tuple(functions)
        for name, functions in standard.chapters.items()
    }
    for extension, functions in standard.extensions.items():
        table[extension] = tuple(f"{extension}.{name}" for name in functions)
    table["Array methods"] = (*standard.attributes, *standard.methods)
    table["Reflected, in-place"] = (*standard.reflected, *standard.in_place)
    table["Inspection"] = (*table["Inspection"], *(f"info.{n}" for n in standard.inspection))
    table["Constants"] = tuple(standard.constants)
    return {title: names for title, names in table.items() if names}


@cache
def titles() -> dict[str, str]:
    """The chapter of each name."""
    return {name: title for title, names in groups().items() for name in names}


def _lookup(word: str, extension: str) -> str:
    """The standard's name for a word; names of the extension come first."""
    known = titles()
    for candidate in (f"{extension}.{word}", word, f"__{word}__", f"info.{word}"):
        if candidate in known:
            return candidate
    return ""


@cache
def function(test_id: str) -> str:
    """The function, method or constant that a test is for, or ""."""
    match = _ID.match(test_id)
    if match is None:
        return ""
    file, test, argument = match["file"], match["test"], match["arg"] or ""
    extension = file if file in ("linalg", "fft") else ""
    if file == "has_names":
        group, _, name = argument.partition("-")
        return _lookup(name, group)
    word = re.match(r"[\w.]+", argument)
    if word and (found := _lookup(word.group(), "")):
        return found
    if word and extension and (found := _lookup(word.group(), extension)):
        return found
    # `TestResultType` tests `result_type`, `test_linalg_matmul` tests `linalg.matmul`.
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", match["cls"] or "").lower()
    for words in (test, test.removeprefix(f"{extension}_").removeprefix("dunder_"), snake):
        parts = words.split("_")
        # The longest leading part that is a name: `unique_all_counts` tests `unique_all`.
        for end in range(len(parts), 0, -1):
            if found := _lookup("_".join(parts[:end]), extension):
                return found
    return ""


def about(test_id: str) -> tuple[str, str]:
    """The chapter and the function of a test."""
    return chapter(test_id), function(test_id)
