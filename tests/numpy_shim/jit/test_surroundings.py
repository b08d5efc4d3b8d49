"""What ``jit`` does without its compilers, without a cache, beside another process, interrupted.

Results are right, ``explain()`` says in one line what came of each compiler, and no unfinished file
is left behind.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
has_numba = importlib.util.find_spec("numba") is not None
needs_numba = pytest.mark.skipif(not has_numba, reason="Numba is an optional extra")
needs_gcc = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")

PROGRAM = """
import signal, sys
import numpy as np, numpy_shim
from numpy_shim._jit import choice

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
choice._FASTER = choice.LIMIT = float("inf")  # what is right is kept, however long it takes
choice._BRIEF, choice._CLEAR = -1.0, float("inf")

def looped(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] * 2.0
    return out

def fused(x):
    return np.exp(-x * x) + 3.0

def run(function, compiler):
    given, expected = np.linspace(0, 1, 30000), function(np.linspace(0, 1, 30000))
    compiled = numpy_shim.jit(function, compiler=compiler, eager_compile=True)
    for _ in range(3):
        try:
            found = compiled(given)
        except KeyboardInterrupt:
            print("interrupted")
            found = compiled(given)
        assert np.allclose(found, expected, rtol=1e-13)
    print(function.__name__, compiled.explain())

def stop_numba():
    from numpy_shim._jit.numba_checks import Checks
    run_pass = Checks.run_pass
    def interrupted(self, state):
        Checks.run_pass = run_pass
        signal.raise_signal(signal.SIGINT)
        return run_pass(self, state)
    Checks.run_pass = interrupted

for word in sys.argv[1:]:
    if word == "without":
        sys.modules["numba"] = None
    elif word == "stop":
        stop_numba()
    elif word == "looped":
        run(looped, "numba")
    else:
        run(fused, "auto")
"""


class Started:
    """A process that runs the program, with caches in a folder of its own."""

    def __init__(self, folder: Path, *words: str, **settings: str) -> None:
        file = folder / "program.py"
        file.write_text(PROGRAM)
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(folder / "cache" / "own"),
            "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache" / "torch"),
            **settings,
        }
        self._process = subprocess.Popen(
            [sys.executable, str(file), *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def output(self) -> str:
        output, errors = self._process.communicate(timeout=600)
        assert self._process.returncode == 0, errors
        return output


def unfinished(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if "tmp" in path.suffix]


def told(output: str, compiler: str) -> str:
    (line,) = [x for x in output.splitlines() if x.strip().startswith(f"{compiler}: ")]
    return line.strip()


def test_without_numba(tmp_path: Path):
    output = Started(tmp_path, "without", "looped").output()
    assert "looped: runs as it was" in output
    assert told(output, "Numba") == "Numba: it is not installed: pip install xp-torch[jit]"


def test_without_a_compiler_of_cpp(tmp_path: Path):
    output = Started(tmp_path, "without", "fused", CXX=str(tmp_path / "none")).output()
    assert "fused: runs as it was" in output
    assert "No working C++ compiler found" in told(output, "torch")


@needs_numba
@needs_gcc
def test_two_processes_that_compile_the_same(tmp_path: Path):
    both = [Started(tmp_path, "looped", "fused") for _ in range(2)]
    for started in both:
        output = started.output()
        assert "looped: compiled by Numba" in output
        assert "fused: compiled by" in output
    assert unfinished(tmp_path) == []


@needs_numba
@needs_gcc
def test_a_cache_that_cannot_be_written(tmp_path: Path):
    """Numba's code is compiled for the process alone, and torch's is not; both are right."""
    (tmp_path / "cache").write_text("a file, where the folder would be")
    output = Started(tmp_path, "looped", "fused").output()
    assert "looped: compiled by Numba" in output
    assert told(output.partition("fused")[2], "torch")
    assert (tmp_path / "cache").is_file()


@needs_numba
def test_interrupted_while_numba_compiles(tmp_path: Path):
    output = Started(tmp_path, "stop", "looped").output()
    assert output.startswith("interrupted\n")
    assert "looped: compiled by Numba" in output
    assert unfinished(tmp_path) == []


INTERRUPTING = """#!/bin/sh
case "$*" in
    *--version*|-v) exec g++ "$@";;
esac
if [ ! -e "{done}" ]; then
    touch "{done}"
    kill -INT $PPID
    sleep 1
    exit 1
fi
exec g++ "$@"
"""


@needs_gcc
@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a shell script")
def test_interrupted_while_torch_compiles(tmp_path: Path):
    """Control-C while the C++ compiler runs."""
    compiler = tmp_path / "interrupting"
    compiler.write_text(INTERRUPTING.format(done=tmp_path / "done"))
    compiler.chmod(0o755)
    output = Started(tmp_path, "without", "fused", CXX=str(compiler)).output()
    assert output.startswith("interrupted\n")
    assert "fused: compiled by torch" in output
    assert unfinished(tmp_path / "cache") == []
