"""NumPy's own Python text, executed with this library in the place of NumPy.

Much of NumPy is Python code that calls NumPy's public functions. Such a module of the installed
NumPy is executed here again, with imports that give our functions for those of NumPy. So the rules
are those of the installed NumPy, and the code works on any device, has gradients and traces as far
as our functions do. ``names`` says which functions are made in this way.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import linecache
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

import numpy
from numpy._core.overrides import array_function_dispatch

from .whole import OF_PYTHON

_F = TypeVar("_F")


def executed(
    source: str, name: str, package: str = "", imports: Callable[..., Any] | None = None
) -> ModuleType:
    """NumPy's module ``source``, executed as the module ``name``.

    Relative imports are those of ``package``. What the code looks up in NumPy must be defined here.
    ``imports`` is the ``__import__`` of the code, for text that imports more than NumPy.
    """
    spec = importlib.util.find_spec(source)
    assert spec is not None
    module = ModuleType(name)
    module.__package__ = package
    module.__file__ = spec.origin
    given = {**OF_PYTHON, "__import__": imports or import_for_text}
    module.__dict__["__builtins__"] = vars(builtins) | given
    sys.modules[name] = module
    loader: Any = spec.loader
    if not hasattr(loader, "get_source"):  # pytest's, which rewrites files called ``*_test.py``
        loader = SourceFileLoader(source, str(spec.origin))
    # Dynamo goes by the file: it traces code of this package, and none of NumPy's.
    file = str(Path(__file__).with_name(f"{source}.py"))
    linecache.cache[file] = (partial(loader.get_source, source),)  # for tracebacks, read then
    try:
        exec(_in_file(loader.get_code(source), file), module.__dict__)
    except BaseException:
        del sys.modules[name]  # as an import does
        raise
    return module


def _in_file(code: CodeType, file: str) -> CodeType:
    """Code, and all code inside, as if it stood in another file."""
    constants = [_in_file(c, file) if isinstance(c, CodeType) else c for c in code.co_consts]
    return code.replace(co_filename=file, co_consts=tuple(constants))


def import_for_text(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """``__import__`` for NumPy's modules: what it gives of NumPy has our functions in it."""
    if level or name.partition(".")[0] != "numpy":
        return builtins.__import__(name, globals, locals, fromlist, level)
    if name == "numpy":
        return sys.modules["numpy_shim"]
    return _module(name if fromlist else "numpy")


@cache
def _module(name: str) -> ModuleType:
    """NumPy's module of this name with our functions under public names."""
    theirs = importlib.import_module(name)
    made = _Module(name)
    for room in ("", ".linalg", ".lib.array_utils"):
        public, ours = (vars(sys.modules[f"{top}{room}"]) for top in ("numpy", "numpy_shim"))
        found = [n for n, value in vars(theirs).items() if n in ours and public.get(n) is value]
        vars(made).update({n: ours[n] for n in found if callable(ours[n])})
    vars(made).update({n: _DECORATORS[n] for n in _DECORATORS if hasattr(theirs, n)})
    return made


class _Module(ModuleType):
    """What is public in it is ours; the rest is NumPy's."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(sys.modules[self.__name__], name)
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy":
            return sys.modules["numpy_shim"] if value is numpy else _module(value.__name__)
        return value


def _dispatched(dispatcher: Callable[..., Any], module: str | None = None) -> Any:
    """NumPy's decorator, which asks other classes; our main functions do not ask them."""
    return _unchanged() if module == "numpy" else array_function_dispatch(dispatcher, module)


def _unchanged(*args: object) -> Callable[[_F], _F]:
    return lambda made: made


_DECORATORS = {"array_function_dispatch": _dispatched, "set_module": _unchanged}
"""What NumPy's functions are decorated with."""
