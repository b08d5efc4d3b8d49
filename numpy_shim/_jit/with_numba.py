"""Numba as a compiler of functions on the CPU: it gets NumPy's arrays, or ours as their memory.

A call whose arithmetic raises one of the processor's flags (a division by zero, an overflow, an
invalid operation) or an exception is undone, and the function runs as it is: so what it warns of,
raises and gives is its own.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import hashlib
import importlib.util
import inspect
import os
import platform
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy

from xp_torch._core.devices import default_is_cpu

from .._array.host_view import kept_view
from .._array.ndarray import ndarray
from .._convert.from_data import asarray
from ..random._generator import Generator
from ..random._streams import is_native
from .candidates import RefusedError
from .loops import has_loops
from .numba_source import INTEGER, ITEMS, KINDS, LARGEST, MISSING, NUMPYS, TOLD, Source, source_for
from .signatures import LAYOUT, MANY
from .snapshot import Snapshot

_IMPORT, _COMPILE, _COMPILE_ARRAYS, _LOAD = 0.8, 1.5, 6.0, 0.3
"""Seconds: for the import of Numba, a function with loops, one without, one from the cache."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_FLAGS = {"x86_64": 1 | 4 | 8, "AMD64": 1 | 4 | 8, "i686": 1 | 4 | 8, "aarch64": 7, "arm64": 7}
"""The flags of invalid operations, divisions by zero and overflows, by the kind of processor."""
_SCALARS = {
    numpy.float64: float, numpy.int64: int, numpy.bool_: bool, numpy.complex128: complex,
}  # fmt: skip
_NUMPYS: dict[type, Any] = {python: numpys for numpys, python in _SCALARS.items()}
_NUMPYS_GENERATOR = numpy.random.Generator
_TAKEN = (
    int, float, complex, bool, type(None), numpy.float64, numpy.int64, numpy.bool_, Generator,
    _NUMPYS_GENERATOR,
)  # fmt: skip


def is_installed() -> bool:
    """Whether there is Numba."""
    return importlib.util.find_spec("numba") is not None


class WithNumba:
    """What Numba makes of one function."""

    name = "Numba"
    shortest = 5e-6
    patience = 1.0

    def __init__(self, function: FunctionType, plain: Callable[..., Any]) -> None:
        self._function = function
        self._plain = plain
        self._source: Source | None = None
        self._entry: Any = None

    @functools.cached_property
    def _compile(self) -> float:
        return _COMPILE if has_loops(self._function) else _COMPILE_ARRAYS

    def cost(self, is_cached: bool = False) -> float:
        """See ``Candidate``."""
        loading = 0.0 if "numba" in sys.modules else _IMPORT
        is_cached = is_cached or (self._source is not None and _file_of(self._source).exists())
        return loading + (_LOAD if is_cached else self._compile)

    def compiled(self, copies: Snapshot, result: object) -> tuple[_NumbasWay, Any]:
        """See ``Candidate``."""
        if not is_installed():
            raise RefusedError("it is not installed: pip install xp-torch[jit]")
        flags = _FLAGS.get(platform.machine())
        library = _math()
        if flags is None or library is None:
            raise RefusedError("the processor's flags of errors cannot be read here")
        if self._source is None:
            self._source = source_for(self._function)
        for value in (*copies.arguments, *copies.keywords.values()):
            _look_at(value)
        if self._entry is None:
            self._entry = _module(self._source).entry
        way = _NumbasWay(self._source, self._function, self._plain, library, flags)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            way.compile(self._entry, copies)
        return way, way.first(copies, result)


