"""Random programs that write to parts of arrays, as source text.

A program takes two arrays of one shape and dtype. Its lines copy them, take views of them, and
write expressions of their parts to other parts. It returns some of its arrays. All is drawn so that
the shapes fit, with empty parts, steps and negative steps among them.
"""

from __future__ import annotations

import random

import numpy

Shape = tuple[int, ...]

DTYPES = ["float64", "float64", "float32", "float32", "int64", "int32"]
OTHERS = ["bool", "complex128", "int8", "uint8", "float16"]
NAMES = "cdefghijklmnopqrst"


class Writes:
    """The program of a seed: ``source`` of a function ``name``, and its arguments."""

    def __init__(self, seed: int) -> None:
        self._rng = rng = random.Random(seed)
        self.name = f"program_{seed}"
        self.dtype = rng.choice(DTYPES * 2 + OTHERS)
        shape = tuple(rng.randint(3, 7) for _ in range(rng.choice([1, 1, 2, 2, 2, 3])))
        self._shapes: dict[str, Shape] = {"a": shape, "b": shape}
        self._seed, self._shape = seed, shape
        self._names = iter(NAMES)
        lines = [self._line() for _ in range(rng.randint(4, 14))]
        results = [name for name in self._shapes if rng.random() < 0.6] or ["a"]
        lines.append(f"return ({', '.join(map(self._result, results))},)")
        self.source = f"def {self.name}(a, b):\n" + "".join(f"    {x}\n" for x in lines)

    def arguments(self) -> list[numpy.ndarray]:
        """Two new arrays of small whole numbers, so that every result is exact."""
        rng = numpy.random.default_rng(self._seed)
        drawn = rng.integers(0 if self.dtype == "uint8" else -3, 4, (2, *self._shape))
        return [x.astype(self.dtype) for x in drawn]

    def _array(self) -> str:
        return self._rng.choice(list(self._shapes))

    def _new(self, shape: Shape) -> str:
        name = next(self._names)
        self._shapes[name] = shape
        return name

    def _part(self, shape: Shape) -> tuple[str, Shape]:
        """An index, and the shape of what it selects."""
        rng, text, left = self._rng, [], []
        for size in shape:
            kind = rng.random()
            if kind < 0.3 and size:
                text.append(str(rng.randint(-size, size - 1)))
            else:
                part = slice(None)
                if kind > 0.45:
                    ends = [None, None, -1, *range(size + 1)]
                    step = rng.choice([None] * 6 + [2, 3, -1, -2])
                    part = slice(rng.choice(ends), rng.choice(ends), step)
                text.append(":".join("" if x is None else str(x) for x in (part.start, part.stop)))
                text[-1] += f":{part.step}" if part.step else ""
                left.append(len(range(*part.indices(size))))
            if rng.random() < 0.15:
                break
        return ", ".join(text), (*left, *shape[len(text) :])

    def _read(self, shape: Shape) -> str:
        """A part of an array that broadcasts to the shape, or a number."""
        rng = self._rng
        for _ in range(30):
            name = self._array()
            index, got = self._part(self._shapes[name])
            if got == shape or (got == () and rng.random() < 0.3):
                return f"{name}[{index}]"
            whole = self._shapes[name]
            lead = len(whole) - len(shape)
            if lead < 0 or not all(whole[:lead]):
                continue
            inner = whole[lead:]
            if all(n >= m for n, m in zip(inner, shape, strict=True)):
                starts = [rng.randint(0, n - m) for n, m in zip(inner, shape, strict=True)]
                parts = [str(rng.randrange(n)) for n in whole[:lead]]
                parts += [f"{s}:{s + m}" for s, m in zip(starts, shape, strict=True)]
                return f"{name}[{', '.join(parts)}]"
        return "True" if self.dtype == "bool" else "1"

    def _value(self, shape: Shape) -> str:
        rng, truth = self._rng, self.dtype == "bool"
        text = self._read(shape)
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            operand = rng.choice([self._read(shape), self._read(shape), "True" if truth else "2"])
            text = f"({text} {rng.choice('&|^' if truth else '+-*')} {operand})"
        return text

    def _line(self) -> str:
        rng, source = self._rng, self._array()
        shape = self._shapes[source]
        index, part = self._part(shape)
        kind = rng.random()
        if kind < 0.1:
            return f"{self._new(shape)} = {source}.copy()"
        if kind < 0.16:
            return f"{self._new(shape)} = np.{rng.choice(['zeros', 'ones'])}_like({source})"
        if kind < 0.24 and part:
            return f"{self._new(part)} = {source}[{index}]"
        if kind < 0.26:
            return f"{self._new(shape[::-1])} = {source}.T"
        if kind < 0.28:
            return f"{self._new((int(numpy.prod(shape)),))} = {source}.reshape(-1)"
        if kind < 0.34 and self.dtype != "bool":
            value = self._value(shape)
            return f"{self._new(shape)} = {value} + np.zeros_like({source})"
        if kind < 0.5:
            sign = rng.choice("&|^" if self.dtype == "bool" else "+-*")
            return f"{source}[{index}] {sign}= {self._value(part)}"
        return f"{source}[{index}] = {self._value(part)}"

    def _result(self, name: str) -> str:
        twice = f"{name} {'|' if self.dtype == 'bool' else '*'} {name}"
        return self._rng.choice([name, name, name, f"{name}.sum()", twice])
