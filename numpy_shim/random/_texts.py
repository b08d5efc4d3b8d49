"""The docstrings of random methods: NumPy's text, with the errors and an example that runs."""

from __future__ import annotations

import re

from .._base.docs import with_source

_NUMBERS = """\
TypeError
    For arguments that are not numbers.
ValueError
    For a negative size, and for parameters outside of the range that they may have.
"""
_SHUFFLES = """\
TypeError
    For a sequence whose elements cannot be assigned, and for a value without a length.
ValueError
    For an array that is read-only.
"""
_OTHER_RAISES = {
    "Generator.permutation": """\
AxisError
    For an axis that is not there, and for a value that is neither an integer nor a sequence.
TypeError
    For an axis that is not an integer.
ValueError
    For nested lists of different lengths.
""",
    "RandomState.permutation": """\
IndexError
    For a value that is neither an integer nor a sequence.
ValueError
    For nested lists of different lengths.
""",
    "permuted": """\
AxisError
    For an axis that is not there.
TypeError
    For a number without an axis, for an ``out`` that is not an array, and for an ``out`` to whose
    dtype that of ``x`` cannot be cast safely.
ValueError
    For an ``out`` of another shape, for one that is read-only, and for nested lists of different
    lengths.
""",
    "Generator.shuffle": f"""\
AxisError
    For an axis that is not there.
NotImplementedError
    For an axis other than 0 of a sequence that is not an array.
{_SHUFFLES}""",
    "RandomState.shuffle": _SHUFFLES,
    "seed": """\
TypeError
    For a seed that is not an integer, and for a generator over other bits than ``MT19937``.
ValueError
    For a seed below 0 or above 2**32 - 1, and for an array of seeds without elements or with more
    than one axis.
""",
    "set_state": """\
TypeError
    For a state that is neither a tuple nor a dictionary.
ValueError
    For a state of another bit generator, and for a dictionary without the keys of a state.
IndexError
    For a tuple that is too short, or whose keys are fewer than 624.
""",
}
"""The Raises sections of methods whose parameters are not a size and numbers."""
_INDENT = re.compile(r"\n( *)\S")
_AFTER_RAISES = ("See Also", "Notes", "References")
_MAKE = {"RandomState": "np.random.RandomState(0)", "Generator": "np.random.default_rng(0)"}


def text_of(owner: str, name: str, numpys: str) -> str:
    """NumPy's text on a method of a generator, with one example of ours for NumPy's."""
    indented = _INDENT.search(numpys)
    indent = indented[1] if indented else ""
    text = numpys.partition(f"\n{indent}Examples\n")[0].rstrip() + "\n"
    if "Raises\n" not in text and name not in REFUSES_NOTHING:
        found = (text.find(f"\n{indent}{section}\n") for section in _AFTER_RAISES)
        at = min((i for i in found if i >= 0), default=len(text))
        raises = _OTHER_RAISES.get(f"{owner}.{name}") or _OTHER_RAISES.get(name, _NUMBERS)
        section = f"\nRaises\n------\n{raises}"
        text = text[:at] + section.replace("\n", f"\n{indent}").rstrip(" ") + text[at:]
    if name in SEVERAL_LINES:
        example = SEVERAL_LINES[name]
    else:
        arguments, *results = EXAMPLES[name]
        example = f">>> rng.{name}({arguments})\n{results[owner == 'Generator']}\n"
    head = f"\nExamples\n--------\n>>> import numpy_shim as np\n>>> rng = {_MAKE[owner]}\n"
    text += (head + example).replace("\n", f"\n{indent}")
    return with_source(text, f"NumPy's ``random.{owner}.{name}``, whose text this is")


REFUSES_NOTHING = frozenset({"get_state"})
"""Methods that refuse no argument: every generator has a state, and ``legacy`` is a truth value."""

