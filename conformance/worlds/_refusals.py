"""What an error in a world means: the library's line, the call, and what to write instead."""

from __future__ import annotations

import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from .._causes import Cause, normalised
from ._frames import under_test
from ._remedies import remedy
from ._world import Unportable, World

DYNAMO = "torch._dynamo.exc"


@dataclass(frozen=True)
class Refusal(Cause):
    """An error in a world: its cause, at a line under test. Equal causes may be of several worlds.

    Attributes
    ----------
    kind, message : str
        The exception's type, and its message without variable parts.
    frame : str
        The file, the line and the function under test; "" where none of its frames is.
    call : str
        The part of that line that was being executed.
    world : str
        The name of the world.
    text : str
        The first line of the message as it is.
    also : str
        A second line that has a share in it, such as where the other array was made.
    remedy : str
        One sentence: what to write instead.
    """

    call: str = ""
    world: str = field(default="", compare=False)
    text: str = field(default="", compare=False)
    also: str = field(default="", compare=False)
    remedy: str = field(default="", compare=False)

    def __str__(self) -> str:
        cause = super().__str__()
        return f"{self.call} raises {cause}" if self.call else cause

    def sentence(self) -> str:
        """The note of an exception."""
        place = f" at {self.frame}" if self.frame else ""
        call = f", {self.call}" if self.call else ""
        also = f"; {self.also}" if self.also else ""
        return f"world {self.world!r}{place}{call}{also}. {self.remedy}"


@dataclass(frozen=True)
class Place:
    """A line under test: the file, its line, the function, and the part being executed."""

    file: str
    number: int
    function: str
    call: str

    @property
    def line(self) -> str:
        return f"{self.file}:{self.number} in {self.function}"


def first(error: BaseException) -> BaseException:
    """The first exception of a group, such as hypothesis raises for several failures."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def refusal(world: World, error: BaseException) -> Refusal:
    """What an error in a world means."""
    error = first(error)
    place = _place(error)
    message = " ".join((str(error).strip().splitlines() or [""])[0].split())
    return Refusal(
        kind=type(error).__name__,
        message=normalised(message),
        frame=place.line if place else "",
        call=place.call if place else "",
        world=world.name,
        text=message,
        also=_also(error),
        remedy=remedy(world, error, message),
    )


def note(world: World, error: BaseException) -> None:
    """Add to an exception a note that says what it means; once."""
    text = refusal(world, error).sentence()
    if text not in getattr(error, "__notes__", ()):
        error.add_note(text)


def _place(error: BaseException) -> Place | None:
    """The innermost line under test, of this exception or of the one that it comes from."""
    if isinstance(error, Unportable):
        found = error.__cause__ and _place(error.__cause__)
        return found or _definition(error.function)
    found = _dynamo_place(error) or _traceback_place(error.__traceback__)
    return found or (_place(error.__cause__) if error.__cause__ else None)


def _definition(function: Callable[..., Any]) -> Place | None:
    """The first line of a function whose result is wrong."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code and Place(code.co_filename, code.co_firstlineno, code.co_qualname, "")


def _traceback_place(trace: TracebackType | None) -> Place | None:
    innermost = None
    while trace is not None:
        if under_test(trace.tb_frame):
            innermost = trace
        trace = trace.tb_next
    if innermost is None:
        return None
    summary = traceback.extract_tb(innermost, limit=1)[0]
    return Place(
        summary.filename, summary.lineno or 0, innermost.tb_frame.f_code.co_qualname, _part(summary)
    )


def _part(summary: traceback.FrameSummary) -> str:
    """The text of the expression that was being executed; else the whole line."""
    text = linecache.getline(summary.filename, summary.lineno or 0)
    start, end = summary.colno, summary.end_colno
    if start is None or end is None or summary.end_lineno != summary.lineno:
        return text.strip()
    return text.encode()[start:end].decode(errors="replace").strip()


def _dynamo_place(error: BaseException) -> Place | None:
    """The line that torch.compile did not trace: it is in no traceback, because nothing ran."""
    stack = getattr(error, "real_stack", None)
    if not type(error).__module__.startswith(DYNAMO) or not stack:
        return None
    own = [s for s in stack if not _is_library_file(s.filename)]
    last = (own or list(stack))[-1]
    return Place(last.filename, last.lineno, last.name, (last.line or "").strip())


_LIBRARIES = re.compile(r"[/\\](torch|xp_torch|xp_backend|numpy|conformance[/\\]worlds)[/\\]")


def _is_library_file(name: str) -> bool:
    """The same question as `under_test` for a file, where there is no frame."""
    path = name.removeprefix(sys.prefix)
    return bool(_LIBRARIES.search(path)) and "tests" not in path


def _also(error: BaseException) -> str:
    """Where the operand was made that is not on the inputs' device."""
    origins = sys.modules.get("conformance.worlds._origins")
    if origins is None:
        return ""
    line = origins.origin(error.__traceback__)
    return f"the other array was made at {line}" if line else ""
