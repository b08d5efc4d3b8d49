"""``--jit``: compiles the functions of a program that are called often, while it runs.

A function that has been called is given other code, which calls a watch; so every reference to the
function is watched. What runs instead of it is chosen as by ``numpy_shim.jit``.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._core.devices import default_is_cpu
from xp_torch._torch.dynamo import compiler
from xp_torch._torch.patches import DYNAMO, when_imported

from .._jit import choice as choosing
from .._jit.candidates import ENOUGH, Candidate, Choice, RefusedError, cost_of_torch, in_order
from .._jit.choice import Chooser
from .._jit.guarded import Counts, Graphs, deadline, traces
from .._jit.loop_functions import COUNTS, ENTERED, STEPS, Place, counts, separated, steps
from .._jit.loops import OfLoop, made_of_loops, split
from .._jit.program import STATE
from .._jit.reasons import SECONDS, Line, TooLongError, caused_by, trace_limit
from .._jit.record import safe
from .._jit.snapshot import Snapshot, as_eager
from .._jit.unseen import Unseen
from .._jit.with_numba import WithNumba, is_installed

_UNTRACED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_CALLS = 100  # of a graph with an unrolled loop
_EVENTS = 20_000  # calls of Python code, until all functions of the program are watched at once
_IN_PARTS = 2  # calls of a function with its loops as functions; if they take long, all are
_LONG = 0.5  # seconds of such a call
_OURS = frozenset({__file__, choosing.__file__})

_DEFINED = "__numpy_shim_jit_defined__"
"""What the program calls after its definitions and imports: it stands among the builtins."""

_names = map("__numpy_shim_jit_{}__".format, itertools.count())


class OfProgram:
    """``torch.compile`` as a candidate, of a function that computes with our arrays."""

    name = "torch"
    shortest = 3e-5
    patience = 2.0  # it gains less than Numba, and a program may end before that is repaid

    def __init__(self, plain: FunctionType, backend: str) -> None:
        self._plain = plain
        self._backend = backend
        self._counts = Counts()
        self._graphs: Graphs | None = None
        self._compiled: Callable[..., Any] | None = None

    def cost(self, is_cached: bool = False) -> float:
        """See ``Candidate``."""
        return cost_of_torch(is_cached)

    def compiled(self, copies: Snapshot, result: object) -> tuple[OfProgram, Any]:
        """See ``Candidate``."""
        if self._graphs is None:
            compile_graph = compiler(self._backend, None, None, None)
            self._graphs = Graphs(partial(safe, compile_graph), self._counts)
        graphs, counts = self._graphs, self._counts
        compiled = self._compiled or torch.compile(self._plain, fullgraph=True, backend=graphs)
        counts.refused = ""
        with traces(), trace_limit(_CALLS, SECONDS, deadline()):
            too_long = None
            try:
                other = compiled(*copies.arguments, **copies.keywords)
            except Exception as error:
                too_long = caused_by(error, TooLongError)
                if too_long is None:
                    raise
            if isinstance(too_long, TooLongError):
                compiled = self._with_compiled_loops(too_long, graphs)
                # The trace was stopped before anything was run: the copies are as they were.
                with trace_limit(_CALLS, SECONDS, deadline()):
                    other = compiled(*copies.arguments, **copies.keywords)
        if counts.refused or not counts.size:
            raise RefusedError(counts.refused or "it calls no torch operator")
        self._compiled = compiled
        return self, as_eager(other)

    def _with_compiled_loops(self, error: TooLongError, graphs: Graphs) -> Callable[..., Any]:
        """The function with its loops in Python and their bodies compiled; raises if impossible."""
        parts = split(self._plain, error.line.number) if error.is_own_loop and error.line else None
        if parts is None:
            raise error
        for name, body in parts.bodies.items():
            setattr(builtins, name, torch.compile(body, fullgraph=True, backend=graphs))
        return parts.function

    def call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any, bool]:
        """See ``Way``. Dynamo runs arguments that do not fit as they are."""
        assert self._compiled is not None
        before = self._counts.calls
        result = self._compiled(*arguments, **keywords)
        fitted = self._counts.calls != before
        return as_eager(result) if fitted else result, fitted


class LoopWithNumba(WithNumba):
    """Numba as a candidate for a loop that was made a function."""

    def __init__(self, function: FunctionType, of_loop: OfLoop) -> None:
        super().__init__(function, function)
        self._is_of_numbers = of_loop.is_of_numbers

    def compiled(self, copies: Snapshot, result: object) -> tuple[Any, Any]:
        """See ``Candidate``."""
        if self._is_of_numbers and any(getattr(v, "ndim", 0) for v in copies.arguments):
            raise RefusedError("a loop without elements, and with arrays")
        return super().compiled(copies, result)


class Hot:
    """A function of the program that is watched."""

    def __init__(self, watched: FunctionType, watch: HotFunctions) -> None:
        self.watched = watched
        self.code = watched.__code__
        self.name = watched.__qualname__
        self.function = self.copy = FunctionType(
            self.code, watched.__globals__, watched.__name__, watched.__defaults__
        )
        self.function.__kwdefaults__ = watched.__kwdefaults__
        self.function.__qualname__ = watched.__qualname__
        candidates: list[Candidate] = [OfProgram(self.function, watch.backend)]
        enough = ENOUGH
        if self.code in made_of_loops:
            candidates = [LoopWithNumba(self.function, made_of_loops[self.code])]
        elif watch.backend == "inductor":
            by_numba = WithNumba(self.function, self.function)
            candidates, enough = in_order(self.function, by_numba, candidates[0])
        self.unseen = Unseen()
        self.chooser = Chooser(
            self.function,
            candidates,
            after=watch.after,
            refused=self._tell_of_difference,
            enough=enough,
            unseen=self.unseen,
            any_type=True,
            may_fork=True,
        )
        self._name = next(_names)
        self._install()

    # --- instead of the function's code ---

    def _install(self) -> None:
        plain, unseen = self.function, self.unseen

        def dispatch(*arguments: object, **keywords: object) -> Any:
            if is_dynamo_compiling():
                return plain(*arguments, **keywords)
            if unseen.left > 0 and unseen.is_alike(arguments, keywords, unseen.limits):
                unseen.left -= 1
                return unseen.plain(*arguments, **keywords)
            return self._call(arguments, keywords)

        # Dynamo takes a function among the builtins, but not one among the constants of the code.
        setattr(builtins, self._name, dispatch)
        text = f"def watched(*args, **kwargs): return {self._name}(*args, **kwargs)"
        made: dict[str, Any] = {}
        exec(compile(text, __file__, "exec"), made)
        code = made["watched"].__code__.replace(
            co_name=self.code.co_name, co_qualname=self.code.co_qualname
        )
        self.watched.__code__ = code
        self.watched.__signature__ = inspect.signature(plain)  # type: ignore[attr-defined]
        vars(self.watched)[STATE] = self

    def _call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
        result = self.chooser.call(arguments, keywords)
        if self.chooser.is_settled and self.watched.__code__ is not self.code:
            self.watched.__code__ = self.code
            vars(self.watched).pop("__signature__", None)
            vars(self.watched).pop(STATE, None)
        return result

    def _tell_of_difference(self, choice: Choice, difference: str) -> None:
        line = Line(self.code.co_filename, self.code.co_firstlineno)
        print(
            f"numpy_shim: {self.name} ({line.location()}) is not compiled: compiled and "
            f"eager differ {difference}",
            file=sys.stderr,
        )

    # --- what became of it ---

    def choices(self) -> list[Choice]:
        """What was decided for each kind of arguments."""
        self.chooser.count_unseen()
        return list(self.chooser.choices.values())

    def why_not(self) -> str:
        """Why the function runs as it was; empty if it does not, or nothing was tried."""
        choices = self.choices()
        if any(c.by for c in choices):
            return ""
        told = {f"{name}: {why}": None for c in choices for name, why in c.told.items()}
        return self.chooser.why_not or "; ".join(told)

    def gain(self) -> float:
        """The seconds that the compiled calls have saved, without those of the compiler."""
        return sum(c.saved() for c in self.choices())


@dataclass
class _InParts:
    """A function whose loops are functions, its own code, and its calls."""

    function: FunctionType
    code: CodeType
    calls: int = 0
    start: float = 0.0
    """When the first began."""


class HotFunctions(AbstractContextManager[None]):
    """Compiles functions called inside the ``with`` block; ``owns`` tells the program's files.

    ``after`` is the time in seconds that a function takes before it is compiled, all calls
    together. ``report`` is called at the end with the functions that were watched.
    """

    def __init__(
        self,
        owns: Callable[[str], bool],
        report: Callable[[list[Hot]], None] | None = None,
        after: float = 0.5,
        backend: str = "inductor",
    ) -> None:
        self._owns = owns
        self._report = report
        self.after = after
        self.backend = backend
        self._seen: dict[int, Any] = {}
        self._looked_at: set[str] = set()
        self._events = 0
        self._hot: list[Hot] = []
        self._twins: dict[Place, CodeType] = {}
        self._in_parts: dict[Place, _InParts] = {}
        self._process = os.getpid()

    def code(self, text: str | bytes, file: str) -> CodeType:
        """The code of a program, for this watch to see what it defines and its loops."""
        tree = tells_of_definitions(text, file)
        code = compile(tree, file, "exec", dont_inherit=True)
        if self.backend == "inductor" and is_installed() and default_is_cpu():
            with suppress(SyntaxError, RecursionError, ValueError):  # the program stays as it is
                code, self._twins = separated(tree, text, file)
        return code

    def __enter__(self) -> None:
        when_imported(DYNAMO, _keep_what_is_compiled)
        setattr(builtins, _DEFINED, self._defined)
        setattr(builtins, ENTERED, self._entered)
        setattr(builtins, STEPS, steps)
        setattr(builtins, COUNTS, counts)
        sys.setprofile(self._event)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.setprofile(None)
        if self._report is not None and os.getpid() == self._process:
            self._report(self._hot)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Watch nothing inside the ``with`` block: each call of Python code costs some."""
        watch = sys.getprofile()
        sys.setprofile(None)
        try:
            yield
        finally:
            sys.setprofile(watch)

    def _event(self, frame: FrameType, event: str, argument: object) -> None:
        """The callback of ``sys.setprofile``: notes functions at their first call."""
        if event != "call":
            return
        code = frame.f_code
        self._events += 1
        if self._events > _EVENTS:
            sys.setprofile(None)
            self._watch_new()
        elif id(code) not in self._seen and self._is_programs(code):
            function = _function_of(frame)
            if function is not None:
                self._hot.append(Hot(function, self))

    def _is_programs(self, code: CodeType) -> bool:
        """Whether code that was not seen yet is a function of the program that can be watched."""
        self._seen[id(code)] = code
        if not code.co_flags & inspect.CO_OPTIMIZED or code.co_flags & _UNTRACED:
            return False
        return not code.co_freevars and self._owns(code.co_filename)

    def _defined(self, value: object = None) -> None:
        """Look at what the program has defined or imported since all was watched."""
        for function in vars(value).values() if isinstance(value, type) else (value,):
            if isinstance(function, FunctionType):
                code = function.__code__
                place = Place(code.co_firstlineno, code.co_name)
                if place in self._twins and function.__module__ == "__main__":
                    twin = self._twins[place].replace(co_qualname=code.co_qualname)
                    self._seen[id(twin)] = function.__code__ = twin
                    self._in_parts[place] = _InParts(function, code)
        if self._events > _EVENTS:
            self._watch_new()

    def _entered(self, *place: Any) -> None:
        """Give a function its own code back, if its calls turn out to be many and short."""
        parts = self._in_parts.get(Place(*place))
        if parts is None:
            return
        parts.calls += 1
        if parts.calls == 1:
            parts.start = time.perf_counter()
        elif parts.calls > _IN_PARTS and time.perf_counter() - parts.start < _LONG * (
            parts.calls - 1
        ):
            del self._in_parts[Place(*place)]
            parts.function.__code__ = parts.code
            if self._events > _EVENTS:
                self._watch_in(parts.function, "__main__")

    def _watch_new(self) -> None:
        """Watch what the program's modules have: its libraries call too much to go on looking."""
        libraries: set[str] = set()  # one look at a package, not at each of its modules
        new = sys.modules.keys() - self._looked_at
        self._looked_at |= new
        for name in sorted(new | {"__main__"}):
            module = sys.modules.get(name)
            if type(module) is not ModuleType:  # others may import
                continue
            names = module.__dict__
            file = names.get("__file__") or ("<string>" if name == "__main__" else None)
            package, _, inner = name.partition(".")
            if not isinstance(file, str) or package in libraries:
                continue
            if self._owns(file):
                for value in list(names.values()):
                    self._watch_in(value, module.__name__)
            elif not inner:
                libraries.add(package)

    def _watch_in(self, value: object, module: str) -> None:
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, type) and value.__module__ == module:
            if id(value) not in self._seen:  # a class may have itself for an attribute
                self._seen[id(value)] = value
                for method in list(vars(value).values()):
                    self._watch_in(method, module)
        elif isinstance(value, FunctionType) and value.__module__ == module:
            code = value.__code__
            if id(code) not in self._seen and STATE not in vars(value) and self._is_programs(code):
                self._hot.append(Hot(value, self))


