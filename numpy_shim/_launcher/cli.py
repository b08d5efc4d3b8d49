"""Runs a NumPy script on torch: the command line of ``python -m numpy_shim``, and the run itself.

The program becomes ``__main__`` as it would under ``python`` itself: its own ``sys.argv`` and
``sys.path[0]``, its exceptions printed without the launcher's frames, its exit status passed on.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib import metadata
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import Any

import numpy
import torch

from .._host import crossings, loop_writes
from .._jit.program import is_installed
from . import export_command, joined, memory, sharding
from .crossings_report import CrossingsReport
from .device import LaunchError, set_device
from .export_command import is_asked_for
from .imports import Compile, Redirection, top_directory
from .processes import change_libraries, in_started_processes

_DESCRIPTION = """\
Run a program written for NumPy on torch. The script, or module, and the modules in its directory
tree get numpy_shim where they import numpy; installed libraries keep NumPy.
"""

_EPILOG = """\
examples:
  python -m numpy_shim simulate.py --steps 100
  python -m numpy_shim --device cuda --summary simulate.py
  python -m numpy_shim --device cuda --host-copies error simulate.py
  python -m numpy_shim --compile-report -m package.train
  python -m numpy_shim -c "import numpy as np; print(np.arange(3).sum())"
  generate | python -m numpy_shim -
  python -m numpy_shim --ranks 4 --shard-above 64MB simulate.py
  python -m numpy_shim export filters:smooth --example inputs.npz -o smooth.onnx

