"""Random numbers drawn by torch on the default device: distributions with NumPy's parameters.

Each function takes the parameters of NumPy's function of that name, which may be arrays that
broadcast, and a ``torch.Generator`` (``None``: torch's default one, which can be traced).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._torch import internals as torch_internals

from .._array.ndarray import ndarray, wrap
from .._base import defaults
from .._base.axes import broadcast_shapes, normalize_shape
from .._base.dtypes import torch_dtype
from .._convert.arguments import as_tensor

Draw = Callable[..., Any]


def _parameters(name: str, size: Any, *values: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of the result, and parameters that broadcast to it."""
    made = [
        v if isinstance(v, (int, float)) else as_tensor(name, v).to(defaults.float_dtype())
        for v in values
    ]
    shape = broadcast_shapes(name, *[tuple(v.shape) for v in made if isinstance(v, Tensor)])
    if size is not None:
        wanted = normalize_shape(name, size, "size")
        if broadcast_shapes(name, wanted, shape) != wanted:
            raise ValueError(f"{name}: Output size {wanted} is not compatible with shape {shape}")
        shape = wanted
    return shape, made


def _expanded(value: Any, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    if isinstance(value, Tensor):
        return value.expand(shape)
    return torch.full(shape, float(value), dtype=dtype)


def _uniform(shape: tuple[int, ...], generator: Any, dtype: Any = None) -> Tensor:
    return torch.rand(shape, generator=generator, dtype=dtype or defaults.float_dtype())


def _open(shape: tuple[int, ...], generator: object) -> Tensor:
    """Uniform numbers without 0, so that the logarithm is finite."""
    return 1.0 - _uniform(shape, generator)


def random(size: Any = None, dtype: Any = float, out: Any = None, *, generator: Any = None) -> Any:
    shape, _ = _parameters("random", size)
    return _given(wrap(_uniform(shape, generator, torch_dtype("random", dtype))), out)


def _given(result: ndarray, out: Any) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


def rand(*args: int, generator: object = None) -> Any:
    return random(args, generator=generator)


def randn(*args: int, generator: object = None) -> Any:
    return normal(size=args, generator=generator)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    shape, (a, b) = _parameters("uniform", size, low, high)
    return wrap(a + (b - a) * _uniform(shape, generator))


def standard_normal(
    size: object = None, dtype: Any = float, out: object = None, *, generator: Any = None
) -> Any:
    shape, _ = _parameters("standard_normal", size)
    drawn = torch.randn(shape, generator=generator, dtype=torch_dtype("standard_normal", dtype))
    return _given(wrap(drawn), out)


def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    shape, (a, b) = _parameters("normal", size, loc, scale)
    return wrap(a + b * torch.randn(shape, generator=generator, dtype=defaults.float_dtype()))


def lognormal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    return wrap(torch.exp(as_tensor("lognormal", normal(mean, sigma, size, generator=generator))))


def exponential(scale: object = 1.0, size: object = None, *, generator: object = None) -> Any:
    shape, (a,) = _parameters("exponential", size, scale)
    return wrap(-a * torch.log(_open(shape, generator)))


def standard_exponential(
    size: object = None,
    dtype: object = float,
    method: str = "zig",
    out: object = None,
    *,
    generator: object = None,
) -> Any:
    if method not in ("zig", "inv"):
        raise ValueError(f"standard_exponential: method must be 'zig' or 'inv', not {method!r}")
    shape, _ = _parameters("standard_exponential", size)
    drawn = -torch.log(_open(shape, generator))
    return _given(wrap(drawn.to(torch_dtype("standard_exponential", dtype))), out)


def integers(
    low: Any,
    high: Any = None,
    size: Any = None,
    dtype: Any = int,
    endpoint: bool = False,
    *,
    generator: Any = None,
) -> Any:
    if high is None:
        low, high = 0, low
    wanted = torch_dtype("integers", dtype)
    if isinstance(low, int) and isinstance(high, int):
        shape, _ = _parameters("integers", size)
        stop = high + endpoint
        if low >= stop:
            raise ValueError("integers: low >= high")
        drawn = torch.randint(low, stop, shape, generator=generator, dtype=torch.int64)
        return wrap(drawn.to(wanted))
    shape, (a, b) = _parameters("integers", size, low, high)
    unit = torch.rand(shape, generator=generator, dtype=torch.float64)
    return wrap(torch.floor(a + (b + endpoint - a) * unit).to(wanted))


def randint(
    low: Any, high: Any = None, size: Any = None, dtype: Any = int, *, generator: Any = None
) -> Any:
    return integers(low, high, size, dtype, generator=generator)


def gamma(shape: Any, scale: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    dims, (a, b) = _parameters("gamma", size, shape, scale)
    drawn = torch_internals.standard_gamma(_expanded(a, dims, defaults.float_dtype()), generator)
    return wrap(drawn * b)


def standard_gamma(
    shape: Any, size: Any = None, dtype: Any = float, out: Any = None, *, generator: Any = None
) -> Any:
    drawn = as_tensor("gamma", gamma(shape, 1.0, size, generator=generator))
    return _given(wrap(drawn.to(torch_dtype("standard_gamma", dtype))), out)


def chisquare(df: object, size: object = None, *, generator: object = None) -> Any:
    shape, (a,) = _parameters("chisquare", size, df)
    return wrap(
        2.0 * gamma(wrap(torch.as_tensor(a)) / 2.0, 1.0, shape, generator=generator)._tensor
    )


def beta(a: object, b: object, size: object = None, *, generator: object = None) -> Any:
    shape, _ = _parameters("beta", size, a, b)
    x = as_tensor("beta", gamma(a, 1.0, shape, generator=generator))
    return wrap(x / (x + as_tensor("beta", gamma(b, 1.0, shape, generator=generator))))


def poisson(lam: object = 1.0, size: object = None, *, generator: Any = None) -> Any:
    shape, (a,) = _parameters("poisson", size, lam)
    rates = _expanded(a, shape, defaults.float_dtype())
    return wrap(torch.poisson(rates, generator=generator).to(torch.int64))


def binomial(n: object, p: object, size: object = None, *, generator: Any = None) -> Any:
    shape, (a, b) = _parameters("binomial", size, n, p)
    dtype = defaults.float_dtype()
    trials, chance = _expanded(a, shape, dtype), _expanded(b, shape, dtype)
    return wrap(torch.binomial(trials, chance, generator=generator).to(torch.int64))


def _inverse(name: str, function: Callable[..., Tensor], *defaults: object) -> Draw:
    """Make a distribution from its inverse cumulative distribution function."""

    def draw(*args: object, size: object = None, generator: object = None) -> Any:
        values = list(args) + list(defaults[len(args) :])
        if len(values) > len(defaults):
            size = values.pop()
        if any(v is None for v in values):
            raise TypeError(f"{name}: missing a required parameter")
        shape, made = _parameters(name, size, *values)
        return wrap(function(_open(shape, generator), *made))

    return draw


laplace = _inverse(
    "laplace",
    lambda u, a, b: a - b * torch.sign(u - 0.5) * torch.log1p(-2.0 * torch.abs(u - 0.5)),
    0.0, 1.0,
)  # fmt: skip
logistic = _inverse("logistic", lambda u, a, b: a + b * torch.log(u / (1.0 - u)), 0.0, 1.0)
gumbel = _inverse("gumbel", lambda u, a, b: a - b * torch.log(-torch.log(u)), 0.0, 1.0)
rayleigh = _inverse("rayleigh", lambda u, a: a * torch.sqrt(-2.0 * torch.log(u)), 1.0)
standard_cauchy = _inverse("standard_cauchy", lambda u: torch.tan(math.pi * (u - 0.5)))
weibull = _inverse("weibull", lambda u, a: (-torch.log(u)) ** (1.0 / a), None)
pareto = _inverse("pareto", lambda u, a: torch.exp(-torch.log(u) / a) - 1.0, None)
power = _inverse("power", lambda u, a: u ** (1.0 / a), None)
geometric = _inverse(
    "geometric",
    lambda u, p: torch.ceil(torch.log(u) / torch.log1p(-torch.as_tensor(p))).to(torch.int64), None,
)  # fmt: skip


def permutation(x: Any, axis: int = 0, *, generator: Any = None) -> Any:
    tensor = torch.arange(x) if isinstance(x, int) else as_tensor("permutation", x)
    order = torch.randperm(tensor.shape[axis], generator=generator)
    return wrap(torch.index_select(tensor, axis, order.to(tensor.device)))


def choice(
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    shuffle: bool = True,
    *,
    generator: Any = None,
) -> Any:
    """``shuffle=False`` permits any order; torch has one method, so it changes nothing."""
    tensor = torch.arange(a) if isinstance(a, int) else as_tensor("choice", a)
    count = tensor.shape[axis]
    shape = () if size is None else normalize_shape("choice", size, "size")
    total = math.prod(shape)
    if not replace and total > count:
        raise ValueError("choice: Cannot take a larger sample than population when replace=False")
    if p is not None:
        weights = as_tensor("choice", p, "p").to(torch.float64)
        indices = torch.multinomial(weights, total, replacement=replace, generator=generator)
    elif replace:
        indices = torch.randint(0, count, (total,), generator=generator)
    else:
        indices = torch.randperm(count, generator=generator)[:total]
    picked = torch.index_select(tensor, axis, indices.to(tensor.device))
    rest = picked.shape
    return wrap(picked.reshape((*rest[:axis], *shape, *rest[axis + 1 :])))


DRAWS: dict[str, Draw] = {
        "beta": beta, "binomial": binomial, "chisquare": chisquare, "choice": choice,
        "exponential": exponential, "gamma": gamma, "geometric": geometric, "gumbel": gumbel,
        "integers": integers, "laplace": laplace, "logistic": logistic, "lognormal": lognormal,
        "normal": normal, "pareto": pareto, "permutation": permutation, "poisson": poisson,
        "power": power, "rand": rand, "randint": randint, "randn": randn, "random": random,
        "random_sample": random, "ranf": random, "sample": random, "rayleigh": rayleigh,
        "standard_cauchy": standard_cauchy, "standard_exponential": standard_exponential,
        "standard_gamma": standard_gamma, "standard_normal": standard_normal, "uniform": uniform,
        "weibull": weibull,
}  # fmt: skip
"""The distributions that torch draws, by NumPy's names."""
