"""Products of every dtype that NumPy multiplies: booleans and 16-bit floats too.

A product of booleans is a disjunction of conjunctions. 16-bit floats are summed in float32, as
in NumPy.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import TypeVar

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.dtypes import INTEGER
from xp_torch._kernels import linalg
from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.unsigned import as_signed, from_signed

from .._base.dtypes import HALVES

_LETTERS = string.ascii_letters
_X = TypeVar("_X")


def _every_dtype(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Extend a product of two tensors to booleans and 16-bit floats."""

    def general(a: Tensor, b: Tensor, *rest: object) -> Tensor:
        dtype = a.dtype
        if dtype is torch.bool:  # a sum of zeros and ones is 0 only if all are zeros
            return torch.ne(function(a.float(), b.float(), *rest), 0)
        if dtype in HALVES:
            return function(a.float(), b.float(), *rest).to(dtype)
        return function(a, b, *rest)

    return general


matmul = _every_dtype(linalg.matmul)
tensordot = _every_dtype(linalg.tensordot)
vecdot = _every_dtype(linalg.vecdot)


def multiply(a: Tensor, b: Tensor) -> Tensor:
    """The element-wise product, a conjunction of booleans."""
    if a.dtype is torch.bool:
        return torch.logical_and(a, b)
    return from_signed(torch.mul(as_signed(a), as_signed(b)), a.dtype)


def dot(a: Tensor, b: Tensor) -> Tensor:
    """NumPy's ``dot``: over the last axis of ``a`` and the last but one of ``b``."""
    if a.dim() == 0 or b.dim() == 0:
        return multiply(a, b)
    if a.dim() <= 2 and b.dim() <= 2:
        return matmul(a, b)
    return tensordot(a, b, (a.dim() - 1,), (max(b.dim() - 2, 0),))


def vector_product(a: Tensor, b: Tensor) -> Tensor:
    """The cross products of vectors of three numbers in the last axes.

    Not ``torch.linalg.cross``, which may fuse a product with the difference: then the cross
    product of a vector with itself is not zero.
    """
    # The difference i is component i - 2 of the result, which is component i + 1 modulo 3.
    differences = torch.sub(torch.mul(a, b.roll(-1, -1)), torch.mul(a.roll(-1, -1), b))
    return differences.roll(-1, -1)


_ORDER = torch.tensor([5, 6, 1], device="cpu")


def vector_product_of_three(a: Tensor, b: Tensor) -> Tensor:
    """``vector_product`` of two 1-D tensors on the CPU, in half the calls of torch.

    The components are differences of the outer product and its transpose. Not in a trace: it reads
    a constant.
    """
    products = torch.outer(a, b)
    return torch.sub(products, products.t()).reshape(9).index_select(0, _ORDER)


def einsum(terms: Sequence[Sequence[int]], output: Sequence[int], tensors: list[Tensor]) -> Tensor:
    """The sum over the labels that are not in ``output`` of the product of ``tensors``.

    All have one dtype; each term labels the axes of one tensor.
    """
    dtype = tensors[0].dtype
    if dtype is torch.bool:
        return torch.ne(einsum(terms, output, [t.float() for t in tensors]), 0)
    if dtype in HALVES:
        return einsum(terms, output, [t.float() for t in tensors]).to(dtype)
    if dtype in INTEGER.dtypes:
        return _einsum_integer(terms, output, tensors)
    # As text: torch spends more on lists of labels than on a small sum.
    text = _text.__wrapped__ if is_compiling() else _text
    result = torch.einsum(text(tuple(map(tuple, terms)), tuple(output)), *tensors)
    if len(tensors) == 1 and set(terms[0]) == set(output):
        return result.clone()  # torch returned a view
    return result


@lru_cache(1024)
def _text(terms: tuple[tuple[int, ...], ...], output: tuple[int, ...]) -> str:
    """The labels as torch reads them."""
    labels = ",".join(["".join([_LETTERS[x] for x in term]) for term in terms])
    return f"{labels}->{''.join([_LETTERS[x] for x in output])}"


