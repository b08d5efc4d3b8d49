"""Subclasses of ``Tensor`` in compiled code, alone and in tuples and lists."""

from __future__ import annotations

import torch
from torch.overrides import TorchFunctionMode, handle_torch_function, has_torch_function
from torch.utils._python_dispatch import TorchDispatchMode

from ..recording import error_of, program


class Counted(torch.Tensor):
    """It counts what it sees."""

    seen: list = []  # noqa: RUF012

    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        cls.seen.append(getattr(function, "__name__", str(function)))
        return super().__torch_function__(function, kinds, args, kwargs or {})


class Doubled(torch.Tensor):
    """Its sums are twice as large, wherever it stands among the arguments."""

    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        result = super().__torch_function__(function, kinds, args, kwargs or {})
        return result * 2 if function in (torch.sum, torch.Tensor.sum, torch.cat) else result


class Wrapper:
    """No tensor, but a part of torch's functions."""

    def __init__(self, data):
        self.data = data

    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        def opened(value):
            if isinstance(value, tuple | list):
                return type(value)(opened(part) for part in value)
            return value.data if isinstance(value, cls) else value

        return cls(function(*opened(args), **(kwargs or {})))


def doubled(values):
    return torch.tensor(values).as_subclass(Doubled)


@program
def subclass_in_operations(compiled):
    @compiled(operators=False, fullgraph=True)
    def f(x):
        return (x + 1).sum(), torch.sum(x), type(x + 1), isinstance(x, Doubled)

    return f(doubled([1.0, 2.0]))


@program
def subclass_in_a_list(compiled):
    @compiled(operators=False)
    def f(x, y):
        return torch.cat([y, x]), torch.stack([x, y])

    return f(doubled([1.0, 2.0]), torch.ones(2))


@program
def subclass_in_a_tuple(compiled):
    @compiled(operators=False)
    def f(x, y):
        return torch.cat((y, x)), torch.cat(((x), y)), type(torch.vstack((y, x)))

    return error_of(lambda: f(doubled([1.0, 2.0]), torch.ones(2)))


@program
def subclass_in_a_tuple_of_keys(compiled):
    @compiled(operators=False)
    def f(t, i):
        return t[0, i], t[:, i], t[i]

    indices = torch.tensor([1, 0]).as_subclass(Doubled)
    return error_of(lambda: f(torch.arange(4.0).reshape(2, 2), indices))


@program
def subclass_that_counts(compiled):
    @compiled(operators=False)
    def f(x):
        return x.sin().cos() + len(x.shape)

    Counted.seen.clear()
    return f(torch.ones(2).as_subclass(Counted)), [*Counted.seen]


@program
def subclass_made_in_the_graph(compiled):
    @compiled(operators=False)
    def f(x):
        y = x.as_subclass(Doubled)
        return y.sum(), y + x

    return f(torch.ones(2))


@program
def subclass_with_attributes(compiled):
    class Tagged(torch.Tensor):
        @property
        def twice(self):
            return self * 2

        def scaled(self, s):
            return self * s

    @compiled(operators=False)
    def f(x):
        return x.twice, x.scaled(3), x.tag, x.__class__ is Tagged

    tagged = torch.ones(2).as_subclass(Tagged)
    tagged.tag = "a"
    return error_of(lambda: f(tagged))


@program
def subclass_of_parameter(compiled):
    class Weight(torch.nn.Parameter):
        pass

    @compiled
    def f(w, x):
        return w * x, isinstance(w, torch.nn.Parameter), type(w)

    return error_of(lambda: f(Weight(torch.ones(2)), torch.ones(2)))


@program
def wrapper_in_functions(compiled):
    @compiled
    def f(w, t):
        return torch.add(w, t).data, torch.cat([w, t]).data, torch.sin(w).data

    return error_of(lambda: f(Wrapper(torch.ones(2)), torch.zeros(2)))


@program
def wrapper_in_tuples(compiled):
    @compiled
    def f(w, t):
        return torch.cat((w, t)).data, torch.stack((t, w)).data

    return error_of(lambda: f(Wrapper(torch.ones(2)), torch.zeros(2)))


@program
def wrapper_in_operators(compiled):
    @compiled
    def f(w, t):
        return (t + w).data, (t @ w).data

    return error_of(lambda: f(Wrapper(torch.ones(2)), torch.ones(2)))


@program
def wrapper_as_a_key(compiled):
    @compiled
    def f(w, t):
        return t[w].data, t[0, w].data

    return error_of(lambda: f(Wrapper(torch.tensor([1, 0])), torch.arange(4.0).reshape(2, 2)))


@program
def functions_that_ask_for_overrides(compiled):
    def double(x):
        if has_torch_function((x,)):
            return handle_torch_function(double, (x,), x)
        return x * 2

    @compiled(operators=False)
    def f(x, w):
        return double(x), double(w)

    return error_of(lambda: f(torch.ones(2), doubled([1.0])))


@program
def function_modes(compiled):
    class Negated(TorchFunctionMode):
        def __torch_function__(self, function, kinds, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            return -result if function is torch.add else result

    @compiled
    def f(x):
        with Negated():
            y = torch.add(x, 1)
        return y, torch.add(x, 1)

    def outside():
        with Negated():
            return f(torch.ones(2))

    return f(torch.ones(2)), error_of(outside)


@program
def dispatch_modes(compiled):
    class Seen(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.names = []

        def __torch_dispatch__(self, operator, kinds, args=(), kwargs=None):
            self.names.append(str(operator))
            return operator(*args, **(kwargs or {}))

    @compiled
    def f(x):
        return x.sin() + 1

    first = f(torch.ones(2))
    with Seen() as seen:
        second = error_of(lambda: f(torch.ones(2)))
    return first, second, seen.names


@program
def subclass_with_dispatch(compiled):
    class Pair(torch.Tensor):
        """A wrapper subclass of two tensors, as torch's documents have it."""

        @staticmethod
        def __new__(cls, a, b):
            return torch.Tensor._make_wrapper_subclass(cls, a.shape, dtype=a.dtype)

        def __init__(self, a, b):
            self.a, self.b = a, b

        def __tensor_flatten__(self):
            return ["a", "b"], None

        @staticmethod
        def __tensor_unflatten__(inner, context, size, stride):
            return Pair(inner["a"], inner["b"])

        @classmethod
        def __torch_dispatch__(cls, operator, kinds, args=(), kwargs=None):
            sides = [
                operator(*(getattr(x, side) if isinstance(x, Pair) else x for x in args),
                         **(kwargs or {})) for side in "ab"
            ]  # fmt: skip
            return Pair(*sides)

    @compiled
    def f(x):
        return x * 2 + 1

    def run():
        pair = f(Pair(torch.ones(2), torch.zeros(2)))
        return type(pair).__name__, pair.a, pair.b

    return error_of(run)
