"""``numpy.random``: NumPy's own streams, bit for bit, as arrays on the default device.

``seed(0)`` gives the numbers that NumPy gives: its generators draw them on the host.
``set_stream("torch")`` draws on the device instead, with numbers of torch's own.
"""

from __future__ import annotations

from numpy.random import get_bit_generator as get_bit_generator  # type: ignore[attr-defined]
from numpy.random import set_bit_generator as set_bit_generator  # type: ignore[attr-defined]

from . import bit_generator as bit_generator
from ._bit_generators import MT19937 as MT19937
from ._bit_generators import PCG64 as PCG64
from ._bit_generators import PCG64DXSM as PCG64DXSM
from ._bit_generators import SFC64 as SFC64
from ._bit_generators import BitGenerator as BitGenerator
from ._bit_generators import Philox as Philox
from ._bit_generators import SeedSequence as SeedSequence
from ._generator import Generator as Generator
from ._generator import default_rng as default_rng
from ._legacy import RandomState as RandomState
from ._legacy import global_state as _rand
from ._streams import get_stream as get_stream
from ._streams import set_stream as set_stream

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
seed = _rand.seed
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
    "MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Generator", "Philox",
    "RandomState", "SeedSequence", "beta", "binomial", "bytes", "chisquare", "choice",
    "default_rng", "dirichlet", "exponential", "f", "gamma", "geometric", "get_state",
    "get_stream", "gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries",
    "multinomial", "multivariate_normal", "negative_binomial", "noncentral_chisquare",
    "noncentral_f", "normal", "pareto", "permutation", "poisson", "power", "rand", "randint",
    "randn", "random", "random_integers", "random_sample", "ranf", "rayleigh", "sample", "seed",
    "set_state", "set_stream", "shuffle", "standard_cauchy", "standard_exponential",
    "standard_gamma", "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald",
    "weibull", "zipf",
]  # fmt: skip