Options for the program stand after its name. The reports are written to the error stream.
"""


@dataclass(frozen=True)
class Options:
    """The options of the command line: one of ``script``, ``module`` and ``command`` is given.

    The script ``"-"`` is the standard input.
    """

    script: str
    module: str
    arguments: tuple[str, ...]
    command: str | None = None
    device: str = ""
    host_copies: str = "allow"
    summary: bool = False
    compile_report: bool = False
    jit: bool = False
    ranks: int = 1
    shard_above: str = ""
    shard_axis: str = "auto"
    namespace: str = "numpy_shim"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m numpy_shim",
        usage="%(prog)s [options] (script.py | -m module | -c command | -) [arguments ...]\n"
        "       %(prog)s export module:function --example inputs.npz -o file",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.add_argument(
        "-m", dest="module", nargs=argparse.REMAINDER, default=[], help="run a module, as python -m"
    )
    parser.add_argument(
        "-c", dest="command", nargs=argparse.REMAINDER, help="run a text, as python -c"
    )
    parser.add_argument("--version", action="store_true", help="print the versions and exit")
    parser.add_argument(
        "--device", default="", help="where arrays are made, as torch names it: cpu, cuda, cuda:1"
    )
    parser.add_argument(
        "--host-copies",
        choices=crossings.MODES,
        default="allow",
        help="what happens where a library needs an array of the device on the host: it is copied "
        "and counted (allow), each place is told once (warn), or the program stops (error)",
    )
    parser.add_argument(
        "--summary",
        action="store_true",
        help="at the end, show the calls of torch, the time they took, what waited for the device "
        "and where, and what was copied to the host",
    )
    parser.add_argument(
        "--compile-report",
        action="store_true",
        help="at the end, show which functions of the program torch.compile can take whole, and "
        "what stops the others",
    )
    parser.add_argument(
        "--jit",
        action="store_true",
        help="compile the functions that are called often, while the program runs",
    )
    parser.add_argument(
        "--ranks", type=int, default=1, help="run the program on this number of processes"
    )
    parser.add_argument(
        "--shard-above",
        default="",
        metavar="SIZE",
        help="split arrays that are larger over the processes: 64MB",
    )
    parser.add_argument(
        "--shard-axis", default="auto", help="which axis to split: a number, or auto"
    )
    # For the tests, and to try a program on another namespace with NumPy's names.
    parser.add_argument("--namespace", default="numpy_shim", help=argparse.SUPPRESS)
    return parser


def _versions() -> str:
    libraries = f"NumPy {numpy.__version__}, torch {torch.__version__}"
    own = metadata.version("xp-torch")
    return f"numpy_shim {own} ({libraries}, Python {platform.python_version()})"


def parse(arguments: Sequence[str]) -> Options:
    """Parse the command line; exits with status 2 and a message if it is wrong.

    >>> parse(["--device", "cpu", "run.py", "--steps", "3"]).arguments
    ('--steps', '3')
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.version:
        print(_versions())
        parser.exit()
    program = given.module or given.command or given.program
    if not program:
        if given.command is not None:
            parser.error("argument -c: expected the text of a program")
        parser.error("name a script to run, a module with -m, or a text with -c")
    if given.command is None and program[0].startswith("-") and program[0] != "-":
        parser.error(f"unknown option {program[0]} (options for the program follow its name)")
    return Options(
        script="" if given.module or given.command else program[0],
        module=program[0] if given.module else "",
        arguments=tuple(program[1:]),
        command=None if given.module or not given.command else program[0],
        device=given.device,
        host_copies=given.host_copies,
        summary=given.summary,
        compile_report=given.compile_report,
        jit=given.jit,
        ranks=given.ranks,
        shard_above=given.shard_above,
        shard_axis=given.shard_axis,
        namespace=given.namespace,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line names, and return its exit status (or raise its SystemExit)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if is_asked_for(given):
        return _export(given[1:])
    options = parse(given)
    if options.ranks < 1:
        _parser().error("--ranks takes a number of processes, from 1 on")
    try:
        if options.ranks > 1 and not joined.is_one_of_several():
            from . import ranks

            return ranks.run(options.ranks, given)
        return launch(options)
    except LaunchError as error:
        print(f"numpy_shim: {error}", file=sys.stderr)
        return 2


def _export(arguments: Sequence[str]) -> int:
    """Run the command ``export``."""
    try:
        return export_command.main(arguments)
    except LaunchError as error:
        print(f"numpy_shim: {error}", file=sys.stderr)
        return 2


def launch(options: Options) -> int:
    """Run the program that the options describe."""
    memory.keep_freed()
    set_device(options.device)
    several = joined.is_one_of_several()
    if several:
        joined.join()
    if options.command is not None or options.script == "-":
        path, roots = "", [] if sys.flags.safe_path else [os.getcwd()]
    elif options.script:
        path, roots = _script(options.script)
    else:
        path, roots = "", _module_roots(options.module)
    redirection = Redirection(options.namespace, roots)
    reports = _reports(options, redirection)  # before anything of the program runs
    main_module = ModuleType("__main__")
    # Both stay when the program ends: threads, exit handlers and ``python -i`` run after it.
    redirection.install()
    change_libraries()
    crossings.watch(options.host_copies, redirection.runs)
    if not (options.jit or options.compile_report):
        loop_writes.begin()
    in_started_processes(redirection, options.device)
    if options.shard_above:
        limit = sharding.size_in_bytes(options.shard_above)
        if several:
            namespace = importlib.import_module(options.namespace)
            sharding.shard_above(namespace, limit, options.shard_axis)
    sys.modules["__main__"] = main_module

    def start() -> CodeType:
        compiled = redirection.compile_program or _compiled
        if options.command is not None or options.script == "-":
            redirection.adopt(vars(main_module))
            return _prepare_text(main_module, options, compiled)
        if options.script:
            return _prepare_script(main_module, path, options, compiled)
        return _prepare_module(main_module, options, compiled)

    with reports:
        status = _guarded(start, main_module, several)
    if several:
        joined.ended()
    return status


def _reports(options: Options, redirection: Redirection) -> ExitStack:
    """The reports that watch the program and print when it ends, in one context."""
    stack = ExitStack()
    stack.enter_context(CrossingsReport(options.summary))
    if not (options.summary or options.compile_report or options.jit):
        return stack
    if (options.summary or options.compile_report) and importlib.util.find_spec("rich") is None:
        raise LaunchError("the reports are drawn by rich, which is not installed: pip install rich")
    if options.summary:
        from .summary import Summary

        stack.enter_context(Summary(redirection.owns))
    if options.compile_report:
        from .compile_report import CompileReport

        stack.enter_context(CompileReport(redirection.owns))
    if options.jit:
        stack.enter_context(_compiling(options, redirection))
    return stack


def _compiling(options: Options, redirection: Redirection) -> AbstractContextManager[None]:
    """What ``--jit`` asks for, with the settings that the environment has for it."""
    from .hot import HotFunctions

    report: Callable[[list[Any]], None] | None = None
    if options.summary:
        from . import jit_report

        report = jit_report.show
    given = os.environ.get("NUMPY_SHIM_JIT_AFTER", "0.5")
    try:
        after = float(given)
    except ValueError:
        raise LaunchError(f"NUMPY_SHIM_JIT_AFTER is to be seconds; got {given!r}") from None
    backend = os.environ.get("NUMPY_SHIM_JIT_BACKEND", "inductor")
    watch = HotFunctions(redirection.owns, report, after, backend)
    redirection.during_import = watch.pause
    redirection.compile_program = watch.code
    return watch


def _script(name: str) -> tuple[str, list[str]]:
    """The absolute path of a script, and the tree that belongs to it."""
    path = os.path.abspath(name)
    if os.path.isdir(path):
        raise LaunchError(f"{name!r} is a directory: name a script in it, or use -m for a package")
    try:
        with io.open_code(path):
            pass
    except OSError as error:
        raise LaunchError(f"cannot open the script {name!r}: {error.strerror}") from None
    return path, [top_directory(path)]


def _module_roots(name: str) -> list[str]:
    """The trees that belong to a module: the current directory, and its package if not installed.

    So an installed tool, as ``-m pytest``, runs the user's code on numpy_shim, but itself uses
    NumPy.
    """
    roots = [] if sys.flags.safe_path else [os.getcwd()]
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top) if top else None
    if spec is None:
        raise LaunchError(f"there is no module named {name!r}")
    folders = spec.submodule_search_locations or [os.path.dirname(spec.origin or "")]
    return roots + [folder for folder in folders if folder and not is_installed(folder)]


