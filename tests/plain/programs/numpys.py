"""NumPy's arrays and scalars in compiled code, and ``torch._numpy``."""

from __future__ import annotations

import numpy
import torch
import torch._numpy

from ..recording import error_of, program

SCALARS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float16", "float32", "float64", "complex64", "complex128")  # fmt: skip


def _scalar_argument(name):
    def scalar(compiled):
        @compiled
        def f(x, s):
            return x * s, s

        return error_of(lambda: (f(torch.ones(2), getattr(numpy, name)(1)),
                                 f(torch.ones(2), getattr(numpy, name)(0))))  # fmt: skip

    scalar.__name__ = f"scalar_argument_of_{name}"
    return program(scalar)


for _name in SCALARS:
    _scalar_argument(_name)


def _scalar_made(name):
    def scalar(compiled):
        @compiled
        def f(x, n):
            return x * getattr(numpy, name)(1), getattr(numpy, name)(n), getattr(numpy, name)()

        return error_of(lambda: f(torch.ones(2), 1))

    scalar.__name__ = f"scalar_made_by_{name}"
    return program(scalar)


for _name in ("bool", "int8", "int32", "int64", "uint8", "uint64", "float32", "float64",
              "complex128"):  # fmt: skip
    _scalar_made(_name)


@program
def scalar_constant(compiled):
    @compiled
    def f(x):
        return x * numpy.float64(3), numpy.float64(2.5) + 1

    return f(torch.ones(2))


@program
def scalar_made_of_a_tensor(compiled):
    @compiled
    def f(x):
        return numpy.float64(x.sum()), x + 1

    return error_of(lambda: f(torch.ones(2)))


@program
def scalar_made_of_an_array(compiled):
    @compiled
    def f(a):
        return numpy.float32(a[0]), numpy.int64(a.sum()), numpy.float64(a)

    return error_of(lambda: f(numpy.arange(3.0)))


