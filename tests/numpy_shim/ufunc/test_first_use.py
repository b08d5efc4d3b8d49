"""The tables of a ufunc are filled when it is first used, and before Dynamo reads one."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import numpy
import pytest

from tests.numpy_shim.differential import compare

BEGIN = """
import torch, numpy_shim as np
from numpy_shim._ufunc.spec import SPECS

def full():
    return {name for name, spec in SPECS.items() if spec.loops}

assert full() == set()
a, b = np.array([1.0, 2.0]), np.array([3, 4])
"""

END = """
import json, os, sys

for name, use in json.loads(sys.argv[1]).items():
    child = os.fork()
    if not child:
        try:
            exec(use)
        except BaseException as error:
            print(name, repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""

FIRST_USES = {
    "of its own dtype only": """
        assert np.cos(a).dtype == float and full() == {"cos"}
        assert (b + a).tolist() == [4.0, 6.0] and full() == {"cos", "add"}
    """,
    "under autocast": """
        x = np.ones((2, 2), "float32")
        with torch.autocast("cpu", torch.bfloat16):
            assert (x @ x)._tensor.dtype is torch.bfloat16
    """,
    "under autocast, by a call": """
        x = np.ones((2, 2), "float32")
        with torch.autocast("cpu", torch.bfloat16):
            assert np.matmul(x, x)._tensor.dtype is torch.bfloat16
    """,
    "in place": """
        t = a._tensor
        a += 1
        a **= 2
        assert a._tensor is t and a.tolist() == [4.0, 9.0]
    """,
    "with a number on the left": "assert (2**b).tolist() == [8, 16] and 'power' in full()",
    "with out=": """
        assert np.maximum(a, b, out=a) is a and a.tolist() == [3.0, 4.0]
        assert np.sqrt(a, out=a) is a and np.add(a, 1, out=a) is a
    """,
    "of elements": "np.add.at(b, [0, 0], 1); assert b.tolist() == [5, 4]",
    "of two results": "q, r = np.divmod(b, 2); assert (q.tolist(), r.tolist()) == ([1, 2], [1, 0])",
    "of scalars of NumPy's": "assert (a + np.float32(1)).dtype == float",
    "without a loop": """
        for _ in range(2):
            try:
                np.isnat(a)
            except TypeError as error:
                assert "isnat" in str(error)
            else:
                raise AssertionError
    """,
    "while errors are looked for": """
        with np.errstate(divide="raise"):
            try:
                a / 0
            except FloatingPointError:
                assert not SPECS["divide"].fast
            else:
                raise AssertionError
        assert SPECS["divide"].fast and (a / 0).tolist() == [np.inf, np.inf]
    """,
    "by eight threads at once": """
        import threading
        start, found = threading.Barrier(8), []
        def use():
            start.wait()
            found.append([(a + a).tolist(), np.exp(b).dtype, np.hypot(b, 4.0).tolist()[1]])
        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8 and all(f == found[0] for f in found)
    """,
    "in a trace": """
        compiled = torch.compile(lambda x: np.sin(x) + x @ x, backend="eager", fullgraph=True)
        assert full() >= set(SPECS) - {"isnat"}  # which has no loop
        torch._dynamo.config.error_on_recompile = True
        assert all(compiled(a).shape == (2,) for _ in range(3))
    """,
}


def test_first_uses():
    """Each has the result of every later one, and takes the same path: one process for each."""
    uses = {name: textwrap.dedent(use).strip() for name, use in FIRST_USES.items()}
    subprocess.run([sys.executable, "-c", BEGIN + END, json.dumps(uses)], check=True)


def test_dynamo_may_have_been_imported_before():
    """Then the import fills the tables."""
    program = "import torch._dynamo\n" + BEGIN.replace("full() == set()", "len(full()) > 80")
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", ["tanh", "cbrt", "arctan", "exp2"])
def test_large_arrays_of_halves(name: str):
    """They are computed in float32, in blocks."""
    values = numpy.linspace(-3, 3, 1 << 16).astype("f2")
    compare(lambda np: getattr(np, name)(np.asarray(values)), rtol=2.0**-10)
