"""The operators that Dynamo does not follow on a class of Python's: ``@``, ``@=`` and ``~``.

Before torch 2.15 (pytorch#189585 and its like) Dynamo sees these operators on tensors and numbers
only, and a program that has one in it does not trace; ``divmod`` is the same before 2.12. Every
other operator becomes a call of the class's method, by a method ``call_<operator>`` of Dynamo's own
class for builtins. Here are those that are missing, for arrays over a ``TensorBox`` alone: of any
other object Dynamo says what it said before. A torch that has a rule keeps its own, so that
this file can go once 2.15 is the oldest torch supported.

Dynamo is not imported for this: it takes seconds, and most programs never need it. The rules are
added when it is imported.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from .box import TensorBox

_MODULE = "torch._dynamo.variables.builtin"
_METHODS = {
    "matmul": ("__matmul__", "__rmatmul__"),
    "imatmul": ("__imatmul__", "__rmatmul__"),
    "divmod": ("__divmod__", "__rdivmod__"),
    "invert": ("__invert__", ""),
    "inv": ("__invert__", ""),
}
"""By Dynamo's name of an operator, the method of its first operand and that of its second."""


def teach(module: ModuleType) -> None:
    """Give Dynamo's class for builtins the rules that it has not."""
    builtin = getattr(module, "BuiltinVariable", None)
    for name, methods in _METHODS.items():
        if builtin is not None and not hasattr(builtin, f"call_{name}"):
            setattr(builtin, f"call_{name}", _rule(*methods))


def _rule(forward: str, reflected: str) -> Callable[..., Any]:
    """A rule of Dynamo's: the result of the operator, or ``None`` where there is none."""

    def rule(self: Any, tx: Any, a: Any, *others: Any) -> Any:
        for owner, method, operands in (
            (a, forward, others),
            *((b, reflected, (a,)) for b in others),
        ):
            if issubclass(getattr(owner, "value_type", object), TensorBox):
                result = owner.call_method(tx, method, list(operands), {})
                if not (
                    result.is_python_constant() and result.as_python_constant() is NotImplemented
                ):
                    return result
        return None

    return rule


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for the import of the module that has Dynamo's class, and steps aside."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                teach(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def install() -> None:
    """Add the rules now if Dynamo is there already, else when it comes."""
    if _MODULE in sys.modules:
        teach(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _Finder())
