"""The text of an array: name, values, dtype, and the device if it is not the CPU.

The layout is NumPy's: columns aligned, eight digits at most, more than a thousand elements
summarised by the first and last three of each dimension.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor

from ._core.dtypes import name_of

WIDTH = 75
PRECISION = 8
THRESHOLD = 1000
EDGE = 3

Format = Callable[[Any], str]


def array_repr(tensor: Tensor) -> str:
    """``Array([1., 2.], dtype=float64)``."""
    prefix = "Array("
    notes = []
    if not isinstance(tensor, Tensor):  # torch prints trees of arrays with marks for tensors
        return f"{prefix}{tensor!r})"
    body = None
    if not tensor.is_meta:
        with suppress(RuntimeError):  # a fake tensor, or one under vmap
            body = _values(tensor, len(prefix))
    if body is None:
        body = "..."
        notes.append(f"shape={tuple(tensor.shape)}")
    else:
        if tuple(tensor.shape) != (0,) and not 0 < tensor.numel() <= THRESHOLD:
            notes.append(f"shape={tuple(tensor.shape)}")
    notes.append(f"dtype={name_of(tensor.dtype)}")
    if not tensor.is_cpu:
        notes.append(f"device={tensor.device}")
    tail = ", ".join(notes) + ")"
    text = f"{prefix}{body},"
    last_line = len(text) - text.rfind("\n") - 1
    apart = "\n" + " " * len(prefix) if last_line + len(tail) + 1 > WIDTH else " "
    return text + apart + tail


def _values(tensor: Tensor, indent: int) -> str:
    if tensor.numel() == 0:
        return "[]"
    summarised = tensor.numel() > THRESHOLD
    shown = _edges(tensor.detach()) if summarised else tensor.detach()
    nested = shown.tolist()
    write = _format(nested if shown.ndim else [nested], shown.dtype, shown.ndim)
    if shown.ndim == 0:
        return write(nested)
    cut = [summarised and size > 2 * EDGE for size in tensor.shape]
    return _rows(nested, cut, indent, write)


def _edges(tensor: Tensor) -> Tensor:
    """The first and last elements of each long dimension, which a summary shows."""
    for axis, size in enumerate(tensor.shape):
        if size > 2 * EDGE:
            first = tensor.narrow(axis, 0, EDGE)
            last = tensor.narrow(axis, size - EDGE, EDGE)
            tensor = torch.cat([first, last], dim=axis)
    return tensor


def _rows(values: list[Any], cut: list[bool], indent: int, write: Format, closing: int = 1) -> str:
    """One dimension in brackets: elements on wrapped lines, or rows below one another.

    ``cut`` says which dimensions are summarised, ``indent`` is the column of the opening
    bracket, ``closing`` the number of brackets for which every line leaves room.
    """
    if len(cut) == 1:
        words = [write(v) for v in values]
        if cut[0]:
            words.insert(EDGE, "...")
        return _wrapped(words, indent, closing)
    rows = [_rows(v, cut[1:], indent + 1, write, closing + 1) for v in values]
    if cut[0]:
        rows.insert(EDGE, "...")
    gap = "," + "\n" * (len(cut) - 1) + " " * (indent + 1)
    return "[" + gap.join(rows) + "]"


def _wrapped(words: list[str], indent: int, closing: int) -> str:
    """Elements in brackets, on lines that leave room for a comma and the closing brackets."""
    lines: list[str] = []
    line = " " * indent + "["
    for i, word in enumerate(words):
        if i and len(line) + 2 + len(word) > WIDTH - 1 - closing:
            lines.append(line + ",")
            line = " " * (indent + 1) + word
        else:
            line += word if i == 0 else f", {word}"
    lines.append(line + "]")
    return "\n".join(lines)[indent:]


def _leaves(nested: object) -> list[Any]:
    return [v for part in nested for v in _leaves(part)] if isinstance(nested, list) else [nested]


def _format(nested: list[object], dtype: torch.dtype, ndim: int) -> Format:
    leaves = _leaves(nested)
    if dtype is torch.bool:
        width = 5 if ndim else 0
        return lambda v: str(v).rjust(width)
    if dtype.is_complex:
        half = torch.float32 if dtype is torch.complex64 else torch.float64
        real = float_format([v.real for v in leaves], half)
        imag = float_format([v.imag for v in leaves], half, sign=True)

        def write(v: complex) -> str:
            text = imag(v.imag)
            end = len(text.rstrip())
            return real(v.real) + text[:end] + "j" + text[end:]

        return write
    if dtype.is_floating_point:
        return float_format(leaves, dtype)
    width = max(len(str(v)) for v in leaves)
    return lambda v: str(v).rjust(width)


def float_format(values: list[float], dtype: torch.dtype, sign: bool = False) -> Format:
    """One format for all values, so that their decimal points are aligned."""
    finite = [v for v in values if math.isfinite(v)]
    sizes = [abs(v) for v in finite if v != 0]
    in_dtype = _to_float32 if dtype is torch.float32 else float
    scientific = bool(sizes) and (
        max(sizes) >= (1e6 if dtype is torch.float32 else 1e8)
        or min(sizes) < in_dtype(1e-4)
        or in_dtype(max(sizes) / min(sizes)) > 1000.0
    )
    split = scientific_parts if scientific else positional_parts
    parts = [split(v, dtype) for v in finite]
    plus = "+" if sign else ""
    left = max((len(_whole(v, p[0], plus)) for v, p in zip(finite, parts, strict=True)), default=0)
    digits = max((len(p[1]) for p in parts), default=0)
    exponent = max((len(p[2]) for p in parts), default=0) if scientific else 0
    tail = exponent + 1 if scientific else 0  # the letter, the sign and the digits
    if len(finite) < len(values):
        signed = sign or any(v == -math.inf for v in values)
        left = max(left, 3 + signed - (digits + tail + 1))

    def write(v: float) -> str:
        if not math.isfinite(v):
            text = "nan" if v != v else "inf" if v > 0 else "-inf"
            text = plus + text if v != v or v > 0 else text
            return text.rjust(left + 1 + digits + tail)
        if scientific:
            mantissa, _, power = f"{abs(v):.{digits}e}".partition("e")
            head = _whole(v, mantissa[0], plus).rjust(left)
            return f"{head}.{mantissa[2:]}e{power[0]}{power[1:].rjust(exponent - 1, '0')}"
        whole, fraction, _ = positional_parts(v, dtype)
        return f"{_whole(v, whole, plus).rjust(left)}.{fraction.ljust(digits)}"

    return write


def _whole(value: float, digits: str, plus: str) -> str:
    return ("-" if math.copysign(1.0, value) < 0 else plus) + digits


def positional_parts(value: float, dtype: torch.dtype) -> tuple[str, str, str]:
    """The digits before and after the point, eight at most after it, without a sign."""
    mantissa, power = _shortest(value, dtype)
    if len(mantissa) - 1 - power > PRECISION:
        text = f"{abs(value):.{PRECISION}f}"
        whole, fraction = text.split(".")
        return whole, fraction.rstrip("0"), ""
    if power < 0:
        return "0", ("0" * (-power - 1) + mantissa).rstrip("0"), ""
    mantissa = mantissa.ljust(power + 1, "0")
    return mantissa[: power + 1], mantissa[power + 1 :].rstrip("0"), ""


def scientific_parts(value: float, dtype: torch.dtype) -> tuple[str, str, str]:
    """The digit before the point, at most eight after it, and the exponent with its sign."""
    mantissa, power = _shortest(value, dtype)
    if len(mantissa) > PRECISION + 1:
        text, _, exponent = f"{abs(value):.{PRECISION}e}".partition("e")
        mantissa, power = text.replace(".", ""), int(exponent)
    return mantissa[0], mantissa[1:].rstrip("0"), f"{power:+03d}"


def _shortest(value: float, dtype: torch.dtype) -> tuple[str, int]:
    """The fewest digits that represent the value in its dtype, and the power of ten."""
    text = f"{abs(value):.17e}"
    if value == 0:
        return "0", 0
    if dtype is torch.float32:
        for precision in range(9):
            text = f"{abs(value):.{precision}e}"
            if _to_float32(float(text)) == abs(value):
                break
    else:
        digits = repr(abs(value))
        for precision in range(18):
            text = f"{abs(value):.{precision}e}"
            if float(text) == float(digits):
                break
    mantissa, _, power = text.partition("e")
    return mantissa.replace(".", ""), int(power)


def _to_float32(value: float) -> float:
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.inf
    return rounded
