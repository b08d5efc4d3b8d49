"""Python programs that start as copies of a process that has imported torch and our packages.

A copy is ready at once; a new interpreter needs two seconds for these imports. So tests of what a
program does run it here, and only tests of how Python starts us start an interpreter. A copy has
its own arguments, working folder, environment and streams, and ends as an interpreter does.
Variables that torch reads when it is imported have no effect.
"""

from __future__ import annotations

import atexit
import gc
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from multiprocessing import connection
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
TORCH = ("torch",)
LAUNCHER = (*TORCH, "numpy_shim._launcher.cli")
COMPILER = (*LAUNCHER, "torch._dynamo", "numpy_shim._launcher.hot", "torch._inductor.compile_fx")
"""What is imported before the copies are made; the last is for programs that compile."""


def run(
    words: Sequence[str],
    *,
    cwd: Path,
    variables: Mapping[str, str] | None = None,
    given: str | None = None,
    timeout: float = 300.0,
    imported: Sequence[str] = LAUNCHER,
) -> subprocess.CompletedProcess[str]:
    """Run ``python words``, where the words begin with ``-m module``, ``-c text`` or a script.

    ``given`` is the standard input, ``variables`` the whole environment.
    """
    environment = dict(os.environ if variables is None else variables)
    if sys.platform != "linux":  # elsewhere libraries do not bear a fork
        return subprocess.run(
            [sys.executable, *words], cwd=cwd, env=environment, input=given, timeout=timeout,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name) / stream for stream in ("in", "out", "errors")]
        streams[0].write_text(given or "", "utf-8")
        server = _server(tuple(imported))
        server.send((list(words), str(cwd), environment, [str(s) for s in streams], timeout))
        status = server.recv()
        output, errors = (stream.read_text("utf-8") for stream in streams[1:])
    if status == -signal.SIGALRM:
        raise subprocess.TimeoutExpired(list(words), timeout, output, errors)
    return subprocess.CompletedProcess(list(words), status, output, errors)


@cache
def _server(imported: tuple[str, ...]) -> Any:
    """The connection to a process that has imported these modules; it ends when we do."""
    ours, theirs = connection.Pipe()
    variables = {**os.environ, "OMP_NUM_THREADS": "1"}
    variables.pop("PYTHONPATH", None)  # or the folder of an installed project is not told apart
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(theirs.fileno()), *imported],
        cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        ours.send(None)
        process.wait()

    atexit.register(end)
    return ours


def _next(channel: Any) -> Any:
    """Make a copy for each request, and tell how it ended. Only in a copy this returns."""
    while True:
        try:
            request = channel.recv()
        except EOFError:
            request = None  # the tests have ended without a word
        if request is None:
            os._exit(0)
        copy = os.fork()
        if not copy:
            channel.close()
            return request
        channel.send(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]))


def _become(
    words: list[str], cwd: str, variables: dict[str, str], streams: list[str], timeout: float
) -> None:
    """Be the interpreter that runs these words."""
    modes = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for number, (path, mode) in enumerate(zip(streams, modes, strict=True)):
        os.dup2(os.open(path, mode), number)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(cwd)
    signal.alarm(int(timeout))  # its signal ends the process
    folders = [folder for folder in variables.get("PYTHONPATH", "").split(os.pathsep) if folder]
    installed = sys.path[1:]  # after the working folder, which is ROOT
    sys.orig_argv[:] = [sys.executable, *words]
    if words[0] == "-m":
        sys.argv[:] = ["-m", *words[2:]]
        sys.path[:] = [cwd, *folders, *installed]
        runpy._run_module_as_main(words[1])  # type: ignore[attr-defined]
    elif words[0] == "-c":
        sys.argv[:] = ["-c", *words[2:]]
        sys.path[:] = ["", *folders, *installed]
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(words[1], "<string>", "exec"), vars(main))
    else:
        sys.argv[:] = words
        sys.path[:] = [str(Path(words[0]).resolve().parent), *folders, *installed]
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    for module in sys.argv[2:]:
        import_module(module)
        import_module("tests.quick_compiler").use()  # the first module is torch
    gc.freeze()  # a copy that searched all of it for garbage would copy the memory, in a second
    _become(*_next(connection.Connection(int(sys.argv[1]))))
