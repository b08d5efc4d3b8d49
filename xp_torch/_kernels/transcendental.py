"""Exponential, logarithmic, trigonometric and hyperbolic kernels.

``native`` lists the dtypes for which torch's own function gives the standard's result; the
algorithms for the others are in ``complex_functions.py``.
"""

from __future__ import annotations

import torch

from .._core.dtypes import FLOATING
from .kernel import Kernel

exp = Kernel("exp", torch.exp, FLOATING.dtypes, torch.exp)
expm1 = Kernel("expm1", torch.expm1, FLOATING.dtypes, torch.expm1)
log = Kernel("log", torch.log, FLOATING.dtypes, torch.log)
log1p = Kernel("log1p", torch.log1p, FLOATING.dtypes, torch.log1p)
log2 = Kernel("log2", torch.log2, FLOATING.dtypes, torch.log2)
log10 = Kernel("log10", torch.log10, FLOATING.dtypes, torch.log10)
sqrt = Kernel("sqrt", torch.sqrt, FLOATING.dtypes, torch.sqrt)

sin = Kernel("sin", torch.sin, FLOATING.dtypes, torch.sin)
cos = Kernel("cos", torch.cos, FLOATING.dtypes, torch.cos)
tan = Kernel("tan", torch.tan, FLOATING.dtypes, torch.tan)
asin = Kernel("asin", torch.asin, FLOATING.dtypes, torch.asin)
acos = Kernel("acos", torch.acos, FLOATING.dtypes, torch.acos)
atan = Kernel("atan", torch.atan, FLOATING.dtypes, torch.atan)
sinh = Kernel("sinh", torch.sinh, FLOATING.dtypes, torch.sinh)
cosh = Kernel("cosh", torch.cosh, FLOATING.dtypes, torch.cosh)
tanh = Kernel("tanh", torch.tanh, FLOATING.dtypes, torch.tanh)
asinh = Kernel("asinh", torch.asinh, FLOATING.dtypes, torch.asinh)
acosh = Kernel("acosh", torch.acosh, FLOATING.dtypes, torch.acosh)
atanh = Kernel("atanh", torch.atanh, FLOATING.dtypes, torch.atanh)
