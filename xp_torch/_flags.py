"""The strictness switches: the version of the standard and its optional parts.

A test sets them to check that a library relies on nothing else. They belong to the context
(``contextvars``): to the thread or the asyncio task that sets them.

They cost nothing per call until some context sets one. A version changes which names the
namespace has, and the few functions whose behaviour changed read ``api_version`` in their rare
paths. While every context has the defaults, names and flags are plain attributes of their
modules. Otherwise the differing ones are removed from the modules, which get a ``__getattr__``
(PEP 562) that looks them up for the context. It is not there all the time, because Python finds
the attributes of a module without one faster.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Collection
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import torch

from ._core import defaults
from ._core.context import ContextValue
from ._core.dtypes import REAL_FLOATING, name_of

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
EXTENSIONS = {"linalg": "2021.12", "fft": "2022.12"}

SINCE = {
    "complex64": "2022.12",
    "complex128": "2022.12",
    "conj": "2022.12",
    "imag": "2022.12",
    "isdtype": "2022.12",
    "real": "2022.12",
    "take": "2022.12",
    "newaxis": "2022.12",
    "clip": "2023.12",
    "copysign": "2023.12",
    "cumulative_sum": "2023.12",
    "hypot": "2023.12",
    "maximum": "2023.12",
    "minimum": "2023.12",
    "moveaxis": "2023.12",
    "repeat": "2023.12",
    "searchsorted": "2023.12",
    "signbit": "2023.12",
    "tile": "2023.12",
    "unstack": "2023.12",
    "count_nonzero": "2024.12",
    "cumulative_prod": "2024.12",
    "diff": "2024.12",
    "nextafter": "2024.12",
    "reciprocal": "2024.12",
    "take_along_axis": "2024.12",
    "broadcast_shapes": "2025.12",
    "isin": "2025.12",
    "linalg.eig": "2025.12",
    "linalg.eigvals": "2025.12",
}
"""The version that added each name. A name that is not listed is in 2021.12.

``__array_namespace_info__`` was added in 2023.12 and is not listed, because tools call it for a
namespace of any version (as the public suite does, also for 2022.12).
"""


class _Flags(NamedTuple):
    """The flags that a context has set, except the default dtype."""

    api_version: str
    boolean_indexing: bool = True
    data_dependent_shapes: bool = True
    enabled_extensions: tuple[str, ...] = tuple(EXTENSIONS)


def _check_version(version: object) -> str:
    if not isinstance(version, str) or version not in VERSIONS:
        raise ValueError(
            f"version {version!r} of the array API standard is not one of {', '.join(VERSIONS)}"
        )
    return version


def _extensions_of(version: str, before: _Flags) -> tuple[str, ...]:
    """The extensions that stay enabled, including those that only the old version lacked."""
    return tuple(
        e
        for e, since in EXTENSIONS.items()
        if since <= version and (e in before.enabled_extensions or since > before.api_version)
    )


_NEWEST = _Flags(VERSIONS[-1])
_version = _check_version(os.environ.get("XP_TORCH_API_VERSION", VERSIONS[-1]))
_DEFAULT = _Flags(_version, enabled_extensions=_extensions_of(_version, _NEWEST))
"""The flags that every context starts with."""

api_version: str = _DEFAULT.api_version
boolean_indexing: bool = _DEFAULT.boolean_indexing
data_dependent_shapes: bool = _DEFAULT.data_dependent_shapes

_this: Any = sys.modules[__name__]
"""This module. Dynamo follows its attributes, but not context variables (see ``context``)."""

if not TYPE_CHECKING:  # or a type checker would accept every name of the module

    def __getattr__(name: str) -> Any:
        """``of_context``: this context's flags, or one flag while contexts differ in it."""
        if name == "api_version":
            return _in_force.get()
        if name in ("boolean_indexing", "data_dependent_shapes"):
            return getattr(_flags.get(), name)
        if name == "of_context":
            return _flags.get()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


RESULT_DIFFERS = frozenset(
    {"meshgrid", "broadcast_arrays", "sum", "prod", "linalg.trace", "__array_namespace_info__"}
)
"""The functions whose results depend on the version."""

_names: dict[str, Any] = {}
_views: dict[str, ModuleType] = {}


class FlagValues(TypedDict):
    """The values of all flags."""

    api_version: str
    boolean_indexing: bool
    data_dependent_shapes: bool
    enabled_extensions: tuple[str, ...]
    default_float: torch.dtype | None


