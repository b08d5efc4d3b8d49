"""Statements of random programs beside those of ``compiled.random_programs``.

They write through views and into ``out=``, hand slices to functions, raise under ``errstate``,
and work on ``r``, an array of records, and ``h``, one of a dtype that torch cannot store.
"""

from __future__ import annotations

import random
from typing import Any

import numpy

from tests.numpy_shim.compiled.random_programs import BINARY, UNARY, basic_key, number

VIEWS = [
    "w = {x}[{k}]\nw {i} {n}", "w = np.reshape({x}, -1)\nw[0] = {n}", "w = {x}.T\nw[...] = {o}",
    "w = {x}[::-1]\nw[1:] = w[:-1]", "np.moveaxis({x}, 0, -1)[0] = {n}",
    "np.split({x}, 2)[0][...] = {n}", "np.ravel({x})[:2] {i} {n}", "np.squeeze({x})[...] = {o}",
    "np.asarray({x})[:1] = {n}", "np.einsum('...->...', {x})[:1] = {n}", "{x}.view()[:1] = {n}",
    "for row in {x}:\n    row[...] = {n}", "for row in np.flip({x}):\n    row {i} {n}",
    "np.atleast_2d({x})[:, :1] = {n}", "np.expand_dims({x}, 1)[-1] = {o}",
    "np.lib.stride_tricks.sliding_window_view({x}, 2, 0, writeable=True)[0] = {n}",
    "np.swapaxes({x}, 0, -1)[{k}] = {n}", "w = {x}[{k}][{k}]\nw[...] = {n}",
    "w = {x}[{k}]\nw[w > 0] = {n}", "np.rot90({x})[0] = {n}", "np.unstack({x})[0][...] = {n}",
    "{x}.diagonal()[0] = {n}", "np.real({x})[:1] = {n}", "{x}.flat[1:3] = {n}",
    "w = np.array_split({x}, 3)\nw[0][...] = {n}", "np.broadcast_to({x}, (2, *{x}.shape))[0] = 1",
    "{new} = np.copy({x})[{k}]", "{new} = np.ascontiguousarray({x})", "{new} = {x}[{k}].T",
    "{new} = np.asfortranarray({x})", "{new} = np.array({x}, copy=None, ndmin=2)",
    "{new} = np.fromiter({x}.flat, {x}.dtype)", "{new} = np.nditer({x}).itersize",
    "for e in np.nditer({x}, op_flags=['readwrite']):\n    e[...] = {n}\ndel e",
]  # fmt: skip
OUTPUTS = [
    "np.{u}({x}, {x})", "np.{b}({x}, {o}, {z}[::-1])", "np.{b}({x}, {o}, out={x}[::-1])",
    "np.sum({x}, axis=0, out={z}[0])", "np.add.accumulate({x}, out={x})",
    "np.{b}.reduce({x}, axis=0, out={z}[0])", "np.take({x}, [0, 1], 0, out={z}[:2])",
    "np.concatenate([{x}, {y}], out={z})", "np.clip({x}, 0, 2, {z})", "np.round({x}, 1, out={z})",
    "np.maximum({x}, {x}[::-1], out={x})", "np.copyto({x}[::-1], {x})", "np.copyto({x}, {x}.T)",
    "np.divmod({x}, {o}, out=({z}, None))", "np.modf({x}, {z})", "np.dot({x}, {y}, out={z})",
    "np.max({x}, axis=0, out={z}[0])", "np.any({x}, axis=0, out={z}[0])",
    "np.cumsum({x}[::-1], out={x})", "np.{u}({x}[1:], out={x}[:-1])",
    "np.{b}({x}[1:], {x}[:-1], out={x}[1:])", "np.{b}({x}, {o}, out={z}, where={y} > 0)",
    "{new} = np.sum({x}, axis=0, where={x} > 0, initial=1)", "np.stack([{x}, {y}], out={z})",
    "{new} = np.{b}({x}, {o}, where={y} > 0, out={x}.copy())", "np.{u}({x}, where=False, out={z})",
    "{new} = np.mean({x}, where={y} != 1)", "np.matmul({x}, {y}, out={x})",
    "np.argmax({x}, axis=0, out={z}[0])", "np.std({x}, axis=-1, out={z}[0])",
    "{x}.sum(axis=0, out={z}[0])", "{x}.clip(0, 1, out={x})", "{x}.cumsum(0, out={x})",
    "np.nan_to_num({x}, copy=False)", "np.nan_to_num({x}[::-1], copy=False, nan=1)",
    "np.median({x}, axis=0, out={z}[0])", "np.einsum('i...->...', {x}, out={z}[0])",
]  # fmt: skip
CALLS = [
    "{new} = scale({x}[{k}], {n})", "{new} = move({x}[{k}], {o})", "clear({x}[{k}])",
    "list(map(clear, {x}))", "{new} = scale({x}, {o})", "swap({x}[:1], {x}[-1:])",
    "swap({x}[::-1][:2], {z}[:2])", "{new} = smooth({x})", "{new} = smooth({x}[{k}])",
    "{new} = [scale(row, {n}) for row in {x}][0]",
    "{new} = np.apply_along_axis(np.sort, 0, {x})",
    "{new} = np.vectorize(lambda e: e / 2)({x})",
    # a device has no objects: frompyfunc gives numbers there
    "{new} = np.array(np.frompyfunc(abs, 1, 1)({x})).astype(float)",
    "{new} = np.apply_over_axes(np.sum, {x}, 0)",
    "{new} = np.fromfunction(lambda i: i, (3,)) * {x}",
]  # fmt: skip
ERRORS = [
    "with np.errstate(divide='raise', invalid='raise'):\n    {new} = {x} / {o}",
    "with np.errstate(divide='raise', invalid='raise'):\n    {x} /= {o}",
    "with np.errstate(divide='raise', invalid='raise'):\n    {new} = np.{u}({x})",
    "with np.errstate(divide='raise'):\n    {new} = {x} // {o}",
    "with np.errstate(invalid='raise'):\n    {new} = np.sqrt({x}[{k}])",
    "with np.errstate(divide='raise'):\n    np.divide({x}, {o}, out={z}, where={x} != 0)",
    "with np.errstate(over='raise'):\n    {new} = {x}[{k}] * {n}",
    "with np.errstate(invalid='raise'):\n    {new} = {x} - {o}",
]  # fmt: skip
IN_PLACE = ["{x} %= {o}", "{x} ^= {o}", "{x} <<= 1", "{x} >>= {n}", "{x} -= {x}[::-1]",
            "{x} *= {x}.T", "{x}[{k}] -= {x}[{k}]", "{x}[{k}] %= {n}", "{x}[1:] -= {x}[:-1]",
            "{x} += {x}[:1]", "{x}[{x} > 0] -= {n}", "{x}[::2] *= {o}", "{x}[-1] += {x}[0]",
            "{x}[[1, 0]] *= {n}", "{x}[..., ::-1] += {x}"]  # fmt: skip
