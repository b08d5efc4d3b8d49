"""The docstrings of numpy_shim: everything public has one, and every example runs."""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim import distributed, fft, linalg, polynomial, random, special
from numpy_shim._base.release import RELEASE
from numpy_shim._ufunc.texts import EXAMPLES
from numpy_shim.lib import array_utils, format, scimath, stride_tricks
from numpy_shim.random._texts import EXAMPLES as DRAWN
from numpy_shim.random._texts import REFUSES_NOTHING as DRAWS_THAT_REFUSE_NOTHING
from tests.test_docs import run_examples

MODULES = {
    "": numpy_shim, "linalg": linalg, "fft": fft, "random": random, "lib.scimath": scimath,
    "lib.array_utils": array_utils, "lib.stride_tricks": stride_tricks,
    "lib.format": format, "polynomial": polynomial, "distributed": distributed,
    "special": special,
}  # fmt: skip


OURS_OF_RANDOM = ("default_rng", "seed", "set_stream", "get_stream", "Generator")


def is_ours(value: Any) -> bool:
    """Whether a function or class is written here: NumPy's ufunc texts and dtypes are not."""
    return is_written_here(value) and not isinstance(value, numpy_shim.ufunc)


def is_written_here(value: Any) -> bool:
    """Whether the text of a function or class, or of the class of an object, is not NumPy's."""
    home = getattr(value, "__module__", "") or ""
    return home.startswith("numpy_shim") and not home.startswith("numpy_shim._numpys.")


def documented() -> Iterator[tuple[str, Any]]:
    for prefix, module in MODULES.items():
        for name, value in vars(module).items():
            if name.startswith("_") or not callable(value) or not is_ours(value):
                continue
            if prefix == "random" and name not in OURS_OF_RANDOM:
                continue  # bound methods with NumPy's texts
            yield f"{prefix}.{name}".lstrip("."), value
    for name in dir(numpy_shim.ndarray):
        member = inspect.getattr_static(numpy_shim.ndarray, name)
        if not name.startswith("_"):
            yield f"ndarray.{name}", member


DOCUMENTED = {name: inspect.getdoc(value) for name, value in documented()}
WITH_EXAMPLES = {name: doc for name, doc in DOCUMENTED.items() if doc and ">>> " in doc}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_object_is_documented(name: str):
    assert DOCUMENTED[name], name


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_example(name: str):
    """Every example in a public docstring gives what it says."""
    run_examples(WITH_EXAMPLES[name], name)


PARTS = ("Parameters", "Returns", "Examples")
CLASSES = ("ndarray", "ufunc", "flatiter", "broadcast", "__array_namespace_info__")
"""The classes of numpy_shim whose methods are its own; those of random and nditer are NumPy's."""


def public_functions() -> dict[str, Callable[..., Any]]:
    """The functions written here that `__all__` of a namespace names."""
    found = {}
    for prefix, module in MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            written = prefix != "random" or name in OURS_OF_RANDOM
            if inspect.isfunction(value) and is_ours(value) and written:
                found[f"{prefix}.{name}".lstrip(".")] = value
    return found


def public_members() -> dict[str, Any]:
    """The methods and properties of the public classes."""
    found = {}
    for name in CLASSES:
        owner = getattr(numpy_shim, name)
        for member in dir(owner):
            if not member.startswith("_"):
                found[f"{name}.{member}"] = inspect.getattr_static(owner, member)
    return found


FUNCTIONS = public_functions()
UFUNCS = {
    name: value
    for name, value in vars(numpy_shim).items()
    if isinstance(value, numpy_shim.ufunc) and name in numpy_shim.__all__
}
DRAWS = {
    f"{owner.__name__}.{name}": getattr(owner, name)
    for owner in (random.Generator, random.RandomState)
    for name in dir(owner)
    if not name.startswith("_") and inspect.isfunction(getattr(owner, name))
}
MEMBERS = public_members()
METHODS = {
    name: getattr(getattr(numpy_shim, name.partition(".")[0]), name.partition(".")[2])
    for name, member in MEMBERS.items()
    if inspect.isroutine(member) or type(member).__name__ == "_Counted"
}


