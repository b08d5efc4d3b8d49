"""``jit``: runs a function that was written for NumPy in the fastest way that is right."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar, overload

__all__ = ["jit"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def jit(
    f: F,
    /,
    *,
    compiler: str = ...,
    eager_compile: bool = ...,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str | Callable[..., Any] = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
) -> F: ...
@overload
def jit(
    f: None = None,
    /,
    *,
    compiler: str = ...,
    eager_compile: bool = ...,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str | Callable[..., Any] = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
) -> Callable[[F], F]: ...
def jit(
    f: Callable[..., Any] | None = None,
    /,
    *,
    compiler: str = "auto",
    eager_compile: bool = False,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] = "inductor",
    mode: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Any:
    """Run a function that was written for NumPy, unchanged, in the fastest way that is right.

    The calls of the program are measured. Once they have taken as long as a compiler is expected
    to take, one more call is a trial: the function runs for the program, and then as Numba and
    ``torch.compile`` compile it, on copies of the arguments. What gives the same, changes the
    arguments in the same way, and is faster, runs from then on for arguments of that kind; else the
    function runs as it was. ``f.explain()`` says what was decided, with the figures and the
    reasons.

    For ``torch.compile`` the function, and the functions of the program that it calls, are copies
    in which ``numpy`` is ``numpy_shim``. NumPy arrays and tensors are taken without a copy: the
    caller sees what the function writes to them, to lists and to attributes. Results are of the
    kind that came in: tensors if an argument is, or has in it, a tensor, else our arrays if there
    is one, else NumPy's arrays and scalars. An argument that is returned is the same object.

    Tensors, and arrays with a gradient or on a device, are always for ``torch.compile``, at the
    first call. So is every function with ``compiler="torch"``, or with an option of
    ``torch.compile``. What cannot be compiled then runs as it is, and one ``RuntimeWarning`` names
    the line and the reason. ``f.explain(*args)`` says what ``torch.compile`` makes of a call with
    copies of these arguments.

    Parameters
    ----------
    f : function, optional
        The function. Without it, ``jit`` returns a decorator.
    compiler : {"auto", "torch", "numba"}
        ``"auto"`` keeps the fastest; ``"torch"`` is ``torch.compile`` without a trial; ``"numba"``
        tries Numba only.
    eager_compile : bool
        Whether the first call is the trial, whatever it costs: up to 15 seconds.
    fullgraph : bool
        Whether anything that cannot be compiled is an error.
    dynamic, backend, mode, options : optional
        As in ``torch.compile``. ``"inductor"``, the default, needs a C++ compiler for the CPU.

    Returns
    -------
    function
        The compiled function, with the name and the signature of ``f``. Inside another compiled
        function it is ``f``.

    Raises
    ------
    TypeError
        If ``f`` is no Python function.
    ValueError
        If ``compiler`` is no compiler, or not the one whose options are given.

    Notes
    -----
    Source: ``torch.compile``, whose options it takes.

    Examples
    --------
    >>> import numpy
    >>> import numpy_shim
    >>> @numpy_shim.jit(backend="eager")
    ... def blend(a, b, t=0.25):
    ...     a *= 1 - t
    ...     return a + t * b
    >>> a = numpy.zeros(3)
    >>> blend(a, numpy.ones(3))
    array([0.25, 0.25, 0.25])
    >>> blend.explain()
    blend: compiled whole
    graphs: 1, with 3 calls
    recompilations: 0
    """
    from .fastest import fastest  # a program without ``jit`` needs none of its files
    from .with_torch import WithTorch, wrapped

    given: dict[str, Any] = {
        "fullgraph": fullgraph,
        "dynamic": dynamic,
        "backend": backend,
        "mode": mode,
        "options": options,
    }
    for_torch = (
        bool(fullgraph)
        or backend != "inductor"
        or any(v is not None for v in (dynamic, mode, options))
    )
    if compiler not in ("auto", "torch", "numba"):
        raise ValueError(f"jit: compiler must be 'auto', 'torch' or 'numba'; got {compiler!r}")
    if for_torch and compiler == "numba":
        raise ValueError("jit: Numba has none of the options of torch.compile")
    if f is None:
        return functools.partial(
            jit,
            compiler=compiler,
            eager_compile=eager_compile,
            **given,
        )
    if isinstance(f, (staticmethod, classmethod)):
        return type(f)(jit(f.__func__, compiler=compiler, eager_compile=eager_compile, **given))
    if not isinstance(f, FunctionType):
        raise TypeError(f"jit: expected a Python function; got {type(f).__name__}")
    if for_torch or compiler == "torch":
        return wrapped(WithTorch(f, bool(fullgraph), dynamic, backend, mode, options))
    return fastest(f, compiler, bool(eager_compile))
