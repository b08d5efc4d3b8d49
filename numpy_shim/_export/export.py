"""``export``: a function that was written for NumPy as a program for torch, C++ and ONNX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .call import Call
    from .exported import Exported

__all__ = ["export"]

AxisNames = str | Sequence[str | None] | Mapping[int, str]
"""The axes of an input that may vary: the name of the first, of each, or by number."""


def export(
    f: Callable[..., object],
    /,
    *example_arguments: object,
    keywords: Mapping[str, object] | None = None,
    dynamic: Mapping[str, AxisNames] | None = None,
    path: str | PathLike[str] | None = None,
) -> Exported:
    """Make a program of a function that was written for NumPy, for C++ and ONNX Runtime.

    The function, unchanged, is traced as by ``jit``, and the result is compared with its own. Each
    array of the arguments is an input, with the argument's name: ``x``, and ``state_mean`` for
    ``state["mean"]`` or ``state.mean``. Each array and number of the result is an output: those of
    a dictionary or named tuple have its keys or fields for names, others ``result``, ``result_0``,
    ``result_1``. Arrays that the function closes over are weights of the program, with the names
    that they have. Numbers and text in the arguments are fixed: give an array without axes for a
    number that is to be an input.

    A program leaves its inputs as they are. What the function writes to an argument, and does not
    return, is an output of its own: ``x_written``.

    Parameters
    ----------
    f : function
        The function.
    *example_arguments : object
        Arguments of a call: arrays of NumPy's, ours or tensors; numbers; tuples, lists,
        dictionaries and named tuples of them.
    keywords : mapping, optional
        Arguments by keyword.
    dynamic : mapping, optional
        The axes whose size may vary, for each input: ``{"x": {0: "n"}}``, ``{"x": ("n", None)}``,
        or ``{"x": "n"}`` for the first. Axes of one name have one size. All other axes have the
        size of the example.
    path : str or path, optional
        A file that is written: ``f.onnx`` by ``Exported.onnx``, ``f.pt2`` by ``Exported.save``.

    Returns
    -------
    Exported
        Called like ``f``, it runs the program. It has the ``program``, a
        ``torch.export.ExportedProgram``, and the methods ``save``, ``aot`` and ``onnx``, which
        write files.

    Raises
    ------
    ExportError
        If something in the function depends on values: a branch, the size of an array, a Python
        number. If a size that is to vary is fixed by the function. If the function changes what is
        no argument, or draws random numbers. The text names the line.
    TypeError
        If ``f`` is no Python function, or the arguments are not for it.
    ValueError
        If ``dynamic`` names no input, or no axis of it, or the example has fewer than two elements
        along such an axis.

    Notes
    -----
    Source: ``torch.export.export``, ``torch.onnx.export``.

    Examples
    --------
    >>> import numpy
    >>> import numpy_shim
    >>> def standardise(x):
    ...     return (x - numpy.mean(x, axis=0)) / numpy.std(x, axis=0)
    >>> exported = numpy_shim.export(standardise, numpy.eye(4, 2), dynamic={"x": "n"})
    >>> print(exported)
    standardise:
      takes x: float64 (n, 2)
      gives result: float64 (n, 2)
      n: 2 or more
    >>> exported(numpy.array([[1.0, 2.0], [3.0, 6.0]]))
    array([[-1., -1.],
           [ 1.,  1.]])
    """
    from .call import Call  # a program without ``export`` needs none of its files
    from .capture import capture
    from .exported import Exported

    if not isinstance(f, FunctionType):
        raise TypeError(f"export: expected a Python function; got {type(f).__name__}")
    end = "" if path is None else fspath(path).rpartition(".")[2]
    if end not in ("", "onnx", "pt2"):
        raise ValueError(f"export: path must end with .onnx or .pt2; got {fspath(path or '')!r}")
    call = Call(f, example_arguments, keywords or {})
    axes = _axes_of(call, dynamic or {})
    made = Exported(call, capture(call, axes), axes)
    if path is not None:
        (made.onnx if end == "onnx" else made.save)(path)
    return made


def _axes_of(call: Call, dynamic: Mapping[str, AxisNames]) -> dict[str, dict[int, str]]:
    """The names of the axes that may vary, by input and axis."""
    found: dict[str, dict[int, Any]] = {}
    for name, given in dynamic.items():
        if name not in call.names:
            raise ValueError(
                f"export: dynamic: {name!r} is no input; the inputs are {', '.join(call.names)}"
            )
        shape = call.examples[call.names.index(name)].shape
        found[name] = _of_input(name, given)
        for axis, axis_name in found[name].items():
            if not isinstance(axis_name, str) or not axis_name.isidentifier():
                raise ValueError(f"export: dynamic: {axis_name!r} is no name for an axis of {name}")
            if not 0 <= axis < len(shape):
                raise ValueError(
                    f"export: dynamic: {name} of shape {tuple(shape)} has no axis {axis}"
                )
            if shape[axis] < 2:
                raise ValueError(
                    f"export: dynamic: axis {axis} of {name} may vary, so the example must have at "
                    f"least two elements along it; it has {shape[axis]}"
                )
    return found


def _of_input(name: str, given: object) -> dict[int, str]:
    if isinstance(given, str):
        return {0: given}
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, Sequence):
        return {axis: n for axis, n in enumerate(given) if n is not None}
    raise TypeError(
        f"export: dynamic: expected a name, names, or a mapping from axes to names for {name}; got "
        f"{type(given).__name__}"
    )
