"""The strictness switches: which version of the standard, and which optional parts of it.

They are process-wide, as array-api-strict's are: a test switches them to hold a library to
exactly what it relies on. In force they cost nothing per call: a version changes which names
the namespace has, and the few functions whose behaviour changed look at ``api_version`` in
their rare paths.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Collection
from types import ModuleType, TracebackType
from typing import Any, TypedDict

import torch

from ._core import defaults
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
"""The version that brought each name; one that is not listed was in 2021.12.

``__array_namespace_info__`` came in 2023.12 and is not listed: it is how tools ask about a
namespace of any version (the public suite does, under 2022.12 too).
"""

api_version: str = VERSIONS[-1]
boolean_indexing: bool = True
data_dependent_shapes: bool = True
enabled_extensions: tuple[str, ...] = tuple(EXTENSIONS)

RESULT_DIFFERS = frozenset(
    {"meshgrid", "broadcast_arrays", "sum", "prod", "linalg.trace", "__array_namespace_info__"}
)
"""The functions whose result for the same arguments is not the same in every version."""

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
        The version of the standard in force, ``"2021.12"`` to ``"2025.12"``.
    boolean_indexing : bool
        Whether ``x[mask]`` is allowed.
    data_dependent_shapes : bool
        Whether the functions whose result's shape depends on values are: ``nonzero``,
        ``unique_*`` and ``repeat`` with an array.
    enabled_extensions : tuple of str
        Which of ``linalg`` and ``fft`` the namespace has.
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
        return api_version

    @property
    def boolean_indexing(self) -> bool:
        return boolean_indexing

    @property
    def data_dependent_shapes(self) -> bool:
        return data_dependent_shapes

    @property
    def enabled_extensions(self) -> tuple[str, ...]:
        return enabled_extensions

    @property
    def default_float(self) -> torch.dtype | None:
        return defaults.get_float_dtype()

    def get(self) -> FlagValues:
        """All values, as a dictionary that ``set`` takes."""
        return {
            "api_version": api_version,
            "boolean_indexing": boolean_indexing,
            "data_dependent_shapes": data_dependent_shapes,
            "enabled_extensions": enabled_extensions,
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
        """Change the flags that are given; the others stay, except as the version requires.

        An extension that the version in force does not have is disabled with it, and is
        enabled again with a version that has it. Raises ``ValueError`` for a version, an
        extension or a dtype that there is not; then nothing has changed.
        """
        module = globals()
        version = _check_version(module["api_version"] if api_version is None else api_version)
        if enabled_extensions is None:
            extensions = _extensions_of(version)
        else:
            extensions = _check_extensions(enabled_extensions, version)
        if default_float != "keep":
            if default_float is not None and default_float not in REAL_FLOATING.dtypes:
                raise ValueError(
                    "flags: default_float must be float32, float64 or None, "
                    f"not {name_of(default_float)}"
                )
            defaults.set_float_dtype(default_float)
        module["api_version"] = version
        module["enabled_extensions"] = extensions
        if boolean_indexing is not None:
            module["boolean_indexing"] = bool(boolean_indexing)
        if data_dependent_shapes is not None:
            module["data_dependent_shapes"] = bool(data_dependent_shapes)
        _apply()

    def reset(self) -> None:
        """Back to the newest version with everything enabled."""
        self.set(
            api_version=VERSIONS[-1],
            boolean_indexing=True,
            data_dependent_shapes=True,
            enabled_extensions=tuple(EXTENSIONS),
            default_float=torch.float64,
        )

    def __call__(self, **values: Any) -> FlagContext:
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
    if not data_dependent_shapes:
        raise RuntimeError(
            f"{name}: the shape of the result depends on the values, and the flag "
            "data_dependent_shapes is off"
        )


def namespace(version: str | None) -> ModuleType:
    """The namespace of a version: ``xp_torch`` itself for the one in force, else a view of it.

    A view has the names of its version, and the functions whose results differ between
    versions give that version's; everything else is the very function of ``xp_torch``.
    """
    if version is None or (isinstance(version, str) and version == api_version):
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
    """``function`` as it behaves in ``version``, whatever version is in force."""

    @functools.wraps(function)
    def versioned(*args: Any, **kwargs: Any) -> Any:
        global api_version
        old, api_version = api_version, version
        try:
            return function(*args, **kwargs)
        finally:
            api_version = old

    return versioned


def names_of(version: str) -> list[str]:
    """The names that a version of the standard gives the namespace, in its order."""
    return [
        name
        for name in _names
        if SINCE.get(name, "2021.12") <= version and EXTENSIONS.get(name, version) <= version
    ]


def attach(names: dict[str, Any]) -> None:
    """Take charge of the namespace's names: ``xp_torch/__init__.py`` calls it at its end."""
    _names.update(names)
    version = os.environ.get("XP_TORCH_API_VERSION")
    if version is None:
        _apply()
    else:
        flags.set(api_version=version)


def _apply() -> None:
    """Give the namespace exactly the names that the flags allow."""
    if not _names:
        return
    module = sys.modules[__package__]
    allowed = [n for n in names_of(api_version) if n not in EXTENSIONS or n in enabled_extensions]
    for name, value in _names.items():
        if name in allowed:
            setattr(module, name, value)
        elif name in module.__dict__:
            delattr(module, name)
    module.__all__ = allowed  # type: ignore[attr-defined]
    module.__array_api_version__ = api_version  # type: ignore[attr-defined]
    for extension in EXTENSIONS:
        if extension in _names:
            _apply_extension(extension, _names[extension])


def _apply_extension(extension: str, module: Any) -> None:
    for name, value in module._NAMES.items():
        if SINCE.get(f"{extension}.{name}", "2021.12") <= api_version:
            setattr(module, name, value)
        elif name in module.__dict__:
            delattr(module, name)
    module.__all__ = [name for name in module._NAMES if name in module.__dict__]


def _check_version(version: str) -> str:
    if not isinstance(version, str) or version not in VERSIONS:
        raise ValueError(
            f"version {version!r} of the array API standard is not one of {', '.join(VERSIONS)}"
        )
    return version


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


def _extensions_of(version: str) -> tuple[str, ...]:
    """The extensions that stay enabled, and those that only the version in force lacks."""
    return tuple(
        e
        for e, since in EXTENSIONS.items()
        if since <= version and (e in enabled_extensions or since > api_version)
    )
