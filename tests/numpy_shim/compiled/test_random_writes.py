"""Random programs of writes to parts, compiled with inductor, give what they give with NumPy."""

from __future__ import annotations

import linecache
import os

import numpy
import pytest
import torch

import numpy_shim as np

from .random_writes import Writes
from .test_inductor import shared

EXAMPLES = int(os.environ.get("XP_TORCH_EXAMPLES", "0")) or 24
FIRST = int(os.environ.get("XP_TORCH_SEED", "0"))
TOGETHER = 12
"""Programs of one graph: most of the time goes to the C++ compiler."""


def functions(programs, namespace):
    """The programs as functions, whose source Dynamo finds."""
    found = []
    for program in programs:
        file = f"<{program.name}>"
        linecache.cache[file] = (len(program.source), None, program.source.splitlines(True), file)
        names = {"np": namespace}
        exec(compile(program.source, file, "exec"), names)
        found.append(names[program.name])
    return found


def outcome(function, arguments):
    """The results and the arguments after the call."""
    with numpy.errstate(all="ignore"):
        return [*function(*arguments), *arguments]


def is_right(program, got):
    """Whether values are as with NumPy, or as in eager mode.

    NumPy itself is wrong for some parts of one array: ``x[:, 2] = x[1, :4]`` loses an element.
    """
    (with_numpy,), (eager,) = functions([program], numpy), functions([program], np)
    expected = outcome(with_numpy, program.arguments())
    if any(a and not b for a, b in zip(shared(got), shared(expected), strict=True)):
        return False
    also = outcome(eager, [np.array(x) for x in program.arguments()])
    return same(got, expected) or same(got, also)


def same(got, expected):
    """All values, dtypes and shapes; float16 products are rounded once less when compiled."""
    for x, y in zip(map(numpy.asarray, got), map(numpy.asarray, expected), strict=True):
        if (x.dtype, x.shape) != (y.dtype, y.shape):
            return False
        rounding = 4e-3 if x.dtype == numpy.float16 else 1e-5 if x.dtype == numpy.float32 else 1e-12
        if not numpy.allclose(x, y, rtol=rounding, atol=10 * rounding, equal_nan=True):
            return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(FIRST, FIRST + EXAMPLES, TOGETHER))
def test_programs(first):
    """Values, dtypes, shapes, and no memory that is shared only when compiled."""
    programs = [Writes(seed) for seed in range(first, min(first + TOGETHER, FIRST + EXAMPLES))]
    arguments = [[np.array(x) for x in program.arguments()] for program in programs]
    ours = functions(programs, np)

    def each(given):
        return [f(a, b) for f, (a, b) in zip(ours, given, strict=True)]

    torch._dynamo.reset()
    results = torch.compile(each, fullgraph=True, dynamic=False)(arguments)
    wrong = [
        program.source
        for program, result, given in zip(programs, results, arguments, strict=True)
        if not is_right(program, [*result, *given])
    ]
    assert not wrong, "\n".join(wrong)