def _einsum_integer(
    terms: Sequence[Sequence[int]], output: Sequence[int], tensors: list[Tensor]
) -> Tensor:
    """Integers wrap around: matrix products, two tensors at a time.

    torch's einsum supports no integers on CUDA, and no wide unsigned integers at all.
    """
    dtype = tensors[0].dtype
    signed = [as_signed(t) for t in tensors]
    labels, result = diagonals(list(terms[0]), signed[0], torch.diagonal)
    for i in range(1, len(signed)):
        other, tensor = diagonals(list(terms[i]), signed[i], torch.diagonal)
        later = {label for term in terms[i + 1 :] for label in term} | set(output)
        kept = [x for x in dict.fromkeys([*labels, *other]) if x in later]
        result = _pair(result, labels, tensor, other, kept)
        labels = kept
    count = len(labels)
    labels, result = _summed(result, labels, set(output))
    result = result.permute([labels.index(label) for label in output])
    if len(signed) == 1 and len(labels) == count:
        result = result.clone()
    return from_signed(result, dtype)


def diagonals(
    labels: list[int], x: _X, diagonal: Callable[[_X, int, int, int], _X]
) -> tuple[list[int], _X]:
    """A view in which no label comes twice: the ``diagonal`` of axes that share one."""
    while len(set(labels)) < len(labels):
        label = next(x for x in labels if labels.count(x) > 1)
        first = labels.index(label)
        second = labels.index(label, first + 1)
        x = diagonal(x, 0, first, second)
        labels = [x for i, x in enumerate(labels) if i not in (first, second)] + [label]
    return labels, x


def _pair(
    a: Tensor, a_labels: list[int], b: Tensor, b_labels: list[int], kept: list[int]
) -> Tensor:
    """The product of two tensors, summed over the labels that are not kept.

    It is a batch of matrix products. It needs memory for the operands and the result, not for
    every combination of all labels.
    """
    a_labels, a = _without_ones(a, a_labels, b, b_labels)
    b_labels, b = _without_ones(b, b_labels, a, a_labels)
    a_labels, a = _summed(a, a_labels, {*b_labels, *kept})
    b_labels, b = _summed(b, b_labels, {*a_labels, *kept})
    batch = [x for x in kept if x in a_labels and x in b_labels]
    rows = [x for x in a_labels if x not in b_labels]
    columns = [x for x in b_labels if x not in a_labels]
    inner = [x for x in a_labels if x in b_labels and x not in batch]
    left = a.permute([a_labels.index(x) for x in (*batch, *rows, *inner)])
    right = b.permute([b_labels.index(x) for x in (*batch, *inner, *columns)])
    shape = (*left.shape[: len(batch) + len(rows)], *right.shape[len(batch) + len(inner) :])
    outer = list(left.shape[: len(batch)])
    m, n = (
        prod(left.shape[len(batch) : len(batch) + len(rows)]),
        prod(right.shape[right.dim() - len(columns) :]),
    )
    k = prod(right.shape[len(batch) : len(batch) + len(inner)])
    left, right = left.reshape([*outer, m, k]), right.reshape([*outer, k, n])
    if not inner:
        product = torch.mul(left, right)
    elif not batch and not rows and not columns and is_large(left):
        product = torch.dot(left.reshape(-1), right.reshape(-1))
    elif not rows and not columns:
        product = torch.mul(left.squeeze(-2), right.squeeze(-1))
        product = torch.sum(product, -1, dtype=product.dtype)
    else:
        product = linalg.matmul(left, right)
    made = [*batch, *rows, *columns]
    return product.reshape(shape).permute([made.index(x) for x in kept])


def _without_ones(
    tensor: Tensor, labels: list[int], other: Tensor, others: list[int]
) -> tuple[list[int], Tensor]:
    """Without the axes of size 1 that broadcast to an axis of the other tensor."""
    ones = [
        i
        for i, x in enumerate(labels)
        if tensor.shape[i] == 1 and x in others and other.shape[others.index(x)] != 1
    ]
    if not ones:
        return labels, tensor
    return [x for i, x in enumerate(labels) if i not in ones], tensor.squeeze(ones)


def _summed(tensor: Tensor, labels: list[int], needed: set[int]) -> tuple[list[int], Tensor]:
    """The sum over the labels that are not needed any more."""
    rest = [i for i, x in enumerate(labels) if x not in needed]
    if not rest:
        return labels, tensor
    summed = torch.sum(tensor, rest, dtype=tensor.dtype)
    return [x for x in labels if x in needed], summed
