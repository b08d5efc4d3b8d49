"""The measured namespaces, their peers, and their bounds."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.cases import NUMPY_CASES, Case


class Subject(NamedTuple):
    """A namespace of this project, and the library to compare it with."""

    name: str
    peer: str
    mean_bound: float
    worst_bound: float
    import_bound_ms: float | None
    own: Sequence[Case]
    """Cases beside those of the standard; measured, without a bound."""

    def namespaces(self, peers: bool) -> dict[str, Any]:
        """The namespace, and the peer if it is wanted, by name."""
        names = [self.name, self.peer] if peers else [self.name]
        return {name: importlib.import_module(name) for name in names}


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("xp_torch", "array_api_compat.torch", 1.30, 2.0, 100.0, ()),
        Subject("numpy_shim", "torch._numpy", 1.45, 2.5, None, NUMPY_CASES),
    )
}
