"""What ``scipy.stats`` asks ``scipy.special._ufuncs`` for: densities and sums of Boost's.

The quantiles of counts are SciPy's: where a count reaches a level but for rounding, Boost decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

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


_KERNELS: dict[str, tuple[str, Any]] = {
    "_beta_pdf": ("x a b", _beta_pdf),
    "_beta_ppf": ("q a b", lambda q, a, b: betaincinv(a, b, q)),
    "_binom_cdf": ("k n p", lambda k, n, p: _binom_tails(k, n, p)[0]),
    "_binom_pmf": ("k n p", _binom_pmf),
    "_binom_sf": ("k n p", lambda k, n, p: _binom_tails(k, n, p)[1]),
    "_nbinom_cdf": ("k n p", lambda k, n, p: _nbinom_tails(k, n, p)[0]),
    "_nbinom_pmf": ("k n p", _nbinom_pmf),
    "_nbinom_sf": ("k n p", lambda k, n, p: _nbinom_tails(k, n, p)[1]),
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
