"""Private names of torch stand in few modules, and importing the packages changes nothing of it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from xp_torch._torch import internals as torch_internals
from xp_torch._torch.internals import READ_IN_PLACE

ROOT = Path(__file__).parents[1]
HOME = ROOT / "xp_torch" / "_torch"
TABLES = {
    HOME / "internals.py",
    HOME / "dynamo.py",
    HOME / "patches.py",
    ROOT / "xp_backend" / "_torch_internals.py",
}
"""The files whose docstring says of each private name what would end its use."""
HOMES = TABLES | set(HOME.glob("*.py"))
"""The files that may use private names; a rule is a ``patch``, which says it itself."""
PACKAGES = ("xp_torch", "numpy_shim", "xp_backend")
FILES = sorted(f for p in PACKAGES for f in (ROOT / p).rglob("*.py") if f not in HOMES)

OF_TENSORS = {n for n in dir(torch.Tensor) if n.startswith("_") and not n.startswith("__")}
ALIKE = {
    # Attributes of ours that a tensor has one of the same name as.
    "numpy_shim/_functions/index_arrays.py": {"_indices"},
    "xp_torch/_flags.py": {"_values"},
}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_names(tree: ast.Module) -> Iterator[str]:
    """The private names of torch that a module uses, as far as its text tells."""
    of_torch = {"torch", "Tensor"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            parts = node.module.split(".")
            if parts[0] == "torch":
                of_torch |= {alias.asname or alias.name for alias in node.names}
                for alias in node.names:
                    if any(map(is_private, [*parts, alias.name])):
                        yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                if parts[0] == "torch" and any(map(is_private, parts)):
                    yield alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            text = ast.unparse(node)
            if text.split(".")[0] in of_torch and re.fullmatch(r"[\w.]+", text):
                yield text
            elif node.attr in OF_TENSORS or node.attr.startswith("_dynamo"):
                yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"torch\.(\w+\.)*_\w+(\.\w+)*", node.value):
                yield node.value
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("getattr", "setattr", "hasattr")
            and len(node.args) > 1
            and isinstance(name := node.args[1], ast.Constant)
            and (name.value in OF_TENSORS or ast.unparse(node.args[0]).split(".")[0] in of_torch)
            and is_private(name.value)
        ):
            yield name.value


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_private_names_stand_in_their_modules(file: Path):
    found = set(private_names(ast.parse(file.read_text(encoding="utf-8"))))
    allowed = ALIKE.get(str(file.relative_to(ROOT)), set())
    assert found - READ_IN_PLACE - allowed == set()
    assert allowed <= found  # an entry that is not needed goes


@pytest.mark.parametrize(
    "line",
    [
        "import torch._dynamo", "from torch._dynamo import config", "from torch import _C",
        "from torch.utils import _pytree", "torch._C.TensorBase", "torch.utils._pytree.tree_map",
        "x._is_view()", "f._dynamo_marked_constant = True", "getattr(x, '_version', 0)",
        "from torch.autograd import forward_ad\nforward_ad._current_level", "'torch._dynamo.exc'",
        "from torch.autograd import forward_ad\ngetattr(forward_ad, '_current_level', 0)",
        "Tensor._make_subclass",
    ],
)  # fmt: skip
def test_what_is_noticed(line: str):
    assert set(private_names(ast.parse(line)))


@pytest.mark.parametrize("home", sorted(TABLES), ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_every_private_name_is_in_the_table(home: Path):
    """The docstring says of each name that the module uses what would end its use."""
    text = home.read_text(encoding="utf-8")
    tree = ast.parse(text)
    table = ast.get_docstring(tree) or ""
    # Lines of the tables stand for all that the trace uses.
    covered = ("torch._dynamo", "torch._inductor", "torch._guards", "torch.utils._python_dispatch")
    for name in set(private_names(tree)) - READ_IN_PLACE:
        if not name.startswith(covered):
            assert name.removeprefix("torch.").rpartition(".")[2] in table, name
    if home.name == "internals.py":
        for name in READ_IN_PLACE:
            assert name in table


def test_forward_mode_is_seen():
    """The private level follows the public context manager."""
    from torch.autograd import forward_ad

    assert not torch_internals.in_forward_mode()
    with forward_ad.dual_level():
        assert torch_internals.in_forward_mode()
    assert not torch_internals.in_forward_mode()


PROGRAM = """
import sys, torch
from torch.utils import _python_dispatch

def snapshot():
    seen = {}
    for name, module in list(sys.modules.items()):
        if name == "torch" or name.startswith("torch."):
            for attribute, value in list(vars(module).items()):
                seen[name, attribute] = id(value)
                if isinstance(value, type) and value.__module__.startswith("torch"):
                    for member, own in list(vars(value).items()):
                        if not member.startswith("__") or callable(own):
                            seen[name, attribute, member] = id(own)
    return seen

import numpy, ctypes
before, finders = snapshot(), list(sys.meta_path)
import {package}
after = snapshot()
changed = [key for key, value in before.items() if after.get(key) != value]
print("changed:", [c for c in changed if c[-1] not in ("__warningregistry__",)])
print("finders:", [type(f).__module__ for f in sys.meta_path if f not in finders])
print("dynamo:", "torch._dynamo" in sys.modules)
"""


@pytest.mark.parametrize("package", ["xp_torch", "numpy_shim"])
def test_an_import_changes_nothing_of_torch(package: str):
    """No attribute of torch's modules and classes; a finder waits for Dynamo."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{package}", package)],
        check=True, timeout=120, capture_output=True, text=True,
    )  # fmt: skip
    finders = ["xp_torch._torch.patches"]
    # By the public torch.serialization.add_safe_globals, for torch.load.
    changed = [("torch._weights_only_unpickler", "_marked_safe_globals_set")]
    assert run.stdout.splitlines() == [
        f"changed: {changed}", f"finders: {finders}", "dynamo: False",
    ]  # fmt: skip
