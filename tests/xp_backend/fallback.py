"""``python -m tests.xp_backend.fallback``: operators on the CPU, counted; and what names one.

The backend is over objects that hold a NumPy array, so that only the two transfers know them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import xp_backend


class Box:
    """An array type without one attribute of arrays."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)


def main() -> None:
    env = xp_backend.BackendEnvironment(
        "boxes", Box, lambda t: Box(t.numpy()), lambda b: torch.from_numpy(b.values), fallback="cpu"
    )
    env.register_default_decompositions()

    @env.register_op(torch.sin)  # by torch's function
    def sin(x: Box) -> Box:
        return Box(np.sin(x.values))

    env.register_op(torch.ops.aten.exp, lambda x: Box(np.exp(x.values)))  # by the packet
    env.register_op(torch.ops.aten.mul.Tensor, lambda a, b: Box(a.values * b.values))
    x = torch.tensor([0.5, 1.0], device="boxes")
    assert torch.allclose((torch.sin(x) * torch.exp(x)).cpu(), torch.sin(x.cpu()) * x.cpu().exp())
    assert not env.report().fallen_back
    env.report(reset=True)
    assert torch.allclose(torch.erfinv(x / 2).cpu(), torch.erfinv(x.cpu() / 2))
    report = env.report()
    fallen = {operator: (line, count) for (operator, line), count in report.fallen_back.items()}
    assert fallen.keys() == {"aten.div.Tensor", "aten.erfinv.default"}, fallen
    line, count = fallen["aten.erfinv.default"]
    assert "fallback.py:" in line, line
    assert count == 1
    moved = {(t.direction, t.operator): t.nbytes for t in report.transfers}
    assert moved["to cpu", "aten.erfinv.default"] == moved["to backend", "aten.erfinv.default"] == 8
    assert "on the CPU:" in str(report)

    # Eager operators make a Dynamo backend, with a gradient.
    def f(v: torch.Tensor) -> torch.Tensor:
        return (torch.sin(v) * v).sum()

    v = x.detach().requires_grad_()
    compiled = torch.compile(f, backend=env.dynamo_backend, fullgraph=True)
    env.report(reset=True)
    got = compiled(v)
    assert env.report().operators["aten.sin.default"] == 1
    got.backward()
    w = x.cpu().requires_grad_()
    f(w).backward()
    assert torch.allclose(got.detach().cpu(), f(w).detach())
    assert torch.allclose(v.grad.cpu(), w.grad)
    print("passed")


if __name__ == "__main__":
    main()