class Flags:
    """The switch object ``xp_torch.flags``: read its attributes, ``set``, ``reset``, or call it.

    Attributes
    ----------
    api_version : str
        The current version of the standard, ``"2021.12"`` to ``"2025.12"``.
    boolean_indexing : bool
        Whether ``x[mask]`` is allowed.
    data_dependent_shapes : bool
        Whether functions are allowed whose result's shape depends on values: ``nonzero``,
        ``unique_*`` and ``repeat`` with an array.
    enabled_extensions : tuple of str
        The extensions that the namespace has, of ``linalg`` and ``fft``.
    default_float : torch.dtype or None
        The default real dtype: ``float64``, ``float32``, or ``None`` to follow
        ``torch.get_default_dtype()``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> with xp.flags(api_version="2022.12"):
    ...     hasattr(xp, "clip")
    False
    >>> hasattr(xp, "clip")
    True
    """

    __slots__ = ()

    @property
    def api_version(self) -> str:
        version: str = _this.of_context.api_version
        return version

    @property
    def boolean_indexing(self) -> bool:
        allowed: bool = _this.of_context.boolean_indexing
        return allowed

    @property
    def data_dependent_shapes(self) -> bool:
        allowed: bool = _this.of_context.data_dependent_shapes
        return allowed

    @property
    def enabled_extensions(self) -> tuple[str, ...]:
        enabled: tuple[str, ...] = _this.of_context.enabled_extensions
        return enabled

    @property
    def default_float(self) -> torch.dtype | None:
        return defaults.get_float_dtype()

    def get(self) -> FlagValues:
        """All values, as a dictionary for ``set``."""
        own: _Flags = _this.of_context
        return {
            "api_version": own.api_version,
            "boolean_indexing": own.boolean_indexing,
            "data_dependent_shapes": own.data_dependent_shapes,
            "enabled_extensions": own.enabled_extensions,
            "default_float": defaults.get_float_dtype(),
        }

    def set(
        self,
        *,
        api_version: str | None = None,
        boolean_indexing: bool | None = None,
        data_dependent_shapes: bool | None = None,
        enabled_extensions: Collection[str] | None = None,
        default_float: torch.dtype | str | None = "keep",
    ) -> None:
        """Change the given flags for this context; the others keep their values.

        A new thread starts with all flags at their defaults, a task with those of the context
        that made it.

        A version without an extension disables that extension, and a version with it enables it
        again. Raises ``ValueError`` for an unknown version, extension or dtype, and then changes
        nothing.
        """
        before = _flags.get()
        version = _check_version(before.api_version if api_version is None else api_version)
        if enabled_extensions is None:
            extensions = _extensions_of(version, before)
        else:
            extensions = _check_extensions(enabled_extensions, version)
        if default_float != "keep":
            if default_float is not None and default_float not in REAL_FLOATING.dtypes:
                raise ValueError(
                    "flags: default_float must be float32, float64 or None, "
                    f"not {name_of(default_float)}"
                )
            defaults.set_float_dtype(default_float)
        if boolean_indexing is None:
            boolean_indexing = before.boolean_indexing
        if data_dependent_shapes is None:
            data_dependent_shapes = before.data_dependent_shapes
        own = _Flags(version, bool(boolean_indexing), bool(data_dependent_shapes), extensions)
        _in_force.set(version)
        _flags.set(own)

    def reset(self) -> None:
        """Reset to the newest version with everything enabled."""
        self.set(**_NEWEST._asdict(), default_float=torch.float64)

    def __call__(self, **values: object) -> FlagContext:
        """A context manager: ``set(**values)`` inside, the old values after."""
        return FlagContext(values)

    def __repr__(self) -> str:
        listed = ", ".join(f"{k}={v!r}" for k, v in self.get().items())
        return f"flags({listed})"


class FlagContext:
    """Sets flags on entering a ``with`` block and restores them on leaving it."""

    __slots__ = ("_old", "_values")

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values
        self._old: list[FlagValues] = []

    def __enter__(self) -> Flags:
        old = flags.get()
        flags.set(**self._values)
        self._old.append(old)
        return flags

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        flags.set(**self._old.pop())


flags = Flags()


def require_data_dependent_shapes(name: str) -> None:
    """Raise ``RuntimeError`` where the flag forbids results whose shape depends on values."""
    if not _this.data_dependent_shapes:
        raise RuntimeError(
            f"{name}: the shape of the result depends on the values, and the flag "
            "data_dependent_shapes is off"
        )


def namespace(version: object) -> ModuleType:
    """The namespace of a version: ``xp_torch`` itself for the current one, else a view of it.

    A view has the names of its version. Its functions whose results differ between versions give
    that version's results; the others are the functions of ``xp_torch`` themselves.
    """
    if version is None or (isinstance(version, str) and version == _this.api_version):
        return sys.modules[__package__]
    version = _check_version(version)
    if version not in _views:
        _views[version] = _view(version)
    return _views[version]


def _view(version: str) -> ModuleType:
    view = ModuleType(__package__, f"The names of version {version} of the standard.")
    for name in names_of(version):
        value = _names[name]
        if name in EXTENSIONS:
            value = _extension_view(name, value, version)
        elif name in RESULT_DIFFERS:
            value = _under(version, value)
        setattr(view, name, value)
    view.__all__ = names_of(version)  # type: ignore[attr-defined]
    view.__array_api_version__ = version  # type: ignore[attr-defined]
    return view


