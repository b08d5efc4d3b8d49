"""A program whose loops are functions does what it did: programs by hand, and drawn ones."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import random
import textwrap
from typing import Any

import pytest

from numpy_shim._jit.loop_functions import (
    COUNTS,
    ENTERED,
    STEPS,
    Place,
    counts,
    separated,
    steps,
)

FILE = "program.py"


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, STEPS, steps, raising=False)
    monkeypatch.setattr(builtins, COUNTS, counts, raising=False)
    monkeypatch.setattr(builtins, ENTERED, lambda *place: None, raising=False)


def outcome(text: str, is_separated: bool) -> tuple[str, str, dict[str, Any], set[str]]:
    """What a program prints and raises, its global values, and the functions made of its loops."""
    code: Any = compile(text, FILE, "exec", dont_inherit=True)
    made: set[str] = set()
    if is_separated:
        code, twins = separated(ast.parse(text), text, FILE)
        made = {c.co_name for c in code.co_consts if getattr(c, "co_name", "").startswith("loop_")}

        def with_twins(value: Any) -> None:
            for f in vars(value).values() if isinstance(value, type) else (value,):
                place = Place(f.__code__.co_firstlineno, f.__code__.co_name) if hasattr(
                    f, "__code__") else None  # fmt: skip
                if place in twins:
                    f.__code__ = twins[place]

        tree = ast.parse(text)
        new = [n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    given: dict[str, Any] = {"__name__": "__main__"}
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            if is_separated:
                # Definitions first, so that the twins are in place where they are called.
                given["__install__"] = lambda: [with_twins(given[n]) for n in new if n in given]
                exec(code, given)
            else:
                given["__install__"] = lambda: None
                exec(code, given)
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    values = {
        name: value
        for name, value in given.items()
        if not name.startswith("__") and isinstance(value, (int, float, complex, list, str))
    }
    return printed.getvalue(), error, values, made


def same(text: str, separate: int | None = None) -> None:
    """A program gives the same; ``separate`` is the number of its loops that are functions."""
    text = textwrap.dedent(text)
    expected, found = outcome(text, False), outcome(text, True)
    assert found[:2] == expected[:2], text
    if separate is not None:
        assert len(found[3]) == separate, found[3]


PROGRAMS = {
    "sum": (1, """
        total = 0
        for i in range(100):
            if i % 3:
                total += i
        print(total)
    """),
    "the last step is read": (0, """
        for i in range(5):
            x = i * 2.0
            y = x + i
        print(i, x, y)
    """),
    "bound before": (1, """
        i = x = 0
        for i in range(50):
            x = i * 2.0
        print(i, x)
    """),
    "no step": (1, """
        i = x = 7
        for i in range(0):
            x = i * 2.0
        print(i, x)
    """),
    "a step backwards": (1, """
        s = 0
        for i in range(100, -3, -7):
            s = 2 * s + i
        print(s)
    """),
    "break": (1, """
        s = 0
        for i in range(1000):
            if i > 70:
                break
            s += i
        print(s)
    """),
    "break and the variable": (1, """
        s = i = 0
        for i in range(1000):
            if i * i > 70:
                break
            if i % 2:
                continue
            s += i
        print(s, i)
    """),
    "else": (0, """
        s = 0
        for i in range(10):
            s += i
        else:
            s = -s
        print(s)
    """),
    "while": (1, """
        n, count = 27, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
            if count % 5:
                continue
            n = n
        print(n, count)
    """),
    "while with a break": (1, """
        n, count = 1, 0
        while True:
            n = n * 3 % 1000003
            count += 1
            if n == 1 or count == 500:
                break
        print(n, count)
    """),
    "a condition that changes something": (0, """
        state = 0
        def more():
            global state
            state += 1
            return state < 20
        n = 0
        while more():
            n += 1
        print(n, state)
    """),
    "a function reads what the loop binds": (0, """
        def show():
            return level * 2
        total = level = 0
        for i in range(10):
            level = i
            total += show()
        print(total)
    """),
    "a function binds what the loop reads": (0, """
        level = 1
        def rise():
            global level
            level += 1
            return 0
        total = 0
        for i in range(10):
            total += level + rise()
        print(total)
    """),
    "a function has a name of its own": (1, """
        def square(total):
            i = total * total
            return i
        total = 0
        for i in range(10):
            total += square(i)
        print(total)
    """),
    "prints": (0, """
        for i in range(3):
            print(i)
    """),
    "an outer loop that prints": (1, """
        total = 0
        for i in range(3):
            for j in range(40):
                total += i * j
            print(i, total)
    """),
    "an inner loop goes on with its result": (1, """
        a, b = 0, 1
        for i in range(4):
            print(a)
            for j in range(20):
                a, b = b, (a + b) % 1009
        print(a, b)
    """),
    "unbound": (None, """
        for i in range(4):
            if i > 5:
                late = i
        print(late)
    """),
    "an error": (None, """
        total = 0
        for i in range(100):
            total += 1 // (i - 50)
        print(total)
    """),
    "a try": (0, """
        total = 0
        try:
            for i in range(100):
                total += 1 // (i - 50)
        except ZeroDivisionError:
            print(i, total)
    """),
    "lists": (None, """
        xs = [0] * 20
        for i in range(2, 20):
            xs[i] = xs[i - 1] + i
        print(xs)
    """),
    "a comprehension and a lambda": (0, """
        fs = []
        for i in range(3):
            fs.append(lambda: i)
        print([f() for f in fs])
    """),
    "globals": (0, """
        total = 0
        for i in range(3):
            total += i
        print(globals()["total"])
    """),
    "main": (1, '''
        """A program."""
        from __future__ import annotations
        def run(n):
            """Runs."""
            total = 0
            for i in range(n):
                for j in range(i):
                    total += j
            return total
        if __name__ == "__main__":
            __install__()
            print(run(30), run.__doc__, __doc__)
    '''),
    "defaults and keywords": (1, """
        def run(n, *, k=3, **rest):
            total = 0
            for i in range(n):
                total += k * i
            return total, rest
        __install__()
        print(run(30), run(4, k=1, z=2))
    """),
    "a method": (1, """
        class Model:
            def run(self, n):
                total = 0
                for i in range(n):
                    total += i
                self.total = total
        __install__()
        m = Model()
        m.run(20)
        print(m.total)
    """),
    "a private name": (0, """
        class Model:
            def run(self, n):
                __total = 0
                for i in range(n):
                    __total += i
                return __total
        __install__()
        print(Model().run(20))
    """),
    "a return in a loop": (1, """
        def run(n):
            best = 0
            for i in range(n):
                for j in range(n):
                    best = max(best, i * j % 17)
                if best == 16:
                    return i
            return -1
        __install__()
        print(run(30), run(2))
    """),
    "a generator": (0, """
        def run(n):
            total = 0
            for i in range(n):
                total += i
                yield total
        __install__()
        print(list(run(5)))
    """),
    "an inner function": (0, """
        def run(n):
            total = 0
            def told():
                return total
            for i in range(n):
                total += i
            return told()
        __install__()
        print(run(5))
    """),
    "a name of a module in a function": (0, """
        def run(n):
            import math
            total = 0.0
            for i in range(n):
                total += math.sqrt(i)
            return total
        __install__()
        print(run(5))
    """),
    "a comprehension in a function reads what the loop binds": (0, """
        def show():
            return sum([level for _ in "ab"])
        total = level = 0
        for i in range(10):
            level = i
            total += show()
        print(total)
    """),
    "a comprehension": (1, """
        total = 0
        print([total for _ in "ab"])
        for i in range(10):
            total += i
        print([total for _ in "ab"])
    """),
    "bounds in a tuple": (None, """
        bounds, total = (9, 1, -3), 0
        for i in range(*bounds):
            total = 2 * total + i
        print(total)
    """),
    "range is another": (0, """
        def range(n):
            return [5, 6]
        total = 0
        for i in range(10):
            total += i
        print(total)
    """),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program(name: str):
    number, text = PROGRAMS[name]
    same(text, number)


def test_lines_of_errors_are_the_programs():
    text = "total = 0\nfor i in range(9):\n    total += 1 // (i - 5)\n"
    code, _ = separated(ast.parse(text), text, FILE)
    with pytest.raises(ZeroDivisionError) as caught:
        exec(code, {})
    assert [entry.lineno + 1 for entry in caught.traceback[1:]] == [2, 3]


# --- drawn programs ---


class Writer:
    """Draws statements on six names, a few of them bound."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def expression(self, names: list[str]) -> str:
        r = self.random
        a, b = r.choice(names), r.choice([*names, str(r.randint(1, 9))])
        return r.choice([f"{a} + {b}", f"{a} * {b} % 101", f"{a} - {b}", f"max({a}, {b})", a])

    def block(self, indent: str, depth: int, in_loop: bool, names: list[str]) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth, in_loop, names)

    def statement(self, indent: str, depth: int, in_loop: bool, names: list[str]) -> None:
        r, inner = self.random, indent + "    "
        kind = r.choice(["assign", "assign", "add", "if", "for", "for", "while", "leave", "print"])
        if kind == "leave" and in_loop:
            word = r.choice(["break", "continue"])
            self.lines.append(f"{indent}if {r.choice(names)} % 7 == {r.randint(0, 6)}: {word}")
        elif kind == "print" and depth < 2:
            self.lines.append(f"{indent}print({r.choice(names)})")
        elif kind == "if" and depth < 3:
            self.lines.append(f"{indent}if {r.choice(names)} % 3 < {r.randint(0, 3)}:")
            self.block(inner, depth + 1, in_loop, names)
            if r.random() < 0.4:
                self.lines.append(f"{indent}else:")
                self.block(inner, depth + 1, in_loop, names)
        elif kind == "for" and depth < 3:
            bounds = r.choice(["12", "0", "2, 25, 3", "11, 1, -1"]) if r.random() < 0.8 else "n"
            self.lines.append(f"{indent}for {r.choice('ijk')} in range({bounds}):")
            self.block(inner, depth + 1, True, names)
        elif kind == "while" and depth < 3:
            self.loops += 1
            counter = f"w{self.loops}"
            self.lines.append(f"{indent}{counter} = {r.choice([0, 9, 14])}")
            self.lines.append(f"{indent}while {counter} > 0:")
            self.lines.append(f"{inner}{counter} -= 1")
            self.block(inner, depth + 1, True, names)
        elif kind == "add":
            self.lines.append(f"{indent}{r.choice('abcd')} += {self.expression(names)}")
        else:
            self.lines.append(f"{indent}{r.choice('abcdij')} = {self.expression(names)}")


def program(seed: int, in_function: bool) -> str:
    """A program that is drawn: some of its names may be read while they are not bound."""
    writer = Writer(seed)
    indent = "    " if in_function else ""
    names = list("abcijk")
    bound = writer.random.sample(names, writer.random.randint(4, 6))
    writer.lines += [f"{indent}{name} = {k}" for k, name in enumerate(bound)]
    writer.lines.append(f"{indent}d = n = 8")
    for _ in range(4):
        writer.statement(indent, 0, False, [*names, "d"])
    writer.lines.append(f"{indent}print(a, b, c, d)")
    if not in_function:
        return "\n".join(writer.lines)
    return "\n".join(["def run():", *writer.lines, "__install__()", "run()", "run()"])


@pytest.mark.parametrize("in_function", [False, True])
def test_drawn_programs(in_function: bool):
    made = 0
    for seed in range(300):
        text = program(seed, in_function)
        same(text)
        made += len(outcome(text, True)[3])
    assert made > 100
