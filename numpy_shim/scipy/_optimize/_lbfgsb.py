"""``scipy.optimize._lbfgsb``: the steps of L-BFGS-B, for SciPy's driver in Python.

They go as SciPy's do, with the same points and counts. For each trial of a step the device is
waited for once, and twice more for each iteration, four times with bounds.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy
import torch
from numpy.linalg import LinAlgError
from scipy.optimize._dcsrch import DCSRCH
from torch import Tensor

from ..._array.ndarray import ndarray
from ..._convert.from_data import array
from ..._functions.creation import zeros as _zeros
from .._text import standing_in
from .limited_memory import Box, Model
from .trust_region import EPSILON, read

Task = tuple[int, int]
Steps = Generator[Task, tuple[float, Tensor], None]

START, STOP = 0, 5
FIRST_VALUE, VALUE, NEW_POINT = (3, 301), (3, 302), (1, 0)
FLAT, STANDING, ABNORMAL = (4, 401), (4, 402), (8, 0)


class Counters(numpy.ndarray[Any, Any]):
    """Whole numbers of SciPy's driver, which are of the host, and the steps that go on."""

    steps: Steps


def zeros(shape: Any, dtype: Any) -> Any:
    """What SciPy's driver works with: values where the arrays are, and counters."""
    is_counter = numpy.dtype(dtype).kind == "i"
    return numpy.zeros(shape, dtype).view(Counters) if is_counter else _zeros(shape, dtype)


def _array(x: Any, *args: Any, **kwargs: Any) -> Any:
    """``array``; the pair of bounds stays on the host, where the driver asks for each of them."""
    return numpy.array(x) if type(x) is tuple else array(x, *args, **kwargs)


DRIVERS = standing_in(array=_array, zeros=zeros)
"""NumPy for SciPy's driver."""


def setulb(
    m: int, x: ndarray, low: ndarray, high: ndarray, nbd: Any, f: Any, g: ndarray, factr: float,
    pgtol: float, wa: ndarray, iwa: Any, task: Counters, lsave: Any, isave: Any, dsave: Any,
    maxls: int, ln_task: Any,
) -> None:  # fmt: skip
    """Go on to where the driver is asked for something, which ``task`` says."""
    n = x.size
    if task[0] == START:
        wrong = 702 if factr < 0 else 711 if m <= 0 else 712 if n <= 0 else 0
        if wrong:
            task[:] = 7, wrong
            return
        pairs = wa._tensor[: 2 * m * n].reshape(2 * m, n)
        model = Model(pairs, Box(low._tensor, high._tensor, nbd))
        tolerances = (factr * EPSILON, pgtol)
        task.steps = _minimize(x._tensor, model, tolerances, maxls, isave)
        task[:] = next(task.steps)
    elif task[0] != STOP:
        with numpy.errstate(all="ignore"):
            task[:] = task.steps.send((numpy.float64(f), g._tensor.detach()))


def _minimize(
    x: Tensor, model: Model, tolerances: tuple[float, float], maxls: int, isave: Any
) -> Steps:
    """Minimize: yield what the driver is to do, and get the value and the slope at ``x``."""
    box, iteration = model.box, 0
    x.copy_(box.clip(x))
    f, g = yield FIRST_VALUE
    norm = read(box.measure_slope(x, g))[0]
    while not norm <= tolerances[1]:
        isave[30] = model.count
        try:
            z = model.minimize(x, g)
        except LinAlgError:
            model.forget()
            continue
        before, slope = f, g
        found = yield from _search(x, z, f, g, box, maxls, not iteration)
        if found is None:
            if not model.rows:
                yield ABNORMAL
                return
            model.forget()
            continue
        iteration, (f, g, norm) = iteration + 1, found[:3]
        yield NEW_POINT
        if not norm <= tolerances[1]:
            if before - f <= tolerances[0] * max(abs(before), abs(f), 1):
                yield STANDING
                return
            s, products, least = found[3:]
            if not products[0] <= EPSILON * least:
                model.add(s, g - slope, products)
    yield FLAT


def _search(
    x: Tensor, z: Tensor, f: float, g: Tensor, box: Box, maxls: int, is_first: bool
) -> Generator[Task, tuple[float, Tensor], Any]:
    """Search between ``x`` and ``z``, and beyond; ``None`` if nothing is found.

    The value, the slope and its norm there; the step, its products for the model, and the smallest
    of these that counts.
    """
    here, slope, d = x.clone(), g, z - x
    room = box.find_room(x, d).min() if box.is_bounded else d.new_tensor(torch.inf)
    square, start, most = map(numpy.float64, read(d @ d, g @ d, room))
    farthest = min(1.0 if box.is_bounded and is_first else 1e10, most)
    wished = 1.0 if not is_first or box.is_closed else 1 / numpy.sqrt(square)
    step, search = numpy.fmin(wished, farthest), DCSRCH(None, None, 1e-3, 0.9, 0.1, 0.0, farthest)
    if not start >= 0:
        step, _, _, word = search._iterate(step, f, start, b"START")
        for _ in range(maxls):
            x.copy_(z if step == 1 else box.clip(step * d + here))
            f, g = yield VALUE
            y = g - slope
            ahead, norm, yy = map(numpy.float64, read(g @ d, box.measure_slope(x, g), y @ y))
            step, _, _, word = search._iterate(step, f, ahead, word)
            if word[:2] != b"FG":
                products = ((ahead - start) * step, yy, step**2 * square)
                return f, g, norm, step * d, products, -start * step
    x.copy_(here)
    g.copy_(slope)
    return None