def _extension_view(extension: str, module: Any, version: str) -> ModuleType:
    view = ModuleType(module.__name__, module.__doc__)
    for name, value in module._NAMES.items():
        if SINCE.get(f"{extension}.{name}", "2021.12") <= version:
            differs = f"{extension}.{name}" in RESULT_DIFFERS
            setattr(view, name, _under(version, value) if differs else value)
    return view


def _under(version: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as it behaves in ``version``, independent of the current version."""

    @functools.wraps(function)
    def versioned(*args: object, **kwargs: object) -> Any:
        token = _in_force.set(version)
        try:
            return function(*args, **kwargs)
        finally:
            _in_force.reset(token)

    return versioned


def names_of(version: str) -> list[str]:
    """The names of the namespace in a version of the standard, in the standard's order."""
    return [
        name
        for name in _names
        if SINCE.get(name, "2021.12") <= version and EXTENSIONS.get(name, version) <= version
    ]


def attach(names: dict[str, Any]) -> None:
    """Let the flags control the namespace's names. ``xp_torch/__init__.py`` calls it at its end.

    The namespace and the extensions get their ``__getattr__`` in this file and not in theirs,
    where it would make a type checker accept every name.
    """
    _names.update(names)
    _show()


def _allowed(own: _Flags) -> list[str]:
    """The names of the namespace under some flags, in the standard's order."""
    return [
        name
        for name in names_of(own.api_version)
        if name not in EXTENSIONS or name in own.enabled_extensions
    ]


def public_names() -> list[str]:
    """The names of the namespace in this context."""
    return _allowed(_flags.get())


def _attribute(module: str, name: str) -> Any:
    """An attribute of the namespace (``""``) or of an extension while contexts differ in it."""
    visible = _visible(module, _flags.get())
    if name not in visible:
        full = f"{__package__}.{module}" if module else __package__
        raise AttributeError(f"module {full!r} has no attribute {name!r}")
    return visible[name]


def _visible(module: str, own: _Flags) -> dict[str, Any]:
    """The attributes that flags give to the namespace or to an extension."""
    if not module:
        names = _allowed(own)
        made = {name: _names[name] for name in names}
        return {**made, "__all__": names, "__array_api_version__": own.api_version}
    made = {
        name: value
        for name, value in _names[module]._NAMES.items()
        if SINCE.get(f"{module}.{name}", "2021.12") <= own.api_version
    }
    return {**made, "__all__": list(made)}


def _modules() -> dict[str, ModuleType]:
    return {"": sys.modules[__package__], **{e: _names[e] for e in EXTENSIONS if e in _names}}


def _show() -> None:
    """Give every module exactly the attributes of the default flags."""
    for name, module in _modules().items():
        visible = _visible(name, _DEFAULT)
        for lacking in _visible(name, _NEWEST).keys() - visible:
            vars(module).pop(lacking, None)
        vars(module).update(visible)
        vars(module).pop("__getattr__", None)


def _hide() -> None:
    """Remove from every module the attributes that depend on flags."""
    oldest = _Flags(VERSIONS[0], enabled_extensions=())
    for name, module in _modules().items():
        always = _visible(name, oldest)
        vars(module)["__getattr__"] = functools.partial(_attribute, name)
        for attribute, value in _visible(name, _NEWEST).items():
            if attribute not in always or always[attribute] != value:
                vars(module).pop(attribute, None)


def _switch_flags(differ: bool) -> None:
    """Switch this module and the namespace between the default flags and the context's."""
    space = globals()
    if not differ:
        space["boolean_indexing"] = _DEFAULT.boolean_indexing
        space["data_dependent_shapes"] = _DEFAULT.data_dependent_shapes
        _show()
    else:
        space.pop("boolean_indexing", None)
        space.pop("data_dependent_shapes", None)
        _hide()


def _switch_version(differ: bool) -> None:
    """The same for the version that functions follow."""
    if differ:
        globals().pop("api_version", None)
    else:
        globals()["api_version"] = _DEFAULT.api_version


_flags = ContextValue("xp_torch.flags", _DEFAULT, _switch_flags)
_in_force = ContextValue("xp_torch.api_version", _DEFAULT.api_version, _switch_version)
"""The version that functions follow: that of the flags, or of a view during its calls."""


def _check_extensions(extensions: Collection[str], version: str) -> tuple[str, ...]:
    for extension in extensions:
        if extension not in EXTENSIONS:
            raise ValueError(f"flags: there is no extension {extension!r}")
        if EXTENSIONS[extension] > version:
            raise ValueError(
                f"flags: the extension {extension} came with version {EXTENSIONS[extension]} of "
                f"the standard, and {version} is in force"
            )
    return tuple(e for e in EXTENSIONS if e in extensions)
