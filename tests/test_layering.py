"""Who may import whom: both packages are floors, and a file imports from its own and below."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# From the lowest floor up. What is not named is on the floor of its package: ``xp_torch`` itself.
FLOORS: dict[str, list[tuple[str, ...]]] = {
    "xp_torch": [
        ("xp_torch._core", "xp_torch._torch"),
        ("xp_torch._kernels",),
        ("xp_torch._mesh",),
        ("xp_torch",),
        ("xp_torch.__init__",),
        ("xp_torch.__main__",),
    ],
    "numpy_shim": [
        ("numpy_shim._base",),
        (
            "numpy_shim._host.__init__",
            "numpy_shim._host.crossings",
            "numpy_shim._host.program_text",
        ),
        ("numpy_shim._kernels",),
        ("numpy_shim._array",),
        ("numpy_shim._convert",),
        ("numpy_shim._host",),
        ("numpy_shim._indexing",),
        ("numpy_shim._ufunc",),
        ("numpy_shim._functions",),
        ("numpy_shim._numpys.__init__", "numpy_shim._numpys.whole"),
        tuple(
            f"numpy_shim.{name}"
            for name in (
                "linalg",
                "fft",
                "random",
                "polynomial",
                "lib",
                "special",
                "testing",
                "typing",
            )
        ),
        ("numpy_shim._numpys.names",),
        ("numpy_shim.distributed",),
        ("numpy_shim._interop",),
        ("numpy_shim._members",),
        ("numpy_shim._jit",),
        ("numpy_shim._export",),
        ("numpy_shim.scipy",),
        ("numpy_shim._launcher",),
        # NumPy's names for its exceptions: inside the package they come from where they are made.
        ("numpy_shim.exceptions",),
        ("numpy_shim.__init__", "numpy_shim.__main__"),
    ],
    "xp_backend": [
        ("xp_backend._torch_internals", "xp_backend._errors", "xp_backend._report"),
        ("xp_backend._trace", "xp_backend._operators"),
        ("xp_backend._tensor",),
        ("xp_backend._promotion", "xp_backend._views", "xp_backend._blobs"),
        (
            "xp_backend._copies",
            "xp_backend._random",
            "xp_backend._decompositions",
            "xp_backend._compiler",
            "xp_backend._postponed",
        ),
        ("xp_backend._dispatch",),
        ("xp_backend._environment",),
        ("xp_backend._array_api",),
        ("xp_backend.__init__",),
        ("xp_backend.npy",),
    ],
}
SHARED = ("xp_torch._core.", "xp_torch._torch.", "xp_torch._kernels.", "xp_torch._mesh.")
"""What numpy_shim imports of xp_torch."""
# The class declares for type checkers what is hung on it on a higher floor.
MAY_LOOK_UP_FOR_TYPES = {"numpy_shim._array.ndarray"}


def name_of(file: Path) -> str:
    """The dotted name of a source file, packages as their ``__init__``."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


FILES = {
    package: {name_of(f): f for f in sorted((ROOT / package).rglob("*.py"))} for package in FLOORS
}
ALL = [(package, name) for package, files in FILES.items() for name in files]
each_file = pytest.mark.parametrize(("package", "name"), ALL, ids=[name for _, name in ALL])


def nodes(tree: ast.AST, types: bool) -> Iterator[ast.AST]:
    """Every node below ``tree``; without ``types``, those of ``if TYPE_CHECKING`` are left out."""
    for child in ast.iter_child_nodes(tree):
        if not types and isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield from (other, *nodes(other, types))
        else:
            yield from (child, *nodes(child, types))


@functools.cache
def imports(file: Path, types: bool = True) -> frozenset[str]:
    """Every module a file imports, at the top or inside a function, in absolute names.

    A package that is imported is given as its ``__init__``; ``from package import module`` is an
    import of the module. Without ``types``, imports for type checkers are left out.
    """
    source = file.read_text(encoding="utf-8")
    return frozenset(imported(source, name_of(file).rpartition(".")[0], types))


def imported(source: str, package: str, types: bool) -> set[str]:
    """``imports`` of a source text that is a module of ``package``."""
    found: set[str] = set()
    own = package.split(".")
    for node in nodes(ast.parse(source), types):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = own[: len(own) + 1 - node.level] if node.level else []
            module = ".".join(base + (node.module.split(".") if node.module else []))
            names = {f"{module}.{alias.name}" for alias in node.names}
            modules = {n for n in names if is_module(n)}
            found |= modules if modules == names else modules | {module}
        elif is_import_by_name(node):
            found.add(node.args[0].value)  # type: ignore[attr-defined]
    return {f"{name}.__init__" if ROOT.joinpath(*name.split(".")).is_dir() else name
            for name in found}  # fmt: skip


