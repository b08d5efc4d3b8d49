"""``nditer``: the same elements, runs, indices and values written as NumPy's."""

from __future__ import annotations

import random
import timeit
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
import xp_backend.npy  # noqa: F401 - defines the device
from tests.numpy_shim.differential import compare
from tests.numpy_shim.functions.loops import compare_loops, facts, grid, layouts, steps

SHAPES = [(5,), (3, 4), (2, 3, 4), (2, 1, 3), ()]


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", SHAPES)
def test_order(shape: tuple[int, ...], order: str):
    """Elements, attributes and views of the iterator, for every layout and order."""

    def body(np: Any) -> Any:
        its = [np.nditer(a, order=order) for a in layouts(np, shape)]
        return [(facts(it), it.itviews, steps(it)) for it in its]

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


def test_common_dtype():
    def body(np: Any) -> Any:
        ops = [np.array([3], "u4"), np.array(-1, "i4"), np.array([2.0], "f4")]
        flags = ["readonly", "copy"]
        it = np.nditer(ops, ["common_dtype"], [flags] * 3)
        one = np.nditer([*ops, None], [], [*[flags] * 3, ["writeonly", "allocate"]])
        return it.dtypes, it.value, one.dtypes

    compare_loops(body)


def test_copies_are_written_back_when_closed():
    """Not before; forgetting to close warns and writes."""

    def body(np: Any) -> Any:
        a = grid(np, 6, dtype="f4")[::-1]
        it = np.nditer(a, [], ["readwrite", "updateifcopy"], "f8", casting="same_kind")
        with it:
            it.operands[0][...] = 7
            found = [a.copy()]
        found.append(a.copy())
        it = np.nditer(a, [], ["readwrite", "updateifcopy"], "f8", casting="same_kind")
        it.operands[0][...] = 8
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del it
        return [*found, a, [w.category for w in caught]]

    compare_loops(body)


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

    compare_loops(body)


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

    compare_loops(body)


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
    compare_loops(random_case(seed))


def test_values_are_views():
    """On the memory of the tensor; what is only read is locked."""
    tensor = torch.zeros(3)
    for number, x in enumerate(numpy_shim.nditer(tensor, op_flags=["readwrite"])):
        x[...] = number
    assert tensor.tolist() == [0, 1, 2]
    it = numpy_shim.nditer(numpy_shim.asarray(tensor))
    assert type(it.value) is numpy.ndarray
    assert not it.value.flags.writeable
    assert it.operands[0].tensor is tensor


def test_gradients_are_refused():
    """No gradient is recorded of a loop of NumPy's; one that none is asked of is a loop."""
    t = torch.arange(4.0, requires_grad=True)
    for loop in (
        lambda: numpy_shim.nditer(t),
        lambda: numpy_shim.nditer([None, numpy_shim.asarray(t)]),
        lambda: numpy_shim.nested_iters(numpy_shim.asarray(t * 1).reshape(2, 2), [[0], [1]]),
    ):
        with pytest.raises(TypeError, match="requires grad"):
            loop()
    with torch.no_grad(), numpy_shim.nditer(t, op_flags=["readwrite"]) as it:
        for x in it:
            x[...] = 2 * x
    assert t.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("place", ["cpu", "npy"])
def test_autograd_hears_of_writes(place: str):
    """A backward pass that needs what a loop has overwritten is refused; reading is none."""
    w = torch.ones(3, device=place, requires_grad=True)
    for access in ("readonly", "readwrite"):
        x = torch.arange(3.0, device=place)
        product = (w * x).sum()
        for v in numpy_shim.nditer(x, op_flags=[access]):
            if access == "readwrite":
                v[...] = 7
        if access == "readonly":
            product.backward()
        else:
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                product.backward()


def test_traces_and_transforms_are_refused():
    def total(x: Any) -> Any:
        return sum(numpy_shim.nditer(x))

    a = numpy_shim.arange(3.0)
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(total, fullgraph=True, backend="eager")(a)
    assert float(torch.compile(total, backend="eager")(a)) == 3
    with pytest.raises(TypeError, match="transform"):
        torch.func.vmap(lambda t: total(numpy_shim.asarray(t)))(torch.ones(2, 3))
    with pytest.raises(TypeError, match="meta"):
        numpy_shim.nditer(numpy_shim.zeros(3, device="meta"))


