"""The error function and its relatives, Fresnel's integrals, the normal distribution."""

from __future__ import annotations

from xp_torch._kernels.special import (
    distributions as _distributions,
)
from xp_torch._kernels.special import (
    error as _error,
)

from ._calls import declare

__all__ = [
    "dawsn",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfi",
    "erfinv",
    "fresnel",
    "log_ndtr",
    "ndtr",
    "ndtri",
    "ndtri_exp",
    "owens_t",
    "voigt_profile",
    "wofz",
]

erf = declare(
    _error.erf,
    "x",
    "The error function.",
    ("np.special.erf([0.0, 1.0]).round(6)", "array([0.      , 0.842701])"),
    loops="double",
    complexes=True,
)
erfc = declare(
    _error.erfc,
    "x",
    "The complement of the error function.",
    ("np.array_str(np.special.erfc([0.0, 10.0]), precision=6)", "'[1.000000e+00 2.088488e-45]'"),
    loops="double",
    complexes=True,
)
erfcx = declare(
    _error.erfcx,
    "x",
    "``exp(x**2) * erfc(x)``.",
    ("np.special.erfcx([0.0, 10.0]).round(6)", "array([1.      , 0.056141])"),
    loops="double",
    complexes=True,
)
erfi = declare(
    _error.erfi,
    "x",
    "The imaginary error function ``-1j * erf(1j * x)``.",
    ("np.special.erfi([0.0, 1.0]).round(6)", "array([0.      , 1.650426])"),
    loops="double",
    complexes=True,
)
erfinv = declare(
    _error.erfinv,
    "y",
    "The inverse of the error function.",
    ("np.special.erfinv([0.0, 0.5]).round(6)", "array([0.      , 0.476936])"),
)
erfcinv = declare(
    _error.erfcinv,
    "y",
    "The inverse of ``erfc``.",
    ("np.special.erfcinv([0.5, 1e-10]).round(6)", "array([0.476936, 4.572825])"),
)
ndtr = declare(
    _error.ndtr,
    "x",
    "The distribution function of the normal distribution.",
    ("np.array_str(np.special.ndtr([0.0, -10.0]), precision=6)", "'[5.000000e-01 7.619853e-24]'"),
    loops="double",
)
ndtri = declare(
    _error.ndtri,
    "y",
    "The quantiles of the normal distribution.",
    ("np.special.ndtri([0.5, 0.975]).round(6)", "array([0.      , 1.959964])"),
)
log_ndtr = declare(
    _error.log_ndtr,
    "x",
    "The logarithm of the normal distribution function.",
    ("np.special.log_ndtr([0.0, -50.0]).round(6)", "array([-6.93147000e-01, -1.25483136e+03])"),
    loops="double",
)
dawsn = declare(
    _error.dawsn,
    "x",
    "Dawson's integral.",
    ("np.special.dawsn([0.0, 1.0]).round(6)", "array([0.     , 0.53808])"),
    loops="double",
    complexes=True,
)
wofz = declare(
    _error.wofz,
    "z",
    "Faddeeva's function ``exp(-z**2) * erfc(-1j * z)`` of complex numbers.",
    ("np.special.wofz(1.0 + 1.0j).round(6)", "np.complex128(0.304744+0.208219j)"),
    loops="double",
    complexes="only",
)
voigt_profile = declare(
    _error.voigt_profile,
    "x sigma gamma",
    "The Voigt profile.",
    ("np.special.voigt_profile([0.0, 2.0], 1.0, 0.5).round(6)", "array([0.278955, 0.082424])"),
    loops="double",
)
fresnel = declare(
    _error.fresnel,
    "z",
    "Fresnel's integrals ``S`` and ``C``.",
    ("[float(v.round(6)) for v in np.special.fresnel(1.0)]", "[0.438259, 0.779893]"),
    loops="double",
    results=2,
)
owens_t = declare(
    _error.owens_t,
    "h a",
    "Owen's T function.",
    ("np.special.owens_t(1.0, [0.5, 2.0]).round(6)", "array([0.043065, 0.078468])"),
)
ndtri_exp = declare(
    _distributions.ndtri_exp,
    "y",
    "The ``x`` with ``log_ndtr(x) == y``.",
    ("np.special.ndtri_exp([-1000.0, -0.5]).round(6)", "array([-44.615748,   0.270288])"),
)
