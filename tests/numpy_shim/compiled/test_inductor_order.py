"""When inductor may join a loop that reads an array to one that writes it."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import sympy
from hypothesis import given
from hypothesis import strategies as st

from xp_torch._torch.inductor_order import never_meet

VARIABLES = sympy.symbols("i j k")


class Loop(NamedTuple):
    """What inductor calls a dependency on memory."""

    index: sympy.Expr
    var_names: tuple[sympy.Symbol, ...]
    size: tuple[int, ...]

    def places(self) -> set[int]:
        """The places it touches, one by one."""
        rounds = itertools.product(*map(range, self.size))
        return {int(self.index.subs(dict(zip(self.var_names, r, strict=True)))) for r in rounds}


@st.composite
def loops(draw):
    """A loop over part of a matrix or a cube with short rows."""
    count = draw(st.integers(0, 3))
    names = VARIABLES[:count]
    steps = [draw(st.sampled_from([1, 2, 3, 5, 6, 7, 30, -1, -5, 0])) for _ in names]
    index = draw(st.integers(0, 40)) + sum(map(sympy.Mul, steps, names))
    return Loop(sympy.sympify(index), names, tuple(draw(st.integers(1, 4)) for _ in names))


@given(loops(), loops())
def test_loops_that_never_meet(one, other):
    """They have no place in common, and the order of the two is of no account."""
    answer = never_meet(one, other)
    assert never_meet(other, one) == answer
    if answer:
        assert not one.places() & other.places()


def loop(index, **sizes):
    names = {str(name): name for name in VARIABLES}
    expression = sympy.sympify(index, locals=names)
    return Loop(expression, tuple(names[n] for n in sizes), tuple(sizes.values()))


def test_parts_of_a_matrix():
    """Ten columns: what is known to be apart, and what is not."""
    column, next_column = loop("3 + 10*i", i=8), loop("4 + 10*i", i=8)
    block, row = loop("11 + 10*i + j", i=7, j=9), loop("1 + i", i=9)
    assert never_meet(column, next_column)
    assert never_meet(block, row)
    assert never_meet(block, loop("10 + 10*i", i=7))
    assert never_meet(loop("2*i", i=5), loop("1 + 2*i", i=5))
    assert never_meet(loop("i", i=5), loop("9 - i", i=5))
    assert not never_meet(column, row)
    assert not never_meet(loop("i", i=5), loop("8 - i", i=5))
    assert never_meet(loop("7"), loop("8"))
    assert not never_meet(loop("7"), loop("7"))


def test_what_is_not_a_sum_of_numbers():
    n = sympy.Symbol("n")
    (i, *_) = VARIABLES
    assert not never_meet(Loop(n + i, (i,), (4,)), Loop(i - 9, (i,), (4,)))
    assert not never_meet(Loop(i, (i,), (n,)), Loop(i - 9, (i,), (4,)))
    assert not never_meet(Loop(sympy.Mod(i, 2), (i,), (4,)), Loop(i + 9, (i,), (4,)))