@program
def scalar_made_of_a_symbolic_number(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x + n, numpy.float64(n), numpy.int64(x.shape[0])

    return error_of(lambda: (f(torch.ones(2), 3), f(torch.ones(4), 5)))


@program
def scalar_made_of_a_text_is_refused(compiled):
    @compiled
    def f(x):
        return x + numpy.float64("a")

    return error_of(lambda: f(torch.ones(2)))


@program
def scalars_of_a_program(compiled):
    @compiled(fullgraph=True)
    def f(a):
        total = numpy.float64(0.0)
        for i in range(3):
            total += a[i] * i
        return total, numpy.sqrt(total), total > 2

    return error_of(lambda: f(numpy.arange(3.0)))


@program
def array_functions(compiled):
    @compiled(fullgraph=True)
    def f(a, b):
        return (
            numpy.sin(a) + numpy.outer(a, b).sum(axis=0),
            a @ b,
            a.T,
            a.reshape(-1, 1),
            -a,
            ~(a > 1),
        )

    return f(numpy.arange(3.0), numpy.ones(3))


@program
def array_dtypes(compiled):
    @compiled
    def f(a):
        return a + 1, a.dtype

    return error_of(lambda: f(numpy.arange(3, dtype=numpy.float32)))


@program
def array_dtypes_that_choose(compiled):
    @compiled
    def f(a):
        if a.dtype == numpy.float64:
            return a * 2
        return numpy.zeros(2, dtype=a.dtype) + a.astype(numpy.int32)

    return error_of(lambda: (f(numpy.ones(2)), f(numpy.ones(2, dtype=numpy.int64))))


@program
def array_dtypes_are_refused(compiled):
    @compiled(fullgraph=True)
    def f(a):
        return a + 1, a.dtype.name, a.dtype.itemsize

    return error_of(lambda: f(numpy.ones(2)))


@program
def array_attributes(compiled):
    @compiled
    def f(a):
        return a.shape, a.ndim, a.size, a.real, a.itemsize, a.T.strides

    return error_of(lambda: f(numpy.ones((2, 3))))


@program
def array_keys(compiled):
    @compiled(fullgraph=True)
    def f(a, i):
        return a[1], a[:, 1:], a[i], a[..., None], a[0, 1], a[[0, 1]], a[i, i]

    return f(numpy.arange(6.0).reshape(2, 3), numpy.array([1, 0]))


@program
def array_keys_of_scalars(compiled):
    @compiled
    def f(a, i):
        return a[i], a[numpy.int64(1)], a[i, numpy.int32(0)]

    return error_of(lambda: f(numpy.arange(6.0).reshape(2, 3), numpy.int64(1)))


@program
def array_keys_of_tensors(compiled):
    @compiled
    def f(a, i, t):
        return a[i], a[0, i], t[a > 2], a[i[0]]

    a = numpy.arange(6.0).reshape(2, 3)
    return error_of(lambda: f(a, torch.tensor([1, 0]), torch.arange(6.0).reshape(2, 3)))


@program
def array_masks(compiled):
    @compiled
    def f(a):
        return a[a > 1], numpy.where(a > 1, a, 0), a[numpy.array([True, False, True])]

    return error_of(lambda: f(numpy.arange(3.0)))


@program
def array_assignments(compiled):
    @compiled(fullgraph=True)
    def f(a, i):
        a = a.copy()
        a[0] = 5
        a[1:] += 1
        a[i] = 0.5
        a[a > 4] = -1
        return a

    return error_of(lambda: f(numpy.arange(4.0), numpy.array([1, 2])))


@program
def array_assignments_of_scalars_and_tensors(compiled):
    @compiled
    def f(a, s, t):
        a[0] = s
        a[numpy.int64(1)] = t[0]
        a[2:] = t
        return a.sum()

    a = numpy.arange(4.0)
    return error_of(lambda: f(a, numpy.float64(7), torch.ones(2))), a


@program
def arrays_beside_tensors(compiled):
    @compiled
    def f(a, t):
        return t + torch.from_numpy(a), a * 2, t.numpy() + a, torch.as_tensor(a) * t, t + a[0]

    return error_of(lambda: f(numpy.ones(2), torch.ones(2, dtype=torch.float64)))


@program
def arrays_plus_tensors(compiled):
    @compiled
    def f(a, t):
        t += a
        return t + a, t @ a, a < t

    return error_of(lambda: f(numpy.ones(2), torch.ones(2, dtype=torch.float64)))


@program
def arrays_in_place(compiled):
    @compiled
    def f(a, b, s):
        a += b
        a *= s
        b -= 1
        return a

    a, b = numpy.arange(3.0), numpy.ones(3)
    return error_of(lambda: f(a, b, numpy.float64(2))), a, b


@program
def arrays_that_are_global(compiled):
    table = numpy.arange(4.0)

    @compiled
    def f(x):
        return x + torch.from_numpy(table), table[1]

    results = [f(torch.ones(4))]
    table[1] = 9
    return [*results, f(torch.ones(4))]


@program
def arrays_without_a_dtype_in_torch(compiled):
    @compiled
    def f(x, a):
        return x + 1, a

    texts = numpy.array(["a", "b"])
    return error_of(lambda: f(torch.ones(2), texts))


@program
def arrays_of_unsigned_integers(compiled):
    @compiled
    def f(a, b):
        return a + a, b[0], a == a

    return error_of(lambda: f(numpy.arange(3, dtype="uint64"), numpy.arange(3, dtype="uint16")))


@program
def functions_of_numbers(compiled):
    @compiled
    def f(x, n):
        return x * numpy.sqrt(n), numpy.pi, numpy.maximum(n, 2), numpy.arange(n)

    return error_of(lambda: f(torch.ones(3), 3))


@program
def a_function_with_numpys_module_only(compiled):
    @compiled
    def f(n):
        return numpy.arange(n) * 2

    return error_of(lambda: (f(3), f(4)))


@program
def random_numbers_of_numpy(compiled):
    @compiled
    def f(x):
        return x + 1, numpy.random.default_rng(0).integers(5)

    return error_of(lambda: f(torch.ones(2)))


@program
def torchs_numpy(compiled):
    @compiled(fullgraph=True)
    def f(a, b):
        return numpy.stack([a, b]).mean(axis=0), numpy.linalg.norm(a), numpy.einsum("i,i->", a, b)

    import torch._numpy as tnp

    @compiled
    def g(a):
        b = tnp.asarray(a)
        return b[1:] + tnp.float64(2), b.dtype.name, isinstance(b, tnp.ndarray)

    return f(numpy.ones(3), numpy.arange(3.0)), error_of(lambda: g(torch.arange(3.0)))


@program
def function_wrapped_by_torchs_numpy(compiled):
    @compiled(fullgraph=True)
    @torch.compiler.wrap_numpy
    def f(a):
        return numpy.cumsum(a * 2)

    x = torch.arange(3.0, requires_grad=True)
    y = f(x)
    y.sum().backward()
    return y, x.grad
