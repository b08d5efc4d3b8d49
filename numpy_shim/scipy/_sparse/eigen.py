"""Eigenvalues of sparse and dense matrices: SciPy's text of ARPACK over Krylov spaces in torch."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import scipy.sparse
import torch
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator
from torch import Tensor

from xp_torch._torch.internals import is_transformed

from ..._array.ndarray import AnyArray, ndarray, wrap
from ..._numpys.names import on_its_device
from ...random import default_rng
from .._linalg.factors import columns, number
from .._solutions import has_derivative, plain
from .._standing import Held, OnTheHostError
from .._text import _provided, leaving
from . import _arpacklib
from .matrices import elements_of
from .operators import aslinearoperator, refusing
from .solving import Found, each, plain_array, without_derivative

LARGEST = 2048
"""A sparse matrix that is to be inverted is factored whole up to so many rows."""


class _Factors:
    """What ``splu`` gives: the factors of a matrix, here of the whole one."""

    def __init__(self, real: Any) -> None:
        if real.shape[0] > LARGEST:
            raise OnTheHostError(f"SuperLU factors it, in C, beyond {LARGEST} rows")
        whole = elements_of(real, torch.get_default_device()).toarray()._tensor
        self._lu, self._pivots, info = torch.linalg.lu_factor_ex(whole)
        if number(info):
            raise RuntimeError("Factor is exactly singular")

    def solve(self, x: ndarray) -> ndarray:
        found = torch.linalg.lu_solve(self._lu, self._pivots, columns(x._tensor))
        return wrap(found.reshape(x.shape))


class _Places:
    """Where in its memory ARPACK wants to have a product: numbers of the host."""

    def __get__(self, params: Any, kind: Any = None) -> list[int]:
        return params.__dict__.setdefault("ipntr", [0] * 14)  # type: ignore[no-any-return]

    def __set__(self, params: Any, places: Any) -> None:
        pass


_text: Any = _provided("scipy.sparse.linalg._eigen.arpack.arpack")
_text._arpacklib = _arpacklib
_text._ArpackParams.ipntr = _Places()
_text.splu = _Factors
_text.isdense = lambda x: isinstance(x, AnyArray)
for _name in ("eye", "eye_array"):
    setattr(_text, _name, getattr(scipy.sparse, _name))


def _with_matrices(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments for the text: sparse matrices are SciPy's own, and operators are ours."""
    made = dict(given)
    for name in {"A", "M", "Minv", "OPinv"} & made.keys():
        real = made[name]._scipys if issubclass(type(made[name]), Held) else made[name]
        made[name] = aslinearoperator(real) if isinstance(real, LinearOperator) else real
    return made


# --- derivatives ---


class _Pairs(torch.autograd.Function):
    """Eigenvalues and eigenvectors of ``a x = w m x`` with the derivatives of the equation."""

    @staticmethod
    def forward(
        a: Tensor, m: Tensor | None, w: Tensor, x: Tensor, is_buckling: bool
    ) -> tuple[Tensor, Tensor]:
        return w.clone(), x.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        *saved, ctx.is_buckling = inputs
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        a, m, w, x = _again(ctx)
        of_w, of_x = gradients
        scaled = torch.zeros_like(x) if of_w is None else x * (of_w / _squares(m, x))
        of_a, of_m = scaled, -scaled * w
        if of_x is not None:
            solved = _solve(a, m, w, x, of_x)
            of_a, of_m = of_a - solved, of_m + solved * w
            if ctx.is_buckling or m is not None:
                norm = _squares(a if ctx.is_buckling else m, x)
                length = x * ((x.conj() * of_x).sum(0).real / (2 * norm))
                of_a, of_m = (of_a - length, of_m) if ctx.is_buckling else (of_a, of_m - length)
        return of_a @ x.mH, None if m is None else of_m @ x.mH, None, None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        a, m, w, x = _again(ctx)
        of_a, of_m = (None if t is None else _times(t, x) for t in tangents[:2])
        moved = torch.zeros_like(x) if of_a is None else of_a
        moved = moved if of_m is None else moved - of_m * w
        longer = of_a if ctx.is_buckling else of_m
        solved = -_solve(a, m, w, x, moved)
        if longer is not None:
            norm = _squares(a if ctx.is_buckling else m, x)
            solved = solved - x * ((x.conj() * longer).sum(0).real / (2 * norm))
        return (x.conj() * moved).sum(0).real / _squares(m, x), solved

    @staticmethod
    def vmap(info: Any, axes: Any, *inputs: Any) -> Any:
        return each(_Pairs, info, axes, inputs)


def _again(ctx: Any) -> Any:
    """What a derivative is computed from; for one of it, with derivatives."""
    a, m, w, x = ctx.saved_tensors
    if torch.is_grad_enabled() or is_transformed():
        w, x = _Pairs.apply(a, m, w, x, ctx.is_buckling)  # type: ignore[no-untyped-call]
    return a.to(x.dtype), m, w, x


