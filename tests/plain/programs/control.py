"""Graph breaks, errors, generators, context managers, calls of many kinds."""

from __future__ import annotations

import contextlib
import functools
import itertools
import warnings

import torch

from ..recording import error_of, program

X = torch.arange(3.0)


@program
def graph_break(compiled):
    @compiled
    def f(x):
        y = x + 1
        torch._dynamo.graph_break()
        z = y * 2
        torch._dynamo.graph_break()
        return z - x

    return f(X), f(X + 1)


@program
def graph_break_is_refused(compiled):
    @compiled(fullgraph=True)
    def f(x):
        torch._dynamo.graph_break()
        return x

    return error_of(lambda: f(X))


@program
def graph_breaks_in_a_called_function(compiled):
    def inner(x):
        y = x.sin()
        print(end="")
        return y + 1

    @compiled
    def f(x):
        return inner(x * 2) - inner(x)

    return f(X)


@program
def disabled_functions(compiled):
    @torch.compiler.disable
    def inner(x):
        return x.numpy().sum()

    @compiled
    def f(x):
        return x * float(inner(x)) + 1

    return f(X)


@program
def functions_that_are_constant(compiled):
    @torch.compiler.assume_constant_result
    def number():
        return 5

    @compiled(fullgraph=True)
    def f(x):
        return x + number(), torch.compiler.is_compiling()

    return f(X)


@program
def exceptions_that_leave(compiled):
    class OwnError(ValueError):
        pass

    @compiled
    def f(x, n):
        y = x + n
        if n > 1:
            raise OwnError(f"n is {n}")
        return y

    return f(X, 1), error_of(lambda: f(X, 2)), error_of(lambda: f(X, 3))


@program
def exceptions_that_are_caught(compiled):
    @compiled
    def f(x, table, n):
        try:
            x = x + table[n]
        except KeyError as error:
            x = x - len(error.args)
        finally:
            x = x * 2
        try:
            raise ValueError("a")
        except (TypeError, ValueError) as error:
            return x, str(error), type(error)

    return f(X, {1: 2.0}, 1), f(X, {1: 2.0}, 5)


@program
def exceptions_of_torch(compiled):
    @compiled
    def f(x, y):
        return x @ y + torch.zeros(2, 7)

    return error_of(lambda: f(X, X[:2]))


@program
def exceptions_of_python(compiled):
    @compiled
    def f(x, what):
        if what == "attribute":
            return x.no_such_name
        if what == "name":
            return no_such_name  # noqa: F821
        if what == "type":
            return x + "a"
        if what == "zero":
            return x + 1 // 0
        return x + [1, 2][5]

    return [error_of(lambda what=what: f(X, what))
            for what in ("attribute", "name", "type", "zero", "index")]  # fmt: skip


@program
def assertions(compiled):
    @compiled
    def f(x, n):
        assert n > 1, f"n is {n}"
        assert x.shape[0] == 3
        torch._check(n < 10)
        return x * n

    return f(X, 2), error_of(lambda: f(X, 1)), error_of(lambda: f(X[:2], 2))


@program
def generators(compiled):
    def numbers(n):
        for i in range(n):
            got = yield i * 2
            if got:
                yield got

    @compiled
    def f(x):
        many = numbers(3)
        next(many)
        return x + sum(many), [*numbers(2)], sum(x * i for i in range(3)), many.gi_running

    return error_of(lambda: f(X))


@program
def iterators(compiled):
    @compiled(fullgraph=True)
    def f(x, many):
        for i, (a, b) in enumerate(itertools.pairwise(many)):
            x = x + a * b * i
        pairs = [*itertools.product([1, 2], repeat=2), *itertools.chain([3], [4])]
        return x, pairs, [*map(abs, [-1, 2])], [*filter(None, [0, 1])], [*reversed(many)]

    return f(X, [1.0, 2.0, 3.0])


@program
def loops(compiled):
    @compiled
    def f(x, n):
        while n > 0:
            x = x * 2
            n -= 1
            if n == 1:
                break
        else:
            x = x + 1
        return x

    return f(X, 3), f(X, 1)


@program
def context_managers(compiled):
    @contextlib.contextmanager
    def scaled(x):
        yield x * 2

    class Entered:
        depth = 0

        def __enter__(self):
            Entered.depth += 1
            return self

        def __exit__(self, *error):
            Entered.depth -= 1
            return False

    @compiled
    def f(x):
        with scaled(x) as y, Entered() as e:
            y = y + e.depth
        with contextlib.suppress(KeyError), contextlib.nullcontext(1) as one:
            y = y + one
        return y, Entered.depth

    return f(X)


@program
def partial_functions_and_decorators(compiled):
    def twice(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return function(function(*args, **kwargs))

        return wrapped

    @functools.lru_cache
    def cached(n):
        return n * 2

    @twice
    def inner(x, s=1):
        return x * 2 + s

    @compiled
    def f(x):
        return functools.partial(inner, s=3)(x), functools.reduce(torch.add, [x, x]), cached(4)

    return error_of(lambda: f(X))


@program
def warnings_in_compiled_code(compiled):
    @compiled
    def f(x):
        warnings.warn("from within")
        return x + 1

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        value = f(X)
    return value, sorted(str(w.message) for w in seen if "within" in str(w.message))


@program
def imports_in_compiled_code(compiled):
    @compiled
    def f(x):
        import math
        from collections import deque

        return x * math.tau, deque([1, 2], maxlen=1)

    return error_of(lambda: f(X))


@program
def lambdas_and_methods(compiled):
    class Owner:
        scale = 2.0

        def method(self, x):
            return x * self.scale

    owner = Owner()
    run = compiled(lambda x, g: g(x) + 1)
    return run(X, owner.method), run(X, torch.sin), run(X, lambda x: x * 3), run(X, X.add)


@program
def star_arguments(compiled):
    @compiled
    def f(*args, flag=False, **kwargs):
        return sum(args) + sum(kwargs.values()), flag, sorted(kwargs)

    return f(X, 1, a=X), f(X, flag=True), f(X, X, b=1.5)
