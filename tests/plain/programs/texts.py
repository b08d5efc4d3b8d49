"""Formatted texts in compiled code: f-strings, ``str.format``, ``%``, ``print``."""

from __future__ import annotations

import contextlib
import dataclasses
import io

import numpy
import torch

from ..recording import error_of, program


@program
def f_string_of_a_shape(compiled):
    @compiled
    def f(x):
        return x + 1, f"{x.shape} {len(x)} {x.dtype}"

    return f(torch.arange(3.0))


@program
def f_string_of_a_number(compiled):
    @compiled(fullgraph=True)
    def f(x, n):
        return x * n, f"{n} {n:>5} {n!r} {n + 1:03d}"

    return f(torch.arange(3.0), 4)


@program
def f_string_of_a_symbolic_number(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x * n, f"{n} of {x.shape[0]}"

    return f(torch.arange(3.0), 4), f(torch.arange(5.0), 7)


@program
def f_string_of_a_float(compiled):
    @compiled
    def f(x, s):
        return x * s, f"{s:.2f}"

    return error_of(lambda: (f(torch.ones(2), 0.125), f(torch.ones(2), 2.5)))


@program
def f_string_of_a_tensor(compiled):
    @compiled
    def f(x):
        y = x * 2
        text = f"<{y}>"
        return y + 1, text

    return f(torch.arange(3.0))


@program
def f_string_of_a_tensor_is_refused(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return x * 2, f"{(x + 1).sum():.1f}"

    return error_of(lambda: f(torch.arange(3.0)))


class Named:
    def __init__(self, name, value):
        self.name = name
        self.value = value

    def __str__(self):
        return f"Named {self.name}"

    def __format__(self, code):
        return f"{code}:{self.name}"


@program
def f_string_of_an_object(compiled):
    @compiled
    def f(x, named):
        return x * named.value, f"{named} {named!s} {named:code}"

    return f(torch.ones(2), Named("a", 3.0))


@program
def f_string_of_an_object_made_in_the_graph(compiled):
    @compiled
    def f(x):
        named = Named("b", x * 2)
        text = f"{named!s}"
        return named.value + 1, text

    return f(torch.ones(2))


@program
def format_method(compiled):
    @compiled
    def f(x, n):
        return x + n, "{0} {a} {0}".format(n, a=x.ndim), "{:>4}".format(n)  # noqa: UP032

    return f(torch.ones(2), 3)


@program
def format_method_of_parts(compiled):
    @compiled
    def f(x, parts, names):
        return x + 1, "{1}-{0}".format(*parts), "{p}{q}".format(**names)

    return f(torch.ones(2), (1, "two"), {"p": 1, "q": None})


@program
def format_builtin(compiled):
    @compiled
    def f(x, n):
        return x + n, format(n, "04d"), "%d %s" % (n, x.dtype), str(n) + repr("q")  # noqa: UP031

    return f(torch.ones(2), 3)


@program
def text_that_chooses(compiled):
    @compiled(fullgraph=True)
    def f(x, kind):
        key = f"is_{kind}"
        return x * {"is_a": 2, "is_b": 3}[key]

    return f(torch.ones(2), "a"), f(torch.ones(2), "b")


@program
def f_string_names_an_attribute(compiled):
    class Layers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for i in range(3):
                self.register_buffer(f"part{i}", torch.full((2,), float(i)))

        def forward(self, x):
            for i in range(3):
                x = x + getattr(self, f"part{i}")
            return x

    return compiled(Layers())(torch.ones(2))


@program
def print_between(compiled):
    @compiled
    def f(x):
        y = x.sin()
        print("sum", float(y.sum()), f"{x.shape}")
        return y.cos()

    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        result = f(torch.ones(2))
    return result, written.getvalue()


@dataclasses.dataclass
class Point:
    x: float
    y: float


@program
def f_string_of_a_dataclass(compiled):
    @compiled
    def f(t, point):
        return t * point.x, f"{point}", repr(point)

    return f(torch.ones(2), Point(1.0, 2.0))


@program
def f_string_of_numpys_scalar(compiled):
    @compiled
    def f(t, s):
        return t * 2, f"{s}"

    return f(torch.ones(2), numpy.float64(1.5)), f(torch.ones(2), numpy.int32(3))


@program
def text_of_a_class(compiled):
    @compiled
    def f(t):
        return t + 1, f"{type(t).__name__} {t.__class__.__name__} {f.__name__ if 0 else ''}"

    return f(torch.ones(2))
