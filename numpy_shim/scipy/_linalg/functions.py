"""Functions of ``scipy.linalg`` that are written here, where SciPy's text would not do.

It makes Toeplitz matrices by steps backwards through memory, determinants and exponentials matrix
by matrix, and the factors of QR from LAPACK's packed form, of which torch has no derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy
import torch
from numpy.linalg import LinAlgError
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import ArrayLike, as_tensor, common
from ..._convert.from_data import asarray
from ..._convert.requirements import asarray_chkfinite
from ._batched_linalg import _qr
from ._cythonized_array_utils import find_det_from_lu
from ._internal_matfuncs import matrix_exponential
from .factors import has_derivative
from .forms import sylvester
from .lapack import _normalize_lapack_dtype, _normalize_lapack_dtype1, find_best_lapack_type
from .spectra import generalized


def toeplitz_of(c: ArrayLike, r: ArrayLike) -> ndarray:
    """The matrix whose first column is ``c`` and whose first row is ``r`` after its corner."""
    tc, tr = common("toeplitz", c, r, arguments=("c", "r"))
    values = torch.cat([tc.flip(0), tr[1:]])
    m, n = tc.shape[0], tr.shape[0]
    if m == 0 or n == 0:
        return wrap(values.new_empty(m, n))
    return wrap(values.unfold(0, n, 1).flip(0))


def circulant(c: ArrayLike) -> ndarray:
    """The matrix whose columns are ``c``, each a step further around."""
    t = as_tensor("circulant", asarray(c).reshape(1) if asarray(c).ndim == 0 else c, "c")
    n = t.shape[-1]
    if n == 0:
        return wrap(t.new_empty(*t.shape, 0))
    backwards = t.flip(-1)
    return wrap(torch.cat([backwards, backwards[..., :-1]], -1).unfold(-1, n, 1).flip(-2))


def of_numbers(scipys: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's from numbers to a matrix, which it makes element by element."""

    @wraps(scipys)
    def call(*args: Any, **kwargs: Any) -> Any:
        found = scipys(*args, **kwargs)
        return found if found.dtype == object else asarray(found)

    return call


def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinants of a stack of matrices, in double precision."""
    array = asarray_chkfinite(a) if check_finite else asarray(a)
    if array.ndim < 2:
        raise ValueError("The input array must be at least two-dimensional.")
    if array.shape[-1] != array.shape[-2]:
        raise ValueError(
            "Last 2 dimensions of the array must be square but received shape "
            f"{tuple(array.shape)}."
        )
    return find_det_from_lu(_normalize_lapack_dtype1(array, overwrite_a)[0])


def expm(A: ArrayLike) -> ndarray:
    """The exponentials of a stack of matrices."""
    a = asarray(A)
    if a.size == 1 and a.ndim < 2:
        return wrap(torch.exp(as_tensor("expm", a).to(_inexact(a))).reshape(1, 1))
    if a.ndim < 2:
        raise LinAlgError("The input array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return matrix_exponential(wrap(as_tensor("expm", a).to(_inexact(a))))[0]


def _inexact(a: ndarray) -> torch.dtype:
    if a.dtype.kind not in "fc":
        return torch.float64
    return torch.float32 if a.dtype == numpy.float16 else a.tensor.dtype


_MODES = {"full": 1, "qr": 1, "r": 11, "economic": 31}
"""SciPy's numbers for the modes that have derivatives."""


