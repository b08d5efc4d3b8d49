"""One sentence for a refusal: what to write instead."""

from __future__ import annotations

import re

from ._world import World

STANDARD_NAMES = {
    "absolute": "abs", "amax": "max", "amin": "min", "around": "round", "arccos": "acos",
    "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "array": "asarray", "bool_": "bool",
    "concatenate": "concat", "conjugate": "conj", "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum", "float_power": "pow", "fmax": "maximum", "fmin": "minimum",
    "invert": "bitwise_invert", "left_shift": "bitwise_left_shift", "power": "pow",
    "right_shift": "bitwise_right_shift", "transpose": "permute_dims", "unique": "unique_values",
}  # fmt: skip
"""NumPy's names of functions that the standard has under another name."""

_SUBSTITUTES = {
    "device": "array_api_compat.device(x)",
    "size": "array_api_compat.size(x)",
    "to_device": "array_api_compat.to_device(x, device)",
    "__array_namespace__": "array_api_compat.array_namespace(x)",
}
"""What to use for attributes of the standard that some libraries' arrays lack."""

_NO_NAME = re.compile(r"module '[\w.]+' has no attribute '(\w+)'")
_NO_METHOD = re.compile(r"'(?:Array|Tensor|ndarray)' object has no attribute '(\w+)'")
_SENTENCES = (
    (
        re.compile(r"whose memory NumPy cannot read"),
        "Use functions of xp, or copy with x.to_device where the host must compute.",
    ),
    (re.compile(r"arrays on two devices"), "Pass device=x.device where the array is made."),
    (
        re.compile(r"must have an? .*floating-point dtype, not u?int|must have an? .* dtype, not"),
        "Convert the argument first: xp.astype(x, dtype).",
    ),
    (
        re.compile(r"a Python \w+, cannot be combined"),
        "Convert the array to a floating-point dtype first: libraries differ in the result.",
    ),
    (re.compile(r"the flag boolean|boolean indexing is off"), "Use xp.where(mask, x, other)."),
    (
        re.compile(r"the shape of the result depends on the values"),
        "Keep the shape: use xp.where, a sum over the mask, or xp.sort.",
    ),
    (re.compile(r"has no len"), "Use x.shape[0]."),
    (
        re.compile(r"from version (20\d\d\.12) of the standard on"),
        "Pass an array: xp.full_like(x, value), or xp.asarray(value, dtype=x.dtype).",
    ),
    (re.compile(r"an index must be"), "Use xp.asarray of the indices, or a slice."),
    (
        re.compile(r"must be an xp_torch array, not|only a 1-D array can be iterated"),
        "Convert arguments with xp.asarray at the library's entrance.",
    ),
)


def remedy(world: World, error: BaseException, message: str) -> str:
    """What to write instead of the line that raised the error."""
    if found := _NO_NAME.search(message):
        name = found[1]
        if name in STANDARD_NAMES:
            return f"The standard's name is xp.{STANDARD_NAMES[name]}."
        return f"The standard in force has no {name}: use functions that it has."
    if found := _NO_METHOD.search(message):
        if found[1] in _SUBSTITUTES:
            return f"Some libraries' arrays have no {found[1]}: use {_SUBSTITUTES[found[1]]}."
        name = STANDARD_NAMES.get(found[1], found[1])
        return f"Arrays have no method {found[1]} in the standard: use a function, as xp.{name}(x)."
    for pattern, sentence in _SENTENCES:
        if pattern.search(message):
            return sentence
    return world.remedy
