"""The tables of the flat paths, and what every array knows of its tensor."""

from __future__ import annotations

import ast
import contextlib
import copy
import pickle
from pathlib import Path

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._ufunc import flat
from numpy_shim._ufunc.spec import SPECS, fill_every_spec
from tests.numpy_shim.differential import check_flat_dtype

fill_every_spec()
ONE_DTYPE = [(name, dtype) for name, spec in SPECS.items() for dtype in spec.fast if spec.nout == 1]


@pytest.mark.parametrize(("name", "dtype"), ONE_DTYPE, ids=lambda x: str(x).removeprefix("torch."))
def test_result_has_the_dtype_of_the_table(name: str, dtype: torch.dtype):
    """A flat path gives its result this dtype without a question to torch."""
    spec = SPECS[name]
    operands = [torch.ones((2, 2), dtype=dtype) for _ in range(spec.nin)]
    assert spec.fast[dtype](*operands).dtype is spec.made[dtype]


def assigned_shape(a):
    a.shape = (3, 2)
    return a


def assigned_dtype(a):
    a.dtype = "int64"
    return a


def resized(a, *shape):
    a.resize(shape, refcheck=False)
    return a


def locked(a):
    a.flags.writeable = False
    return a


def added_to(a):
    a += 1
    return a


WAYS = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle of protocol 2": lambda a: pickle.loads(pickle.dumps(a, 2)),
    "pickle of protocol 5": lambda a: pickle.loads(pickle.dumps(a, 5)),
    "shape": assigned_shape,
    "dtype": assigned_dtype,
    "resize": lambda a: resized(a, 2, 2),
    "resize to no axes": lambda a: resized(a),
    "flags": locked,
    "+=": added_to,
    "a[()]": lambda a: a[()],
    "a[..., 0]": lambda a: a[..., 0],
    "a[0, 0, ...]": lambda a: a[0, 0, ...],
    "a[None]": lambda a: a[None],
    "a[[0, 1]]": lambda a: a[[0, 1]],
    "a[a > 0]": lambda a: a[a > 0],
    "a[::-1]": lambda a: a[::-1],
    "rows": lambda a: next(iter(a)),
    "reshape to no axes": lambda a: a[:1, :1].reshape(()),
    "reshape by a list": lambda a: numpy_shim.reshape(a, [6]),
    "squeeze": lambda a: numpy_shim.squeeze(a[:1, :1]),
    "view": lambda a: a.view("int64"),
    "astype": lambda a: a.astype("float32"),
    "real": lambda a: a.real,
    "grad": lambda a: numpy_shim.grad(lambda x: numpy_shim.sum(x * x))(a),
    "vmap": lambda a: numpy_shim.vmap(lambda x: x + x[0])(a),
    "array of one": lambda a: numpy_shim.array(a[0, 0]),
    "empty_like": numpy_shim.empty_like,
    "where": lambda a: numpy_shim.where(numpy_shim.array(True), 1.0, 2.0),
}


@pytest.mark.parametrize("way", WAYS)
def test_array_knows_its_dtype(way: str):
    check_flat_dtype(WAYS[way](numpy_shim.arange(6.0).reshape(2, 3) + 0.5))


@pytest.mark.parametrize("way", ["a[...]", "a[None]", "pickle", "copy", "+", "ravel", "astype"])
def test_array_without_axes_knows_it(way: str):
    a = numpy_shim.array(2.5)
    made = {
        "a[...]": lambda: a[...],
        "a[None]": lambda: a[None],
        "pickle": lambda: pickle.loads(pickle.dumps(a)),
        "copy": lambda: a.copy(),
        "+": lambda: numpy_shim.add(a, a, out=...),
        "ravel": lambda: numpy_shim.ravel(a),
        "astype": lambda: a.astype("float32"),
    }[way]()
    check_flat_dtype(made)
    assert type(made + made) is (numpy.float64 if made.dtype == "float64" else numpy.float32) or (
        made.ndim
    )


def test_operators_after_shape_is_set():
    """An array that lost its axes gives a scalar, one that gained them an array."""
    a = numpy_shim.array([2.0])
    a.shape = ()
    assert type(a * 2) is numpy.float64
    assert type(numpy_shim.exp(a)) is numpy.float64
    a.shape = (1,)
    assert (a * 2).shape == (1,)


def test_operators_after_dtype_is_set():
    a = numpy_shim.array([1.0, 2.0])
    a.dtype = "int64"
    b = numpy.array([1.0, 2.0]).view("int64")
    assert (a + a).tolist() == (b + b).tolist()
    assert (a + a).dtype == "int64"


SAME_DTYPE_AND_AXES = {"set_writeable", "locked", "strides", "_module", "forward"}
"""Functions that put another tensor of the same dtype and shape into an array."""


def assigned(function: ast.AST, attribute: str) -> set[str]:
    """The names of the objects whose attribute a function assigns to."""
    targets = [t for n in ast.walk(function) if isinstance(n, ast.Assign) for t in n.targets]
    parts = [p for t in targets for p in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return {
        ast.unparse(p.value) for p in parts if isinstance(p, ast.Attribute) and p.attr == attribute
    }


def test_what_sets_a_tensor_sets_the_dtype():
    """Otherwise a flat path would take another function than that of the tensor's dtype."""
    setters = {}
    for file in Path(numpy_shim.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name not in SAME_DTYPE_AND_AXES:
                without = assigned(node, "_tensor") - assigned(node, "_flat_dtype")
                setters[f"{file.name}: {node.name}"] = without
    assert {name for name, objects in setters.items() if objects} == {"ndarray.py: tensor_scalar"}


def test_autocast_decides_the_dtype():
    """Under torch's autocast a product has the dtype that torch chose, and can be used on."""
    a = numpy_shim.ones((2, 2), "float32")
    with torch.autocast("cpu", torch.bfloat16):
        for product in (a @ a, numpy_shim.matmul(a, a)):
            assert product._tensor.dtype is torch.bfloat16
            check_flat_dtype(product)
            assert numpy_shim.exp(product)._tensor.dtype is torch.bfloat16
            assert (product + a).dtype == "float32"


def test_a_function_of_a_scalar_that_is_made_while_another_thread_starts_to_look(monkeypatch):
    """It is kept, and the calls that look for errors do not find it."""
    looking = numpy_shim.errstate(divide="raise")
    made = flat._of_scalar

    def meanwhile(*args):
        looking.__enter__()
        return made(*args)

    divide = flat.binary(SPECS["divide"])
    monkeypatch.setattr(flat, "_of_scalar", meanwhile)
    x, zero = numpy_shim.ones(2), numpy.float64(0)
    assert divide(x, zero).tolist() == [numpy.inf] * 2
    with contextlib.ExitStack() as leave:
        leave.push(looking)
        assert divide(x, zero) is NotImplemented  # the general call looks
    assert divide(x, zero).tolist() == [numpy.inf] * 2