def _times(m: Tensor | None, x: Tensor) -> Tensor:
    return x if m is None else m.to(x.dtype) @ x


def _squares(m: Tensor | None, x: Tensor) -> Tensor:
    """``x^H m x`` for each column."""
    return (x.conj() * _times(m, x)).sum(0).real


def _solve(a: Tensor, m: Tensor | None, w: Tensor, x: Tensor, right: Tensor) -> Tensor:
    """The inverse of ``a - w m`` but for the eigenvector itself, for each column."""
    images, found = _times(m, x), []
    zero = x.new_zeros(1, 1)
    one = torch.eye(len(a), dtype=x.dtype, device=x.device) if m is None else m.to(x.dtype)
    for i in range(x.shape[1]):
        image = images[:, i : i + 1]
        top = torch.cat([a - w[i] * one, image], 1)
        whole = torch.cat([top, torch.cat([image.mH, zero], 1)])
        part = torch.cat([right[:, i : i + 1].to(x.dtype), zero])
        found.append(torch.linalg.solve(whole, part)[:-1])
    return torch.cat(found, 1)


def _dense(x: Any, device: torch.device) -> Any:
    """A matrix as a tensor, for its derivative; ``None`` for an operator that has none."""
    if isinstance(x, AnyArray):
        return x._tensor
    return elements_of(x, device).toarray()._tensor if issparse(x) else None


def _order(w: Tensor, which: str, is_shifted: bool) -> Tensor:
    """The order of eigenvalues without vectors, of those in ascending order."""
    if is_shifted or which in ("LA", "BE"):
        return torch.arange(len(w), device=w.device)
    key = {"LM": w.abs(), "SM": -w.abs(), "SA": -w}[which]
    return key.argsort(stable=True)


def eigsh_with_derivatives(find: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's ``eigsh``; eigenvalues and eigenvectors have the derivatives of dense matrices."""
    signature = inspect.signature(find)

    @wraps(find)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = _with_matrices(signature.bind(*args, **kwargs).arguments)
        a, m = given["A"], given.get("M")
        arrays = [x for x in (a, m) if isinstance(x, AnyArray)]
        if not is_transformed():
            arrays = [x for x in arrays if has_derivative(x._tensor)]
        if not arrays or given.get("k", 6) >= a.shape[0]:
            return _plainly(find, given)
        dense, dense_m = (None if x is None else _dense(x, arrays[0].device) for x in (a, m))
        if dense is None or (m is not None and dense_m is None):
            raise OnTheHostError("the derivative needs matrices, and no operators")

        def found(one: Tensor, other: Tensor | None) -> tuple[Tensor, Tensor]:
            own = {"A": wrap(one) if isinstance(a, AnyArray) else a, "return_eigenvectors": True}
            own |= {"M": wrap(other)} if isinstance(m, AnyArray) and other is not None else {}
            w, x = _plainly(find, given | own)
            return w._tensor, x._tensor

        w, x = Found.apply(dense, dense_m, found)  # type: ignore[no-untyped-call]
        is_buckling = given.get("sigma") is not None and given.get("mode") == "buckling"
        w, x = _Pairs.apply(dense, dense_m, w, x, is_buckling)  # type: ignore[no-untyped-call]
        if given.get("return_eigenvectors", True):
            return wrap(w), wrap(x)
        return wrap(w[_order(plain(w), given.get("which", "LM"), given.get("sigma") is not None)])

    return call


def _plainly(find: Callable[..., Any], given: dict[str, Any]) -> Any:
    plain_ones = {name: refusing(plain_array(x)) for name, x in given.items()}
    with torch.no_grad():
        return find(**plain_ones)


def _of_matrices(find: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the text, with its matrices as the text takes them."""
    signature = inspect.signature(find)

    @wraps(find)
    def call(*args: Any, **kwargs: Any) -> Any:
        return find(**_with_matrices(signature.bind(*args, **kwargs).arguments))

    return call


def _with_our_generator(find: Callable[..., Any]) -> Callable[..., Any]:
    """``svds``, for whose decorator NumPy makes a generator of a seed."""

    @wraps(find)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("rng") is not None:
            kwargs["rng"] = default_rng(kwargs["rng"])
        return find(*args, **kwargs)

    return call


def _why_compiled(given: dict[str, Any]) -> str:
    """Why ``svds`` is SciPy's; empty where it computes here."""
    is_propack = str(given.get("solver", "arpack")).lower() == "propack"
    return "PROPACK goes from product to product, in Fortran" if is_propack else ""


def of_eigenvalues(found: dict[str, Any]) -> dict[str, Any]:
    """By name, the functions of SciPy's text that ask ARPACK."""
    made = {
        "eigs": without_derivative(_of_matrices(found["eigs"])),
        "eigsh": eigsh_with_derivatives(found["eigsh"]),
        "svds": leaving(_with_our_generator(without_derivative(found["svds"])), _why_compiled),
    }
    return found | {name: on_its_device(function) for name, function in made.items()}
