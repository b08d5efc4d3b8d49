"""Numbers in compiled code: inputs of the graph, comparisons, ``min`` and ``max``, conversions."""

from __future__ import annotations

import math
import operator

import torch

from ..recording import error_of, program


class Ordered:
    """An object that compares and adds."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < getattr(other, "value", other)

    def __gt__(self, other):
        return self.value > getattr(other, "value", other)

    def __eq__(self, other):
        return self.value == getattr(other, "value", other)

    __hash__ = None

    def __add__(self, other):
        return Ordered(self.value + other)

    __radd__ = __add__


@program
def comparisons_of_symbolic_numbers(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        if n > 3 and x.shape[0] <= 10:
            x = x + n
        flags = (n == 4, n != 4, n > 3, n >= x.shape[0], operator.le(n, 4), n is None, not n)
        return x, flags

    return f(torch.ones(2), 4), f(torch.ones(5), 5), f(torch.ones(5), 2)


@program
def comparisons_of_marked_sizes(compiled):
    @compiled
    def f(x, y):
        if x.shape[0] == y.shape[0]:
            return x + y
        return x[: y.shape[0]] + y if x.shape[0] > y.shape[0] else y.sum() + x

    x = torch.ones(6)
    torch._dynamo.maybe_mark_dynamic(x, 0)
    return f(x, torch.ones(6)), f(torch.ones(8), torch.ones(5)), f(torch.ones(3), torch.ones(4))


@program
def comparisons_of_symbolic_numbers_and_tensors(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x > n, n < x, n == x, x[0] <= n

    return f(torch.arange(3.0), 1), f(torch.arange(4.0), 2)


@program
def comparisons_of_symbolic_numbers_and_objects(compiled):
    @compiled(dynamic=True)
    def f(x, n, o):
        return x * n, o > n, n < o, o == n

    return error_of(lambda: f(torch.ones(2), 4, Ordered(3)))


@program
def comparisons_of_objects_and_sizes(compiled):
    @compiled(dynamic=True)
    def f(x, o):
        return (x + 1, o > x.shape[0], x.shape[0] == o)

    return error_of(lambda: (f(torch.ones(2), Ordered(3)), f(torch.ones(3), Ordered(3))))


@program
def comparisons_of_unlike_things(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x + 1, n == "a", n != None, n == (1, 2), n in (1, 2, 5)  # noqa: E711

    return error_of(lambda: f(torch.ones(2), 5))


@program
def comparisons_that_fail(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x + 1 if n < "a" else x

    return error_of(lambda: f(torch.ones(2), 5))


@program
def comparisons_of_floats(compiled):
    @compiled
    def f(x, s):
        return x * s if s > 0.5 else x + s, s == 0.25, s < 1

    return [f(torch.ones(2), s) for s in (0.25, 0.75, 2.0, -1.0)]


@program
def minimum_and_maximum(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        size = x.shape[0]
        return (x + min(n, size), max(n, size, 2), min([3, n]), max((n,)), max(n, 2.5),
                min(1, 2), max("ab"))  # fmt: skip

    return f(torch.ones(3), 4), f(torch.ones(6), 2)


@program
def minimum_and_maximum_of_tensors(compiled):
    @compiled
    def f(x, y):
        return min(x.sum(), y.sum()), max(x[0], 2.0), max(x[0], x[1], y[0]), torch.maximum(x, y)

    return f(torch.tensor([1.0, 4.0]), torch.tensor([3.0, 1.0]))


@program
def minimum_and_maximum_by_key(compiled):
    @compiled
    def f(x, words, objects):
        return (x + 1, max(words, key=len), min([], default=4), min(objects).value,
                max(*objects).value)  # fmt: skip

    return f(torch.ones(2), ["a", "bcd", "ef"], [Ordered(3), Ordered(1)])


@program
def minimum_of_an_object_and_a_number(compiled):
    @compiled
    def f(x, o, n):
        return x + 1, min(o, n), max(n, o).value

    return error_of(lambda: f(torch.ones(2), Ordered(3), 2))


@program
def arithmetic_of_symbolic_numbers(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return (x * n, n // 2, n % 3, n**2, -n, n / 4, divmod(n, 3), n << 1, n & 3, ~n, abs(n),
                n + 1.5, round(n / 3, 1), x.shape[0] * n)  # fmt: skip

    return f(torch.ones(3), 7), f(torch.ones(4), 9)


@program
def arithmetic_in_place(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        total = 0
        total += n
        total *= 2
        x -= total
        n += x.shape[0]
        return x, n, total

    return f(torch.ones(3), 7), f(torch.ones(4), 9)


@program
def conversions(compiled):
    @compiled(dynamic=True)
    def f(x, n, s):
        return (x * int(s), float(n), bool(n), complex(n), int("3"), float(x.shape[0]), str(n),
                math.floor(s), math.sqrt(n))  # fmt: skip

    return f(torch.ones(3), 4, 2.5), f(torch.ones(3), 9, 3.5)


@program
def values_of_tensors(compiled):
    @compiled
    def f(x):
        n = x.sum().item()
        return x * n, int(x[0]), float(x[1]), bool(x[0] > 0), x.tolist()

    return f(torch.tensor([1.0, 2.5]))


@program
def values_of_tensors_are_refused(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return x * 2 if x.sum() > 0 else x

    return error_of(lambda: f(torch.ones(2)))


@program
def sums_and_products(compiled):
    @compiled
    def f(x, many):
        return (sum(many), sum(many, x), math.prod([2, 3]), any([0, 1]), all(many[:0]),
                sum(range(4)), abs(x), divmod(7, 2), pow(x, 2), round(2.567, 1))  # fmt: skip

    return f(torch.ones(2), [1, torch.ones(2), 2.0])


@program
def complex_constants(compiled):
    @compiled
    def f(x):
        return x * (1 + 2j), x + complex(0.0, -0.0), x - 3j

    return f(torch.tensor([1 + 1j, 2.0]))


@program
def complex_constants_that_are_not_finite(compiled):
    @compiled
    def f(x):
        return x + complex(math.nan, math.nan), x * complex(0, math.inf), x - complex(math.inf, 1)

    return error_of(lambda: f(torch.tensor([1 + 1j, 2.0])))


@program
def real_constants_that_are_not_finite(compiled):
    @compiled
    def f(x):
        return x + math.nan, torch.full((2,), math.inf), x.clamp(max=-math.inf), x * -0.0

    return f(torch.ones(2))


@program
def numbers_that_become_inputs(compiled):
    @compiled
    def f(x, n, s):
        return x * n + s

    return [f(torch.ones(2), n, s) for n, s in ((2, 0.5), (3, 0.5), (4, 1.5), (5, 2.5), (1, 0.0))]


@program
def sizes_become_symbolic(compiled):
    @compiled
    def f(x):
        return x.reshape(-1, 2).sum(0) * x.shape[0]

    return [f(torch.arange(float(n))) for n in (4, 6, 8, 2)]


@program
def user_numbers_beside_tensors(compiled):
    @compiled
    def f(x, o):
        return (o + 1).value * x, (1 + o).value, (o + x).value, (x + o).value

    return error_of(lambda: f(torch.ones(2), Ordered(3)))