def with_torchs_factors(text: Callable[..., Any]) -> Any:
    """``qr``: torch's factors, which have derivatives; SciPy's text for LAPACK's packed form."""

    @wraps(text)
    def qr(
        a: ArrayLike, overwrite_a: bool = False, lwork: int | None = None, mode: str = "full",
        pivoting: bool = False, check_finite: bool = True,
    ) -> Any:  # fmt: skip
        if mode not in _MODES or asarray(a).ndim != 2:
            return text(a, overwrite_a, lwork, mode, pivoting, check_finite)
        array = asarray_chkfinite(a) if check_finite else asarray(a)
        if lwork is not None and lwork != -1 and lwork < max(1, *array.shape[mode == "r" :]):
            raise ValueError("qr: `lwork` is too small for LAPACK's geqrf or orgqr")
        if array.size == 0:
            return text(a, overwrite_a, lwork, mode, pivoting, check_finite)
        matrix, _ = _normalize_lapack_dtype(array, overwrite_a)
        q, r, _, order, _ = _qr(matrix, overwrite_a, _MODES[mode], pivoting)
        return (*(() if mode == "r" else (q,)), r, *((order,) if pivoting else ()))

    return qr


def norm_of_power(A: ndarray, p: int) -> float:
    """The largest sum along columns of a power of ``A`` less the identity."""
    t = as_tensor("logm", A)
    power = torch.linalg.matrix_power(t - torch.eye(t.shape[0], dtype=t.dtype, device=t.device), p)
    return float(power.abs().sum(0).amax())


