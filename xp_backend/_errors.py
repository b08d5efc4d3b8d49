"""The exceptions of the package."""

from __future__ import annotations


class BackendError(RuntimeError):
    """A backend cannot do what was asked of it."""


class MissingOperatorError(BackendError, NotImplementedError):
    """An operator is not registered and cannot be decomposed into registered ones."""