SEVERAL_LINES = {
    "shuffle": ">>> x = np.ones(3)\n>>> rng.shuffle(x)\n>>> x\narray([1., 1., 1.])\n",
    "get_state": ">>> rng.get_state()[0]\n'MT19937'\n",
    "set_state": ">>> rng.set_state(rng.get_state())\n",
    "seed": ">>> rng.seed(1)\n",
    "spawn": ">>> len(rng.spawn(2))\n2\n",
}
EXAMPLES = {
    "beta": (
        "2.0, 3.0, size=2",
        "array([0.60358975, 0.79868334])",
        "array([0.32240531, 0.16457302])",
    ),
    "binomial": ("10, 0.5, size=3", "array([5, 6, 5])", "array([6, 4, 2])"),
    "bytes": ("3", "b'\\xac\\n\\x7f'", "b'_\\x82\\xc2'"),
    "chisquare": (
        "2, size=2",
        "array([1.59174902, 2.51186153])",
        "array([1.35986381, 2.0391942 ])",
    ),
    "choice": ("5, size=3", "array([4, 0, 3])", "array([4, 3, 2])"),
    "dirichlet": (
        "[1.0, 2.0]",
        "array([0.22016185, 0.77983815])",
        "array([0.31163762, 0.68836238])",
    ),
    "exponential": (
        "2.0, size=2",
        "array([1.59174902, 2.51186153])",
        "array([1.35986381, 2.0391942 ])",
    ),
    "f": ("2, 3, size=2", "array([0.5514189 , 0.21888638])", "array([0.99046588, 0.00501727])"),
    "gamma": ("2.0, size=2", "array([5.13882958, 2.23848091])", "array([1.83431007, 2.63769797])"),
    "geometric": ("0.5, size=3", "array([2, 2, 2])", "array([2, 1, 1])"),
    "gumbel": (
        "0.0, 1.0, size=2",
        "array([ 0.22831376, -0.22787694])",
        "array([-0.01315993,  1.15703001])",
    ),
    "hypergeometric": ("5, 5, 3, size=3", "array([2, 2, 2])", "array([2, 1, 1])"),
    "integers": ("10, size=3", "", "array([8, 6, 5])"),
    "laplace": (
        "0.0, 1.0, size=2",
        "array([0.10272733, 0.56278358])",
        "array([ 0.32009973, -0.6169764 ])",
    ),
    "logistic": (
        "0.0, 1.0, size=2",
        "array([0.19587791, 0.92072284])",
        "array([ 0.56220114, -0.99570497])",
    ),
    "lognormal": (
        "0.0, 1.0, size=2",
        "array([5.83603919, 1.49205924])",
        "array([1.1339762, 0.8762491])",
    ),
    "logseries": ("0.5, size=3", "array([1, 1, 1])", "array([1, 1, 5])"),
    "multinomial": ("10, [0.2, 0.8]", "array([2, 8])", "array([2, 8])"),
    "multivariate_hypergeometric": ("[3, 4], 2", "", "array([2, 0])"),
    "multivariate_normal": (
        "[0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]",
        "array([1.76405235, 0.40015721])",
        "array([ 0.12573022, -0.13210486])",
    ),
    "negative_binomial": ("3, 0.5, size=3", "array([11,  0,  5])", "array([0, 6, 1])"),
    "noncentral_chisquare": (
        "2, 1.0, size=2",
        "array([ 4.52340779, 10.86235551])",
        "array([3.56231811, 1.85448742])",
    ),
    "noncentral_f": (
        "2, 3, 1.0, size=2",
        "array([0.60078919, 6.46088078])",
        "array([ 2.08131307, 10.13232175])",
    ),
    "normal": (
        "0.0, 1.0, size=2",
        "array([1.76405235, 0.40015721])",
        "array([ 0.12573022, -0.13210486])",
    ),
    "pareto": ("3.0, size=2", "array([0.30381098, 0.51989855])", "array([0.25438319, 0.40475892])"),
    "permutation": ("4", "array([2, 3, 1, 0])", "array([2, 0, 1, 3])"),
    "permuted": ("np.array([1, 2, 3])", "", "array([3, 1, 2])"),
    "poisson": ("4.0, size=3", "array([6, 7, 1])", "array([2, 0, 7])"),
    "power": ("2.0, size=2", "array([0.74081948, 0.84568869])", "array([0.70238772, 0.79953721])"),
    "rand": ("2", "array([0.5488135 , 0.71518937])", ""),
    "randint": ("10, size=3", "array([5, 0, 3])", ""),
    "randn": ("2", "array([1.76405235, 0.40015721])", ""),
    "random": ("2", "array([0.5488135 , 0.71518937])", "array([0.63696169, 0.26978671])"),
    "random_integers": ("6, size=3", "array([5, 6, 1])", ""),
    "random_sample": ("2", "array([0.5488135 , 0.71518937])", ""),
    "rayleigh": (
        "2.0, size=2",
        "array([2.52329072, 3.16977067])",
        "array([2.33226397, 2.85600714])",
    ),
    "standard_cauchy": (
        "size=2",
        "array([4.40839827, 0.43676244])",
        "array([-0.95174559,  6.10507088])",
    ),
    "standard_exponential": (
        "size=2",
        "array([0.79587451, 1.25593076])",
        "array([0.6799319, 1.0195971])",
    ),
    "standard_gamma": (
        "2.0, size=2",
        "array([5.13882958, 2.23848091])",
        "array([1.83431007, 2.63769797])",
    ),
    "standard_normal": (
        "size=2",
        "array([1.76405235, 0.40015721])",
        "array([ 0.12573022, -0.13210486])",
    ),
    "standard_t": (
        "3, size=2",
        "array([ 1.67969022, -1.53369098])",
        "array([0.15174931, 0.15597726])",
    ),
    "tomaxint": ("size=2", "array([5061911111874532631, 6596457591747962464])", ""),
    "triangular": (
        "0.0, 1.0, 2.0, size=2",
        "array([1.05006685, 1.24526742])",
        "array([1.1478987 , 0.73455662])",
    ),
    "uniform": (
        "0.0, 1.0, size=2",
        "array([0.5488135 , 0.71518937])",
        "array([0.63696169, 0.26978671])",
    ),
    "vonmises": (
        "0.0, 1.0, size=2",
        "array([1.03120359, 1.0205291 ])",
        "array([-1.29668161,  0.02523212])",
    ),
    "wald": (
        "1.0, 2.0, size=2",
        "array([0.30787564, 0.75425984])",
        "array([0.91495954, 0.63822497])",
    ),
    "weibull": (
        "2.0, size=2",
        "array([0.89211799, 1.12068317])",
        "array([0.82457983, 1.00975101])",
    ),
    "zipf": ("2.0, size=3", "array([2, 2, 1])", "array([2, 1, 2])"),
}
"""The arguments of an example, and the results of ``RandomState(0)`` and ``default_rng(0)``."""