def rq(
    a: ArrayLike, overwrite_a: bool = False, lwork: int | None = None, mode: str = "full",
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """``a = r @ q``: the QR of the matrix with its axes turned around."""
    if mode not in ("full", "r", "economic"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic']")
    array = asarray_chkfinite(a) if check_finite else asarray(a)
    if array.ndim != 2:
        raise ValueError("expected matrix")
    if lwork is not None and lwork != -1 and lwork < max(1, array.shape[0]):
        raise ValueError("illegal value in 7th argument of internal gerqf")
    t = array if array.size == 0 else _normalize_lapack_dtype(array, overwrite_a)[0]
    tensor = as_tensor("rq", t)
    m, n = tensor.shape
    turned = tensor.flip(0, 1).mT.conj()
    q, r = torch.linalg.qr(turned, mode="complete" if mode == "full" else "reduced")
    r, q = r.mT.conj().flip(0, 1), q.mT.conj().flip(0, 1)
    if mode == "r":
        if n > m:
            r = torch.cat([r.new_zeros(m, n - m), r], 1)
        return wrap(r.resolve_conj())
    return wrap(r.resolve_conj()), wrap(q.resolve_conj())


class _Sylvester(torch.autograd.Function):
    """The solution of ``a x + x b = q``, with its derivative, which is one too."""

    @staticmethod
    def forward(a: Tensor, b: Tensor, q: Tensor) -> Tensor:
        return sylvester(a.detach(), b.detach(), q.detach())[0]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs[:2], output)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        a, b, x = ctx.saved_tensors
        s = _sylvester(a.mT.conj(), b.mT.conj(), grad)
        return -s @ x.mT.conj(), -x.mT.conj() @ s, s


_sylvester: Any = _Sylvester.apply


def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> ndarray:
    """The solution ``x`` of ``a @ x + x @ b = q``."""
    arrays = [asarray(x) for x in (a, b, q)]
    dtype = find_best_lapack_type(arrays)[1]
    ta, tb, tq = (as_tensor("solve_sylvester", x.astype(dtype)) for x in arrays)
    if ta.numel() == 0 or tb.numel() == 0:
        return wrap(torch.empty_like(tq))
    if (len(ta), len(tb)) != tuple(tq.shape):
        raise ValueError(
            f"solve_sylvester: shapes {tuple(ta.shape)}, {tuple(tb.shape)} and {tuple(tq.shape)} "
            "of `a`, `b` and `q` do not fit together"
        )
    return wrap(_sylvester(ta, tb, tq))


def with_lyapunovs_derivative(text: Callable[..., Any]) -> Callable[..., Any]:
    """``solve_continuous_lyapunov``: SciPy's text, or Sylvester's equation with a derivative."""

    @wraps(text)
    def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> Any:
        ta, tq = (as_tensor("solve_continuous_lyapunov", x) for x in (a, q))
        if not has_derivative(ta, tq):
            return text(a, q)
        text(wrap(ta.detach()), wrap(tq.detach()))  # SciPy's errors and warnings
        dtype = torch.promote_types(ta.dtype, tq.dtype)
        return wrap(_sylvester(ta.to(dtype), ta.to(dtype).mT.conj(), tq.to(dtype)))

    return solve_continuous_lyapunov


def with_torchs_inverse(text: Callable[..., Any]) -> Callable[..., Any]:
    """``pinv``: SciPy's text, or torch's, whose derivative is finite for equal singular values."""

    @wraps(text)
    def pinv(
        a: ArrayLike, *, atol: float | None = None, rtol: float | None = None,
        return_rank: bool = False, check_finite: bool = True,
    ) -> Any:  # fmt: skip
        t = as_tensor("pinv", a)
        options: Any = {"atol": atol, "rtol": rtol, "check_finite": check_finite}
        if not has_derivative(t):
            return text(a, return_rank=return_rank, **options)
        _, rank = text(wrap(t.detach()), return_rank=True, **options)
        s = torch.linalg.svdvals(t.detach())
        least = max(t.shape) * torch.finfo(s.dtype).eps if rtol is None else rtol
        bound = (0.0 if atol is None else atol) + float(s.amax()) * least
        inverse = wrap(torch.linalg.pinv(t, atol=bound, rtol=0.0))
        return (inverse, rank) if return_rank else inverse

    return pinv


def with_eigenvalues(make: Callable[..., Any]) -> Callable[..., Any]:
    """``_geneig``: the eigenvalues of two matrices; ``make`` gives them their form."""

    def _geneig(
        a: ndarray, b: ndarray, left: bool, right: bool, overwrite_a: bool, overwrite_b: bool,
        homogeneous_eigvals: bool,
    ) -> Any:  # fmt: skip
        dtype = find_best_lapack_type((a, b))[1]
        ta, tb = (as_tensor("eig", x.astype(dtype)) for x in (a, b))
        w, vl, vr = generalized(ta, tb, bool(left))
        values = make(wrap(w), None, homogeneous_eigvals)
        vectors = [wrap(v) for v, wanted in ((vl, left), (vr, right)) if wanted]
        return (values, *vectors) if vectors else values

    return _geneig


class _Derived(torch.autograd.Function):
    """A function of matrices with its derivative.

    The derivative of a function ``f`` at ``a`` in the direction ``e`` is the corner of ``f`` of
    the blocks ``[[a, e], [0, a]]`` (Mathias). Its adjoint has the adjoint of ``a`` for ``a``, for
    an ``f`` that takes conjugate matrices to conjugate matrices.
    """

    @staticmethod
    def forward(a: Tensor, f: Callable[[Tensor], Tensor]) -> Tensor:
        return f(a.detach())

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.function = inputs[1]

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (a,) = ctx.saved_tensors
        n = a.shape[-1]
        adjoint = a.mT.conj().to(torch.promote_types(a.dtype, grad.dtype))
        top = torch.cat([adjoint, grad.to(adjoint.dtype)], -1)
        bottom = torch.cat([torch.zeros_like(adjoint), adjoint], -1)
        found = _derived(torch.cat([top, bottom], -2), ctx.function)[..., :n, n:]
        return (found if a.is_complex() else found.real), None


_derived: Any = _Derived.apply


def with_derivative(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function of square matrices that SciPy computes by Schur's form, with its derivative."""

    @wraps(function)
    def call(A: ArrayLike, *args: Any, **kwargs: Any) -> Any:
        array = asarray(A)
        t = array.tensor
        if not has_derivative(t):
            return function(A, *args, **kwargs)

        def of_tensor(x: Tensor) -> Tensor:
            return as_tensor(name, function(wrap(x), *args, **kwargs))

        return wrap(_derived(t, of_tensor))

    return call
