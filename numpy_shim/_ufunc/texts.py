"""The docstrings of ufuncs: NumPy's text, with the errors, and with an example that runs."""

from __future__ import annotations

from .._base.docs import with_source

_RAISES = """
Raises
------
TypeError
    For operands of a dtype that the function is not defined for, and for an ``out`` to which
    ``casting`` allows no cast.
ValueError
    For shapes that do not broadcast, and an ``out`` of another shape.
"""
_EXAMPLES = "\nExamples\n--------\n"
_AFTER_RAISES = ("\nSee Also\n", "\nNotes\n", "\nReferences\n")


def text_of(name: str, numpys: str) -> str:
    """NumPy's text on a ufunc: its examples, which partly plot, are replaced by one of ours.

    The text on a ufunc that NumPy lacks has its own example and source.
    """
    text, _, own = numpys.partition(_EXAMPLES)
    text = text.rstrip() + "\n"
    if "\nRaises\n" not in text:
        at = min((i for i in map(text.find, _AFTER_RAISES) if i >= 0), default=len(text))
        text = text[:at] + _RAISES + text[at:]
    if name not in EXAMPLES:
        return text + _EXAMPLES + own
    call, result = EXAMPLES[name]
    example = f"{_EXAMPLES}>>> import numpy_shim as np\n>>> np.{name}({call})\n{result}\n"
    return with_source(text + example, f"NumPy's ``{name}``, whose text this is")