RECORDS = [
    "{new} = r['x']", "{new} = r['y']", "{new} = r['t']", "r['x'][:2] = {o}", "r['x'] {i} {n}",
    "{new} = np.reshape(r['x'], (2, 2))", "np.add(r['x'], {n}, out=r['x'])",
    "np.multiply(r['x'], 2, out=r['x'], where=r['t'] > 0)", "r['y'][:, 0] = {n}",
    "r[r['x'] > 0] = r[0]", "r['x'][r['t'] > 0] {i} 2", "np.copyto(r['x'], {n}, where=r['t'] > 0)",
    "np.put(r['x'], [0, 2], {n})", "r['x'][::-1] = r['x']", "r['x'].sort()",
    "{new} = np.sort(r, order='x')['x']", "{new} = np.concatenate([r['x'], r['x']])",
    "{new} = r['x'] @ r['x']", "np.cumsum(r['x'], out=r['x'])", "{new} = np.asarray(r['x'])",
    "np.add.at(r['x'], [0, 0], {n})", "np.clip(r['x'], 0, 1, out=r['x'])",
    "np.nan_to_num(r['x'], copy=False)", "{new} = np.where(r['x'] > 0, r['x'], {n})",
    "{new} = r['x'][:, None] + {x}", "{new} = {x} * r['x']", "r['x'] = {o}", "r['x'] = {x}",
    "np.reshape(r['x'], (2, 2))[0] = {n}", "{new} = r['x'][{k}]", "r['y'][{k}] = {n}",
    "{new} = np.moveaxis(r['y'], 0, 1)", "np.moveaxis(r['y'], 0, 1)[0] = {n}",
    "scale(r['x'][1:], {n})", "{new} = smooth(r['x'])", "swap(r['x'][:1], r['x'][-1:])",
    "{new} = np.sum(r['y'], axis=0)", "{new} = r[::-1]['x']", "{new} = np.array(r['x'])[{k}]",
    "{new} = r['x'].copy()", "{new} = r['t'] > 0", "r['t'][...] = 1", "{new} = r['x'].max()",
    "np.{u}(r['x'], out=r['x'])", "np.{b}({x}, {o}, out=r['x'])", "np.sum({x}, 0, out=r['x'])",
    "{new} = np.broadcast_to(r['x'], (2, 4))", "{new} = np.{b}(r['x'], {o})",
    "{new} = np.{u}(r['x'])", "np.putmask(r['x'], r['x'] > 0, {n})", "r['x'].fill({n})",
    "{new} = np.linalg.norm(r['x'])", "{new} = np.{b}.reduce(r['x'])", "{new} = r['x'].tolist()",
    "{new} = np.dot(r['y'], [1, 2])", "np.take({x}, [0, 1, 0, 1], out=r['x'])", "r[0] = r[1]",
]  # fmt: skip
HOST = [
    "{new} = h", "{new} = h[{k}]", "{new} = h == h[:1]", "h[{k}] = h[0]", "h[1:] = h[:-1]",
    "{new} = np.concatenate([h, h])", "{new} = np.where(h == h[0], 1, 0)", "{new} = h.copy()",
    "{new} = h[np.array([True, False, True, False])]", "{new} = h[np.array([0, -1])]",
    "h[np.array([True, False, True, False])] = h[0]", "h[np.array([0, 1])] = h[2]",
    "{new} = np.sort(h)", "{new} = np.argsort(h, kind='stable')", "{new} = np.unique(h).size",
    "{new} = np.isin(h, h[:1])", "{new} = np.reshape(h, (2, 2))", "np.reshape(h, (2, 2))[0] = h[0]",
    "{new} = np.array_equal(h, h)", "{new} = np.repeat(h, 2)", "{new} = np.take(h, [0, 1])",
    "np.copyto(h, h[::-1])", "np.put(h, [0], h[1])", "{new} = np.stack([h, h])", "h.sort()",
    "{new} = np.max(h)", "{new} = np.flip(h)", "np.flip(h)[0] = h[0]",
    "{new} = np.searchsorted(h, h)",
    "{new} = np.full(3, h[0])", "{new} = h.tolist()", "{new} = np.zeros_like(h)", "{new} = h[0]",
    "{new} = h[:, None][{k}]", "{new} = np.broadcast_to(h, (2, 4))", "{new} = len(h) * {x}",
    "swap(h[:1], h[-1:])", "{new} = np.delete(h, 1)", "{new} = np.insert(h, 1, h[0])",
    "{new} = np.roll(h, 1)", "{new} = np.tile(h, 2)", "{new} = np.nonzero(h == h[0])[0]",
]  # fmt: skip
HOST_NUMBERS = [
    "{new} = h + {x}", "{new} = {x} * h", "{new} = np.add({x}, h)", "h[:2] = {n}", "h += 1",
    "np.add(h, 1, out=h)", "np.multiply(h, 2, out=h, where=h > 0)", "{new} = h.astype(float)",
    "{new} = np.where(h > 0, h, {n})", "h[h > 0] = 1", "h[h > 0] *= 2", "{new} = h > {n}",
    "{new} = np.sum(h)", "{new} = np.cumsum(h)", "np.cumsum(h, out=h)",
    "{new} = np.asarray(h, float)",
    "h[...] = {o}", "np.copyto(h, 2, where=h > 1)", "{new} = np.array(h, dtype='f8')",
    "scale(h, 2)",
    "scale(h[1:], 2)", "{new} = smooth(h)", "{new} = {x}[:1] + h",
    "h -= {x}", "np.add.at(h, [0], 1)",
    "{new} = np.maximum(h, 0)", "{new} = h.sum()", "{new} = np.dot(h, h)",
    "{new} = abs(h)", "h /= 2",
]  # fmt: skip
HOST_KINDS = ["g", ">f8", ">i4", "O", "U3", "M8[D]", "m8[s]", "S2"]


