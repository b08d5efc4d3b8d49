"""Random operators: the numbers are drawn by torch's generator on the CPU, and moved.

So ``torch.manual_seed(0)`` gives the numbers that it gives on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ._blobs import Blobs
from ._operators import aten
from ._tensor import BackendTensor

FILLING = frozenset(
    aten(name)
    for name in (
        "normal_.default", "uniform_.default", "random_.default", "random_.to", "random_.from",
        "exponential_.default", "cauchy_.default", "log_normal_.default", "geometric_.default",
        "bernoulli_.float",
    )
)  # fmt: skip
"""Operators that fill their argument without reading it."""


def fill(blobs: Blobs, op: Any, args: tuple[Any, ...], kwargs: dict[str, object]) -> BackendTensor:
    """Draw on the CPU into a tensor of the same shape and dtype, and write it."""
    target: BackendTensor = args[0]
    drawn = torch.empty(tuple(target.shape), dtype=target.dtype, device="cpu")
    op(drawn, *args[1:], **kwargs)
    blobs.write(target, blobs.from_cpu(drawn, str(op)))
    return target


def bernoulli(
    probabilities: torch.Tensor, *, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Ones where a uniform number is below the probability."""
    drawn = torch.rand(
        probabilities.shape, dtype=probabilities.dtype, device="cpu", generator=generator
    )
    return (drawn.to(probabilities.device) < probabilities).to(probabilities.dtype)


def bernoulli_p(
    like: torch.Tensor, p: float = 0.5, *, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Ones with one probability, of the shape and dtype of ``like``."""
    drawn = torch.empty(like.shape, dtype=like.dtype, device="cpu")
    return drawn.bernoulli_(p, generator=generator).to(like.device)


def multinomial(
    weights: torch.Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: torch.Generator | None = None,
) -> torch.Tensor:
    """Indices drawn by weight; without replacement those of the first arrivals of a race."""
    if replacement:
        sums = weights.cumsum(-1)
        shares = (sums / sums[..., -1:]).to(torch.float64)
        shape = (*weights.shape[:-1], num_samples)
        drawn = torch.rand(shape, dtype=torch.float64, device="cpu", generator=generator)
        return torch.searchsorted(shares, drawn.to(weights.device), right=True)
    drawn = torch.empty(weights.shape, dtype=weights.dtype, device="cpu")
    drawn = drawn.exponential_(generator=generator).to(weights.device)
    return (weights / drawn).argsort(-1, descending=True)[..., :num_samples]


def native_dropout(
    x: torch.Tensor, p: float, train: bool | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """The input with elements dropped as the CPU drops them, and the mask of those that stay."""
    if train is False:
        return x.clone(), torch.ones(x.shape, dtype=torch.bool, device=x.device)
    kept = torch.empty(x.shape, dtype=x.dtype, device="cpu").bernoulli_(1 - p).to(x.device)
    return x * (kept if p == 1 else kept / (1 - p)), kept.bool()


def of_cpu(op: Any) -> Callable[..., torch.Tensor]:
    """An operator whose steps depend on values: its arguments move to the CPU and are drawn."""

    def draw(*args: object, generator: torch.Generator | None = None) -> torch.Tensor:
        moved = [a.cpu() if isinstance(a, torch.Tensor) else a for a in args]
        drawn: torch.Tensor = op(*moved, generator=generator)
        return drawn.to(BackendTensor.environment.device)

    return draw


DECOMPOSITIONS = {
    aten("native_dropout.default"): native_dropout,
    **{
        op: of_cpu(op)
        for op in map(
            aten,
            (
                "poisson.default",
                "_standard_gamma.default",
                "binomial.default",
                "_sample_dirichlet.default",
            ),
        )
    },
    aten("bernoulli.default"): bernoulli,
    aten("bernoulli.p"): bernoulli_p,
    aten("multinomial.default"): multinomial,
}
