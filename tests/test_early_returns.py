"""No test returns before it has checked something: such a case passes whatever the code does.

What does not apply to a drawn example is left out by ``assume``, what does not apply to a
parameter set is not a parameter set or is skipped with a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("test_*.py"))
CHECKING = ("assert", "compare", "raises", "warns", "fail", "skip")
Inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """What a function runs itself: the bodies of functions within it are left out."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Inner):
            yield child
            yield from inside(child)


def checks(statement: ast.stmt) -> bool:
    """Whether a statement may fail the test: asserts, raises or calls what does."""
    for node in (statement, *inside(statement)):
        if isinstance(node, ast.Assert | ast.Raise):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name.startswith(CHECKING):
                return True
    return False


def early_returns(source: str) -> list[str]:
    """The tests with a ``return`` at the end of a block that checks nothing, and its line."""
    found = []
    for test in ast.walk(ast.parse(source)):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test"):
            for node in (test, *inside(test)):
                for field in ("body", "orelse", "finalbody"):
                    block = getattr(node, field, None)
                    if (
                        isinstance(block, list)
                        and block
                        and isinstance(block[-1], ast.Return)
                        and not any(map(checks, block[:-1]))
                    ):
                        found.append(f"{test.name}, line {block[-1].lineno}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.relative_to(TESTS).as_posix())
def test_every_return_comes_after_a_check(file: Path):
    assert not early_returns(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("if x:\n        return\n    assert x", 1),
        ("for y in x:\n        if y:\n            f(y)\n            return\n    assert x", 1),
        ("try:\n        f()\n    except ValueError:\n        return\n    assert x", 1),
        ("if x:\n        assert f(x)\n        return\n    assert x", 0),
        ("if x:\n        with pytest.raises(ValueError):\n            f()\n        return", 0),
        ("if x:\n        np.testing.assert_equal(f(x), 1)\n        return\n    assert x", 0),
        ("def g():\n        if x:\n            return\n    assert g()", 0),
    ],
)
def test_early_returns_are_found(body: str, lines: int):
    """The finder itself, on what it must find and what it must not."""
    assert len(early_returns(f"def test_x(x):\n    {body}\n")) == lines
