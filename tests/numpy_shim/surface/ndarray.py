"""``ndarray``: attributes, methods and protocols, and what is asked of dtypes."""

from __future__ import annotations

from typing import Any

from tests.surface import INTEGER_RESULT, NO_INPUT, PIECEWISE_CONSTANT, Case

VECTOR = ([0.3, 0.6, 0.9, 1.2],)
MATRIX = ([[0.3, 0.6, 0.9], [0.4, 0.5, 0.8]],)
SQUARE = ([[0.3, 0.6], [0.9, 0.2]],)
COMPLEX = ([[0.3 + 1j, 0.6], [0.9j, 0.2 - 1j]],)
TOO_SHORT = "its precision is too low for finite differences"
NO_ARRAY = "the result is no array"
VALUES_READ = "it reads values into Python"
MEMORY_READ = "it hands the memory to Python or to another library"


def written(change: Any) -> Any:
    """A body that changes a copy of its first input and returns it."""

    def body(np: Any, a: Any, *rest: Any) -> Any:
        b = a * 1.0
        change(np, b, *rest)
        return b

    return body


def attribute(name: str, inputs: Any = MATRIX, **options: Any) -> Case:
    """A case of an attribute."""
    return Case(f"ndarray.{name}", lambda np, a: getattr(a, name), inputs, **options)


def method(name: str, *arguments: Any, inputs: Any = MATRIX, **options: Any) -> Case:
    """A case of a method called with ``arguments``."""
    return Case(f"ndarray.{name}", lambda np, a: getattr(a, name)(*arguments), inputs, **options)


def read(name: str, body: Any, trace: str = "", inputs: Any = MATRIX, **options: Any) -> Case:
    """A case whose result is no array."""
    return Case(name, body, inputs, trace=trace, grad=NO_ARRAY, **options)