def is_import_by_name(node: ast.AST) -> bool:
    """Whether a node is ``import_module("name")``, with the name written out."""
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("import_module", "importlib.import_module", "__import__")
        and bool(node.args)
        and isinstance(node.args[0], ast.Constant)
        and not node.args[0].value.startswith(".")
    )


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def floor(name: str) -> int:
    """The floor of a module, by the longest name that it starts with; the lowest is 0."""
    package = name.partition(".")[0]
    floors = {prefix: i for i, names in enumerate(FLOORS[package]) for prefix in names}
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        prefix = ".".join(parts[:count])
        if prefix in floors:
            return floors[prefix]
    raise AssertionError(f"{name} is on no floor: name it in FLOORS, or move it to one")


def of_package(package: str, name: str) -> set[str]:
    """What a file of the package imports of the package."""
    types = name not in MAY_LOOK_UP_FOR_TYPES
    return {n for n in imports(FILES[package][name], types) if n.partition(".")[0] == package}


@each_file
def test_nothing_is_imported_from_a_floor_above(package: str, name: str):
    above = {n for n in of_package(package, name) if floor(n) > floor(name)}
    assert not above


@pytest.mark.parametrize(
    ("package", "own"),
    [(package, i) for package, floors in FLOORS.items() for i in range(len(floors))],
    ids=[floors[i][0] for floors in FLOORS.values() for i in range(len(floors))],
)
def test_no_circle_of_imports(package: str, own: int):
    """Of the files of one floor; an import inside a function counts."""
    names = [n for n in FILES[package] if floor(n) == own]
    graph = {n: {m for m in of_package(package, n) if floor(m) == own} - {n} for n in names}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        pytest.fail(f"import circle: {circle}")


@pytest.mark.parametrize("name", [n for n in FILES["numpy_shim"] if "._kernels." in n])
def test_kernels_take_and_give_tensors(name: str):
    """They name none of the classes that hold a tensor."""
    used = {n.id for n in ast.walk(ast.parse(FILES["numpy_shim"][name].read_text("utf-8")))
            if isinstance(n, ast.Name)}  # fmt: skip
    assert not used & {"ndarray", "generic", "AnyArray", "TensorBox", "Array"}


@pytest.mark.parametrize("name", FILES["xp_torch"])
def test_only_torch_is_needed(name: str):
    """Beside the standard library xp_torch imports torch and itself."""
    roots = {n.partition(".")[0] for n in imports(FILES["xp_torch"][name])}
    assert roots - set(sys.stdlib_module_names) <= {"torch", "xp_torch"}


@pytest.mark.parametrize("name", FILES["xp_backend"])
def test_a_backend_needs_torch_only(name: str):
    """The module npy needs NumPy too, and takes SciPy where it is; no file knows our packages."""
    roots = {n.partition(".")[0] for n in imports(FILES["xp_backend"][name])}
    allowed = {"torch", "xp_backend"} | ({"numpy", "scipy"} if name == "xp_backend.npy" else set())
    assert roots - set(sys.stdlib_module_names) <= allowed


@pytest.mark.parametrize("name", FILES["numpy_shim"])
def test_numpy_shim_stands_on_the_shared_layers(name: str):
    """Of xp_torch it imports the two lowest floors only: strict functions refuse too much."""
    used = {n for n in imports(FILES["numpy_shim"][name]) if n.partition(".")[0] == "xp_torch"}
    assert not {n for n in used if not n.startswith(SHARED)}


def test_operators_are_hung_on_last():
    """Only ``__init__`` imports the module that hangs the operators on the array."""
    users = {n for n, f in FILES["xp_torch"].items() if "xp_torch._operators" in imports(f)}
    assert users == {"xp_torch.__init__"}


NAMESPACES = {"xp_torch", "numpy_shim", "array_api_strict", "array_api_compat"}


@pytest.mark.parametrize("file", sorted((ROOT / "conformance").rglob("*.py")), ids=name_of)
def test_conformance_knows_namespaces_by_name(file: Path):
    """The runner imports no namespace: it is given a module's name.

    Worlds are made of xp_torch's flags and arrays, by its public names.
    """
    found = {n.partition(".")[0] for n in imports(file)} & NAMESPACES
    assert found <= ({"xp_torch"} if file.parent.name == "worlds" else set())


IMPORTS = {
    "import numpy_shim": {"numpy_shim.__init__"},
    "def f():\n    from ..linalg import _norms": {"numpy_shim.linalg._norms"},
    "from .box import f": {"numpy_shim._base.box"},
    "from . import axes, no_module": {"numpy_shim._base.axes", "numpy_shim._base.__init__"},
    "if TYPE_CHECKING:\n    import numpy_shim.testing\nelse:\n    import torch": {"torch"},
    'importlib.import_module("numpy_shim.testing")': {"numpy_shim.testing"},
}


@pytest.mark.parametrize("source", IMPORTS)
def test_imports_are_found(source: str):
    """The reader of imports itself: relative, in functions, by name, of packages."""
    assert imported(source, "numpy_shim._base", types=False) == IMPORTS[source]
