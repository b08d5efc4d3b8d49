"""What properties, classes and random methods refuse, and their Raises sections."""

from __future__ import annotations

import builtins
import inspect
import re
from typing import Any

import numpy
import pytest

import numpy_shim
from tests.numpy_shim.test_docs import DRAWS, TEXTS

REFUSED = [
    ("flatiter", "np.ones((1,) * 40).flat", "RuntimeError"),
    ("ndarray.flat", "np.ones((1,) * 40).flat", "RuntimeError"),
    ("ndarray.flat", "np.ones(3).flat = 'a'", "ValueError"),
    ("ndarray.flat", "np.broadcast_to(1.0, 3).flat = 1", "ValueError"),
    ("ndarray.shape", "np.ones(3).shape = (4,)", "ValueError"),
    ("ndarray.shape", "np.ones(3).shape = 'a'", "TypeError"),
    ("ndarray.shape", "np.ones((2, 3)).T.shape = 6", "AttributeError"),
    ("ndarray.strides", "np.ones(3).strides = (8, 8)", "ValueError"),
    ("ndarray.strides", "np.ones(3).strides = (80,)", "ValueError"),
    ("ndarray.strides", "np.ones(3).strides = 'a'", "TypeError"),
    ("ndarray.dtype", "np.ones(3).dtype = 'nope'", "TypeError"),
    ("ndarray.dtype", "np.ones(3).dtype = 'c16'", "ValueError"),
    ("ndarray.real", "np.ones(3).real = np.ones(4)", "ValueError"),
    ("ndarray.real", "np.ones(3).real = 'a'", "ValueError"),
    ("ndarray.real", "np.broadcast_to(1.0, 3).real = 1", "ValueError"),
    ("ndarray.imag", "np.ones(3).imag = 1", "TypeError"),
    ("ndarray.imag", "np.ones(3, complex).imag = np.ones(4)", "ValueError"),
    ("ndarray.mT", "np.ones(3).mT", "ValueError"),
    ("ndarray", "np.ndarray((-1,))", "ValueError"),
    ("ndarray", "np.ndarray('a')", "TypeError"),
    ("ndarray", "np.ndarray(3, 'nope')", "TypeError"),
    ("ndarray", "np.ndarray(3, buffer=b'1')", "TypeError"),
    ("ndarray", "np.ndarray(3, buffer=[1])", "TypeError"),
    ("broadcast", "np.broadcast([1, 2], [1, 2, 3])", "ValueError"),
    ("broadcast", "np.broadcast(*[1] * 65)", "ValueError"),
    ("ndindex", "np.ndindex(-1)", "ValueError"),
    ("ndindex", "np.ndindex(1.5)", "TypeError"),
    ("ndenumerate", "np.ndenumerate([[1], [1, 2]])", "ValueError"),
    ("vectorize", "np.vectorize(3)", "TypeError"),
    ("vectorize", "np.vectorize(abs, otypes=['nope'])", "TypeError"),
    ("vectorize", "np.vectorize(abs, otypes=3)", "ValueError"),
    ("vectorize", "np.vectorize(abs, signature='(')", "ValueError"),
    ("vectorize", "np.vectorize(abs)([])", "ValueError"),
    ("vectorize", "np.vectorize(max)([1, 2], [1, 2, 3])", "ValueError"),
    ("errstate", "np.errstate(all='nope').__enter__()", "ValueError"),
    ("errstate", "np.errstate(call=3).__enter__()", "TypeError"),
    ("errstate", "e = np.errstate(all='ignore')\nwith e, e: pass", "TypeError"),
    ("random.Generator", "np.random.Generator(3)", "AttributeError"),
    ("random.Generator", "np.random.Generator(np.random.PCG64)", "ValueError"),
    ("random.RandomState", "np.random.RandomState('a')", "TypeError"),
    ("random.RandomState", "np.random.RandomState(-1)", "ValueError"),
    ("random.RandomState", "np.random.RandomState([])", "ValueError"),
    ("random.RandomState", "np.random.RandomState([[1]])", "ValueError"),
    *[(f"random.{name}", f"np.random.{name}({seed})", error)
      for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")
      for seed, error in (("-1", "ValueError"), ("'a'", "TypeError"), ("1.5", "TypeError"))],
    ("random.Philox", "np.random.Philox(1, key=3)", "ValueError"),
    ("random.Philox", "np.random.Philox(counter=-3)", "ValueError"),
    ("random.Philox", "np.random.Philox(key=2**200)", "ValueError"),
    ("random.SeedSequence", "np.random.SeedSequence(1, pool_size=3)", "ValueError"),
    ("random.SeedSequence", "np.random.SeedSequence(1, spawn_key=3)", "TypeError"),
    ("random.seed", "np.random.seed('a')", "TypeError"),
    ("random.seed", "np.random.seed(-1)", "ValueError"),
]  # fmt: skip
"""What properties and classes refuse, as NumPy does."""
REFUSED_HERE = [
    ("ndarray.data", "np.ones(3, np.bfloat16).data", "ValueError"),
    ("ndarray.data", "np.empty(3, device='meta').data", "TypeError"),
    ("ndarray.dtype", "np.ones(3).dtype = 'V8'", "TypeError"),
    ("set_default_dtype", "np.set_default_dtype(int)", "ValueError"),
    ("set_default_dtype", "np.set_default_dtype('nope')", "TypeError"),
    ("set_host_dtypes", "np.set_host_dtypes('nope')", "ValueError"),
    ("random.set_stream", "np.random.set_stream('nope')", "ValueError"),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("name", "call", "error", "spaces"),
    [
        *[(*case, (numpy, numpy_shim)) for case in REFUSED],
        *[(*case, (numpy_shim,)) for case in REFUSED_HERE],
    ],
)
def test_error_of_a_property_or_a_class(name: str, call: str, error: str, spaces: tuple[Any, ...]):
    """The error is raised, and it is in the Raises section where there is one."""
    raises = (inspect.getdoc(TEXTS[name]) or "").partition("Raises\n------\n")[2]
    assert error in re.findall(r"^\w+$", raises, re.M) or (not raises and len(spaces) == 2)
    kinds = {"AxisError": numpy.exceptions.AxisError, "LinAlgError": numpy.linalg.LinAlgError}
    for np in spaces:
        with pytest.raises(kinds.get(error) or getattr(builtins, error)):
            exec(call, {"np": np})


