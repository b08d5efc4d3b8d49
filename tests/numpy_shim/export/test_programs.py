"""Functions of the examples and the kernels, exported: equal results for inputs of other sizes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

import numpy_shim
from numpy_shim.exceptions import ExportError
from tests.slow import one_in

from .programs import NOT_IN_ONNX, Program, table

PROGRAMS = table()
OTHER = {"n": 11, "m": 13, "k": 5, "d": 3}
"""Sizes that none of the examples has."""


@pytest.fixture(scope="module")
def exported() -> Any:
    made: dict[str, Any] = {}

    def get(name: str) -> Any:
        if name not in made:
            program = PROGRAMS[name]
            made[name] = numpy_shim.export(
                program.function, *program.arguments, dynamic=program.dynamic
            )
        return made[name]

    return get


def other_arguments(made: Any, program: Program) -> tuple[Any, ...]:
    """Arguments of other sizes, with values of the example's kind."""
    rng = np.random.default_rng(5)
    ports = iter(made.inputs)

    def other(x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(other(v) for v in x)
        if not isinstance(x, np.ndarray):
            return x
        shape = tuple(OTHER.get(size, size) for size in next(ports).shape)
        return rng.permutation(np.resize(x, shape).reshape(-1)).reshape(shape)

    return tuple(other(x) for x in program.arguments)


def flat(x: Any) -> list[Any]:
    return [v for item in x for v in flat(item)] if isinstance(x, tuple) else [x]


def is_close(a: Any, b: Any) -> bool:
    return np.asarray(a).dtype == np.asarray(b).dtype and np.allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", one_in(3, PROGRAMS))
def test_program_gives_the_same(name: str, exported: Any, tmp_path: Any):
    """The object does what the function does, what it writes to its arguments too."""
    made, program = exported(name), PROGRAMS[name]
    given = other_arguments(made, program)
    expected_given, our_given = copy.deepcopy(given), copy.deepcopy(given)
    expected, found = program.function(*expected_given), made(*our_given)
    for a, b in zip(flat(expected), flat(found), strict=True):
        assert (a is None and b is None) or is_close(a, b)
    for a, b in zip(flat(expected_given), flat(our_given), strict=True):
        assert is_close(a, b)


@pytest.mark.parametrize("name", ["softmax", "black_scholes", "conv2d", "stencil_1d"])
def test_saved_program_needs_torch_alone(name: str, exported: Any, tmp_path: Any):
    """torch loads the file, and gives tensors by the names of the outputs."""
    made, program = exported(name), PROGRAMS[name]
    made.save(tmp_path / "f.pt2")
    loaded = torch.export.load(tmp_path / "f.pt2").module()
    given = other_arguments(made, program)
    tensors = [torch.from_numpy(x.copy()) for x in flat(given) if isinstance(x, np.ndarray)]
    result = loaded(*tensors)
    names = [port.name for port in made.outputs]
    assert list(result) == names if isinstance(result, dict) else names == ["result"]
    found = list(result.values()) if isinstance(result, dict) else [result]
    expected = flat(program.function(*copy.deepcopy(given)))
    assert all(is_close(a, b.numpy()) for a, b in zip(expected, found, strict=False))


@pytest.mark.parametrize("name", one_in(3, [n for n in PROGRAMS if n not in NOT_IN_ONNX]))
def test_onnx_gives_the_same(name: str, exported: Any, tmp_path: Any):
    """ONNX Runtime loads the file; its inputs, outputs and axes have the function's names."""
    runtime = pytest.importorskip("onnxruntime", reason="ONNX Runtime runs the file")
    made, program = exported(name), PROGRAMS[name]
    path = tmp_path / "f.onnx"
    made.onnx(path)
    session = runtime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    for ports, values in (
        (made.inputs, session.get_inputs()),
        (made.outputs, session.get_outputs()),
    ):
        assert [port.name for port in ports] == [value.name for value in values]
        assert [list(port.shape) for port in ports] == [value.shape for value in values]
    given = other_arguments(made, program)
    arrays = [x for x in flat(given) if isinstance(x, np.ndarray)]
    feed = {port.name: x.copy() for port, x in zip(made.inputs, arrays, strict=True)}
    found = dict(zip([p.name for p in made.outputs], session.run(None, feed), strict=True))
    expected = flat(program.function(*given))
    names = [name for name in found if name.startswith("result")]
    if not names:  # it returns nothing, and writes to its first argument
        assert is_close(found["field_written"], given[0])
    for a, b in zip(expected, names, strict=False):
        assert a is None or np.allclose(a, found[b], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", NOT_IN_ONNX)
def test_missing_operator_is_named(name: str, exported: Any, tmp_path: Any):
    pytest.importorskip("onnxruntime", reason="the converter needs the extra onnx")
    pytest.importorskip("onnxscript", reason="the converter needs the extra onnx")
    path = tmp_path / "f.onnx"
    with pytest.raises(ExportError, match=rf"\.py:\d+: .*{NOT_IN_ONNX[name]}"):
        exported(name).onnx(path)
    assert not path.exists()
