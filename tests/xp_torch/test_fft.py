"""The extension ``fft`` beside array-api-strict."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch as xp
from tests.differential import Spec, compare
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL, COMPLEX_FLOATING, FLOATING, REAL_FLOATING
from xp_torch._core.errors import AxisError

COMPLEX_IN_1D = ("fft", "ifft", "irfft", "hfft")
REAL_IN_1D = ("rfft", "ihfft")
COMPLEX_IN_ND = ("fftn", "ifftn", "irfftn")
NORMS = st.sampled_from(["backward", "ortho", "forward"])
WRONG_NORMS = st.sampled_from(["", "none", 1, "Backward", 2.0])
SIZES = st.one_of(st.none(), st.integers(-1, 9))


def rounding(a, count=8):
    """``count`` roundings of the largest number that a transform of ``a`` can have.

    That is the sum of the magnitudes, twice where a half spectrum stands for a whole one. A
    transform of n numbers rounds log2(n) times, and each library in its own order.
    """
    total = float(np.sum(np.abs(a.values.astype(np.complex128))))
    return 2 * count * float(np.finfo(a.values.dtype).eps) * total


def close(body, a):
    """``compare`` to a few roundings of the largest number that a result can have.

    Of an empty axis padded with zeros NumPy's ``irfft`` reads memory that nothing was written
    to: there shape and dtype are compared, and the result is to be 0.
    """
    if a.values.size:
        # The sign of a zero is that of sums in another order.
        atol = rounding(a) if a.values.dtype.kind in "fc" else 0.0
        compare(body, a, atol=atol, signed_zeros=False)
        return
    out = compare(lambda ns, x: ns.zeros_like(body(ns, x)), a)
    if not isinstance(out, Exception):
        assert not body(xp, xp.asarray(a.tensor()))._tensor.any()


def category_of(name):
    return REAL_FLOATING if name in ("rfft", "ihfft", "rfftn") else COMPLEX_FLOATING


@pytest.mark.parametrize("name", COMPLEX_IN_1D + REAL_IN_1D)
@given(data=st.data())
def test_one_axis(name, data):
    """Same values for any ``n``, axis and norm; the same errors for those that are wrong."""
    a = data.draw(arrays(category_of(name), shapes(max_side=6), finite=True))
    keywords = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "n": SIZES,
                "axis": st.integers(-4, 3),
                "norm": st.one_of(NORMS, NORMS, WRONG_NORMS),
            },
        )
    )
    close(lambda ns, x: getattr(ns.fft, name)(x, **keywords), a)


@pytest.mark.parametrize("name", [*COMPLEX_IN_ND, "rfftn"])
@given(data=st.data())
def test_many_axes(name, data):
    """Same values for any sizes, axes (repeated ones too) and norm; the same errors."""
    a = data.draw(arrays(category_of(name), shapes(max_side=4), finite=True))
    axes = data.draw(st.one_of(st.none(), st.lists(st.integers(-4, 3), max_size=3).map(tuple)))
    keywords = {"axes": axes}
    if axes is not None:
        keywords["s"] = data.draw(
            st.one_of(
                st.none(),
                st.lists(
                    st.integers(-2, 6), min_size=max(0, len(axes) - 1), max_size=len(axes) + 1
                ).map(tuple),
            )
        )
    keywords["norm"] = data.draw(NORMS)
    close(lambda ns, x: getattr(ns.fft, name)(x, **keywords), a)


@pytest.mark.parametrize("name", [*COMPLEX_IN_1D, *REAL_IN_1D, *COMPLEX_IN_ND, "rfftn"])
@given(a=arrays(ALL, shapes(min_dims=1)))
def test_dtypes(name, a):
    """The same dtypes are taken and refused; the precision is kept."""
    a.values = np.ones_like(a.values)
    close(lambda ns, x: getattr(ns.fft, name)(x), a)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@given(
    a=arrays(ALL, shapes(min_dims=1, max_side=5)),
    axes=st.one_of(
        st.none(), st.integers(-4, 3), st.lists(st.integers(-4, 3), max_size=3).map(tuple)
    ),
)
def test_shifts(name, a, axes):
    """Same elements at the same indices; any dtype that is not floating is refused alike."""
    compare(lambda ns, x: getattr(ns.fft, name)(x, axes=axes), a)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@given(
    n=st.integers(-3, 40),
    d=st.one_of(st.floats(1e-3, 1e3), st.sampled_from([0, 0.0, 2, -1.0, True, float("inf")])),
    dtype=st.sampled_from(["", "float32", "float64", "complex64", "int64", "uint8"]),
)
def test_frequencies(name, n, d, dtype):
    """Same frequencies in any real dtype; the same errors for no samples and no distance."""
    if name == "rfftfreq" and n < 0:
        # array-api-strict gives an empty array for a window of negative length, which the
        # standard does not know and its fftfreq refuses.
        with pytest.raises(ValueError, match="rfftfreq: n must not be negative"):
            xp.fft.rfftfreq(n)
        return

    def body(ns):
        keywords = {"dtype": getattr(ns, dtype)} if dtype else {}
        return getattr(ns.fft, name)(n, d=d, **keywords)

    compare(body, rtol={"float32": 3e-7, "float64": 1e-15})


@pytest.mark.parametrize("d", [float("inf"), float("nan"), -float("inf")])
def test_frequencies_of_no_samples_at_no_distance(d):
    """Nothing is divided by zero."""
    compare(lambda ns: ns.fft.fftfreq(0, d=d))
    compare(lambda ns: ns.fft.rfftfreq(0, d=d))


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        ((2.5,), {}),
        (("a",), {}),
        ((None,), {}),
        ((4,), {"d": "a"}),
        ((4,), {"d": None}),
        ((4,), {"d": 10**400}),
        ((4,), {"dtype": "float32"}),
        ((4,), {"dtype": float}),
        ((4,), {"device": "no such device"}),
        ((2**70,), {}),
    ],
)
def test_wrong_frequencies(name, args, keywords):
    """Wrong arguments are refused with the exceptions of array-api-strict."""
    compare(lambda ns: getattr(ns.fft, name)(*args, **keywords))
    with pytest.raises((TypeError, ValueError, OverflowError), match=f"^{name}: "):
        getattr(xp.fft, name)(*args, **keywords)


def test_complex_distance_is_refused():
    """array-api-strict gives complex frequencies; the standard's ``d`` is a float."""
    with pytest.raises(TypeError, match="fftfreq: d must be a real number"):
        xp.fft.fftfreq(4, d=1j)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_sizes_need_axes(name):
    """``s`` without ``axes`` is refused: "If s is not None, axes must not be None".

    array-api-strict takes the last axes, with NumPy's warning that it will not.
    """
    x = xp.ones((3, 4), dtype=xp.float64 if name == "rfftn" else xp.complex128)
    with pytest.raises(ValueError, match=f"{name}: s is given without axes"):
        getattr(xp.fft, name)(x, s=(2, 2))
    with pytest.raises(TypeError, match=f"{name}: s must be"):
        getattr(xp.fft, name)(x, s=(None, 2), axes=(0, 1))


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shift_of_no_dimensions(name):
    """A 0-D array has no axis to shift and comes back; array-api-strict fails to unpack it."""
    x = xp.asarray(2.5)
    for axes in (None, ()):
        out = getattr(xp.fft, name)(x, axes=axes)
        assert out.shape == ()
        assert float(out) == 2.5
    with pytest.raises(AxisError):
        getattr(xp.fft, name)(x, axes=0)


