"""``nditer`` and ``nested_iters``: the same steps, values, indices and errors as NumPy's."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

import numpy_shim
from tests.numpy_shim.differential import compare

SHAPES = [(5,), (3, 4), (2, 3, 4), (2, 1, 3), ()]


def grid(np: Any, *shape: int, dtype: str = "int64") -> Any:
    """Counted elements."""
    return np.arange(torch.Size(shape).numel(), dtype=dtype).reshape(shape)


def layouts(np: Any, shape: tuple[int, ...]) -> list[Any]:
    """Arrays of about this shape that lie in memory in several ways."""
    a = grid(np, *shape)
    twice = grid(np, *[2 * n for n in shape])
    found = [a, a.T, twice[tuple(slice(None, None, 2) for _ in shape)]]
    for turned in range(2 ** len(shape)):
        key = tuple(slice(None, None, -1 if turned >> i & 1 else 1) for i in range(len(shape)))
        found += [a[key], a[key].T]
    return found


def steps(it: Any) -> list[Any]:
    """What every step gives, copied."""
    return [[y.copy() for y in x] if isinstance(x, tuple) else x.copy() for x in it]


def facts(it: Any) -> tuple[Any, ...]:
    """The attributes that need no index."""
    return (
        it.ndim, it.nop, it.itersize, it.iterrange, it.iterindex, it.shape, it.finished,
        it.has_index, it.has_multi_index, it.has_delayed_bufalloc, it.iterationneedsapi, len(it),
    )  # fmt: skip


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", SHAPES)
def test_order(shape: tuple[int, ...], order: str):
    """Elements, attributes and views of the iterator, for every layout and order."""

    def body(np: Any) -> Any:
        its = [np.nditer(a, order=order) for a in layouts(np, shape)]
        return [(facts(it), it.itviews, steps(it)) for it in its]

    compare(body)


@pytest.mark.parametrize("index", ["c_index", "f_index"])
@pytest.mark.parametrize("order", "CFK")
@pytest.mark.parametrize("shape", SHAPES)
def test_indices(shape: tuple[int, ...], order: str, index: str):
    """Both kinds of index at every step, with and without merged axes."""

    def body(np: Any) -> Any:
        found = []
        for a in layouts(np, shape):
            it = np.nditer(a, ["multi_index", index], order=order)
            found.append([(x.copy(), it.multi_index, it.index, it.iterindex) for x in it])
            it = np.nditer(a, [index], order=order)
            found.append([(it.index, x.copy()) for x in it])
        return found

    compare(body)


@pytest.mark.parametrize("flags", [["external_loop"], ["external_loop", "buffered"]])
@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", SHAPES)
def test_runs(shape: tuple[int, ...], order: str, flags: list[str]):
    """The runs of elements, their sizes and strides."""

    def body(np: Any) -> Any:
        found = []
        for a in layouts(np, shape):
            for size in (1, 3, 4, 8, 0):
                it = np.nditer(a, flags, order=order, buffersize=size)
                found.append([(x.copy(), x.strides if x.size > 1 else 0) for x in it])
        return found

    compare(body)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9, 12, 20, 0])
@pytest.mark.parametrize("flags", [[], ["external_loop"], ["external_loop", "grow_inner"]])
def test_runs_of_reductions(flags: list[str], size: int):
    """Where elements are written that several steps share, each run has them once."""

    def body(np: Any) -> Any:
        found = []
        for shape in [(1, 3, 4), (2, 1, 4), (2, 3, 1), (1, 1, 4), (1, 3, 1), (2, 1, 1), (1, 1, 1)]:
            a, total = grid(np, 2, 3, 8)[:, :, :4], np.zeros(shape, "f8")
            it = np.nditer(
                [a, total], [*flags, "buffered", "reduce_ok"], [["readonly"], ["readwrite"]],
                op_dtypes=["f8", None], buffersize=size,
            )  # fmt: skip
            with it:
                for x, y in it:
                    found.append((x.copy(), y.strides))
                    for i in range(len(x) if x.ndim else 0):
                        y[i] += x[i]
                    if not x.ndim:
                        y[...] += x
            found.append(total)
        return found

    compare(body)


@pytest.mark.parametrize("size", [3, 5, 8, 12, 20, 0])
def test_ranges(size: int):
    """Part of the elements, from within a run to within another."""

    def body(np: Any) -> Any:
        found = []
        a = grid(np, 3, 4, 5)[:, :3, :4]
        for part in [(1, 36), (5, 36), (7, 30), (4, 20), (13, 17), (11, 36), (6, 6)]:
            it = np.nditer(a, ["ranged", "buffered", "external_loop"], buffersize=size)
            it.iterrange = part
            found.append((it.iterrange, it.finished, steps(it)))
            it = np.nditer(a, ["ranged"], order="F")
            it.iterrange = part
            found.append(steps(it))
        return found

    compare(body)


@pytest.mark.parametrize("order", "CFK")
def test_broadcast_and_allocate(order: str):
    """Operands of several shapes, and one made for the result in the order of iteration."""

    def body(np: Any) -> Any:
        found = []
        for a, b in [
            (grid(np, 2, 3), grid(np, 3)), (grid(np, 3, 1), grid(np, 1, 4)),
            (grid(np, 2, 3, 4).T, np.float32(2)), (2, 2.5), (grid(np, 3)[::-1], grid(np, 3)),
        ]:  # fmt: skip
            with np.nditer([a, b, None], order=order) as it:
                for x, y, z in it:
                    z[...] = x + y
                made = it.operands[2]
                found.append((made, made.strides, it.dtypes))
        return found

    compare(body)


def test_op_axes_and_itershape():
    """Axes chosen by hand: transposed, new, left out, and the shape of what is made."""

    def body(np: Any) -> Any:
        a, b = grid(np, 2, 3), grid(np, 4)
        matrix = np.nditer([a, b], ["multi_index"], op_axes=[[0, 1, -1], [None, None, 0]])
        found = [(matrix.shape, steps(matrix))]
        found.append(steps(np.nditer([a, a.T], op_axes=[[0, 1], [1, 0]])))
        found.append(steps(np.nditer(a, ["multi_index"], op_axes=[[1]])))
        for order in "CFK":
            it = np.nditer(
                [a.T, None], [], [["readonly"], ["writeonly", "allocate"]], order=order,
                op_axes=[[0, 1, None], None], itershape=(-1, -1, 4),
            )  # fmt: skip
            found.append((it.operands[1].shape, it.operands[1].strides))
        it = np.nditer([None, a], op_dtypes=["u4", None], op_axes=[[1, 0], None])
        return [*found, it.operands[0].shape, it.operands[0].strides]

    compare(body)


def test_sum_along_an_axis():
    """A reduction, with the result made by the iterator."""

    def body(np: Any) -> Any:
        it = np.nditer(
            [grid(np, 2, 3, 4), None], ["reduce_ok", "external_loop"],
            [["readonly"], ["readwrite", "allocate"]], op_axes=[None, [0, -1, 1]],
        )  # fmt: skip
        with it:
            it.operands[1][...] = 0
            for x, y in it:
                y[...] += x
            return it.operands[1]

    compare(body)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u2", "c16", "?"])
@pytest.mark.parametrize("source", ["i4", "f8", "u2", "u8", "c8", "?"])
def test_casts(source: str, dtype: str):
    """In buffers and in whole copies, back and forth; strides of the copies."""

    def body(np: Any) -> Any:
        found = []
        for a in layouts(np, (3, 4)):
            a = a.astype(source)[:, ::2]
            flags = ["buffered", "external_loop"]
            it = np.nditer(a, flags, ["readwrite"], dtype, casting="unsafe", buffersize=4)
            with it:
                for x in it:
                    x[...] = x + x.dtype.type(1)
            found.append(a.copy())
            it = np.nditer(a, [], ["readwrite", "updateifcopy"], dtype, casting="unsafe")
            with it:
                found.append((it.dtypes, it.operands[0].strides))
                for x in it:
                    x[...] = x + x.dtype.type(1)
            found.append(a)
        return found

    compare(body)


def test_common_dtype():
    def body(np: Any) -> Any:
        ops = [np.array([3], "u4"), np.array(-1, "i4"), np.array([2.0], "f4")]
        flags = ["readonly", "copy"]
        it = np.nditer(ops, ["common_dtype"], [flags] * 3)
        one = np.nditer([*ops, None], [], [*[flags] * 3, ["writeonly", "allocate"]])
        return it.dtypes, it.value, one.dtypes

    compare(body)


def test_copies_are_written_back_when_closed():
    """Not before; the array is locked until then; forgetting to close warns and writes."""

    def body(np: Any) -> Any:
        a = grid(np, 6, dtype="f4")[::-1]
        it = np.nditer(a, [], ["readwrite", "updateifcopy"], "f8", casting="same_kind")
        with it:
            it.operands[0][...] = 7
            found = [a.copy(), a.flags.writeable]
        found += [a.copy(), a.flags.writeable]
        it = np.nditer(a, [], ["readwrite", "updateifcopy"], "f8", casting="same_kind")
        it.operands[0][...] = 8
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del it
        return [*found, a, a.flags.writeable, [w.category for w in caught]]

    compare(body)


def test_overlap():
    """What is written to is copied if something that is read shares its memory."""

    def body(np: Any) -> Any:
        x, step = np.arange(10), ["readonly", "overlap_assume_elementwise"]
        cases = [
            ([x[1:], x[:-1]], [["readonly"], ["readwrite"]]),
            ([x[1:], x[:-1]], [["readwrite"], ["readwrite"]]),
            ([x[1:], x[:-1]], [["writeonly"], ["readwrite"]]),
            ([x[::2], x[1::2]], [["readonly"], ["writeonly"]]),
            ([x, x], [["readonly"], ["writeonly"]]),
            ([x, x], [step, ["readwrite", "overlap_assume_elementwise"]]),
            ([x, x], [step, ["readwrite"]]),
        ]
        found = []
        for ops, flags in cases:
            with np.nditer(ops, ["copy_if_overlap"], flags) as it:
                found.append([mine is given for mine, given in zip(it.operands, ops, strict=True)])
        return found

    compare(body)


@pytest.mark.parametrize("dtype", ["?", "u1"])
def test_masks(dtype: str):
    """Only what the mask selects is written back from a buffer."""

    def body(np: Any) -> Any:
        a, mask = grid(np, 4, 6).astype("f8")[:, ::2], np.array([1, 0, 1], dtype)
        flags = [["readwrite", "writemasked"], ["readonly", "arraymask"]]
        options = {"op_dtypes": ["f4", None], "casting": "same_kind", "buffersize": 2}
        for runs in ([], ["external_loop"]):
            with np.nditer([a, mask], ["buffered", *runs], flags, **options) as it:
                for x, _ in it:
                    x[...] = x + 100
        return a

    compare(body)


def test_places():
    """Setting the index, the multi-index and the place; mixing ``next`` and ``iternext``."""

    def body(np: Any) -> Any:
        a = grid(np, 2, 3, 4)[::-1].T
        it = np.nditer(a, ["multi_index", "c_index"])
        found: list[Any] = [next(it).copy(), it.iternext(), next(it).copy()]
        for name, value in [("multi_index", (1, 2, 0)), ("index", 7), ("iterindex", 20)]:
            setattr(it, name, value)
            found += [it.multi_index, it.index, it.iterindex, next(it).copy(), next(it).copy()]
        twin = it.copy()
        found += [steps(twin), twin.finished, it.finished]
        it.reset()
        return [*found, next(it).copy(), it.iterindex]

    compare(body)


def test_items():
    """``it[i]`` and ``it[i:j]``, to read and to write."""

    def body(np: Any) -> Any:
        a, b = grid(np, 3), grid(np, 3).astype("f8")
        it = np.nditer([a, b], [], ["readwrite"])
        it[0:2] = (3, 4.5)
        it.iternext()
        it[-1] = 12
        return a, b, it[0], it[0:2], it[-1], it[:1]

    compare(body)


def test_changing_the_iterator():
    """Leaving out an axis, forgetting the index, showing runs."""

    def body(np: Any) -> Any:
        found = []
        for axis in range(3):
            it = np.nditer(grid(np, 2, 3, 4)[::-1, :, ::-1], ["multi_index"])
            it.remove_axis(axis)
            found.append((it.shape, it.itersize, [(x.copy(), it.multi_index) for x in it]))
            it.remove_multi_index()
            found.append((facts(it), it.itviews))
            it.enable_external_loop()
            found.append((facts(it), steps(it)))
        return found

    compare(body)


@pytest.mark.parametrize("flags", [[], ["multi_index"], ["buffered"], ["external_loop"]])
def test_nothing_to_go_through(flags: list[str]):
    def body(np: Any) -> Any:
        it = np.nditer(np.zeros((2, 0)), [*flags, "zerosize_ok"])
        return it.finished, it.itersize, steps(it), it.iternext()

    compare(body)


@pytest.mark.parametrize("order", "CFK")
def test_nested(order: str):
    """Loops within loops, whatever the axes of each are."""

    def body(np: Any) -> Any:
        found = []
        a = grid(np, 2, 3, 2)[::-1, :, ::-1]
        for axes in [[[0], [1, 2]], [[2, 0], [1]], [[], [1, 0, 2]], [[1], [], [0, 2]], [[0], [2]]]:
            its = np.nested_iters(a, axes, ["multi_index"], order=order)
            for _ in its[0]:
                places = [(its[1].multi_index, steps(its[-1])) for _ in its[1]]
                found.append((its[0].multi_index, places))
        b = grid(np, 3, 1), grid(np, 1, 2)
        i, j = np.nested_iters(b, [[1], [0]], order=order)
        return [*found, [steps(j) for _ in i]]

    compare(body)


@pytest.mark.parametrize(
    "options", [{"flags": ["buffered"]}, {"op_flags": ["readwrite", "updateifcopy"]}]
)
def test_nested_casts(options: dict[str, Any]):
    """Written back from buffers, or from the copy of the outer loop."""

    def body(np: Any) -> Any:
        a = grid(np, 2, 3).astype("f4")
        options.setdefault("op_flags", ["readwrite"])
        i, j = np.nested_iters(a, [[0], [1]], op_dtypes="f8", casting="same_kind", **options)
        with i, j:
            for _ in i:
                for y in j:
                    y[...] += 1
            found = [i.dtypes, j.dtypes]
        return [*found, a]

    compare(body)


def both(np: Any) -> list[Any]:
    return [grid(np, 2, 3), grid(np, 3)]


REFUSED: dict[str, Callable[[Any], Any]] = {
    "no operand": lambda np: np.nditer([]),
    "unknown flag": lambda np: np.nditer(grid(np, 3), ["nonsense"]),
    "unknown operand flag": lambda np: np.nditer(grid(np, 3), [], ["readonly", "nonsense"]),
    "flags as text": lambda np: np.nditer(grid(np, 3), "multi_index"),
    "two indices": lambda np: np.nditer(grid(np, 3), ["c_index", "f_index"]),
    "runs and an index": lambda np: np.nditer(grid(np, 3), ["external_loop", "c_index"]),
    "runs and ranges": lambda np: np.nditer(grid(np, 3), ["external_loop", "ranged"]),
    "no access": lambda np: np.nditer(grid(np, 3), [], [["copy"]]),
    "two accesses": lambda np: np.nditer(grid(np, 3), [], [["readonly", "readwrite"]]),
    "flags of too few": lambda np: np.nditer(both(np), [], [["readonly"]]),
    "a scalar to write": lambda np: np.nditer(np.float64(1), [], [["readwrite"]]),
    "a number to write": lambda np: np.nditer(1.5, [], [["writeonly"]]),
    "a locked array": lambda np: np.nditer(np.broadcast_to(1, 3), [], [["readwrite"]]),
    "None to read": lambda np: np.nditer([grid(np, 3), None], [], [["readonly"]] * 2),
    "no dtype to make": lambda np: np.nditer([None]),
    "nothing to go through": lambda np: np.nditer(np.zeros(0)),
    "shapes": lambda np: np.nditer([grid(np, 3), grid(np, 4)]),
    "no_broadcast": lambda np: np.nditer(both(np), [], ["readonly", "no_broadcast"]),
    "a reduction": lambda np: np.nditer(both(np), [], ["readwrite"]),
    "a reduction to write": lambda np: np.nditer(both(np), ["reduce_ok"], ["writeonly"]),
    "order": lambda np: np.nditer(grid(np, 3), order="Z"),
    "casting": lambda np: np.nditer(grid(np, 3), casting="nonsense"),
    "an unsafe cast": lambda np: np.nditer(grid(np, 3), ["buffered"], op_dtypes="f4"),
    "an unsafe cast back": lambda np: np.nditer(
        grid(np, 3), ["buffered"], ["readwrite"], op_dtypes="f8"
    ),
    "a cast without a copy": lambda np: np.nditer(grid(np, 3), op_dtypes="f8"),
    "a copy to write": lambda np: np.nditer(grid(np, 3), [], [["readwrite", "copy"]]),
    "contig": lambda np: np.nditer(grid(np, 6)[::2], [], [["readonly", "contig"]]),
    "axes of too few": lambda np: np.nditer(both(np), op_axes=[[0]]),
    "axes out of bounds": lambda np: np.nditer(grid(np, 3), op_axes=[[1]]),
    "an axis twice": lambda np: np.nditer(grid(np, 2, 3), op_axes=[[0, 0]]),
    "axes of two sizes": lambda np: np.nditer(both(np), op_axes=[[0, 1], [0]]),
    "no axes": lambda np: np.nditer(both(np), op_axes=[None, None]),
    "a hole in the axes": lambda np: np.nditer(
        [grid(np, 2, 3), None], ["reduce_ok"], [["readonly"], ["readwrite", "allocate"]],
        op_axes=[None, [None, 1]],
    ),
    "itershape": lambda np: np.nditer(grid(np, 3), itershape=(4,)),
    "itershape of one": lambda np: np.nditer(grid(np, 3), itershape=(1,)),
    "too few sizes": lambda np: np.nditer(grid(np, 2, 3), itershape=(3,)),
    "a mask without use": lambda np: np.nditer(
        both(np), [], [["readwrite"], ["readonly", "arraymask"]]
    ),
    "no mask": lambda np: np.nditer(both(np), [], [["readwrite", "writemasked"], ["readonly"]]),
    "a mask of ints": lambda np: np.nditer(
        both(np), ["buffered"], [["readwrite", "writemasked"], ["readonly", "arraymask"]],
        op_dtypes=["i4", None], casting="unsafe",
    ),
    "made before filled": lambda np: np.nditer(
        [grid(np, 3), None], ["buffered"], [["readonly"], ["readwrite", "allocate"]]
    ),
    "too large": lambda np: np.nditer(
        [np.broadcast_to(1.0, (2**40, 1)), np.broadcast_to(1.0, 2**40)]
    ),
    "no index": lambda np: np.nditer(grid(np, 3)).index,
    "no multi-index": lambda np: np.nditer(grid(np, 3)).multi_index,
    "views of a buffer": lambda np: np.nditer(grid(np, 3), ["buffered"]).itviews,
    "delayed": lambda np: np.nditer(grid(np, 3), ["buffered", "delay_bufalloc"]).value,
    "an operand too far": lambda np: np.nditer(grid(np, 3))[1],
    "a step": lambda np: np.nditer(grid(np, 3))[::2],
    "a name": lambda np: np.nditer(grid(np, 3))["a"],
    "written while read": lambda np: np.nditer(grid(np, 3)).__setitem__(0, 1),
    "a read-only value": lambda np: np.nditer(grid(np, 3)).value.__setitem__(..., 1),
    "deleting": lambda np: np.nditer(grid(np, 3)).__delitem__(0),
    "deleting the index": lambda np: delattr(np.nditer(grid(np, 3)), "index"),
    "setting the value": lambda np: setattr(np.nditer(grid(np, 3)), "value", 1),
    "axis without index": lambda np: np.nditer(grid(np, 3)).remove_axis(0),
    "axis too far": lambda np: np.nditer(grid(np, 3), ["multi_index"]).remove_axis(1),
    "place too far": lambda np: setattr(np.nditer(grid(np, 3)), "iterindex", 3),
    "place in runs": lambda np: setattr(
        np.nditer(grid(np, 3), ["external_loop"]), "iterindex", 0
    ),
    "range without flag": lambda np: setattr(np.nditer(grid(np, 3)), "iterrange", (0, 1)),
    "range too far": lambda np: setattr(np.nditer(grid(np, 3), ["ranged"]), "iterrange", (0, 9)),
    "index too far": lambda np: setattr(np.nditer(grid(np, 3), ["c_index"]), "index", 3),
    "multi-index too far": lambda np: setattr(
        np.nditer(grid(np, 3), ["multi_index"]), "multi_index", (3,)
    ),
    "multi-index of two": lambda np: setattr(
        np.nditer(grid(np, 3), ["multi_index"]), "multi_index", (0, 0)
    ),
    "one loop": lambda np: np.nested_iters(grid(np, 3), [[0]]),
    "an axis in two loops": lambda np: np.nested_iters(grid(np, 2, 3), [[0], [0]]),
    "a negative axis": lambda np: np.nested_iters(grid(np, 2, 3), [[0], [-1]]),
    "an axis too far": lambda np: np.nested_iters(grid(np, 2, 3), [[0], [2]]),
    "loops of numbers": lambda np: np.nested_iters(grid(np, 2, 3), [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str):
    assert isinstance(compare(REFUSED[what]), Exception)


CLOSED = [
    "value", "operands", "itviews", "shape", "dtypes", "itersize", "ndim", "iterindex", "finished",
]  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_at_the_end_and_closed(name: str):
    """What is left of an iterator past its end, and of a closed one."""

    def body(np: Any, closed: bool) -> Any:
        it = np.nditer(grid(np, 3))
        list(it)
        if closed:
            it.close()
            it.close()
        return getattr(it, name)

    compare(lambda np: body(np, False))
    compare(lambda np: body(np, True))
    compare(lambda np: len(np.nditer([grid(np, 3)] * 2)))


def random_case(seed: int) -> Callable[[Any], Any]:
    """A loop over random operands with random flags, which writes where it may."""
    draw = random.Random(seed)
    shape = [draw.choice([1, 2, 3, 4]) for _ in range(draw.randrange(4))]
    count = draw.choice([1, 2, 2, 3])
    specs = []
    for _ in range(count):
        own = [1 if draw.random() < 0.2 else n for n in shape[draw.choice([0, 0, 1]) :]]
        turn = draw.sample(range(len(own)), len(own))
        ways = [draw.choice([None, (None, None, 2), (None, None, -2)]) for _ in own]
        specs.append((own, turn, ways, draw.choice(["i4", "f4", "f8", "u2", "c8"])))
    runs = draw.random() < 0.5
    flags = ["reduce_ok", *(["external_loop"] if runs else ["multi_index"])]
    flags += [flag for flag in ("buffered", "common_dtype") if draw.random() < 0.5]
    access = [[draw.choice(["readonly", "readwrite"])] for _ in specs]
    dtypes = [draw.choice([None, None, "f4", "c16", "i8"]) for _ in specs]
    options = {"order": draw.choice("CFAKK"), "buffersize": draw.choice([1, 2, 3, 5, 8, 0])}

    def body(np: Any) -> Any:
        arrays = []
        for own, turn, ways, dtype in specs:
            sizes = [0] * len(own)
            for size, axis in zip(own, turn, strict=True):
                sizes[axis] = 2 * size
            whole = (grid(np, *sizes) % 50).astype(dtype).transpose(turn)
            key = [slice(n) if w is None else slice(*w) for n, w in zip(own, ways, strict=True)]
            arrays.append(whole[tuple(key)])
        given = arrays if count > 1 else arrays[0]
        it = np.nditer(given, flags, access, dtypes, casting="unsafe", **options)
        found = [facts(it), it.dtypes]
        with it:
            for number, _ in enumerate(it):
                for i in range(count):
                    x = it[i]
                    found.append(x.copy())
                    if access[i] == ["readwrite"]:
                        target = x[:1] if x.ndim and not x.strides[0] else x
                        target[...] = target + number % 7
        return [*found, arrays]

    return body


@pytest.mark.parametrize("seed", range(300))
def test_random_loops(seed: int):
    """Whatever the operands and flags: the same values in the same order, and the same written."""
    compare(random_case(seed))


def test_values_are_views():
    """On the tensor itself, and of any device's memory; what is only read is locked."""
    tensor = torch.zeros(3)
    it = numpy_shim.nditer(numpy_shim.asarray(tensor), op_flags=["readwrite"])
    for number, x in enumerate(it):
        x[...] = number
        assert x.base is it.operands[0]
    assert tensor.tolist() == [0, 1, 2]
    assert not numpy_shim.nditer(numpy_shim.zeros(3)).value.flags.writeable


def test_debug_print(capsys: pytest.CaptureFixture[str]):
    it = numpy_shim.nditer([numpy_shim.zeros((2, 3)), None], ["c_index"])
    it.debug_print()
    text = capsys.readouterr().out
    assert "| NOp: 2" in text
    assert "|   Flags[1]: WRITE" in text


def test_gradients():
    """Elements carry the gradient, those that are written back too."""
    t = torch.arange(4.0, requires_grad=True)
    total = sum(x * x for x in numpy_shim.nditer(numpy_shim.asarray(t)))
    total.tensor.backward()
    assert t.grad is not None
    assert t.grad.tolist() == [0, 2, 4, 6]

    for flags, dtype in [([], None), (["buffered"], "f8")]:
        t = torch.arange(4.0, requires_grad=True)
        doubled = t * 1
        with numpy_shim.nditer(
            numpy_shim.asarray(doubled), flags, ["readwrite"], dtype, casting="same_kind"
        ) as it:
            for x in it:
                x[...] = x * 2
        doubled.sum().backward()
        assert t.grad is not None
        assert t.grad.tolist() == [2, 2, 2, 2]