def _prepare_script(
    main_module: ModuleType, path: str, options: Options, compiled: Compile
) -> CodeType:
    """Set up ``__main__`` and ``sys`` as ``python script.py`` does, and compile the script."""
    sys.argv[:] = [options.script, *options.arguments]
    if not sys.flags.safe_path:
        sys.path[0] = top_directory(path)
    vars(main_module).update(
        __file__=path,
        __cached__=None,
        __loader__=SourceFileLoader("__main__", path),
        __builtins__=sys.modules["builtins"],
    )
    with io.open_code(path) as file:
        return compiled(file.read(), path)


def _prepare_text(main_module: ModuleType, options: Options, compiled: Compile) -> CodeType:
    """Set up ``__main__`` and ``sys`` as ``python -c`` and ``python -`` do; compile the text."""
    if not sys.flags.safe_path:
        sys.path[0] = ""
    vars(main_module)["__builtins__"] = sys.modules["builtins"]
    if options.command is not None:
        sys.argv[:] = ["-c", *options.arguments]
        return compiled(options.command, "<string>")
    sys.argv[:] = ["-", *options.arguments]
    return compiled(sys.stdin.buffer.read(), "<stdin>")


def _compiled(text: str | bytes, file: str) -> CodeType:
    return compile(text, file, "exec", dont_inherit=True)


def _prepare_module(main_module: ModuleType, options: Options, compiled: Compile) -> CodeType:
    """Set up ``__main__`` and ``sys`` as ``python -m module`` does, and get the module's code."""
    sys.argv[:] = ["-m", *options.arguments]
    spec = _find(options.module)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = _find(f"{options.module}.__main__")
    get_code: Callable[[str], CodeType | None] | None = getattr(
        spec and spec.loader, "get_code", None
    )
    code = get_code(spec.name) if spec and get_code else None
    if spec is None or code is None:
        raise LaunchError(f"{options.module!r} cannot be run: it is no module with Python code")
    get_source = getattr(spec.loader, "get_source", None) if options.jit else None
    text = get_source(spec.name) if get_source else None
    if text is not None:
        code = compiled(text, code.co_filename)
    sys.argv[0] = spec.origin or options.module
    vars(main_module).update(
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=spec.loader,
        __package__=spec.parent,
        __spec__=spec,
        __builtins__=sys.modules["builtins"],
    )
    return code


def _find(name: str) -> ModuleSpec | None:
    """The spec of a module; its parent packages are imported, and their errors pass through."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            return None
        raise


def _guarded(start: Callable[[], CodeType], main_module: ModuleType, several: bool) -> int:
    """Execute the program, and print what it raises as Python would, without our frames."""
    try:
        exec(start(), main_module.__dict__)
    except LaunchError:
        raise
    except SystemExit as error:
        if several:
            joined.left(error)
        raise
    except BaseException as error:
        if several and joined.is_lost(error):
            joined.stop(error)
        error.__traceback__ = _of_the_program(error.__traceback__)
        sys.last_type, sys.last_value, sys.last_traceback = (
            type(error),
            error,
            error.__traceback__,
        )
        sys.excepthook(type(error), error, error.__traceback__)
        if several:
            joined.stop(error)
        if isinstance(error, KeyboardInterrupt):
            sys.excepthook = _silent  # exit as after Ctrl-C, without a second message
            raise
        return 1
    return 0


def _of_the_program(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from the first frame that is not the launcher's or of Python's import system."""
    while trace is not None and (
        trace.tb_frame.f_code.co_filename == __file__
        or trace.tb_frame.f_globals.get("__name__") in ("importlib.util", "importlib._bootstrap")
    ):
        trace = trace.tb_next
    hot = sys.modules.get(f"{__package__}.hot")
    return trace if hot is None else hot.without_us(trace)


def _silent(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Print nothing: the exception has been shown."""