REFUSED_DRAWS = [
    ("Generator.permutation", "np.ones(3), axis=1", "AxisError"),
    ("Generator.permutation", "2.5", "AxisError"),
    ("Generator.permutation", "np.ones(3), axis='a'", "TypeError"),
    ("Generator.permutation", "[[1, 2], [3]]", "ValueError"),
    ("RandomState.permutation", "2.5", "IndexError"),
    ("RandomState.permutation", "[[1, 2], [3]]", "ValueError"),
    ("Generator.permuted", "np.ones(3), axis=1", "AxisError"),
    ("Generator.permuted", "3", "TypeError"),
    ("Generator.permuted", "np.ones(3), out=[1, 2, 3]", "TypeError"),
    ("Generator.permuted", "np.ones(3), out=np.ones(3, int)", "TypeError"),
    ("Generator.permuted", "np.ones(3), out=np.ones(4)", "ValueError"),
    ("Generator.permuted", "np.ones(3), out=np.broadcast_to(1.0, 3)", "ValueError"),
    ("Generator.permuted", "[[1, 2], [3]]", "ValueError"),
    ("Generator.shuffle", "np.ones(3), axis=1", "AxisError"),
    ("Generator.shuffle", "[1, 2], axis=1", "NotImplementedError"),
    *[
        (f"{owner}.shuffle", arguments, error)
        for owner in ("Generator", "RandomState")
        for arguments, error in [
            ("(1, 2)", "TypeError"),
            ("np.asarray(3)", "TypeError"),
            ("np.broadcast_to(1.0, 3)", "ValueError"),
        ]
    ],
    ("RandomState.seed", "1.5", "TypeError"),
    ("RandomState.seed", "-1", "ValueError"),
    ("RandomState.seed", "2**32", "ValueError"),
    ("RandomState.seed", "[]", "ValueError"),
    ("RandomState.seed", "[[1]]", "ValueError"),
    ("RandomState.set_state", "3", "TypeError"),
    ("RandomState.set_state", "{}", "ValueError"),
    ("RandomState.set_state", "np.random.PCG64(0).state", "ValueError"),
    ("RandomState.set_state", "('MT19937',)", "IndexError"),
    ("RandomState.set_state", "('MT19937', np.zeros(3, 'u4'), 1)", "IndexError"),
]


@pytest.mark.parametrize(("name", "arguments", "error"), REFUSED_DRAWS)
def test_error_that_the_text_of_a_random_method_names(name: str, arguments: str, error: str):
    """The error is in the text, and both namespaces raise it."""
    owner, _, method = name.partition(".")
    raises = (inspect.getdoc(DRAWS[name]) or "").partition("Raises\n------\n")[2]
    assert re.search(rf"^{error}\n", raises, re.M)
    for np in (numpy, numpy_shim):
        rng = np.random.RandomState(0) if owner == "RandomState" else np.random.default_rng(0)
        with pytest.raises(getattr(builtins, error, None) or numpy.exceptions.AxisError):
            eval(f"rng.{method}({arguments})", {"rng": rng, "np": np})
