"""Who may import whom: ``_core`` <- ``_kernels`` <- public modules <- ``__init__``; no NumPy."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xp_torch"
FILES = sorted(PACKAGE.rglob("*.py"))
# Nothing is imported from a layer to the right of one's own.
LAYERS = ("xp_torch._core", "xp_torch._kernels", "xp_torch", "xp_torch.__init__")


def name_of(file: Path) -> str:
    """The dotted name of a source file, packages as their ``__init__``."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def imports(file: Path) -> set[str]:
    """Every module a file imports, at the top or inside a function, in absolute names."""
    found: set[str] = set()
    package = name_of(file).split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            module = ".".join(base)
            names = {f"{module}.{alias.name}" for alias in node.names}
            found |= {n for n in names if is_module(n)} or {module}
    return found


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def layer(name: str) -> int:
    """The layer of a module of the package, the lowest first."""
    if name in ("xp_torch", "xp_torch.__init__"):
        return LAYERS.index("xp_torch.__init__")
    for i, prefix in enumerate(LAYERS):
        if name.startswith(f"{prefix}.") or name == prefix:
            return i
    raise AssertionError(name)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_no_import_from_a_layer_above(file: Path):
    own = layer(name_of(file))
    above = {n for n in imports(file) if n.startswith("xp_torch") and layer(n) > own}
    assert not above


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_only_torch_is_needed(file: Path):
    """Beside the standard library the package imports torch and itself."""
    roots = {n.partition(".")[0] for n in imports(file)}
    assert roots - set(sys.stdlib_module_names) <= {"torch", "xp_torch"}


SHIM = sorted((ROOT / "numpy_shim").rglob("*.py"))


@pytest.mark.parametrize("file", SHIM, ids=name_of)
def test_numpy_shim_stands_on_the_shared_layers(file: Path):
    """Of xp_torch it imports the core and the kernels only: strict functions refuse too much."""
    used = {n for n in imports(file) if n == "xp_torch" or n.startswith("xp_torch.")}
    allowed = ("xp_torch._core", "xp_torch._kernels")
    assert not {n for n in used if not n.startswith(allowed)}


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_xp_torch_knows_nothing_of_numpy_shim(file: Path):
    assert not {n for n in imports(file) if n.startswith("numpy_shim")}


def test_operators_are_hung_on_last():
    """Only ``__init__`` imports the module that hangs the operators on the array."""
    users = {name_of(f) for f in FILES if "xp_torch._operators" in imports(f)}
    assert users == {"xp_torch.__init__"}


@pytest.mark.parametrize("file", sorted((ROOT / "conformance").rglob("*.py")), ids=name_of)
def test_conformance_knows_namespaces_by_name(file: Path):
    """The runner imports neither package: it is given a module's name."""
    roots = {n.partition(".")[0] for n in imports(file)}
    assert not roots & {"xp_torch", "numpy_shim", "array_api_strict", "array_api_compat"}
