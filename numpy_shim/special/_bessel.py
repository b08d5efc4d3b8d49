"""Bessel and Airy functions of real numbers."""

from __future__ import annotations

from xp_torch._kernels.special import (
    bessel as _bessel,
)

from ._calls import declare

__all__ = [
    "airy",
    "airye",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "iv",
    "ive",
    "j0",
    "j1",
    "jn",
    "jv",
    "jve",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kn",
    "kv",
    "kve",
    "y0",
    "y1",
    "yn",
    "yv",
    "yve",
]

j0 = declare(
    _bessel.j0,
    "x",
    "The Bessel function of the first kind and order 0.",
    ("np.special.j0([0.5, 2.0]).round(6)", "array([0.93847 , 0.223891])"),
    loops="double",
)
j1 = declare(
    _bessel.j1,
    "x",
    "The Bessel function of the first kind and order 1.",
    ("np.special.j1([0.5, 2.0]).round(6)", "array([0.242268, 0.576725])"),
    loops="double",
)
y0 = declare(
    _bessel.y0,
    "x",
    "The Bessel function of the second kind and order 0.",
    ("np.special.y0([0.5, 2.0]).round(6)", "array([-0.444519,  0.510376])"),
    loops="double",
)
y1 = declare(
    _bessel.y1,
    "x",
    "The Bessel function of the second kind and order 1.",
    ("np.special.y1([0.5, 2.0]).round(6)", "array([-1.471472, -0.107032])"),
    loops="double",
)
i0 = declare(
    _bessel.i0,
    "x",
    "The modified Bessel function of the first kind and order 0.",
    ("np.special.i0([0.5, 2.0]).round(6)", "array([1.063483, 2.279585])"),
    loops="double",
)
i1 = declare(
    _bessel.i1,
    "x",
    "The modified Bessel function of the first kind and order 1.",
    ("np.special.i1([0.5, 2.0]).round(6)", "array([0.257894, 1.590637])"),
    loops="double",
)
k0 = declare(
    _bessel.k0,
    "x",
    "The modified Bessel function of the second kind and order 0.",
    ("np.special.k0([0.5, 2.0]).round(6)", "array([0.924419, 0.113894])"),
    loops="double",
)
k1 = declare(
    _bessel.k1,
    "x",
    "The modified Bessel function of the second kind and order 1.",
    ("np.special.k1([0.5, 2.0]).round(6)", "array([1.656441, 0.139866])"),
    loops="double",
)
i0e = declare(
    _bessel.i0e,
    "x",
    "``exp(-abs(x)) * i0(x)``.",
    ("np.special.i0e([0.5, 2.0]).round(6)", "array([0.645035, 0.308508])"),
    loops="double",
)
i1e = declare(
    _bessel.i1e,
    "x",
    "``exp(-abs(x)) * i1(x)``.",
    ("np.special.i1e([0.5, 2.0]).round(6)", "array([0.156421, 0.215269])"),
    loops="double",
)
k0e = declare(
    _bessel.k0e,
    "x",
    "``exp(x) * k0(x)``.",
    ("np.special.k0e([0.5, 2.0]).round(6)", "array([1.524109, 0.841568])"),
    loops="double",
)
k1e = declare(
    _bessel.k1e,
    "x",
    "``exp(x) * k1(x)``.",
    ("np.special.k1e([0.5, 2.0]).round(6)", "array([2.73101 , 1.033477])"),
    loops="double",
)
jv = declare(
    _bessel.jv,
    "v z",
    "The Bessel function of the first kind and real order.",
    ("np.special.jv(1.5, [0.5, 2.0]).round(6)", "array([0.091702, 0.491294])"),
)
jn = declare(
    _bessel.jv,
    "v z",
    "The Bessel function of the first kind; another name of ``jv``.",
    ("np.special.jn(1, [0.5, 2.0]).round(6)", "array([0.242268, 0.576725])"),
    name="jn",
)
jve = declare(
    _bessel.jv,
    "v z",
    "``exp(-abs(z.imag)) * jv(v, z)``: ``jv`` of real numbers.",
    ("np.special.jve(1.5, [0.5, 2.0]).round(6)", "array([0.091702, 0.491294])"),
    name="jve",
)
yve = declare(
    _bessel.yv,
    "v z",
    "``exp(-abs(z.imag)) * yv(v, z)``: ``yv`` of real numbers.",
    ("np.special.yve(1.5, [0.5, 2.0]).round(6)", "array([-2.521466, -0.395623])"),
    name="yve",
)
yv = declare(
    _bessel.yv,
    "v z",
    "The Bessel function of the second kind and real order.",
    ("np.special.yv(1.5, [0.5, 2.0]).round(6)", "array([-2.521466, -0.395623])"),
)
yn = declare(
    _bessel.yn,
    "n x",
    "The Bessel function of the second kind and integer order.",
    ("np.special.yn(1, [0.5, 2.0]).round(6)", "array([-1.471472, -0.107032])"),
    integers=(0,),
    name="yn",
)
iv = declare(
    _bessel.iv,
    "v z",
    "The modified Bessel function of the first kind and real order.",
    ("np.special.iv(1.5, [0.5, 2.0]).round(6)", "array([0.096403, 1.099473])"),
)
ive = declare(
    _bessel.ive,
    "v z",
    "``exp(-abs(z)) * iv(v, z)``.",
    ("np.special.ive(1.5, [0.5, 2.0]).round(6)", "array([0.058472, 0.148798])"),
)
kv = declare(
    _bessel.kv,
    "v z",
    "The modified Bessel function of the second kind and real order.",
    ("np.special.kv(1.5, [0.5, 2.0]).round(6)", "array([3.225143, 0.179907])"),
)
kn = declare(
    _bessel.kn,
    "n x",
    "The modified Bessel function of the second kind and integer order.",
    ("np.special.kn(1, [0.5, 2.0]).round(6)", "array([1.656441, 0.139866])"),
    integers=(0,),
    name="kn",
)
kve = declare(
    _bessel.kve,
    "v z",
    "``exp(z) * kv(v, z)``.",
    ("np.special.kve(1.5, [0.5, 2.0]).round(6)", "array([5.317362, 1.32934 ])"),
)
airy = declare(
    _bessel.airy,
    "z",
    "Airy's functions Ai, Ai', Bi and Bi'.",
    (
        "[float(v.round(6)) for v in np.special.airy(1.0)]",
        "[0.135292, -0.159147, 1.207424, 0.932436]",
    ),
    results=4,
)
airye = declare(
    _bessel.airye,
    "z",
    "Airy's functions with their exponential taken out.",
    (
        "[float(v.round(6)) for v in np.special.airye(1.0)]",
        "[0.263514, -0.309977, 0.619912, 0.478729]",
    ),
    results=4,
)