class _NumbasWay:
    """A compiled function for one kind of arguments."""

    def __init__(
        self,
        source: Source,
        function: FunctionType,
        plain: Callable[..., Any],
        library: Any,
        flags: int,
    ) -> None:
        self._entry: Callable[..., Any] = plain
        self._function = function
        self._plain = plain
        self._text = source.text
        self._reads = source.reads
        parameters = list(inspect.signature(function).parameters)
        self._place = {name: i for i, name in enumerate(parameters)}
        self._written = [i for i, name in enumerate(parameters) if name in source.written]
        self._clear, self._test, self._flags = library.feclearexcept, library.fetestexcept, flags
        self._give: Callable[[Any, Any, Any, Any], Any] | None = None
        self._kinds = numpy.zeros(ITEMS + len(parameters), numpy.int64)
        """What tells the kinds of results, after it the kinds of the arguments."""
        self._is_told = False
        self._has_arrays = True
        self._generators: list[int] = []
        self._is_ours = False
        """Whether an argument is ours."""
        self._layouts: list[int] = []
        """The layouts of arrays, if some are ours: their kinds do not tell."""

    def compile(self, entry: Any, copies: Snapshot) -> None:
        """Let Numba compile for arguments like these.

        What it makes takes these types only. A call of Numba's own dispatcher would compile for
        others, without a comparison.
        """
        from numba import typeof
        from numba.core.config import USING_SVML
        from numba.core.errors import NumbaError

        if USING_SVML:
            raise RefusedError("it uses SVML, whose functions do not tell of errors")

        def kind(value: object, is_written: bool) -> Any:
            """Numba's type of an argument; arrays that are not written to are read-only."""
            found = typeof(value)
            if type(value) is tuple:
                return type(found).from_types([kind(v, is_written) for v in value])
            return found if is_written or not _arrays_in((value,)) else found.copy(readonly=True)

        arguments = self._in_order(copies.arguments, copies.keywords)
        if arguments is None:
            raise RefusedError("its arguments are not given in order")
        given = tuple([_taken(v) for v in arguments])
        self._has_arrays = bool(_arrays_in(arguments))
        self._kinds[ITEMS:] = [TOLD | (NUMPYS if type(v) in _SCALARS else 0) for v in arguments]
        self._generators = [i for i, v in enumerate(given) if type(v) is _NUMPYS_GENERATOR]
        self._is_ours = any(type(v) in (ndarray, Generator) for v in _flat(arguments))
        if self._is_ours:
            self._layouts = _layouts(given)
        try:
            types = [kind(value, i in self._written) for i, value in enumerate(given)]
            types.append(typeof(self._kinds))
            self._entry = entry.compile(tuple(types))
        except NumbaError as error:
            if "setitem" in str(error) and "readonly" in str(error):
                raise RefusedError("it writes to an argument in a way that is not seen") from None
            text = _COLOURS.sub("", str(error))  # it has some where colorama is installed
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            told = [x for x in lines if not x.startswith(("Failed in", "During", "File", "-"))]
            raise RefusedError(
                self._in_words((told or lines or ["it does not compile"])[0])
            ) from None

    def _in_words(self, why: str) -> str:
        """A reason with the text of the line instead of its number in the module for Numba."""
        number = re.match(r"line (\d+) ", why)
        if number is None:
            return why
        line = self._text.splitlines()[int(number[1]) - 1].replace("v_", "").strip()
        line = re.sub(rf"^{KINDS}_\d+ = ", "return ", line)
        return f"`{line}` {why[number.end() :]}"

    def first(self, copies: Snapshot, result: object) -> Any:
        """The first run, on copies; it learns what results are made of."""
        self._give = _giver(result, self._is_ours)
        done = self._run(copies.arguments, copies.keywords)
        if done is None:
            raise RefusedError("a floating-point error or an exception, which NumPy tells of")
        self._is_told = bool(self._kinds[:ITEMS].any())
        if not self._is_told and not any(_givers(result, self._is_ours)):
            self._give = None
        return done[0]

    def call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any, bool]:
        """See ``Way``."""
        done = self._run(arguments, keywords)
        if done is None:
            return self._plain(*arguments, **keywords), False
        return done[0], True

    def _run(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any] | None:
        """The result; ``None`` if the function is to run as it is, with nothing changed."""
        for names, name, value in self._reads:
            now = names.cell_contents if type(names) is CellType else names.get(name, MISSING)
            if now is not value:
                return None
        ordered = given = self._in_order(arguments, keywords)
        if given is None or ordered is None or (self._has_arrays and _overlap(given)):
            return None
        if self._is_ours:
            given = tuple([_taken(v) for v in given])
            if _layouts(given) != self._layouts:
                return None
            if self._generators and (is_native() or not default_is_cpu()):
                return None
        kept: list[tuple[Any, Any]] = []
        if self._written:
            kept = [(x, x.copy()) for x in _arrays_in([given[i] for i in self._written])]
        told = self._kinds.copy() if self._is_told else self._kinds
        if self._generators:
            result, is_right = self._drawing(given, told, kept)
        else:
            result, is_right = self._entered(given, told, kept)
        if not is_right:
            return None
        return (result if self._give is None else self._give(result, given, ordered, told),)

    def _drawing(
        self, given: tuple[Any, ...], told: Any, kept: list[tuple[Any, Any]]
    ) -> tuple[Any, bool]:
        """``_entered`` for functions that draw random numbers."""
        sources = [given[i].bit_generator for i in self._generators]
        with ExitStack() as stack:
            for source in sources:
                stack.enter_context(source.lock)
            return self._entered(given, told, kept, [(x, x.state) for x in sources])

    def _entered(
        self,
        given: tuple[Any, ...],
        told: Any,
        kept: list[tuple[Any, Any]],
        states: Sequence[tuple[Any, Any]] = (),
    ) -> tuple[Any, bool]:
        """What compiled code gives, and whether that holds; if not, nothing is changed."""
        is_cleared = False
        while True:
            try:
                result = self._entry(*given, told)
                if not self._test(self._flags):
                    return result, True
            except Exception:
                is_cleared = True
            for x, before in kept:
                x[...] = before
            for source, state in states:
                source.state = state
            if is_cleared:
                return None, False
            # The flag may be of what ran before: it stays until it is cleared.
            self._clear(self._flags)
            is_cleared = True

    def _in_order(
        self, arguments: tuple[object, ...], keywords: dict[str, object]
    ) -> tuple[Any, ...] | None:
        """All arguments by position, with the defaults; ``None`` if they do not fit."""
        places = self._place
        if len(arguments) == len(places) and not keywords:
            return arguments
        defaults = self._function.__defaults__ or ()
        given = dict(enumerate(defaults, len(places) - len(defaults)))
        given.update(enumerate(arguments))
        for name, value in keywords.items():
            if places.get(name, -1) < len(arguments):
                return None
            given[places[name]] = value
        if len(given) != len(places) or len(arguments) > len(places):
            return None
        return tuple([given[i] for i in range(len(given))])


