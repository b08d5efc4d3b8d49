"""The one door by which torch is changed.

A library that a stranger installs must never break torch for him. So each change is a ``Patch``:

- It is installed only if torch has the name, with the parameters that the rule reads. A function of
  torch that takes more parameters gets them untouched.
- It asks first whether an array of ours is concerned. If not, torch's function runs with the very
  arguments it got. An error in the question counts as no; if the question cannot be asked of this
  torch, the rule counts as one that cannot be installed, from then on.
- An error of the rule itself ends in a graph break that names the rule, not in an error of torch's.
- What cannot be installed, and would make a result wrong, closes the gate: Dynamo then calls our
  functions as they are and does not trace them. Results are right, and nothing is faster.

The rules stand in the modules of ``RULES``, which are imported when torch imports the module that
they change; ``python -m xp_torch --doctor`` lists them. Until then nothing in torch changes.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``_dynamo.exc.unimplemented``       a public way to break the graph from a rule; no public issue
                                    known
``_dynamo.trace_rules.add``         a public list of code that is not traced; no public issue known
``_torchdynamo_disable``,           ``torch.compiler.disable`` of a function that keeps its identity
``_torchdynamo_disable_msg``
==================================  ===============================================================
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = ("numpy_shim", "xp_torch")
DOCTOR = "python -m xp_torch --doctor"
DYNAMO = "torch._dynamo"
INDUCTOR = "torch._inductor.compile_fx"

RULES = {
    "torch._dynamo.convert_frame": "dynamo_rules",
    "torch._dynamo.trace_rules": "dynamo_rules",
    "torch._dynamo.variables.builtin": "dynamo_rules",
    "torch._dynamo.variables.lists": "dynamo_rules",
    "torch._dynamo.variables.misc": "dynamo_rules",
    "torch._dynamo.variables.tensor": "dynamo_numpys",
    "torch._dynamo.variables.user_defined": "dynamo_rules",
    "torch._guards": "dynamo_guards",
    INDUCTOR: "inductor_rules",
    "torch._inductor.fx_passes.reinplace": "inductor_rules",
    "torch._inductor.scheduler": "inductor_order",
}
"""The modules of torch that are changed, and our module with the rules for each."""

EARLY = {"torch._guards": "torch._dynamo.guards"}
"""Modules that are imported with torch, and the module of Dynamo whose import their rules await."""

PATCHES: list[Patch] = []
"""Every change of torch, in the order in which the rules were imported."""


def is_ours(module: object) -> bool:
    """Whether a module of this name belongs to our packages."""
    return isinstance(module, str) and module.partition(".")[0] in PACKAGES


class RefusedError(RuntimeError):
    """A compiled program needs a rule that this release of torch does not allow."""


class Call:
    """A call of one of torch's functions that a rule answers."""

    def __init__(self, function: Callable[..., Any], bound: inspect.BoundArguments) -> None:
        self.function = function
        self.bound = bound

    def __getitem__(self, parameter: str) -> Any:
        """The argument that torch's function gets for a parameter."""
        if parameter in self.bound.arguments:
            return self.bound.arguments[parameter]
        default = self.bound.signature.parameters[parameter].default
        if default is inspect.Parameter.empty:
            raise KeyError(parameter)
        return default

    def proceed(self, **changed: Any) -> Any:
        """Call torch's function, with other arguments for some parameters."""
        self.bound.arguments.update(changed)
        return self.function(*self.bound.args, **self.bound.kwargs)