@pytest.mark.parametrize("name", ["rfftn", "irfftn"])
def test_no_axes_at_all(name):
    """The real transforms need an axis to halve; an IndexError, as in array-api-strict."""
    a = Spec(np.ones((2, 2), dtype=np.float64 if name == "rfftn" else np.complex128))
    compare(lambda ns, x: getattr(ns.fft, name)(x, axes=()), a)
    compare(lambda ns, x: getattr(ns.fft, name)(x[0, 0, ...]), a)


@pytest.mark.parametrize("name", [*COMPLEX_IN_1D, *REAL_IN_1D])
def test_empty_batch_keeps_the_gradient(name):
    """No signals, no elements, and still a result that a gradient flows through."""
    dtype = torch.float64 if name in REAL_IN_1D else torch.complex128
    t = torch.zeros((0, 3), dtype=dtype, requires_grad=True)
    out = xp.to_torch(getattr(xp.fft, name)(xp.asarray(t)))
    assert out.requires_grad
    out.abs().sum().backward()
    assert t.grad is not None
    assert t.grad.shape == (0, 3)


@given(arrays(FLOATING, shapes(min_dims=1), finite=True), NORMS)
def test_round_trips(a, norm):
    """Each inverse gives back what was transformed."""
    x = xp.asarray(torch.from_numpy(a.numpy()))
    assume(0 not in x.shape)
    tolerance = rounding(a)

    def same(got):
        torch.testing.assert_close(xp.to_torch(got), xp.to_torch(x), rtol=0, atol=tolerance)

    same(xp.fft.ifftshift(xp.fft.fftshift(x)))
    if xp.isdtype(x.dtype, "complex floating"):
        same(xp.fft.ifft(xp.fft.fft(x, norm=norm), norm=norm))
        same(xp.fft.ifftn(xp.fft.fftn(x, norm=norm), norm=norm))
    else:
        n = x.shape[-1]
        same(xp.fft.irfft(xp.fft.rfft(x, norm=norm), n=n, norm=norm))
        same(xp.fft.hfft(xp.fft.ihfft(x, norm=norm), n=n, norm=norm))
        axes = tuple(range(x.ndim))
        same(xp.fft.irfftn(xp.fft.rfftn(x, norm=norm), s=x.shape, axes=axes, norm=norm))


def test_shapes_without_values():
    """A tensor without storage tells the shape of each result."""
    z = xp.asarray(torch.empty((3, 4), dtype=torch.complex64, device="meta"))
    assert xp.fft.fft(z, n=6).shape == (3, 6)
    assert xp.fft.irfftn(z).shape == (3, 6)
    assert xp.fft.fftshift(z, axes=0).shape == (3, 4)
