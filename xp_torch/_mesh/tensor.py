"""``MeshTensor``: a tensor of which each process of a mesh holds a part.

torch sees one tensor with the shape of the whole. Every operation on it comes to
``__torch_dispatch__`` below autograd, so gradients work as for any tensor, and no function of the
packages has to know that a tensor is distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .._torch.internals import make_wrapper, no_torch_function
from . import collectives
from .layout import Layout, axis_order, chunk, dense_strides, in_order


class MeshTensor(Tensor):
    """A tensor spread over a mesh of processes.

    ``part`` is what this process holds, ``mesh`` the mesh and ``axes`` the layout. A view that no
    process can take of its own part has values that were moved here: ``source`` is then the tensor
    it is a view of and the operation that took it, ``seen`` the version of the memory it was read
    from. It is read again if that memory was written to, and what is written to it is carried
    back, so it is a view as any other. Such a part is in ``pieces`` along the axis ``joint`` until
    somebody asks for it: the rows that came, and the source's own. Where this process lacked
    nothing, while others did, it is one piece, and who only reads may have that.
    """

    _part: Tensor | None
    pieces: list[Tensor]
    joint: int
    mesh: Any
    axes: Layout
    source: tuple[MeshTensor, Any, tuple[Any, ...], dict[str, Any]] | None
    seen: int | None
    root: MeshTensor | None

    __torch_function__ = no_torch_function

    @staticmethod
    def __new__(
        cls,
        part: Tensor,
        mesh: object,
        axes: Layout,
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
        offset: int = 0,
        like: Tensor | None = None,
    ) -> MeshTensor:
        if strides is None:
            # What every process shows must not depend on its part, which may have one row or none:
            # the axes lie as those of ``like``, or row by row.
            order = list(range(len(shape))) if like is None else axis_order(like.stride())
            part, strides = in_order(part, order), dense_strides(shape, order)
        made = make_wrapper(
            cls,
            tuple(shape),
            strides=tuple(strides),
            storage_offset=offset,
            dtype=part.dtype,
            device=part.device,
        )
        made.part, made.mesh, made.axes = part, mesh, tuple(axes)
        made.source = made.seen = made.root = None
        return made  # type: ignore[no-any-return]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__()

    @property
    def part(self) -> Tensor:
        """What this process holds, in memory that no other tensor's part has but by a view."""
        part = self._part
        if part is None:
            first = self.pieces[0]
            part = torch.cat(self.pieces, self.joint) if len(self.pieces) > 1 else first.clone()
            self.part = part
        return part

    @part.setter
    def part(self, part: Tensor) -> None:
        self._part, self.pieces, self.joint = part, [], 0

    @property
    def lent(self) -> Tensor | None:
        """The part, if it is memory of the tensor this is a view of."""
        return self.pieces[0] if len(self.pieces) == 1 else None

    def join_later(self, pieces: list[Tensor], axis: int) -> None:
        """Have a part that is made of pieces when it is asked for.

        All processes exchange first and join then, at the same time.
        """
        self._part, self.pieces, self.joint = None, pieces, axis

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: object, types: object, args: object = (), kwargs: object = None
    ) -> Any:
        return dispatch[0](func, args, kwargs or {})

    # What reads memory directly gets the values of the whole, on every process.

    def whole(self) -> Tensor:
        """All values, as a plain tensor on every process, without a gradient."""
        return whole(self.detach())  # type: ignore[arg-type]

    def numpy(self, *, force: bool = False) -> Any:
        return self.whole().numpy(force=force)

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        found: Any = self.whole().numpy()
        return found if dtype is None else found.astype(dtype)

    def tolist(self) -> Any:
        return self.whole().tolist()

    def __repr__(self, *, tensor_contents: object = None) -> str:  # type: ignore[override]
        return repr(self.whole())

    def __reduce_ex__(self, protocol: object) -> Any:
        return self.whole().__reduce_ex__(protocol)

    def __deepcopy__(self, memo: dict[int, object]) -> Tensor:
        copied = self.detach().clone().requires_grad_(self.requires_grad)
        memo[id(self)] = copied
        return copied

    def __dlpack__(self, *args: object, **kwargs: object) -> Any:
        raise BufferError(
            "__dlpack__: a distributed array has no memory to share; gather it first, as with "
            "numpy_shim.distributed.gather"
        )

    def untyped_storage(self) -> Any:
        return self.part.untyped_storage()

    def data_ptr(self) -> int:
        return self.part.data_ptr()

    def share_memory_(self) -> Tensor:
        raise RuntimeError("share_memory_: a distributed array is on several processes")


dispatch: list[Callable[[Any, Any, Any], Any]] = []
"""The function that runs an operation; ``rules`` puts it here."""


def whole(t: MeshTensor) -> Tensor:
    """All values as a plain tensor; the part itself if every process holds the whole."""
    part = current(t).part
    for m in range(len(t.axes) - 1, -1, -1):
        axis = t.axes[m]
        if axis is not None:
            part = collectives.gathered(part, axis, t.shape[axis], t.mesh, m)
    return part


def shared_out(full: Tensor, mesh: object, axes: Layout) -> Tensor:
    """This process's part of a tensor of which every process holds the whole."""
    for m, axis in enumerate(axes):
        if axis is not None:
            full = chunk(full, axis, mesh, m)
    return full


def replicated(t: MeshTensor) -> bool:
    """Whether every process holds the whole tensor."""
    return all(axis is None for axis in t.axes)


def version(t: MeshTensor) -> int | None:
    """How often the memory was written to; ``None`` if torch does not count (inference mode)."""
    return None if t.is_inference() else t._version


def current(t: MeshTensor) -> MeshTensor:
    """``t``, read again from what it is a view of if that was written to since."""
    if t.source is not None and (t.seen is None or t.seen != version(t)):
        parent, func, args, kwargs = t.source
        again = taken[0](current(parent), func, args, kwargs)
        t._part, t.pieces, t.joint = again._part, again.pieces, again.joint
        t.seen = version(t)
    return t


taken: list[Callable[..., MeshTensor]] = []
"""The function that takes a view; ``views`` puts it here."""