class Patch:
    """One change of torch: where it is, what it is for, and what became of it."""

    def __init__(
        self,
        targets: Sequence[str],
        takes: str,
        concerns: Callable[[Call], bool],
        rule: Callable[[Call], Any],
        why: str,
        without: str,
        until: str,
        gate: bool,
        known: Callable[[Any], bool],
        also: Callable[[Any, Any, Any], None],
    ) -> None:
        self.module, _, first = targets[0].partition(":")
        self.names = [first, *targets[1:]]
        self.takes = set(takes.split())
        self.concerns = concerns
        self.rule = rule
        self.why = why
        self.without = without
        self.until = until
        self.gate = gate
        self.known = known
        self.also = also
        self.found = first
        self.state = "waiting"
        self.reason = ""

    @property
    def target(self) -> str:
        return f"{self.module}:{self.names[0]}"

    def install(self, module: ModuleType) -> None:
        """Install the rule in ``module``, if torch has the function it was written for."""
        try:
            self.state, self.reason = self._install(module)
        except Exception as error:  # whatever torch has become, its import goes on
            self.state, self.reason = "not possible", f"{type(error).__name__}: {error}"
        if self.state == "not possible" and self.gate:
            close_gate(self)

    def _install(self, module: ModuleType) -> tuple[str, str]:
        for name in self.names:
            *path, attribute = name.split(".")
            owner: Any = module
            for part in path:
                owner = getattr(owner, part, None)
            given = inspect.getattr_static(owner, attribute, None)
            if given is not None:
                self.found = name
                break
        else:
            if self.known(module):
                return "not needed", "this torch has the rule"
            return "not possible", f"this torch has no {' or '.join(self.names)}"
        kind = type(given) if isinstance(given, classmethod | staticmethod) else None
        function = given.__func__ if kind else given
        if self.known(module):
            return "not needed", "this torch has the rule"
        missing = self.takes - set(inspect.signature(function).parameters)
        if missing:
            return "not possible", f"{name} has no parameter {', '.join(sorted(missing))}"
        wrapper = self._wrapped(function)
        setattr(owner, attribute, kind(wrapper) if kind else wrapper)
        try:
            self.also(module, function, wrapper)
        except Exception:
            setattr(owner, attribute, given)
            raise
        return "installed", ""

    def _wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        bind = inspect.signature(function).bind

        @functools.wraps(function)
        def patched(*args: Any, **kwargs: Any) -> Any:
            try:
                call = Call(function, bind(*args, **kwargs))
                concerned = self.concerns(call)
            except Exception as error:  # the call is torch's own affair
                concerned = False
                self._note(error)
            if not concerned:
                return function(*args, **kwargs)
            try:
                return self.rule(call)
            except Exception as error:
                if not _is_raised_here(error):
                    raise
                failure = error
            if not self.gate:
                return function(*args, **kwargs)
            return self.refuse(f"{type(failure).__name__}: {failure}")

        return patched

    def _note(self, error: Exception) -> None:
        """Note that the question fails, as where torch's objects have changed."""
        if _is_raised_here(error) and not isinstance(error, RecursionError):
            known, self.state = self.state, "not possible"
            self.reason = f"{type(error).__name__}: {error}"
            if self.gate and known == "installed":
                close_gate(self)

    def refuse(self, reason: str) -> Any:
        """Break the graph that Dynamo traces, or raise where there is none."""
        text = f"{self.words}: {reason}. {DOCTOR} tells more"
        try:
            from torch._dynamo.exc import unimplemented
        except ImportError:
            raise RefusedError(text) from None
        unimplemented(gb_type="xp_torch rule", context=self.target, explanation=text, hints=[])

    @property
    def words(self) -> str:
        import torch

        return (
            f"xp_torch: the rule for {self.names[0]} does not work with torch {torch.__version__}"
        )


def patch(
    *targets: str,
    takes: str,
    concerns: Callable[[Call], bool],
    why: str,
    without: str,
    until: str,
    gate: bool = True,
    known: Callable[[Any], bool] = lambda module: False,
    also: Callable[[Any, Any, Any], None] = lambda module, function, wrapper: None,
) -> Callable[[Callable[[Call], Any]], Callable[[Call], Any]]:
    """Make a rule out of a function of the ``Call`` that it answers.

    ``targets`` is ``module:name``, and other names that a release may have in its place. ``takes``
    names the parameters that the rule reads. ``concerns`` tells whether an array of ours is
    concerned. ``why`` says what compiles with the rule, ``without`` what a user loses where it is
    not possible, and ``until`` what would end it. ``gate`` says that without the rule a result
    could be wrong, or an error could be Dynamo's. ``known`` tells whether torch's module has the
    rule itself. ``also`` gets the module, torch's function and ours, to put ours where torch's
    module keeps the function under no name.
    """

    def register(rule: Callable[[Call], Any]) -> Callable[[Call], Any]:
        PATCHES.append(
            Patch(targets, takes, concerns, rule, why, without, until, gate, known, also)
        )
        return rule

    return register