def on_device(np: Any, *shape: int, dtype: str = "float64") -> Any:
    """Counted elements on the device ``npy``, which is NumPy's arrays: so ``allow_numpy``."""
    a = grid(np, *shape, dtype=dtype)
    return a.to_device("npy") if np is numpy_shim else a


LOOPS: dict[str, Callable[[Any, Any], Any]] = {
    "read": lambda np, a: [float(x) for x in np.nditer(a)],
    "scalars": lambda np, a: [(float(x), float(y)) for x, y in np.nditer([a, a.sum()])],
    "runs": lambda np, a: [
        float(x.sum()) for x in np.nditer(a[:, ::-1], ["external_loop"], order="C")
    ],
    "reversed": lambda np, a: [float(x) for x in np.nditer(a[::-1, ::2])],
    "columns": lambda np, a: [float(x) for x in np.nditer(a.T, order="K")],
    "nested": lambda np, a: [
        [float(y) for y in j] for i, j in [np.nested_iters(a, [[1], [0]])] for _ in i
    ],
}


@pytest.mark.parametrize("loop", LOOPS)
def test_reading_on_a_device(loop: str):
    compare(lambda np: LOOPS[loop](np, on_device(np, 2, 3)), allow_numpy=True)


@pytest.mark.parametrize("end", ["exhausted", "closed", "dropped"])
def test_writing_on_a_device(end: str):
    """The array has what was written to the copy, wherever the loop ends, and keeps the rest."""

    def body(np: Any) -> Any:
        a = on_device(np, 2, 3)
        it = np.nditer(a[:, ::-1], [], ["readwrite"])
        for x in it:
            if x == 4:
                a[1, 1] = -1
                continue
            x[...] = np.sqrt(x) + 1
            if end != "exhausted" and x > 3:
                break
        if end == "closed":
            it.close()
        del it
        return a

    compare(body, allow_numpy=True)


def test_what_a_loop_makes_is_on_the_device():
    def body(np: Any) -> Any:
        a = on_device(np, 2, 3)
        flags = [["readonly"], ["readwrite", "allocate"]]
        with np.nditer([a, None], ["reduce_ok"], flags, op_axes=[None, [0, -1]]) as it:
            total = it.operands[1]
            total[...] = 5
            for x, y in it:
                y[...] += x
            assert np is numpy or it.operands[1].device == a.device
            return it.operands[1], total

    compare(body, allow_numpy=True)


def test_nested_writing_on_a_device():
    def body(np: Any) -> Any:
        a, b = on_device(np, 2, 3), on_device(np, 3)
        access = [["readwrite"], ["readonly"]]
        i, j = np.nested_iters([a, np.broadcast_to(b, (2, 3))], [[0], [1]], [], access)
        for _ in i:
            for x, y in j:
                np.add(x, y, out=x)
        return a, b

    compare(body, allow_numpy=True)


def test_with_a_default_device():
    """A program on a device: functions of the values stay with them, and may be assigned."""
    numbers = numpy.arange(3.0)
    with torch.device("npy"):
        for x in numpy_shim.nditer(numbers, op_flags=["readwrite"]):
            x[...] = numpy_shim.sin(x)
        made = numpy_shim.nditer([[1.0, 2.0], None]).operands[1]
    numpy.testing.assert_allclose(numbers, numpy.sin(numpy.arange(3.0)))
    assert made.device.type == "npy"


def test_speed():
    """A loop costs what NumPy's costs, not a call of Python for each element."""
    a = numpy_shim.arange(20_000.0)

    def seconds(np: Any, x: Any) -> float:
        return min(timeit.repeat(lambda: list(np.nditer(x)), number=1, repeat=5))

    assert seconds(numpy_shim, a) < 4 * seconds(numpy, a.tensor.numpy())


@pytest.mark.parametrize("closed", [False, True])
def test_a_value_outlives_its_loop_on_a_device(closed: bool):
    """Its memory is that of the copy on which the loop ran."""
    a = on_device(numpy_shim, 1000)
    loop = numpy_shim.nditer(a, op_flags=["readwrite"])
    for e in loop:
        e[...] = e + 1
    if closed:
        loop.close()
    del loop
    others = [numpy.full(1000, -1.0) for _ in range(100)]  # they would lie in freed memory
    assert e == 1000
    assert a[999] == 1000
    assert len(others) == 100
