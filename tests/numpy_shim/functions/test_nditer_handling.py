"""``nditer`` and ``nested_iters`` in hand: indices, changes, nesting, refusals, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import numpy_shim
from tests.numpy_shim.functions.loops import compare_loops, facts, grid, steps


def test_positions():
    """Setting the index, the multi-index and the iterindex; mixing ``next`` and ``iternext``."""

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

    compare_loops(body)


def test_items():
    """``it[i]`` and ``it[i:j]``, to read and to write."""

    def body(np: Any) -> Any:
        a, b = grid(np, 3), grid(np, 3).astype("f8")
        it = np.nditer([a, b], [], ["readwrite"])
        it[0:2] = (3, 4.5)
        it.iternext()
        it[-1] = 12
        return a, b, it[0], it[0:2], it[-1], it[:1]

    compare_loops(body)


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

    compare_loops(body)


@pytest.mark.parametrize("flags", [[], ["multi_index"], ["buffered"], ["external_loop"]])
def test_nothing_to_go_through(flags: list[str]):
    def body(np: Any) -> Any:
        it = np.nditer(np.zeros((2, 0)), [*flags, "zerosize_ok"])
        return it.finished, it.itersize, steps(it), it.iternext()

    compare_loops(body)


@pytest.mark.parametrize("order", "CFK")
def test_nested(order: str):
    """Loops within loops, whatever the axes of each are."""

    def body(np: Any) -> Any:
        found = []
        a = grid(np, 2, 3, 2)[::-1, :, ::-1]
        for axes in [[[0], [1, 2]], [[2, 0], [1]], [[], [1, 0, 2]], [[1], [], [0, 2]], [[0], [2]]]:
            its = np.nested_iters(a, axes, ["multi_index"], order=order)
            for _ in its[0]:
                inner = [(its[1].multi_index, steps(its[-1])) for _ in its[1]]
                found.append((its[0].multi_index, inner))
        b = grid(np, 3, 1), grid(np, 1, 2)
        i, j = np.nested_iters(b, [[1], [0]], order=order)
        return [*found, [steps(j) for _ in i]]

    compare_loops(body)


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

    compare_loops(body)


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
    "iterindex too far": lambda np: setattr(np.nditer(grid(np, 3)), "iterindex", 3),
    "iterindex in runs": lambda np: setattr(
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
    assert isinstance(compare_loops(REFUSED[what]), Exception)


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

    compare_loops(lambda np: body(np, False))
    compare_loops(lambda np: body(np, True))
    compare_loops(lambda np: len(np.nditer([grid(np, 3)] * 2)))


def test_debug_print(capfd: pytest.CaptureFixture[str]):
    it = numpy_shim.nditer([numpy_shim.zeros((2, 3)), None], ["c_index"])
    it.debug_print()
    text = capfd.readouterr().out
    assert "| NOp: 2" in text
    assert "|   Flags[1]: WRITE" in text
