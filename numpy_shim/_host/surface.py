"""The public functions, and which of them hand calls over to NumPy: almost all.

The wrapper is put on once, where the namespace is made. A function whose commonest call may not
cost a wrapper stands as it is, and calls a general twin, ``_general_`` before its name, in the same
module: there the wrapper is put on the twin. Functions that a factory makes bring wrapped twins.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FunctionType

from .._base.late import when_loaded
from .hand_over import hands_over

ALONE = frozenset({
    # They answer about dtypes, shapes and axes, and know NumPy's dtypes.
    "broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype", "isscalar", "issubdtype",
    "iterable", "min_scalar_type", "mintypecode", "normalize_axis_index", "normalize_axis_tuple",
    "promote_types", "result_type", "typename",
    # They take Python's numbers.
    "base_repr", "binary_repr", "format_float_positional", "format_float_scientific",
    # A function of the program computes, or an iterator of NumPy's own.
    "grad", "jacobian", "nested_iters", "value_and_grad", "vmap",
    # Settings and the environment.
    "geterr", "geterrcall", "seterr", "seterrcall", "show_config", "show_runtime",
})  # fmt: skip
"""Functions that hand nothing over: they take no arrays, or have their own answer."""


def put_on(namespace: dict[str, object], names: Iterable[str], prefix: str = "") -> None:
    """Wrap the functions ``names`` of a namespace, or their twins, also where they are defined.

    ``prefix`` is what a dotted name in NumPy begins with.
    """
    for name in names:
        function = namespace[name]
        if type(function) is not FunctionType or name in ALONE:
            continue
        home = vars(sys.modules[function.__module__])
        own = function.__name__  # of an alias the name of what it stands for
        twin = f"_general_{own}"
        if not function.__module__.startswith("numpy_shim.") or own not in home:
            continue
        if twin in home:
            if not hasattr(home[twin], "__wrapped__"):
                home[twin] = hands_over(home[twin], prefix + own)
        else:
            if home[own] is function:
                home[own] = hands_over(function, prefix + own)
            namespace[name] = home[own]


def put_on_late(chapter: str) -> None:
    """Wrap the functions of a chapter as soon as it is loaded."""
    full = f"numpy_shim.{chapter}"

    def put() -> None:
        module = sys.modules[full]
        put_on(vars(module), module.__all__, f"{chapter}.")

    when_loaded(full, put)


def put_on_methods(owner: type, prefix: str) -> None:
    """Wrap the public methods of a class."""
    for name, method in list(vars(owner).items()):
        if name[0] != "_" and type(method) is FunctionType:
            setattr(owner, name, hands_over(method, prefix + name))
