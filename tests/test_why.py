"""The comparison with other libraries: each cell has a source; what can be measured, is here."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import array_api_compat.torch
import array_api_strict
import numpy
import pytest
import torch
import torch._numpy

from tests.test_docs import ROOT

NOTES = "¹²³⁴⁵⁶⁷"
TEXT = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of the table of a text."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


ROWS = rows(TEXT)
SOURCE = re.compile(rf"[{NOTES}]|\]\(https://|^not run")


@pytest.mark.parametrize("row", ROWS[2:], ids=[row[0].strip("*`") for row in ROWS[2:]])
def test_each_cell_has_a_source(row: list[str]):
    """A note with a command, or a link; or it says that nothing was run."""
    assert len(row) == len(ROWS[0])
    assert [cell for cell in row[1:] if not SOURCE.search(cell)] == []


@pytest.mark.parametrize("note", NOTES)
def test_each_note_has_a_command_that_is_used(note: str):
    """The commands themselves are checked in test_commands.py."""
    (line,) = re.findall(rf"^{note} (.+(?:\n[^{NOTES}\n].*)*)", TEXT, re.MULTILINE)
    assert "`python -m " in line
    assert any(note in cell for row in ROWS for cell in row)


def bare(cell: str) -> str:
    """A cell without notes and links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(f"[{NOTES}]", "", cell))


def test_the_first_screen_is_a_part_of_the_table():
    """The README compares five rows and four columns, and says the same in each cell."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    short = rows(text.partition("## Compared\n")[2].partition("\n## ")[0])
    assert (len(short) - 2, len(short[0]) - 1) == (5, 4)
    whole = {row[0]: dict(zip(ROWS[0], map(bare, row), strict=True)) for row in ROWS[2:]}
    for name, *cells in short[2:]:
        for column, cell in zip(short[0][1:], cells, strict=True):
            said = whole[name][column]
            assert said == cell or said.startswith(f"{cell}:"), (name, column)


def has(module: ModuleType, *names: str) -> list[bool]:
    return [hasattr(module, name) for name in names]


def test_numpy():
    """No GPU, no gradients, no compiler."""
    assert list(numpy.__array_namespace_info__().devices()) == ["cpu"]
    assert not any(has(numpy, "grad", "vjp", "jit", "compile"))


def test_array_api_compat():
    """Tensors of torch, so devices, gradients and compilation are torch's; and all of its names."""
    xp: Any = array_api_compat.torch
    x = xp.ones(3).requires_grad_()
    assert type(x) is torch.Tensor
    xp.sum(x * x).backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
    assert xp.zeros(3, device="meta").device.type == "meta"
    compiled = torch.compile(lambda t: xp.sum(t * t), backend="eager", fullgraph=True)
    assert float(compiled(torch.ones(3))) == 3.0
    assert all(has(xp, "relu", "nn", "as_strided"))  # not of the standard
    assert not any(has(xp, "array", "ndarray", "errstate"))  # a script for NumPy needs them


def test_array_api_strict():
    """NumPy's arrays on each of its devices; no gradients, no compiler, no names beyond."""
    for device in array_api_strict.__array_namespace_info__().devices():
        x = array_api_strict.ones(3, device=device)
        assert type(x._array) is numpy.ndarray  # in the memory of the host, whatever its name
    assert not any(has(array_api_strict, "grad", "vjp", "jit", "compile", "array", "concatenate"))


def test_torch_numpy():
    """It has NumPy's names beyond the standard."""
    assert all(has(torch._numpy, "array", "concatenate", "histogram"))


def test_jax():
    """Gradients and compilation; NumPy's names; arrays that cannot be assigned to."""
    jax = pytest.importorskip("jax")
    x = jax.numpy.ones(3)
    square = jax.jit(lambda x: jax.numpy.sum(x * x))
    assert jax.grad(square)(x).tolist() == [2.0, 2.0, 2.0]
    assert hasattr(jax.numpy, "concatenate")
    with pytest.raises(TypeError, match="immutable"):
        x[0] = 2.0