def tells_of_definitions(text: str | bytes, file: str) -> ast.Module:
    """A program that tells when it has defined a function or imported a module."""
    tree = compile(text, file, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    blocks: list[ast.AST] = [tree]
    while blocks:
        block = blocks.pop()
        for name in ("body", "orelse", "finalbody", "handlers"):
            statements = getattr(block, name, [])
            for statement in list(statements):
                if not isinstance(statement, _DEFINING):
                    blocks.append(statement)
                elif getattr(statement, "module", "") != "__future__":
                    defined = getattr(statement, "name", "")
                    made: list[ast.expr] = [ast.Name(defined, ast.Load())] if defined else []
                    call = ast.Expr(ast.Call(ast.Name(_DEFINED, ast.Load()), made, []))
                    for node in ast.walk(call):
                        ast.copy_location(node, statement)
                    statements.insert(statements.index(statement) + 1, call)
    return tree


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def _keep_what_is_compiled(_: ModuleType) -> None:
    """Let compiled code run only where it fits: what is compiled anew is compared first."""
    torch.compiler.set_stance("eager_on_recompile")


def _function_of(frame: FrameType) -> FunctionType | None:
    """The function of a frame, if a module or a class of the program has it."""
    code = frame.f_code
    value: Any = frame.f_globals
    for name in code.co_qualname.split("."):
        value = value.get(name) if isinstance(value, dict) else vars(value).get(name)
        if value is None or not hasattr(value, "__dict__"):
            return None
    value = inspect.unwrap(getattr(value, "__func__", value))
    return value if isinstance(value, FunctionType) and value.__code__ is code else None


def without_us(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of the watch."""
    while trace is not None and trace.tb_frame.f_code.co_filename in _OURS:
        trace = trace.tb_next
    if trace is not None:
        trace.tb_next = without_us(trace.tb_next)
    return trace