def host_array(kind: str) -> Any:
    """An array of four values, two of them equal, that stays NumPy's."""
    if kind in ("U3", "S2"):
        return numpy.array(["b", "a", "c", "a"], kind)
    return numpy.array([3, 0, 5, 0]).astype(kind)


def records() -> Any:
    """Four packed records of numbers, of which torch can describe no field but the first."""
    made = numpy.zeros(4, [("t", "i1"), ("x", "f8"), ("y", "f4", (2,))])
    made["t"], made["x"], made["y"] = (
        [1, 0, 2, 0],
        [1.5, -2, 0, 4],
        [[1, 2], [0, 3], [4, -1], [0, 0]],
    )
    return made


def helpers(np: Any) -> dict[str, Any]:
    """The functions to which programs hand slices."""

    def scale(x: Any, n: Any) -> Any:
        x *= n
        return x

    def move(x: Any, y: Any) -> Any:
        x[...] = y
        return x.sum()

    def clear(x: Any) -> None:
        np.copyto(x, 0, where=x < 0)

    def swap(x: Any, y: Any) -> None:
        kept = x.copy()
        x[...] = y
        y[...] = kept

    def smooth(x: Any) -> Any:
        made = np.zeros_like(x, dtype=float)
        made[1:] = x[1:] - x[:-1]
        made[0] = x[-1]
        return made

    return {"scale": scale, "move": move, "clear": clear, "swap": swap, "smooth": smooth}


def statement(rng: random.Random, names: list[str], foreign: set[str], new: str, kind: str) -> str:
    """A statement on some of the variables, ``r`` and ``h``; ``kind`` is the dtype of ``h``."""
    ours = [name for name in names if name not in foreign] or ["np.arange(3.0)"]
    x, y, z = rng.choice(ours), rng.choice(names), rng.choice(ours)
    n = number(rng)
    host = HOST + HOST_NUMBERS if kind in ("g", ">f8", ">i4", "O") else HOST
    lists = [VIEWS, OUTPUTS, CALLS, ERRORS, IN_PLACE, RECORDS, host]
    return rng.choice(rng.choice(lists)).format(
        x=x, y=y, z=z, n=n, o=rng.choice([y, y, n]), k=basic_key(rng), new=new,
        i=rng.choice(["=", "+=", "-=", "*="]), b=rng.choice(BINARY), u=rng.choice(UNARY),
    )  # fmt: skip
