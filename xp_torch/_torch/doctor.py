"""``python -m xp_torch --doctor``: what of torch is changed, and whether programs run here."""

from __future__ import annotations

import subprocess
import sys

from . import patches

PROGRAMS = {
    "arrays": """\
import numpy_shim as np, xp_torch as xp
assert (np.arange(3.0)[::-1] * 2).tolist() == [4, 2, 0] and xp.sum(xp.ones(3)) == 3
""",
    "gradients": """\
import numpy_shim as np
assert np.grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0])).tolist() == [2, 4]
""",
    "torch.compile": """\
import torch, numpy_shim as np
@torch.compile(fullgraph=True)
def f(x):
    x[0] = x[1:] @ x[1:]
    return x[::-1] + 1
assert f(np.array([1.0, 2.0, 3.0])).tolist() == [4, 3, 14]
""",
    "jit": """\
import numpy_shim as np
@np.jit(compiler="torch")
def f(x):
    return np.sum(np.tanh(x) * 2)
assert f(np.zeros(3)) == 0 and len(f.explain().graphs) == 1
""",
}
"""A program for each of the last line's answers. A compiled one must be one graph."""


def run(program: str) -> str:
    """Run a program in a process of its own; the last line of its error, empty if it is right."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return "" if done.returncode == 0 else (lines or [f"exit status {done.returncode}"])[-1]


def table() -> list[str]:
    """Each change of torch: its state, and what a user loses where it is not possible."""
    patches.install_all()
    lines = []
    for change in patches.PATCHES:
        lines.append(f"  {change.state:<13} {change.target}")
        if change.state == "not possible":
            lines += [f"  {'':<13} {change.reason}", f"  {'':<13} {change.without}"]
    return lines


def main() -> int:
    """Print the table and the answers; the exit status is 0 if all of them are yes."""
    print("changes of torch:")
    print("\n".join(table()))
    answers = {}
    for name, program in PROGRAMS.items():
        error = run(program)
        answers[name] = "no" if error else "yes"
        if error:
            print(f"{name}: {error}")
    print(", ".join(f"{name}: {answer}" for name, answer in answers.items()))
    return int("no" in answers.values())