PROPERTIES = {name: member for name, member in MEMBERS.items() if isinstance(member, property)}
MADE_OTHERWISE = {"ufunc": "frompyfunc makes one"}
"""Classes whose constructor is not public."""


def is_constant(value: Any) -> bool:
    """Whether a public object is a module or a scalar, which have no text of their own."""
    return inspect.ismodule(value) or isinstance(value, numpy.bool)


def public_classes() -> dict[str, Any]:
    """The classes written here that `__all__` of a namespace names, and objects such as `r_`."""
    found = {}
    for prefix, module in MODULES.items():
        for name in module.__all__ if prefix != "polynomial" else ():  # NumPy's classes and texts
            value = getattr(module, name)
            kind = value if isinstance(value, type) else type(value)
            if is_written_here(kind) and (
                isinstance(value, type) or not (callable(value) or is_constant(value))
            ):
                found[f"{prefix}.{name}".lstrip(".")] = value
    return found


PUBLIC_CLASSES = public_classes()
TEXTS = {**FUNCTIONS, **METHODS, **PROPERTIES, **PUBLIC_CLASSES}
"""All that is public and has a text written here, but for ufuncs and random methods."""


def sections_of(name: str, function: Callable[..., Any]) -> list[str]:
    """The sections that the docstring of a function must have."""
    arguments, returns = parameters_of(name, function), False
    if name in FUNCTIONS or name in METHODS:
        returns = inspect.signature(function).return_annotation not in (None, "None")
    asked = {"Parameters": bool(arguments), "Returns": returns, "Examples": True}
    return [part for part in PARTS if asked[part]]


def parameters_of(name: str, function: Any) -> set[str]:
    """The names of the parameters of a function, or of the constructor of a class."""
    if name in PROPERTIES or name in MADE_OTHERWISE or not callable(function):
        return set()
    return set(inspect.signature(function).parameters) - {"self"}


def lacking(name: str, function: Callable[..., Any]) -> tuple[str, ...]:
    """The sections that a docstring must have and has not."""
    doc = inspect.getdoc(function) or ""
    asked = sections_of(name, function)
    return tuple(part for part in asked if f"{part}\n{'-' * len(part)}\n" not in doc)


@pytest.mark.parametrize("name", TEXTS)
def test_docstring_has_every_section(name: str):
    """Parameters if there are any, Returns unless it is None, and Examples."""
    assert lacking(name, TEXTS[name]) == ()


def test_every_public_name_has_a_text_that_is_counted():
    """A name is in one of the tables here, or it is a constant or NumPy's own."""
    drawn = {name.partition(".")[2] for name in DRAWS} | {"ranf", "sample"}
    loose = []
    for prefix, module in MODULES.items():
        for name in module.__all__ if prefix != "polynomial" else ():  # NumPy's code and texts
            value = getattr(module, name)
            kind = value if callable(value) else type(value)
            full = f"{prefix}.{name}".lstrip(".")
            counted = full in TEXTS or full in UFUNCS or (prefix == "random" and name in drawn)
            if not counted and is_written_here(kind) and not is_constant(value):
                loose.append(full)
    assert loose == []
    assert len(TEXTS) + len(UFUNCS) + len(DRAWS) > 650


@pytest.mark.parametrize("name", [*PROPERTIES, *(n for n in PUBLIC_CLASSES if n not in DOCUMENTED)])
def test_example_of_a_property_or_an_object(name: str):
    run_examples(inspect.getdoc(TEXTS[name]) or "", name)


SOURCE = re.compile(r"^Source: (.+(?:\n.+)*)", re.M)


