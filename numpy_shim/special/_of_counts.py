"""What ``scipy.stats`` asks ``scipy.special._ufuncs`` for: densities, sums and quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels.special.distributions import pdtr, pdtrc
from xp_torch._kernels.special.incomplete_beta import _power, betaincinv, regularized
from xp_torch._kernels.special.series import branch, nan_where

from .._convert.arguments import finish
from ._calls import Rule, operands


def _beta_pdf(x: Tensor, a: Tensor, b: Tensor) -> Tensor:
    inside = (x > 0) & (x < 1) & (a > 0) & (b > 0)

    def density(x: Tensor, a: Tensor, b: Tensor) -> Tensor:
        return _power(a, b, x, 1 - x) / (x * (1 - x))

    value = branch(inside, density, (x, 0.5), (a, 1.0), (b, 1.0))
    shape, other = torch.where(x == 0, a, b), torch.where(x == 0, b, a)
    edge = torch.where(shape == 1, other, torch.where(shape < 1, math.inf, 0.0))
    value = torch.where(inside, value, torch.where((x == 0) | (x == 1), edge, 0.0))
    return nan_where(torch.isnan(x + a + b) | (a <= 0) | (b <= 0), value)


def _binom_pmf(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    inside = (p > 0) & (p < 1) & (k >= 0) & (k <= n)

    def mass(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
        return _power(k + 1, n - k + 1, p, 1 - p) / ((n + 1) * p * (1 - p))

    value = branch(inside, mass, (k, 0.0), (n, 1.0), (p, 0.5))
    at_end = torch.where(p == 0, k == 0, (p == 1) & (k == n)).to(p.dtype)
    return nan_where(torch.isnan(k + n + p), torch.where(inside, value, at_end))


def _binom_tails(k: Tensor, n: Tensor, p: Tensor) -> tuple[Tensor, Tensor]:
    k = k.floor()
    sf, cdf = regularized(k + 1, n - k, p, 1 - p)
    end = torch.isnan(k + n + p)
    cdf = torch.where(k >= n, 1.0, torch.where(k < 0, 0.0, cdf))
    sf = torch.where(k >= n, 0.0, torch.where(k < 0, 1.0, sf))
    return nan_where(end, cdf), nan_where(end, sf)


def _nbinom_pmf(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    inside = (p > 0) & (p < 1) & (k >= 0) & (n > 0)

    def mass(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
        return _power(n, k + 1, p, 1 - p) / ((1 - p) * (n + k))

    value = branch(inside, mass, (k, 0.0), (n, 1.0), (p, 0.5))
    at_end = ((p == 1) & (k == 0)).to(p.dtype)
    return nan_where(torch.isnan(k + n + p), torch.where(inside, value, at_end))


def _nbinom_tails(k: Tensor, n: Tensor, p: Tensor) -> tuple[Tensor, Tensor]:
    k = k.floor()
    cdf, sf = regularized(n, k + 1, p, 1 - p)
    return torch.where(k < 0, 0.0, cdf), torch.where(k < 0, 1.0, sf)


_EPS = 2.0**-52
_STEPS = 130  # up to 2**53 and back


def _quantile(
    q: Tensor, upper: bool, tails: Callable[[Tensor], tuple[Tensor, Tensor]],
    mean: Tensor, deviation: Tensor, skewness: Tensor, most: Tensor,
) -> Tensor:  # fmt: skip
    """The least count whose cdf reaches ``q``, or whose sf is down at ``q``: Boost's rule.

    It is reached but for rounding, so that ``ppf(cdf(k))`` is k for SciPy's values, too. The search
    begins at Cornish and Fisher's expansion of the normal quantile, goes on by steps that double,
    and then by halves.
    """
    inside = (q >= 0) & (q <= 1) & ~torch.isnan(mean + most)
    q = torch.where(inside, q, 0.5)
    least = torch.minimum(q, 1 - q)
    slack = _EPS * (256 * least + 0.5 * q * (least > 1e-5))

    def is_reached(k: Tensor) -> Tensor:
        cdf, sf = tails(k)
        return sf <= q + slack if upper else cdf >= q - slack

    z = torch.special.ndtri(1 - q if upper else q)
    start = mean + deviation * (z + skewness * (z * z - 1) / 6) - 0.5
    k = torch.where(torch.isfinite(start), start, mean).ceil().clamp(min=0).minimum(most)
    k = torch.where(torch.isfinite(k), k, 0.0)
    low, high = torch.full_like(k, -1), most.clone()  # the last that is not, the first that is
    high = torch.where(inside, high, 0.0)
    for step in range(_STEPS):
        yes = is_reached(k)
        low, high = torch.where(yes, low, torch.maximum(low, k)), torch.where(yes, k, high)
        if not bool((high - low > 1).any()):
            break
        k = k + torch.where(yes, -1.0, 1.0) * 2.0**step
        k = torch.where((k > low) & (k < high), k, ((low + high) / 2).floor().maximum(low))
    at_end = (q == 0) if upper else (q == 1)
    return nan_where(~inside, torch.where(at_end, most, high))


def _binom_quantile(q: Tensor, n: Tensor, p: Tensor, upper: bool = False) -> Tensor:
    deviation = torch.sqrt(n * p * (1 - p))
    most = nan_where((p < 0) | (p > 1) | (n < 0), n)
    skewness = (1 - 2 * p) / deviation
    return _quantile(q, upper, lambda k: _binom_tails(k, n, p), n * p, deviation, skewness, most)


def _nbinom_quantile(q: Tensor, n: Tensor, p: Tensor, upper: bool = False) -> Tensor:
    deviation = torch.sqrt(n * (1 - p)) / p
    most = nan_where(~((p > 0) & (p <= 1) & (n > 0)), torch.full_like(q, math.inf))
    skewness = (2 - p) / torch.sqrt(n * (1 - p))
    return _quantile(
        q, upper, lambda k: _nbinom_tails(k, n, p), n * (1 - p) / p, deviation, skewness, most
    )


def _poisson_quantile(q: Tensor, m: Tensor, upper: bool = False) -> Tensor:
    most = nan_where(~(m >= 0), torch.full_like(q, math.inf))
    deviation = torch.sqrt(m)
    return _quantile(
        q, upper, lambda k: (pdtr(k, m), pdtrc(k, m)), m, deviation, 1 / deviation, most
    )


def _level(steps: Callable[..., Tensor], **options: Any) -> Callable[..., Tensor]:
    """Counts, whose derivative is 0."""

    def found(*tensors: Tensor) -> Tensor:
        values = steps(*[t.detach() for t in tensors], **options)
        for t in tensors:
            if t.requires_grad:
                values = values + 0 * (t - t.detach())
        return values

    return found


_KERNELS: dict[str, tuple[str, Any]] = {
    "_beta_pdf": ("x a b", _beta_pdf),
    "_beta_ppf": ("q a b", lambda q, a, b: betaincinv(a, b, q)),
    "_binom_cdf": ("k n p", lambda k, n, p: _binom_tails(k, n, p)[0]),
    "_binom_isf": ("q n p", _level(_binom_quantile, upper=True)),
    "_binom_pmf": ("k n p", _binom_pmf),
    "_binom_ppf": ("q n p", _level(_binom_quantile)),
    "_binom_sf": ("k n p", lambda k, n, p: _binom_tails(k, n, p)[1]),
    "_nbinom_cdf": ("k n p", lambda k, n, p: _nbinom_tails(k, n, p)[0]),
    "_nbinom_isf": ("q n p", _level(_nbinom_quantile, upper=True)),
    "_nbinom_pmf": ("k n p", _nbinom_pmf),
    "_nbinom_ppf": ("q n p", _level(_nbinom_quantile)),
    "_nbinom_sf": ("k n p", lambda k, n, p: _nbinom_tails(k, n, p)[1]),
    "_poisson_isf": ("q m", _level(_poisson_quantile, upper=True)),
    "_poisson_ppf": ("q m", _level(_poisson_quantile)),
}


def _made(name: str, arguments: str, steps: Any) -> Callable[..., Any]:
    names = tuple(arguments.split())

    def function(*xs: Any, out: Any = None) -> Any:
        tensors = operands(name, xs, names, Rule())
        wide = torch.broadcast_tensors(*[t.double() for t in tensors])
        return finish(name, steps(*wide).to(tensors[0].dtype), out)

    function.__name__ = name
    return function


OF_COUNTS = {name: _made(name, *found) for name, found in _KERNELS.items()}
"""By SciPy's private name, the functions of its distributions."""