def _look_at(value: object) -> None:
    """Refuse arguments that Numba takes for something else than Python does."""
    if isinstance(value, tuple):
        if type(value) is not tuple:
            raise RefusedError(f"an argument is a {type(value).__name__}")
        if len(value) > MANY:
            raise RefusedError(f"an argument is a tuple of {len(value)} items")
        for item in value:
            if isinstance(item, _NUMPYS_GENERATOR):
                raise RefusedError("a generator of random numbers stands in a tuple")
            _look_at(item)
    elif type(value) is ndarray:
        if kept_view(value) is None:
            raise RefusedError("an array has no memory that NumPy can view")
    elif type(value) is numpy.ndarray:
        if value.dtype.kind not in "biufc" or not value.dtype.isnative:
            raise RefusedError(f"an array of {value.dtype}")
    elif type(value) is int and not -LARGEST - 1 <= value <= LARGEST:
        raise RefusedError("an argument is an integer beyond int64")
    elif type(value) is Generator and is_native():
        raise RefusedError("the stream of random numbers is torch's")
    elif type(value) not in _TAKEN:
        raise RefusedError(f"an argument is a {type(value).__name__}")


def _taken(value: object) -> Any:
    """An argument as Numba takes it: our arrays as NumPy's views of their memory."""
    if type(value) is ndarray:
        return kept_view(value)
    if type(value) is Generator:
        return value._source
    if type(value) is tuple:
        return tuple([_taken(v) for v in value])
    return value


def _overlap(given: tuple[object, ...]) -> bool:
    """Whether two arrays may share memory: Numba would take them for separate ones."""
    arrays = _arrays_in(given)
    if len(arrays) < 2:
        return False
    views = [_taken(v) for v in arrays]
    if len(set(map(id, arrays))) == len(arrays) and all(
        type(v) is numpy.ndarray and v.base is None for v in arrays
    ):
        return False
    return any(numpy.may_share_memory(x, y) for i, x in enumerate(views) for y in views[:i])


