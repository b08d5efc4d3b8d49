"""The launcher: who gets numpy_shim for numpy, and that a program runs as under Python itself."""

from __future__ import annotations

import builtins
import importlib
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy
import pytest

import numpy_shim
import xp_torch
from numpy_shim._launcher import ipython
from numpy_shim._launcher.cli import main, parse
from numpy_shim._launcher.imports import Redirection
from numpy_shim._launcher.threads import in_started_threads
from tests.numpy_shim.launcher.launching import ROOT, launch, write


class TestWhoGetsIt:
    """Redirection, in this process: code that is said to lie in a folder is executed."""

    @pytest.fixture(autouse=True)
    def redirection(self, tmp_path: Path) -> Iterator[Redirection]:
        before = builtins.__import__, importlib.import_module
        redirection = Redirection("numpy_shim", [str(tmp_path)])
        redirection.install()
        yield redirection
        redirection.remove()
        assert (builtins.__import__, importlib.import_module) == before

    def run(self, file: Path, source: str) -> dict[str, Any]:
        names: dict[str, Any] = {"__file__": str(file), "__name__": "m"}
        exec(compile(dedent(source), str(file), "exec"), names)
        return names

    @pytest.mark.parametrize(
        "statement",
        [
            "import numpy as x",
            "import numpy; x = numpy",
            "import numpy.linalg; import numpy; x = numpy",
            "import numpy.linalg; x = numpy",
            "import os, numpy as x",
            "x = __import__('numpy')",
            "x = __import__('numpy.linalg')",
            "import importlib; x = importlib.import_module('numpy')",
            "from importlib import import_module; x = import_module('numpy')",
            "def f():\n import numpy\n return numpy\nx = f()",
            "class A:\n import numpy\nx = A.numpy",
            "names = {}; exec('import numpy as x', names); x = names['x']",
            "import timeit; n = []; timeit.timeit('n.append(x)', 'import numpy as x', number=1,"
            " globals={'n': n}); x = n[0]",
        ],
    )
    def test_the_user_gets_ours(self, tmp_path: Path, statement: str):
        assert self.run(tmp_path / "a.py", statement)["x"] is numpy_shim

    @pytest.mark.parametrize(
        "statement",
        [
            "import numpy.linalg as x",
            "from numpy import linalg as x",
            "x = __import__('numpy.linalg', fromlist=['solve'])",
            "import importlib; x = importlib.import_module('numpy.linalg')",
        ],
    )
    def test_submodules(self, tmp_path: Path, statement: str):
        from numpy_shim import linalg

        assert self.run(tmp_path / "a.py", statement)["x"] is linalg

    def test_names_from_it(self, tmp_path: Path):
        names = self.run(tmp_path / "a.py", "from numpy import sin as s, pi\nfrom numpy import *")
        assert names["s"] is names["sin"] is numpy_shim.sin

    @pytest.mark.parametrize("folder", ["deep/er", ".hidden"])
    def test_the_whole_tree_is_the_users(self, tmp_path: Path, folder: str):
        assert self.run(tmp_path / folder / "a.py", "import numpy")["numpy"] is numpy_shim

    @pytest.mark.parametrize(
        "file",
        [
            ".venv/lib/python3.12/site-packages/lib/a.py",
            "usr/lib/python3/dist-packages/lib.py",
            "../elsewhere.py",
        ],
    )
    def test_libraries_keep_numpy(self, tmp_path: Path, file: str):
        names = self.run(
            tmp_path / file,
            """
            import numpy, importlib
            import numpy.linalg as linalg
            other = importlib.import_module("numpy")
            """,
        )
        assert names["numpy"] is names["other"] is numpy
        assert names["linalg"] is numpy.linalg

    def test_we_keep_numpy_ourselves(self, redirection: Redirection, tmp_path: Path):
        here = Redirection("numpy_shim", [str(ROOT)])
        assert here.owns(str(ROOT / "docs/examples/kmeans.py"))
        assert not here.owns(str(ROOT / "numpy_shim/_array/ndarray.py"))
        assert not here.owns(str(ROOT / "xp_torch/_array.py"))

    def test_other_names_are_left_alone(self, tmp_path: Path):
        write(tmp_path, {"numpy_like.py": "x = 1"})
        source = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport numpy_like"
        try:
            assert self.run(tmp_path / "a.py", source)["numpy_like"].x == 1
        finally:
            sys.path.remove(str(tmp_path))

    def test_what_is_missing_is_named(self, tmp_path: Path):
        with pytest.raises(ModuleNotFoundError, match=r"'numpy\.nothing' on torch") as caught:
            self.run(tmp_path / "a.py", "import numpy.nothing")
        assert caught.value.name == "numpy.nothing"
        with pytest.raises(ImportError, match="cannot import name 'nothing' from 'numpy' on torch"):
            self.run(tmp_path / "a.py", "from numpy import nothing")
        for statement in ("import numpy.matlib", "from numpy import matlib"):
            with pytest.raises(ImportError, match="the matrix class is deprecated in NumPy"):
                self.run(tmp_path / "a.py", statement)
        with pytest.raises(ImportError, match=r"'numpy_shim\.sin' is no module"):
            self.run(tmp_path / "a.py", "import numpy.sin")

    def test_modules_of_what_torch_cannot_store_are_numpys(self, tmp_path: Path):
        import numpy

        for statement in (
            "import numpy.ma as ma",
            "from numpy import ma",
            "import numpy; ma = numpy.ma",
            "import numpy.ma.core; ma = numpy.ma",
            "import importlib; ma = importlib.import_module('numpy.ma')",
        ):
            assert self.run(tmp_path / "a.py", statement)["ma"] is numpy.ma
        found = self.run(tmp_path / "a.py", "from numpy.ma import masked\nimport numpy.rec as rec")
        assert found["masked"] is numpy.ma.masked
        assert found["rec"] is numpy.rec

    def test_no_frame_of_ours_in_a_traceback(self, tmp_path: Path):
        write(tmp_path, {"failing_module.py": "1 / 0"})
        source = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport failing_module"
        try:
            with pytest.raises(ZeroDivisionError) as caught:
                self.run(tmp_path / "a.py", source)
        finally:
            sys.path.remove(str(tmp_path))
        assert [Path(entry.path).name for entry in caught.traceback][-2:] == [
            "a.py",
            "failing_module.py",
        ]

    def test_numpys_own_pickles(self, tmp_path: Path):
        """C code that imports for itself, as pickle does, gets NumPy's internals."""
        names = self.run(
            tmp_path / "a.py", "import pickle\ndef load(data): return pickle.loads(data)"
        )
        import pickle

        assert type(names["load"](pickle.dumps(numpy.arange(3)))) is numpy.ndarray


