"""Classes in compiled code: ``isinstance``, ``type(x)``, ``__class__``, tuples, dataclasses."""

from __future__ import annotations

import collections
import dataclasses
import enum
import numbers
import operator
from typing import NamedTuple

import numpy
import torch

from ..recording import error_of, program


class Plain:
    def __init__(self, value):
        self.value = value


class Child(Plain):
    pass


class Disguised:
    """Its ``__class__`` is not its type."""

    def __init__(self, value):
        self.value = value

    @property
    def __class__(self):
        return Plain


@program
def isinstance_of_tensors(compiled):
    @compiled(fullgraph=True)
    def f(x, p):
        kinds = (isinstance(x, torch.Tensor), isinstance(p, torch.nn.Parameter))
        return x + p, kinds, isinstance(x, torch.nn.Parameter), isinstance(x, int | torch.Tensor)

    return f(torch.ones(2), torch.nn.Parameter(torch.ones(2)))


@program
def isinstance_of_numbers(compiled):
    @compiled(dynamic=True)
    def f(x, n, s):
        kinds = [isinstance(v, k) for v in (n, s, True, 2j)
                 for k in (int, float, bool, complex, numbers.Number, numpy.float64)]  # fmt: skip
        return x * n + s, kinds

    return f(torch.ones(2), 3, 0.5)


@program
def isinstance_of_objects(compiled):
    @compiled(fullgraph=True)
    def f(x, *objects):
        kinds = [isinstance(o, k) for o in objects for k in (Plain, Child, object, numpy.generic)]
        return x + sum(o.value for o in objects), kinds

    return f(torch.ones(2), Plain(1), Child(2))


@program
def isinstance_of_a_disguised_object(compiled):
    @compiled
    def f(x, o):
        return x + o.value, isinstance(o, Plain), isinstance(o, Disguised)

    return f(torch.ones(2), Disguised(1))


@program
def isinstance_of_numpys_values(compiled):
    @compiled
    def f(a, s):
        return a + 1, isinstance(a, numpy.ndarray), isinstance(s, numpy.float64), s * 2

    return f(numpy.arange(3.0), numpy.float64(2))


@program
def isinstance_by_a_metaclass(compiled):
    class Even(type):
        def __instancecheck__(cls, value):
            return value % 2 == 0

    class IsEven(metaclass=Even):
        pass

    @compiled
    def f(x, n):
        return x + 1 if isinstance(n, IsEven) else x - 1

    return f(torch.ones(2), 2), f(torch.ones(2), 3)


@program
def class_of_objects(compiled):
    @compiled
    def f(x, o):
        return x + o.value, o.__class__, type(o), o.__class__ is Plain, type(o)(x).value

    return f(torch.ones(2), Plain(1)), f(torch.ones(2), Child(2))


@program
def class_of_a_disguised_object(compiled):
    @compiled
    def f(x, o):
        return x + o.value, type(o), o.__class__

    return error_of(lambda: f(torch.ones(2), Disguised(1)))


@program
def class_of_tensors(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return x.__class__ is torch.Tensor, type(x) is torch.Tensor, x + 1

    return f(torch.ones(2)), f(torch.nn.Parameter(torch.ones(2)))


@program
def class_of_numbers(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        return x * n, n.__class__, type(n), type(n + 1) is int, type(x.shape[0] * 1.0)

    return f(torch.ones(2), 3)


@program
def class_attribute_by_class(compiled):
    class Counted:
        made = 0

        def __init__(self):
            self.__class__.made += 1

    @compiled
    def f(x):
        Counted()
        return x + Counted.made

    return f(torch.ones(2)), f(torch.ones(2)), Counted.made


@program
def super_and_class_methods(compiled):
    class Base:
        @classmethod
        def scale(cls):
            return 2

        @staticmethod
        def shift():
            return 1

        def run(self, x):
            return x * self.scale() + self.shift()

    class Derived(Base):
        @classmethod
        def scale(cls):
            return super().scale() * 3

        def run(self, x):
            return super().run(x) - 1

    @compiled(fullgraph=True)
    def f(x, o):
        return o.run(x)

    return f(torch.ones(2), Derived())


@program
def tuples_and_stars(compiled):
    @compiled(fullgraph=True)
    def f(pair, *rest, last=0):
        a, *others = (*pair, *rest)
        return (a + last, tuple(reversed(others)), (others, [a])[0], pair + rest, pair * 2)

    return f((torch.ones(2), 2), 3, torch.zeros(1), last=4)


@program
def operator_on_a_tuple_of_operands(compiled):
    """The tuple is as it was."""

    @compiled
    def f(pair):
        results = operator.add(*pair), operator.mul(*pair), operator.iadd(*pair)
        return results, pair

    return f((2, torch.ones(2))), f((numpy.arange(2.0), torch.ones(2))), f((2.5, torch.ones(1)))


class Pair(NamedTuple):
    left: torch.Tensor
    right: int = 3

    def both(self):
        return self.left * self.right


@program
def named_tuples(compiled):
    old = collections.namedtuple("old", "a b")

    @compiled(fullgraph=True)
    def f(pair, other):
        made = Pair(pair.left + 1, pair.right * 2)
        return made, made._replace(right=1), pair.both(), old(*other), other._asdict(), made[0]

    return error_of(lambda: f(Pair(torch.ones(2)), old(torch.zeros(1), 5)))


@program
def torchs_named_tuples(compiled):
    @compiled(fullgraph=True)
    def f(x):
        result = torch.max(x, 0)
        return result.values, result.indices, type(result).__name__, torch.linalg.slogdet(x)

    return f(torch.tensor([[1.0, 2.0], [3.0, 1.0]]))


@dataclasses.dataclass
class State:
    weight: torch.Tensor
    step: int = 0
    history: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float
    name: str = "a"


@program
def dataclasses_that_change(compiled):
    @compiled
    def f(state, settings):
        state.step += 1
        state.history.append(state.weight.sum())
        state.weight = state.weight * settings.rate
        return dataclasses.replace(settings, rate=1.0), State(state.weight)

    state = State(torch.ones(2))
    return [f(state, Settings(0.5)) for _ in range(3)], state


@program
def enums(compiled):
    class Kind(enum.Enum):
        A = 1
        B = "b"

    class Level(enum.IntEnum):
        LOW = 1
        HIGH = 5

    @compiled(fullgraph=True)
    def f(x, kind, level):
        return x * level if kind is Kind.A else x - level.value, kind, level > Level.LOW, kind.name

    return f(torch.ones(2), Kind.A, Level.HIGH), f(torch.ones(2), Kind.B, Level.LOW)


@program
def sets_and_dicts(compiled):
    @compiled(fullgraph=True)
    def f(x, table):
        table["new"] = x + 1
        merged = {**table, "k": 1} | {"m": x}
        names = {*merged, "q"} - {"m"}
        return merged, sorted(names), collections.OrderedDict(a=x), table.pop("old"), table

    return f(torch.ones(2), {"old": torch.zeros(1)})


@program
def tensors_as_keys_are_refused(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return {x.sum().item(): 1}

    return error_of(lambda: f(torch.ones(2)))