@pytest.mark.parametrize("name", [*TEXTS, *UFUNCS])
def test_docstring_names_its_source(name: str):
    """One source each. Where it is NumPy's function, NumPy has a function of that name."""
    function = TEXTS.get(name, UFUNCS.get(name))
    (source,) = SOURCE.findall(inspect.getdoc(function) or "")
    assert "``" in source
    if numpys := re.match(r"NumPy's ``([\w.]+)``", source):
        try:
            found = operator.attrgetter(numpys[1])(numpy)
        except AttributeError:
            assert RELEASE < (2, 4), numpys[1]  # our names are those of the newest release
        else:
            assert callable(found) or name in PROPERTIES or name in PUBLIC_CLASSES


@pytest.mark.parametrize("name", UFUNCS)
def test_text_of_a_ufunc(name: str):
    """NumPy's text, with errors that are raised and an example that runs."""
    function = UFUNCS[name]
    doc = inspect.getdoc(function) or ""
    if RELEASE >= (2, 2) or name not in ("matvec", "vecmat"):  # else the text is a line
        assert [
            part for part in (*PARTS, "Raises") if f"{part}\n{'-' * len(part)}\n" not in doc
        ] == []
    if hasattr(numpy, name):
        summary = inspect.getdoc(getattr(numpy, name)).partition("Parameters\n")[0]
        assert doc.startswith(summary)
    run_examples(f">>> import numpy_shim as np\n\n{doc}", name)  # there are some in the notes
    example = re.findall(rf"^>>> np\.{function.__name__}\((.*)\)$", doc, re.MULTILINE)[-1]
    call = f"np.{name}({example}, "
    out = (numpy_shim.ones(7, bool),) * function.nout
    with pytest.raises(TypeError):
        eval(f"{call} dtype='V4')", {"np": numpy_shim})
    with pytest.raises(ValueError, match=r"shape|broadcast|dimension"):
        eval(f"{call} out=out, casting='unsafe')", {"np": numpy_shim, "out": out})


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", DRAWS)
def test_text_of_a_random_method(name: str):
    """NumPy's text, with errors that are raised and an example that runs; its notes plot."""
    doc = inspect.getdoc(DRAWS[name]) or ""
    before, header, example = doc.partition("Examples\n--------\n")
    assert header
    refuses = name.partition(".")[2] not in DRAWS_THAT_REFUSE_NOTHING
    assert ("Raises\n------\n" in before) == refuses
    assert f"Source: NumPy's ``random.{name}``" in before
    run_examples(example, name)


SIZED = [
    name
    for name, method in DRAWS.items()
    if "size" in inspect.signature(method).parameters and "choice" not in name
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize(("size", "error"), [(-1, ValueError), ("a", TypeError)])
def test_size_is_refused(name: str, size: object, error: type[Exception]):
    owner, _, method = name.partition(".")
    given = "" if method in ("random", "random_sample") else DRAWN[method][0]
    first = ", ".join(part for part in given.split(", ") if not part.startswith("size="))
    rng = random.RandomState(0) if owner == "RandomState" else random.default_rng(0)
    with pytest.raises(error):
        eval(f"rng.{method}({first + ', ' if first else ''}size=size)", {"rng": rng, "size": size})


def test_every_example_of_a_ufunc_is_used():
    assert EXAMPLES.keys() <= {function.__name__ for function in UFUNCS.values()}


def listed_parameters(function: Callable[..., Any]) -> set[str]:
    """The names in the Parameters section of a docstring."""
    doc = inspect.getdoc(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n---|\Z)", doc, re.M | re.S)
    named = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section[1], re.M) if section else []
    return {part.strip().lstrip("*") for line in named for part in line.split(",")}


@pytest.mark.parametrize("name", TEXTS)
def test_parameters_are_those_of_the_signature(name: str):
    """A Parameters section names every parameter and nothing else."""
    assert listed_parameters(TEXTS[name]) == parameters_of(name, TEXTS[name])


def test_every_example_is_in_its_section():
    """The site shows an example as code only in a section of its own."""
    texts = {name: inspect.getdoc(value) or "" for name, value in FUNCTIONS.items()}
    loose = [n for n, doc in texts.items() if ">>> " in doc and "Examples\n" not in doc]
    assert loose == []
