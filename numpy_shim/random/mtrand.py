"""``numpy.random.mtrand``: the functions of ``numpy.random``, which share one ``RandomState``."""

from __future__ import annotations

import numpy
from numpy.random import get_bit_generator as get_bit_generator  # type: ignore[attr-defined]
from numpy.random import set_bit_generator as set_bit_generator  # type: ignore[attr-defined]

from .._convert.host import to_host
from ._bit_generators import SeedLike
from ._legacy import RandomState as RandomState
from ._legacy import global_state as _rand
from ._streams import is_native


def seed(seed: SeedLike = None) -> None:
    """Seed the stream of the functions of ``numpy.random`` again.

    Parameters
    ----------
    seed : int or array_like of ints, optional
        What the bit generator accepts as a seed; by default entropy of the system.

    Notes
    -----
    A generator of its own (``default_rng``) is independent of other code that draws numbers.

    Source: NumPy's ``random.seed``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> state = np.random.get_state()
    >>> np.random.seed(0)
    >>> np.random.rand(2)
    array([0.5488135 , 0.71518937])
    >>> np.random.set_state(state)
    """
    if is_native():
        _rand.seed(seed)
    else:  # NumPy's function, unlike the method, supports other bit generators
        numpy.random.seed(to_host(seed))


seed.__module__ = "numpy_shim.random"

beta = _rand.beta
binomial = _rand.binomial
bytes = _rand.bytes
chisquare = _rand.chisquare
choice = _rand.choice
dirichlet = _rand.dirichlet
exponential = _rand.exponential
f = _rand.f
gamma = _rand.gamma
geometric = _rand.geometric
get_state = _rand.get_state
gumbel = _rand.gumbel
hypergeometric = _rand.hypergeometric
laplace = _rand.laplace
logistic = _rand.logistic
lognormal = _rand.lognormal
logseries = _rand.logseries
multinomial = _rand.multinomial
multivariate_normal = _rand.multivariate_normal
negative_binomial = _rand.negative_binomial
noncentral_chisquare = _rand.noncentral_chisquare
noncentral_f = _rand.noncentral_f
normal = _rand.normal
pareto = _rand.pareto
permutation = _rand.permutation
poisson = _rand.poisson
power = _rand.power
rand = _rand.rand
randint = _rand.randint
randn = _rand.randn
random = _rand.random
random_integers = _rand.random_integers
random_sample = _rand.random_sample
ranf = _rand.random_sample
rayleigh = _rand.rayleigh
sample = _rand.random_sample
set_state = _rand.set_state
shuffle = _rand.shuffle
standard_cauchy = _rand.standard_cauchy
standard_exponential = _rand.standard_exponential
standard_gamma = _rand.standard_gamma
standard_normal = _rand.standard_normal
standard_t = _rand.standard_t
triangular = _rand.triangular
uniform = _rand.uniform
vonmises = _rand.vonmises
wald = _rand.wald
weibull = _rand.weibull
zipf = _rand.zipf

__all__ = [
    "RandomState", "beta", "binomial", "bytes", "chisquare", "choice", "dirichlet", "exponential",
    "f", "gamma", "geometric", "get_state", "gumbel", "hypergeometric", "laplace", "logistic",
    "lognormal", "logseries", "multinomial", "multivariate_normal", "negative_binomial",
    "noncentral_chisquare", "noncentral_f", "normal", "pareto", "permutation", "poisson", "power",
    "rand", "randint", "randn", "random", "random_integers", "random_sample", "ranf", "rayleigh",
    "sample", "seed", "set_state", "shuffle", "standard_cauchy", "standard_exponential",
    "standard_gamma", "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald",
    "weibull", "zipf",
]  # fmt: skip