def _arrays_in(values: Iterable[Any]) -> list[Any]:
    """The arrays among values, and in tuples of them."""
    return [v for v in _flat(values) if type(v) in (numpy.ndarray, ndarray)]


def _flat(values: Iterable[Any]) -> list[Any]:
    """Values, and the items of tuples among them."""
    found: list[Any] = []
    for v in values:
        found += _flat(v) if type(v) is tuple else (v,)
    return found


def _layouts(given: tuple[object, ...]) -> list[int]:
    return [x.flags.num & LAYOUT for x in _arrays_in(given)]


Giver = Callable[[Any, Any, Any], Any]
"""What makes a result of Numba's, what Numba was given, and the arguments which that stands for."""


def _giver(result: Any, ours: bool) -> Callable[[Any, Any, Any, Any], Any]:
    """What makes results of the function's kinds of Numba's, and of what tells their kinds."""
    givers = _givers(result, ours)

    def give(made: Any, given: Any, arguments: Any, told: Any) -> Any:
        items = [
            _of_kind(item, kind) if kind else item if g is None else g(item, given, arguments)
            for g, item, kind in zip(givers, made, told[: len(givers)].tolist(), strict=True)
        ]
        return tuple(items)

    def give_one(made: Any, given: Any, arguments: Any, told: Any) -> Any:
        kind, g = told.item(0), givers[0]
        return _of_kind(made, kind) if kind else made if g is None else g(made, given, arguments)

    return give if type(result) is tuple else give_one


def _givers(result: Any, ours: bool) -> list[Giver | None]:
    """What makes each item of a result."""
    return [_item_giver(v, ours) for v in (result if type(result) is tuple else (result,))]


def _item_giver(item: Any, ours: bool) -> Giver | None:
    """What makes an item of a result, by the item of the first call; ``None`` for nothing."""
    kind = type(item)
    if kind in _SCALARS:
        return lambda made, given, arguments: kind(made)
    if kind is ndarray and ours:
        return _ours
    if kind is tuple and any(_givers(item, ours)):
        give, told = _giver(item, ours), numpy.zeros(len(item), numpy.int64)
        return lambda made, given, arguments: give(made, given, arguments, told)
    return None


def _of_kind(made: Any, kind: int) -> Any:
    """A number of the kind that is told beside it."""
    if kind & INTEGER:
        made = int(made)
    return _NUMPYS[type(made)](made) if kind & NUMPYS else made


def _ours(made: object, given: Any, arguments: Any) -> Any:
    for x, original in zip(given, arguments, strict=True):
        if x is made:
            return original
    return asarray(made)


# --- the module ---


@functools.cache
def _math() -> Any:
    """The C library with the functions of floating-point flags."""
    try:
        library = ctypes.CDLL(ctypes.util.find_library("m") or None)
        for name in ("feclearexcept", "fetestexcept"):
            function = getattr(library, name)
            function.argtypes, function.restype = [ctypes.c_int], ctypes.c_int
    except (OSError, AttributeError):
        return None
    return library


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "xp-torch" / "jit"


def _file_of(source: Source) -> Path:
    from importlib.metadata import version

    names = ("arithmetic", "checks", "kinds", "names", "results")
    checks = b"".join(Path(__file__).with_name(f"numba_{x}.py").read_bytes() for x in names)
    what = f"{version('numba')} {version('numpy')} {sys.version}\n{source.text}".encode()
    return _folder() / f"f{hashlib.sha256(what + checks).hexdigest()[:24]}.py"


def _module(source: Source) -> ModuleType:
    """The module of a source, in the cache folder if it can be written, else in memory."""
    file = _file_of(source)
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "w") as opened:
                    opened.write(source.text)
                os.replace(name, file)
            except BaseException:
                os.unlink(name)
                raise
        module = _executed(source.text, str(file))
    except (OSError, RuntimeError):  # read-only, and Numba finds no place for its cache
        text = source.text.replace("import compiled,", "import uncached as compiled,")
        module = _executed(text, "<numpy_shim.jit>")
    return module


def _executed(text: str, file: str) -> ModuleType:
    module = ModuleType("numpy_shim_jit_" + Path(file).stem)
    module.__file__ = file
    sys.modules[module.__name__] = module  # Numba's cache finds it there
    exec(compile(text, file, "exec"), vars(module))
    return module