EXAMPLES = {
    "absolute": ("np.array([-1.5, 2.0])", "array([1.5, 2. ])"),
    "add": ("np.array([1, 2]), 0.5", "array([1.5, 2.5])"),
    "arccos": ("np.array([1.0, 0.0])", "array([0.        , 1.57079633])"),
    "arccosh": ("np.array([1.0, 2.0])", "array([0.       , 1.3169579])"),
    "arcsin": ("np.array([0.0, 1.0])", "array([0.        , 1.57079633])"),
    "arcsinh": ("np.array([0.0, 1.0])", "array([0.        , 0.88137359])"),
    "arctan": ("np.array([0.0, np.inf])", "array([0.        , 1.57079633])"),
    "arctan2": (
        "np.array([1.0, -1.0]), np.array([1.0, -1.0])",
        "array([ 0.78539816, -2.35619449])",
    ),
    "arctanh": ("np.array([0.0, 0.5])", "array([0.        , 0.54930614])"),
    "bitwise_and": ("np.array([12, 10]), 6", "array([4, 2])"),
    "bitwise_count": ("np.array([1, 255])", "array([1, 8], dtype=uint8)"),
    "bitwise_or": ("np.array([12, 10]), 6", "array([14, 14])"),
    "bitwise_xor": ("np.array([12, 10]), 6", "array([10, 12])"),
    "cbrt": ("np.array([27.0, -8.0])", "array([ 3., -2.])"),
    "ceil": ("np.array([-1.5, 1.5])", "array([-1.,  2.])"),
    "conjugate": ("np.array([1 + 2j, 3.0])", "array([1.-2.j, 3.-0.j])"),
    "copysign": ("np.array([1.0, 2.0]), -0.0", "array([-1., -2.])"),
    "cos": ("np.array([0.0, 1.0])", "array([1.        , 0.54030231])"),
    "cosh": ("np.array([0.0, 1.0])", "array([1.        , 1.54308063])"),
    "deg2rad": ("np.array([0.0, 180.0])", "array([0.        , 3.14159265])"),
    "degrees": ("np.array([0.0, np.pi])", "array([  0., 180.])"),
    "divide": ("np.array([1, 6]), 4", "array([0.25, 1.5 ])"),
    "divmod": ("np.array([7, -7]), 3", "(array([ 2, -3]), array([1, 2]))"),
    "equal": ("np.array([1, 2]), 2.0", "array([False,  True])"),
    "exp": ("np.array([0.0, 1.0])", "array([1.        , 2.71828183])"),
    "exp2": ("np.array([0.0, 3.0])", "array([1., 8.])"),
    "expm1": ("np.array([0.0, 1e-10])", "array([0.e+00, 1.e-10])"),
    "fabs": ("np.array([-1, 2])", "array([1., 2.])"),
    "float_power": ("np.array([2, 3]), 2", "array([4., 9.])"),
    "floor": ("np.array([-1.5, 1.5])", "array([-2.,  1.])"),
    "floor_divide": ("np.array([7, -7]), 2", "array([ 3, -4])"),
    "fmax": ("np.array([1.0, np.nan]), np.array([2.0, 0.0])", "array([2., 0.])"),
    "fmin": ("np.array([1.0, np.nan]), np.array([2.0, 0.0])", "array([1., 0.])"),
    "fmod": ("np.array([7, -7]), 3", "array([ 1, -1])"),
    "frexp": ("np.array([8.0, 0.75])", "(array([0.5 , 0.75]), array([4, 0], dtype=int32))"),
    "gcd": ("np.array([12, 20]), 8", "array([4, 4])"),
    "greater": ("np.array([1, 3]), 2", "array([False,  True])"),
    "greater_equal": ("np.array([1, 2]), 2", "array([False,  True])"),
    "heaviside": ("np.array([-1.0, 0.0, 1.0]), 0.5", "array([0. , 0.5, 1. ])"),
    "hypot": ("np.array([3.0, 5.0]), np.array([4.0, 12.0])", "array([ 5., 13.])"),
    "invert": ("np.array([0, 5])", "array([-1, -6])"),
    "isfinite": ("np.array([1.0, np.inf, np.nan])", "array([ True, False, False])"),
    "isinf": ("np.array([1.0, np.inf, np.nan])", "array([False,  True, False])"),
    "isnan": ("np.array([1.0, np.inf, np.nan])", "array([False, False,  True])"),
    "isnat": ('np.array(["2026-01-01", "NaT"], dtype="datetime64[D]")', "array([False,  True])"),
    "lcm": ("np.array([4, 6]), 10", "array([20, 30])"),
    "ldexp": ("np.array([0.5, 0.75]), np.array([4, 0])", "array([8.  , 0.75])"),
    "left_shift": ("np.array([1, 3]), 2", "array([ 4, 12])"),
    "less": ("np.array([1, 3]), 2", "array([ True, False])"),
    "less_equal": ("np.array([2, 3]), 2", "array([ True, False])"),
    "log": ("np.array([1.0, 10.0])", "array([0.        , 2.30258509])"),
    "log10": ("np.array([1.0, 1000.0])", "array([0., 3.])"),
    "log1p": ("np.array([0.0, 1e-10])", "array([0.e+00, 1.e-10])"),
    "log2": ("np.array([1.0, 8.0])", "array([0., 3.])"),
    "logaddexp": (
        "np.array([0.0, 1000.0]), np.array([0.0, 1000.0])",
        "array([6.93147181e-01, 1.00069315e+03])",
    ),
    "logaddexp2": (
        "np.array([0.0, 1000.0]), np.array([0.0, 1000.0])",
        "array([1.000e+00, 1.001e+03])",
    ),
    "logical_and": ("np.array([0, 2]), True", "array([False,  True])"),
    "logical_not": ("np.array([0, 2])", "array([ True, False])"),
    "logical_or": ("np.array([0, 2]), False", "array([False,  True])"),
    "logical_xor": ("np.array([0, 2]), True", "array([ True, False])"),
    "matmul": ("np.array([[1, 2], [3, 4]]), np.array([1, 1])", "array([3, 7])"),
    "matvec": ("np.array([[1, 2], [3, 4]]), np.array([1, 1])", "array([3, 7])"),
    "maximum": ("np.array([1.0, np.nan]), 2.0", "array([ 2., nan])"),
    "minimum": ("np.array([1.0, np.nan]), 2.0", "array([ 1., nan])"),
    "modf": ("np.array([1.5, -0.25])", "(array([ 0.5 , -0.25]), array([ 1., -0.]))"),
    "multiply": (
        "np.array([1, 2]), np.array([[10], [20]])",
        "array([[10, 20],\n       [20, 40]])",
    ),
    "negative": ("np.array([1, -2])", "array([-1,  2])"),
    "nextafter": ("np.array([0.0, 1.0]), 1.0", "array([5.e-324, 1.e+000])"),
    "not_equal": ("np.array([1, 2]), 2", "array([ True, False])"),
    "positive": ("np.array([1, -2])", "array([ 1, -2])"),
    "power": ("np.array([2, 3]), 3", "array([ 8, 27])"),
    "rad2deg": ("np.array([0.0, np.pi])", "array([  0., 180.])"),
    "radians": ("np.array([0.0, 180.0])", "array([0.        , 3.14159265])"),
    "reciprocal": ("np.array([2.0, -4.0])", "array([ 0.5 , -0.25])"),
    "remainder": ("np.array([7, -7]), 3", "array([1, 2])"),
    "right_shift": ("np.array([8, -8]), 1", "array([ 4, -4])"),
    "rint": ("np.array([0.5, 1.5, 1.6])", "array([0., 2., 2.])"),
    "sign": ("np.array([-2.0, 0.0, np.nan])", "array([-1.,  0., nan])"),
    "signbit": ("np.array([-0.0, 0.0])", "array([ True, False])"),
    "sin": ("np.array([0.0, 1.0])", "array([0.        , 0.84147098])"),
    "sinh": ("np.array([0.0, 1.0])", "array([0.        , 1.17520119])"),
    "spacing": ("np.array([1.0, 1e10])", "array([2.22044605e-16, 1.90734863e-06])"),
    "sqrt": ("np.array([4.0, 2.0])", "array([2.        , 1.41421356])"),
    "square": ("np.array([-3, 2])", "array([9, 4])"),
    "subtract": ("np.array([1, 2]), np.array([3, 5])", "array([-2, -3])"),
    "tan": ("np.array([0.0, 1.0])", "array([0.        , 1.55740772])"),
    "tanh": ("np.array([0.0, 1.0])", "array([0.        , 0.76159416])"),
    "trunc": ("np.array([-1.5, 1.5])", "array([-1.,  1.])"),
    "vecdot": ("np.array([[1, 2], [3, 4]]), np.array([1, 1])", "array([3, 7])"),
    "vecmat": ("np.array([1, 1]), np.array([[1, 2], [3, 4]])", "array([4, 6])"),
}
"""The arguments of each ufunc's example, and what NumPy shows as the result."""
