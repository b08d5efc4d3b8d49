"""The graph of a call has as many operators as that of hand-written torch, or a reason for more."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch._dynamo.backends.common import aot_autograd

import numpy_shim as np

from .operator_table import CASES, MORE, OPERANDS

PAGE = Path(__file__).parents[3] / "docs" / "compiling.md"


def operators(function, arguments):
    """The ATen operators of the graph."""
    graphs = []

    def kept(graph, inputs):
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    compiled = torch.compile(
        function, fullgraph=True, dynamic=False, backend=aot_autograd(fw_compiler=kept)
    )
    compiled(*arguments)
    return [str(node.target) for node in graphs[0].graph.nodes if node.op.startswith("call_")]


@pytest.mark.parametrize("name", CASES)
def test_operator_count(name):
    """No more operators than torch by hand; where a value would be wrong, as many as are listed.

    What torch itself takes for them differs by release.
    """
    case = CASES[name]
    by_hand = operators(lambda *xs: case.torch(*xs), [OPERANDS[o]() for o in case.operands])
    ours = operators(lambda *xs: case.shim(*xs), [np.asarray(OPERANDS[o]()) for o in case.operands])
    if name in MORE:
        listed, ours_listed, _ = MORE[name]
        assert len(ours) - len(by_hand) == ours_listed - listed, (by_hand, ours)
    else:
        assert len(ours) <= len(by_hand), (by_hand, ours)


def test_reasons_are_told():
    """The page lists the calls with more operators, their counts and the reasons."""
    text = PAGE.read_text()
    for name, (by_hand, ours, reason) in MORE.items():
        assert f"| `{name}` | {by_hand} | {ours} | {reason} |" in text, name


def test_table_has_a_hundred_calls():
    assert len(CASES) >= 100
