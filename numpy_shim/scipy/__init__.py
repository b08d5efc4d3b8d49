"""SciPy on arrays of ours: ``from numpy_shim.scipy import signal`` in place of ``scipy``.

The layout, the names, the classes, the documentation and the errors are SciPy's. Functions and
methods take arrays of ours, on any device, and return arrays of ours; ``_bridge`` says what
computes them. SciPy is needed, and is imported by what a program uses of it.
"""

from importlib import import_module as _import_module

try:
    import scipy as _scipy
except ModuleNotFoundError as _error:
    if _error.name != "scipy":
        raise
    raise ImportError(
        "numpy_shim.scipy needs SciPy, which is not installed: pip install scipy", name="scipy"
    ) from None

from . import _modules

_modules.install()

__all__ = list(_scipy.__all__)
__version__ = _scipy.__version__


def __getattr__(name: str) -> object:
    return _modules.attribute(_import_module(__name__), name)


def __dir__() -> list[str]:
    return dir(_scipy)
