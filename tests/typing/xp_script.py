"""A script over the strict namespace as type checkers see it; ``make lint`` checks it."""
# pyright: strict, reportPrivateUsage=false

from __future__ import annotations

from typing import assert_type

import torch

import xp_torch as xp
from xp_torch._array import Array


def main() -> None:
    """Cross the border to torch and back, compute, and set a flag."""
    x = xp.asarray(torch.ones(2, 3), dtype=xp.float32)
    assert_type(xp.to_torch(x + 1), torch.Tensor)
    assert_type(xp.sum(x, axis=0), Array)
    assert_type(x[:, 0] @ x[:, 0], Array)
    assert_type(xp.linalg.svd(x).S, Array)
    assert_type(xp.fft.rfft(x), Array)
    assert_type(x.shape, tuple[int, ...])
    assert_type(float(xp.max(x)), float)
    with xp.flags(api_version="2024.12"):
        assert_type(xp.unique_counts(x).counts, Array)


if __name__ == "__main__":
    main()
