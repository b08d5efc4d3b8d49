"""Exponential, logarithmic, trigonometric and hyperbolic kernels.

torch's real functions give the standard's result, except ``sinh`` and ``cosh`` of large numbers on
the CPU. Its complex functions are the C library's on the CPU, and correct there except those with
an ``on_cpu`` below. Other devices use the functions of ``complex_functions.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .._core.dtypes import REAL_FLOATING
from . import complex_functions as parts
from .complex_functions import Function
from .kernel import Kernel

Derivative = Callable[[Tensor, Tensor], Tensor]
"""The derivative, given the argument and the function's value."""

ELSEWHERE: dict[str, Callable[[Tensor], Tensor]] = {}
"""The complex functions for devices other than the CPU, by name."""


def _holomorphic(
    function: Callable[[Tensor], Tensor], derivative: Derivative
) -> Callable[[Tensor], Tensor]:
    """A function of complex tensors in many steps, with its derivative.

    The derivative of the steps would cost more, and would be NaN where a replaced step has no
    derivative.
    """

    class Holomorphic(torch.autograd.Function):
        @staticmethod
        def forward(z: Tensor) -> Tensor:
            return function(z)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
            ctx.save_for_backward(inputs[0], output)

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            z, value = ctx.saved_tensors
            return grad * derivative(z, value).conj()

    def call(z: Tensor) -> Tensor:
        if z.requires_grad:
            return Holomorphic.apply(z)  # type: ignore[no-any-return, no-untyped-call]
        return function(z)

    return call


def _kernel(
    name: str,
    function: Callable[[Tensor], Tensor],
    of_parts: Function,
    derivative: Derivative,
    on_cpu: Callable[[Tensor], Tensor] | None = None,
    *,
    overflows: bool = False,
) -> Kernel:
    here = function if on_cpu is None else _holomorphic(on_cpu, derivative)
    elsewhere = _holomorphic(lambda z: torch.complex(*of_parts(z.real, z.imag)), derivative)
    ELSEWHERE[name] = elsewhere

    def general(x: Tensor) -> Tensor:
        if x.dtype.is_complex:
            return here(x) if x.is_cpu else elsewhere(x)
        # A trace folds the device index, which is -1 for the CPU and meta.
        if overflows and x.dtype is torch.float32 and x.get_device() < 0:
            return function(x.double()).float()
        return function(x)

    native = frozenset({torch.float64}) if overflows else REAL_FLOATING.dtypes
    return Kernel(name, function, native, general)


exp = _kernel("exp", torch.exp, parts.exp, lambda z, w: w)
log = _kernel("log", torch.log, parts.log, lambda z, w: 1 / z)
# torch's complex log2 differs from NumPy's by an ulp, visible in the angle of an infinity.
log2 = _kernel(
    "log2", torch.log2, parts.log2, lambda z, w: 1 / (z * math.log(2)), parts.log2_on_cpu
)
log10 = _kernel("log10", torch.log10, parts.log10, lambda z, w: 1 / (z * math.log(10)))
sqrt = _kernel("sqrt", torch.sqrt, parts.sqrt, lambda z, w: 0.5 / w)

# torch's complex expm1 multiplies an infinity by 0 from 710 on and at infinity.
expm1 = _kernel("expm1", torch.expm1, parts.expm1, lambda z, w: torch.exp(z), parts.expm1_on_cpu)
# torch's complex log1p is NaN where the imaginary part is infinite or both are subnormal.
log1p = _kernel("log1p", torch.log1p, parts.log1p, lambda z, w: 1 / (1 + z), parts.log1p_on_cpu)

sin = _kernel("sin", torch.sin, parts.sin, lambda z, w: torch.cos(z))
cos = _kernel("cos", torch.cos, parts.cos, lambda z, w: -torch.sin(z))
# The C library gives a zero the sign of sin(2y); the standard says the sign of y.
tan = _kernel("tan", torch.tan, parts.tan, lambda z, w: 1 + w * w, parts.tan_on_cpu)
# torch's vectorized sinh and cosh of the CPU overflow where exp does, a factor of 2 early. float32
# overflows above 88.72 rather than 89.41; double precision corrects that. float64 overflows above
# 709.78 rather than 710.47; a correction would have to read the values in every call, so there is
# none.
sinh = _kernel("sinh", torch.sinh, parts.sinh, lambda z, w: torch.cosh(z), overflows=True)
cosh = _kernel("cosh", torch.cosh, parts.cosh, lambda z, w: torch.sinh(z), overflows=True)
tanh = _kernel("tanh", torch.tanh, parts.tanh, lambda z, w: 1 - w * w, parts.tanh_on_cpu)


def _asin_derivative(z: Tensor) -> Tensor:
    return 1 / (torch.sqrt(1 - z) * torch.sqrt(1 + z))


asin = _kernel("asin", torch.asin, parts.asin, lambda z, w: _asin_derivative(z))
# torch's acos of complex128 is pi/2 - asin(z): no digits are left close to 1 and far away,
# https://github.com/pytorch/pytorch/issues/42952
acos = _kernel("acos", torch.acos, parts.acos, lambda z, w: -_asin_derivative(z), parts.acos_on_cpu)
atan = _kernel("atan", torch.atan, parts.atan, lambda z, w: 1 / (1 + z * z))
asinh = _kernel("asinh", torch.asinh, parts.asinh, lambda z, w: 1 / torch.sqrt(1 + z * z))
acosh = _kernel(
    "acosh",
    torch.acosh,
    parts.acosh,
    lambda z, w: 1 / (torch.sqrt(z - 1) * torch.sqrt(z + 1)),
)
atanh = _kernel("atanh", torch.atanh, parts.atanh, lambda z, w: 1 / ((1 - z) * (1 + z)))