def _is_raised_here(error: BaseException) -> bool:
    """Whether our rules raised an error, and not what they called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    home = str(Path(__file__).parent)
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(home)


# --- the gate ---

_closed = ""
"""Why Dynamo must not trace our functions; empty while it may."""


def close_gate(because: Patch) -> None:
    """Let Dynamo call our functions as they are, from now on, because a rule is missing."""
    _close(f"{because.words}: {because.reason}")


def _close(text: str) -> None:
    global _closed
    _closed = _closed or f"{text}. {DOCTOR} tells more"
    when_imported("torch._dynamo.trace_rules", _skip_packages)
    mark_functions()


def _skip_packages(module: Any) -> None:
    """Let Dynamo skip our files, where it would compile a function that runs beside a graph."""
    for package in PACKAGES:
        with contextlib.suppress(Exception):  # the functions are marked all the same
            module.add(package)


def mark_functions() -> None:
    """Mark the functions of our packages if the gate is closed. Each package calls this at its end.

    ``torch.compiler.disable`` would put other functions in their places.
    """
    if not _closed:
        return
    for name, module in list(sys.modules.items()):
        if is_ours(name) and not name.startswith(__package__) and module is not None:
            for function in _functions_of(vars(module), name):
                function._torchdynamo_disable = True  # type: ignore[attr-defined]
                function._torchdynamo_disable_msg = _closed  # type: ignore[attr-defined]


def _functions_of(space: Mapping[str, Any], module: str) -> Iterator[types.FunctionType]:
    """The functions in a module or class, and those in the classes that a module defines."""
    for value in list(space.values()):
        if isinstance(value, classmethod | staticmethod):
            value = value.__func__
        if isinstance(value, property):
            yield from _functions_of({"get": value.fget, "set": value.fset}, module)
        elif isinstance(value, types.FunctionType):
            if is_ours(value.__module__):
                yield value
        elif isinstance(value, type) and value.__module__ == module:
            yield from _functions_of(vars(value), "")


def missing() -> Patch | None:
    """A rule without which a compiled result could be wrong, if there is one."""
    return next((p for p in PATCHES if p.gate and p.state == "not possible"), None)


# --- when torch imports the modules ---

_waiting: dict[str, list[Callable[[ModuleType], None]]] = {}
"""The actions to run after the import of a module, by its name."""


class _Finder(importlib.abc.MetaPathFinder):
    """A finder that asks the others for the modules in ``_waiting``, and notes their import."""

    def __init__(self) -> None:
        self._asked: set[tuple[int, str]] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        question = threading.get_ident(), fullname
        if fullname not in _waiting or question in self._asked:  # by a finder that asks the others
            return None
        self._asked.add(question)
        try:
            for finder in [f for f in sys.meta_path if f is not self and hasattr(f, "find_spec")]:
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    spec.loader = spec.loader and _Loader(spec.loader)
                    return spec
        finally:
            self._asked.discard(question)
        return None


class _Loader(importlib.abc.Loader):
    """A loader that runs the actions in ``_waiting`` after the import, and then is forgotten.

    A spec may be asked for without an import, so that the actions wait until there is one.
    """

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "loader"), name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self.loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        actions = _waiting.pop(module.__name__, [])
        if not _waiting:
            # A new list, because another thread may go through the old one.
            sys.meta_path = [f for f in sys.meta_path if not isinstance(f, _Finder)]
        for action in actions:
            action(module)


def when_imported(name: str, action: Callable[[ModuleType], None]) -> None:
    """Run an action on a module after its import, or now if it is imported already.

    Until then nothing in torch changes. A finder waits in ``sys.meta_path``, and Python calls it
    for the first import of each module.
    """
    if name in sys.modules:
        action(sys.modules[name])
        return
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    _waiting.setdefault(name, []).append(action)


def wait_for_torch() -> None:
    """Install the rules for each module of torch when it is imported."""
    for name in RULES:
        when_imported(EARLY.get(name, name), functools.partial(_install_rules, name))


def _install_rules(name: str, module: ModuleType) -> None:
    try:
        importlib.import_module(f"{__package__}.{RULES[name]}")
    except Exception as error:  # the import of torch's module goes on
        _close(f"xp_torch: {RULES[name]} cannot be imported: {error}")
    install(name)


def install(name: str) -> bool:
    """Install the rules for a module of torch, now; whether all of them are possible."""
    changes = [change for change in PATCHES if change.module == name]
    for change in changes:
        if change.state == "waiting":
            change.install(importlib.import_module(name))
    return all(change.state != "not possible" for change in changes)


def install_all() -> None:
    """Import all of torch that is changed, so that the state of every patch is known."""
    for name in RULES:
        importlib.import_module(EARLY.get(name, name))
    for change in PATCHES:
        install(change.module)