CASES = [
    *[
        read(f"ndarray.{name}", lambda np, a, name=name: getattr(a, name))
        for name in ("shape", "ndim", "size", "itemsize", "nbytes", "strides", "dtype", "device")
    ],
    attribute("T", nodes=1),
    attribute("mT", nodes=1),
    attribute("real", nodes=0),
    attribute("real", COMPLEX, dtype="complex128", nodes=1),
    attribute("imag", COMPLEX, dtype="complex128", nodes=2),
    attribute("imag", grad=PIECEWISE_CONSTANT, nodes=1),
    attribute("tensor", grad=NO_ARRAY),
    attribute("base", grad=NO_ARRAY),
    read("ndarray.flags", lambda np, a: a.flags.c_contiguous and a.T.flags.f_contiguous),
    read("ndarray.setflags", lambda np, a: (a * 1.0).setflags(write=False)),
    read("ndarray.data", lambda np, a: a.data, MEMORY_READ),
    read("ndarray.__buffer__", lambda np, a: a.__buffer__(0), MEMORY_READ),
    Case("ndarray.flat", lambda np, a: a.flat[1:3], MATRIX),
    Case("ndarray.flat", written(lambda np, b: setattr(b, "flat", [1.0, 2.0])), MATRIX),
    Case("ndarray.shape", written(lambda np, b: setattr(b, "shape", (3, -1))), MATRIX),
    Case(
        "ndarray.real", written(lambda np, b: setattr(b, "real", 2.0)), COMPLEX, dtype="complex128"
    ),
    Case(
        "ndarray.imag", written(lambda np, b: setattr(b, "imag", 2.0)), COMPLEX, dtype="complex128"
    ),
    method("all", grad=INTEGER_RESULT),
    method("any", 0, grad=INTEGER_RESULT),
    method("argmax", grad=INTEGER_RESULT, nodes=1),
    method("argmin", 1, grad=INTEGER_RESULT, nodes=1),
    method("argpartition", 1, grad=INTEGER_RESULT),
    method("argsort", grad=INTEGER_RESULT),
    method("astype", "float32", dtype="float16", grad=TOO_SHORT, nodes=1),
    method("astype", "complex128", nodes=1),
    method("astype", "int64", grad=INTEGER_RESULT, nodes=1),
    method("byteswap", grad="the values are bits in another order"),
    Case("ndarray.choose", lambda np, a: (a > 0.55).astype(int).choose([a, -a]), MATRIX),
    method("clip", 0.35, 0.7, nodes=1),
    method("compress", [True, False], 0),
    method("conj", nodes=0),
    method("conjugate", inputs=COMPLEX, dtype="complex128", nodes=1),
    method("copy", nodes=1),
    method("copy", "F"),
    method("cumprod", inputs=VECTOR, nodes=1),
    method("cumsum", 0, nodes=1),
    method("diagonal", nodes=1),
    Case("ndarray.dot", lambda np, a: a.dot(a.T), MATRIX, nodes=2),
    read("ndarray.dumps", lambda np, a: a.dumps(), MEMORY_READ),
    Case("ndarray.fill", written(lambda np, b: b.fill(2.0)), MATRIX, nodes=2),
    method("flatten"),
    method("flatten", "F"),
    method("getfield", "float64"),
    Case("ndarray.setfield", written(lambda np, b: b.setfield(2.0, "float64")), MATRIX),
    read("ndarray.item", lambda np, a: a.item(1)),
    method("max", nodes=1),
    method("mean", 0, nodes=1),
    method("min", 1, nodes=1),
    method("nonzero", grad=INTEGER_RESULT),
    Case("ndarray.partition", written(lambda np, b: b.partition(1)), MATRIX),
    method("prod", nodes=1),
    Case("ndarray.put", written(lambda np, b: b.put([0, 1], [5.0, 6.0])), MATRIX),
    method("ravel", nodes=1),
    method("repeat", 2),
    method("reshape", 3, 2, nodes=1),
    method("reshape", (-1,), nodes=1),
    Case("ndarray.resize", written(lambda np, b: b.resize((4, 2), refcheck=False)), MATRIX),
    method("round", 1, grad=PIECEWISE_CONSTANT),
    method("searchsorted", 0.5, inputs=VECTOR, grad=INTEGER_RESULT),
    Case("ndarray.sort", written(lambda np, b: b.sort()), MATRIX),
    method("squeeze"),
    method("std", nodes=1),
    method("sum", nodes=1),
    method("swapaxes", 0, 1),
    method("take", [0, 2]),
    method("to_device", "cpu"),
    read("ndarray.tobytes", lambda np, a: a.tobytes(), MEMORY_READ),
    read("ndarray.tolist", lambda np, a: a.tolist(), VALUES_READ),
    method("trace", inputs=SQUARE),
    method("transpose", nodes=1),
    method("transpose", 1, 0, nodes=1),
    method("var", nodes=1),
    method("view", nodes=1),
    method("view", "int64", grad=INTEGER_RESULT),
    Case("ndarray.view", lambda np, a: a.view("float64"), COMPLEX, dtype="complex128"),
    read("ndarray.__bool__", lambda np, a: bool(a[0, 0])),
    read("ndarray.__float__", lambda np, a: float(a[0, 0])),
    read("ndarray.__len__", lambda np, a: len(a)),
    read("ndarray.__contains__", lambda np, a: 0.3 in a),
    Case("ndarray.__iter__", lambda np, a: [row * 2 for row in a], MATRIX),
    Case("ndarray.__iter__", lambda np, a: [x * 2 for x in a], VECTOR),
    Case("ndarray.__array_namespace__", lambda np, a: a.__array_namespace__().sin(a), MATRIX),
    read("ndarray.__array__", lambda np, a: a.__array__()),
    read("ndarray.__bytes__", lambda np, a: bytes(a), MEMORY_READ),
    read("ndarray.__dlpack__", lambda np, a: a.__dlpack__(), MEMORY_READ, dtype="int64"),
    Case("ndarray.__copy__", lambda np, a: a.__copy__(), MATRIX),
    Case("ndarray", lambda np: np.ndarray((2, 3)).shape, trace="", grad=NO_INPUT),
    read("can_cast", lambda np, a: np.can_cast(a, np.float32, "same_kind")),
    read("promote_types", lambda np, a: np.promote_types(np.int8, a.dtype)),
    read("result_type", lambda np, a: np.result_type(a, 1)),
    read("issubdtype", lambda np, a: np.issubdtype(a.dtype, np.floating)),
    read("isdtype", lambda np, a: np.isdtype(a.dtype, "real floating")),
    read("min_scalar_type", lambda np, a: np.min_scalar_type(1)),
    read("common_type", lambda np, a: np.common_type(a)),
    read("mintypecode", lambda np, a: np.mintypecode("fD")),
    read("typename", lambda np, a: np.typename("d")),
    read("iscomplexobj", lambda np, a: np.iscomplexobj(a)),
    read("isrealobj", lambda np, a: np.isrealobj(a)),
    read("isscalar", lambda np, a: np.isscalar(a) or np.isscalar(2)),
    Case("finfo", lambda np, a: a + float(np.finfo(np.float32).eps), MATRIX, nodes=1),
    Case("iinfo", lambda np, a: a + np.iinfo(np.int8).max, MATRIX, nodes=1),
    read("set_default_dtype", lambda np, a: np.set_default_dtype("numpy")),
    read("allow_implicit_host_copy", lambda np, a: np.allow_implicit_host_copy(False)),
    *[
        read(name, lambda np, a, name=name: getattr(np, name)(a), VALUES_READ)
        for name in ("array2string", "array_repr", "array_str")
    ],
    *[
        read(name, lambda np, a, name=name: getattr(np, name)(a[0, 0]), VALUES_READ)
        for name in ("format_float_positional", "format_float_scientific")
    ],
    read("get_printoptions", lambda np, a: np.get_printoptions(), "it reads global state"),
    read("set_printoptions", lambda np, a: np.set_printoptions(), "it sets global state"),
    read("printoptions", lambda np, a: np.printoptions().__enter__(), "it sets global state"),
]  # fmt: skip