PROGRAM = """
    import pickle, sys
    import numpy as np
    from helper import doubled
    from package import inner
    import scipy.linalg._basic

    class Point:
        x = 3

    def main():
        print(np.__name__, inner.np.__name__, scipy.linalg._basic.np.__name__)
        print(doubled(np.arange(3)), __name__, sys.argv[1:])
        print(pickle.loads(pickle.dumps(Point())).x, Point.__module__, sys.modules["__main__"].main)
        if "--exit" in sys.argv:
            sys.exit(7)
        if "--text" in sys.argv:
            sys.exit("that was it")
        if "--fail" in sys.argv:
            inner.fail()
        if "--interrupt" in sys.argv:
            raise KeyboardInterrupt

    if __name__ == "__main__":
        main()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        tmp_path_factory.mktemp("program"),
        {
            "program.py": PROGRAM,
            "helper.py": "import numpy as np\ndef doubled(a): return np.add(a, a)",
            "package/__init__.py": "",
            "package/inner.py": """
                import numpy as np

                def fail():
                    raise ValueError(np.add([1], [2]))
            """,
            "package/__main__.py": """
                import sys
                from . import inner
                print(__package__, __spec__.name, inner.np.__name__)
                print(sys.argv[0].endswith("__main__.py"), sys.argv[1:])
            """,
            "broken.py": "x = = 1\n",
        },
    )


class TestProgram:
    def test_runs_on_numpy_shim(self, folder: Path):
        done = launch("program.py", "-x", "--device", "1", cwd=folder)
        lines = done.stdout.splitlines()
        assert lines[0] == "numpy_shim numpy_shim numpy"
        assert lines[1] == "[0 2 4] __main__ ['-x', '--device', '1']"
        assert lines[2].startswith("3 __main__ <function main")
        assert done.stderr == ""

    @pytest.mark.parametrize(
        ("option", "status"), [("--exit", 7), ("--text", 1), ("--fail", 1), ("--interrupt", -2)]
    )
    def test_ends_as_under_python(self, folder: Path, option: str, status: int):
        """The same status and the same words on the error stream: no frame of the launcher."""
        ours = launch("program.py", option, cwd=folder, status=status)
        plain = launch("program.py", option, cwd=folder, status=status, launcher=False)
        assert ours.stderr == plain.stderr

    @pytest.mark.parametrize("options", [(), ("--jit",)])
    def test_a_syntax_error_is_the_programs(self, folder: Path, options: tuple[str, ...]):
        ours = launch(*options, "broken.py", cwd=folder, status=1)
        plain = launch("broken.py", cwd=folder, status=1, launcher=False)
        assert ours.stderr == plain.stderr

    def test_module(self, folder: Path):
        done = launch("-m", "package", "-m", "x", cwd=folder)
        assert done.stdout == "package package.__main__ numpy_shim\nTrue ['-m', 'x']\n"

    def test_from_another_directory(self, folder: Path, tmp_path: Path):
        done = launch(str(folder / "program.py"), cwd=tmp_path)
        assert done.stdout.startswith("numpy_shim numpy_shim numpy\n")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nothing.py"], "cannot open the script 'nothing.py': No such file or directory"),
            (["-m", "nothing_here"], "there is no module named 'nothing_here'"),
            (["package"], "'package' is a directory"),
            (["--device", "tpu9", "program.py"], "--device: device 'tpu9' is not a device\n"),
            ([], "name a script to run"),
            (["-c"], "argument -c: expected the text of a program"),
            (["--unknown", "program.py"], "--unknown"),
        ],
    )
    def test_errors_are_told(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        arguments: list[str],
        message: str,
    ):
        """Before anything of the program runs: in this process."""
        monkeypatch.chdir(folder)
        try:
            status = main(arguments)
        except SystemExit as leaving:  # argparse
            status = leaving.code
        assert status == 2
        assert message in capsys.readouterr().err

    @pytest.mark.parametrize("launcher", [False, True])
    def test_text(self, folder: Path, launcher: bool):
        """``-c`` and ``-`` set ``sys`` up as Python does."""
        text = "import sys, numpy as np; print(np.__name__, sys.argv, repr(sys.path[0]), __name__)"
        name = "numpy_shim" if launcher else "numpy"
        done = launch("-c", text, "a", "-b", cwd=folder, launcher=launcher)
        assert done.stdout == f"{name} ['-c', 'a', '-b'] '' __main__\n"
        done = launch("-", "-m", "x", cwd=folder, launcher=launcher, given=text)
        assert done.stdout == f"{name} ['-', '-m', 'x'] '' __main__\n"

    def test_text_defines_functions(self, folder: Path):
        """Code without a file is the user's, in functions that are called later too."""
        text = "def f():\n import numpy.fft as x\n return x\nprint(f().__name__); import util"
        done = launch("-c", text, cwd=folder, status=1)
        assert done.stdout == "numpy_shim.fft\n"
        assert "in <module>" in done.stderr
        assert "_launcher" not in done.stderr

    def test_version(self, folder: Path):
        done = launch("--version", cwd=folder)
        assert done.stdout.startswith(f"numpy_shim {xp_torch.__version__} (NumPy ")

    def test_a_missing_submodule_is_told(self, folder: Path):
        done = launch("-m", "package.nothing", cwd=folder, status=2)
        assert "'package.nothing' cannot be run" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
    def test_processes(self, tmp_path: Path, method: str):
        """Children see numpy_shim too, those included that import the program again."""
        source = f"""
            import multiprocessing, sys
            import numpy as np

            class Job:
                size = 4

            def work(job):
                return np.__name__, float(np.arange(job.size).sum())

            if __name__ == "__main__":
                if {method!r} in multiprocessing.get_all_start_methods():
                    with multiprocessing.get_context({method!r}).Pool(1) as pool:
                        print(pool.map(work, [Job()]))
                else:
                    print([("numpy_shim", 6.0)])
        """
        write(tmp_path, {"parent.py": source})
        assert launch("parent.py", cwd=tmp_path).stdout == "[('numpy_shim', 6.0)]\n"

    @pytest.mark.skipif(
        platform.libc_ver()[0] != "glibc" or platform.libc_ver()[1] < "2.33",
        reason="the C library does otherwise, or does not tell",
    )
    def test_new_arrays_take_the_memory_of_old_ones(self, tmp_path: Path):
        """An array of 20 MB is no mapping of its own, which is given back when it is freed."""
        source = """
        import ctypes
        import numpy as np

        class Info(ctypes.Structure):
            _fields_ = [(f"field_{i}", ctypes.c_size_t) for i in range(10)]

        def mappings():
            info = ctypes.CDLL(None).mallinfo2
            info.restype = Info
            return info().field_3

        before = mappings()
        a = np.empty(2_500_000)
        print(mappings() - before)
        """
        write(tmp_path, {"mapped.py": source})
        done = subprocess.run(  # no fork, which has the memory of what it was forked from
            [sys.executable, "-m", "numpy_shim", "mapped.py"],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout == "0\n"

    def test_device(self, tmp_path: Path):
        """The default device is set, in threads too."""
        source = """
            import threading
            import numpy as np

            def look():
                print(np.ones(3).tensor.device)

            look()
            thread = threading.Thread(target=look)
            thread.start()
            thread.join()
        """
        write(tmp_path, {"made.py": source})
        done = launch("--device", "meta", "made.py", cwd=tmp_path)
        assert done.stdout.split() == ["meta", "meta"]


class TestCommandLine:
    def test_options_end_at_the_program(self):
        options = parse(["--summary", "a.py", "--device", "cuda", "-m"])
        assert (options.script, options.arguments) == ("a.py", ("--device", "cuda", "-m"))
        assert options.summary
        assert not options.device

    def test_module(self):
        options = parse(["--device", "cuda", "-m", "pkg.mod", "--summary", "x"])
        assert (options.module, options.arguments) == ("pkg.mod", ("--summary", "x"))
        assert options.device == "cuda"
        assert not options.summary


def test_threads_started_inside_have_a_context():
    import threading
    from contextlib import contextmanager

    seen: list[str] = []

    @contextmanager
    def noting() -> Iterator[None]:
        seen.append("in")
        yield
        seen.append("out")

    class Own(threading.Thread):
        def run(self) -> None:
            seen.append("run")

    undo = in_started_threads(noting)
    thread = Own()
    thread.start()
    thread.join()
    undo()
    assert seen == ["in", "run", "out"]


class Shell:
    """As much of IPython's shell as the extension looks at."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {"__name__": "__main__"}

    def run_cell(self, source: str) -> None:
        exec(compile(source, "<ipython-input-1>", "exec"), self.user_ns)


def test_ipython_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # the session's own tree
    shell = Shell()
    shell.run_cell("import numpy as np, numpy.linalg as la, os")
    ipython.load_ipython_extension(shell)
    ipython.load_ipython_extension(shell)  # twice is as good as once
    try:
        assert shell.user_ns["np"] is numpy_shim
        shell.run_cell("import numpy\ndef f():\n    import numpy\n    return numpy")
        assert shell.user_ns["numpy"] is numpy_shim
        assert shell.user_ns["f"]() is numpy_shim
        import numpy as mine

        assert mine is numpy
    finally:
        ipython.unload_ipython_extension(shell)
    shell.run_cell("import numpy as again")
    assert shell.user_ns["np"] is shell.user_ns["again"] is shell.user_ns["f"]() is numpy


def test_ipython_itself():
    """In a real session, where IPython is installed."""
    pytest.importorskip("IPython")
    source = """
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        for cell in ("import numpy as np", "%load_ext numpy_shim", "print(np.__name__)",
                     "import numpy; print(numpy.__name__)", "%unload_ext numpy_shim",
                     "print(np.__name__)"):
            shell.run_cell(cell).raise_error()
    """
    command = [sys.executable, "-c", dedent(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.stdout.split() == ["numpy_shim", "numpy_shim", "numpy"], done.stderr
