"""``--jit``: hot functions are compiled while the program runs, and its output stays the same."""

from __future__ import annotations

import os
import re
import subprocess
from collections import deque
from pathlib import Path

import pytest
import torch

import numpy_shim as np
from numpy_shim._jit.snapshot import CannotCopyError, Snapshot, as_eager
from tests import forks
from tests.numpy_shim.launcher.launching import launch, write
from tests.numpy_shim.launcher.test_reports import cells

PROGRAM = """
    import helpers
    import numpy as np

    TABLE = np.zeros(3)
    calls = 0

    def hot(a, b=2.0, *, c=1.0):
        a *= 0.5
        return np.sin(a) * b + c, a.sum()

    def drawing(rng, a):
        return a + rng.normal(size=3)

    def talking(a):
        print("talking", a.sum())
        return a * 2 + 1

    def counting(a):
        global calls
        calls += 1
        return a * 2 + calls

    def writing(a):
        TABLE[0] += 1
        return a * TABLE

    def failing(a, n):
        b = a * 2 + 1
        if n == 7:
            raise ValueError("seven")
        return b

    def reversed_argument(a):
        return a * 2 + 1

    class Model:
        def __init__(self):
            self.w = np.ones(3)
            self.seen = []

        def step(self, x):
            self.w -= 0.1 * (self.w - x)
            self.seen.append(self.w.max())
            return self.w * 2

        @staticmethod
        def loss(x):
            return (x ** 2).mean() + x.max()

    def main():
        rng = np.random.default_rng(0)
        model, kept = Model(), hot
        a = np.arange(3.0)
        for i in range(8):
            values, total = kept(a, c=float(i > 3))
            print(values, total, type(total).__name__)
            print(drawing(rng, a), talking(a), counting(a), writing(a), helpers.shifted(a))
            print(model.step(a), model.loss(a), reversed_argument(a[::-1]))
        print(len(model.seen), type(model.seen[-1]).__name__, calls, TABLE)
        print(hot(np.ones((2, 2)))[0].shape)
        try:
            for i in range(9):
                failing(a, i)
        except ValueError as error:
            print(i, error)
        for i in range(3):
            print(hot(np.ones(3, dtype=np.float32))[0].dtype)

    main()
"""
HELPERS = """
    import numpy as np

    def shifted(a):
        return np.roll(a, 1) + a
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("hot"), {"program.py": PROGRAM, "helpers.py": HELPERS})


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    """The program, with each function compiled at its fourth call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        patch.setenv("NUMPY_SHIM_JIT_BACKEND", "eager")
        patch.setenv("COLUMNS", "200")
        return launch("--jit", "--summary", "program.py", imported=forks.COMPILER, cwd=folder)


class TestAProgram:
    def test_the_output_is_the_same(self, folder: Path, done: subprocess.CompletedProcess[str]):
        assert done.stdout == launch("program.py", cwd=folder).stdout
        assert "differ" not in done.stderr

    def test_what_is_compiled(self, done: subprocess.CompletedProcess[str]):
        rows = cells(done.stderr)
        for name in ("hot", "shifted", "Model.loss"):
            assert int(rows[name][2]) > 0, done.stderr

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("drawing", "Generator"),
            ("talking", "`print`"),
            ("counting", "changes"),
            ("writing", "no argument"),
            ("reversed_argument", "reversed"),
            ("Model.step", "scalars"),
        ],
    )
    def test_what_is_not(self, done: subprocess.CompletedProcess[str], name: str, why: str):
        row = cells(done.stderr)[name]
        assert row[2] == "0"
        assert why in row[-1]


class TestTimes:
    def test_a_call_does_not_count_the_compiler(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """The fourth call of ``outer`` is its trial, and has the trial of ``inner`` in it."""
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        monkeypatch.setenv("NUMPY_SHIM_JIT_BACKEND", "eager")
        monkeypatch.setenv("COLUMNS", "200")
        program = """
            import numpy as np

            def inner(a):
                return np.sin(a) + 1

            def outer(a):
                return inner(a) * 2

            for _ in range(6):
                outer(np.zeros(2))
            inner(np.zeros(2))
        """
        folder = write(tmp_path, {"program.py": program})
        rows = cells(
            launch("--jit", "--summary", "program.py", imported=forks.COMPILER, cwd=folder).stderr
        )
        calls, milliseconds, *_ = rows["outer"]
        assert 1e-3 * int(calls) * float(milliseconds) < float(rows["inner"][4])


class TestSettings:
    def test_seconds(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "soon")
        done = launch("--jit", "program.py", cwd=folder, status=2)
        assert "NUMPY_SHIM_JIT_AFTER is to be seconds; got 'soon'" in done.stderr


class TestADifference:
    def test_it_is_told_and_the_function_stays_eager(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """The function gives something else in a trace."""
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        monkeypatch.setenv("NUMPY_SHIM_JIT_BACKEND", "eager")
        program = """
            import numpy as np
            import torch

            def f(a):
                return a + (2 if torch.compiler.is_compiling() else 1)

            for _ in range(5):
                print(f(np.zeros(2)))
        """
        done = launch(
            "--jit",
            "program.py",
            imported=forks.COMPILER,
            cwd=write(tmp_path, {"program.py": program}),
        )
        assert done.stdout == "[1. 1.]\n" * 5
        assert "f (program.py:5) is not compiled" in done.stderr
        assert "values differ by up to 1" in done.stderr


class TestSnapshot:
    def test_copies_share_memory_as_the_arguments_do(self):
        a = np.arange(6.0)
        snapshot = Snapshot((a, a[::2], [a]), {"k": a[1:]})
        b, c, (d,) = snapshot.arguments
        b[0] = 9
        assert a[0] == 0
        assert c[0] == 9
        assert d is b
        snapshot.keywords["k"][1] = 8
        assert b[2] == 8

    @pytest.mark.parametrize(
        ("change", "text"),
        [
            (lambda a, b: (a, b * 2), ""),
            (lambda a, b: (b, b * 2), "same object"),
            (lambda a, b: (a, b * 3), "values differ"),
            (lambda a, b: (a, b.astype("float32") * 2), "float32"),
            (lambda a, b: (a, b[1:] * 2), r"\(2,\) instead of float64 \(3,\)"),
            (lambda a, b: [a, b * 2], "list instead of tuple"),
            (lambda a, b: (a, a[:]), "shares memory"),
            (lambda a, b: (a, 5.0), "float instead of ndarray"),
        ],
    )
    def test_differences(self, change, text: str):
        arguments = np.ones(3), np.full(3, 2.0)
        snapshot = Snapshot(arguments, {})
        result = (arguments[0], arguments[1] * 2)
        found = snapshot.difference(arguments, result, change(*snapshot.arguments))
        assert re.search(text, found) if text else not found

    def test_a_write_is_a_difference(self):
        arguments = (np.ones(3),)
        snapshot = Snapshot(arguments, {})
        snapshot.arguments[0][1] = 7
        assert "argument 1" in snapshot.difference(arguments, None, None)

    def test_rounding_is_none(self):
        snapshot = Snapshot((), {})
        assert not snapshot.difference((), np.ones(3), np.ones(3) + 1e-15)
        assert snapshot.difference((), np.ones(3), np.ones(3) + 1e-12)
        assert not snapshot.difference((), np.float32(1), np.float32(1 + 1e-6))
        assert snapshot.difference((), np.float64(1), np.float64(1 + 1e-6))

    def test_what_is_not_copied(self):
        with pytest.raises(CannotCopyError, match="array that is read-only"):
            Snapshot((np.arange(3)[::-1],), {})
        with pytest.raises(CannotCopyError, match="type deque"):
            Snapshot((deque(),), {})

    def test_scalars_are_numpys(self):
        def f(x):
            return x.sum(), {"a": x.max()}

        total, table = as_eager(torch.compile(f, backend="eager")(np.arange(3)))
        assert type(total) is np.int64
        assert type(table["a"]) is np.int64


class TestALongLoop:
    def test_its_body_is_compiled(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """The whole call is compared before the compiled body is used."""
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        monkeypatch.setenv("NUMPY_SHIM_JIT_BACKEND", "eager")
        monkeypatch.setenv("COLUMNS", "200")
        program = """
            import numpy as np

            def relax(field, n):
                last = 0.0
                for step in range(n):
                    field[1:-1] = 0.5 * (field[2:] + field[:-2])
                    last = field.max()
                return last, step

            for i in range(6):
                field = np.arange(9.0) ** 2 + i
                last, step = relax(field, 60)
                print(f"{last:.6f} {step}", np.round(field, 6))
        """
        folder = write(tmp_path, {"program.py": program})
        done = launch("--jit", "--summary", "program.py", imported=forks.COMPILER, cwd=folder)
        assert done.stdout == launch("program.py", cwd=folder).stdout
        assert int(cells(done.stderr)["relax"][2]) == 2, done.stderr


class TestWhatItCosts:
    def test_a_library_is_imported_unwatched_and_without_the_compiler(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """Watched, each call of Python code takes longer; Dynamo takes a second to import."""
        library = """
            import sys

            watched_at_import = sys.getprofile() is not None

            def is_watched():
                return sys.getprofile() is not None
        """
        program = """
            import sys

            import library
            import helpers
            import numpy as np

            print(library.watched_at_import, helpers.watched_at_import, library.is_watched())
            print("torch._dynamo" in sys.modules, "numba" in sys.modules)
        """
        helpers = "import sys\n\nwatched_at_import = sys.getprofile() is not None\n"
        write(tmp_path / "site-packages", {"library.py": library})
        folder = write(tmp_path / "mine", {"program.py": program, "helpers.py": helpers})
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site-packages"), prepend=os.pathsep)
        done = launch("--jit", "program.py", cwd=folder)
        assert done.stdout == "False True True\nFalse False\n"

    def test_after_many_calls_all_functions_are_watched_at_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """What a library calls, over and over, is not looked at to the end."""
        program = """
            import sys

            import numpy as np
            from textwrap import dedent

            def early(x):
                return np.sin(x) * 2 + 1

            class Later:
                def step(self, x):
                    return np.cos(x) * 2 + 1

            Later.next = Later
            x = np.ones(100)
            early(x)
            print(sys.getprofile() is not None)
            while sys.getprofile() is not None:
                dedent("text")

            def defined_then(x):
                return np.tan(x) * 2 + 1

            if x.size:
                import imported_then
            for _ in range(6):
                early(x), Later().step(x), defined_then(x), imported_then.shifted(x)
        """
        imported = """
            import numpy as np

            def shifted(x):
                return np.exp(x) * 2 + 1
        """
        folder = write(tmp_path, {"program.py": program, "imported_then.py": imported})
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        done = launch("--jit", "--summary", "program.py", imported=forks.COMPILER, cwd=folder)
        assert done.stdout == "True\n"
        assert cells(done.stderr).keys() >= {
            "early", "Later.step", "defined_then", "shifted",
        }  # fmt: skip


class TestCodeThatRunsOnce:
    """Its loops are functions, of which Numba compiles the parts that follow."""

    PROGRAM = """
        import numpy as np

        def simulate(n, steps):
            u, new = np.zeros(n), np.zeros(n)
            u[n // 2] = 1.0
            for t in range(steps):
                for i in range(1, n - 1):
                    new[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
                u, new = new, u
            return u

        def often(k):
            total = 0
            for i in range(k):
                total += i
            return total

        rng = np.random.default_rng(1)
        inside, k = 0, 0
        for k in range(100_000):
            x = rng.random()
            y = rng.random()
            if x * x + y * y < 1:
                inside += 1
        print(inside, k, type(inside).__name__, rng.random())
        u = simulate(60, 3000)
        print(u.sum(), u.max(), u.base is None, sum(often(k % 3) for k in range(300)))
        squares = np.zeros(40, dtype=int)
        step = 0
        while step < 40 and squares[-1] == 0:
            for j in range(40):
                squares[j] += j * step
            print(step, squares[step]) if step % 10 == 0 else None
            step += 1
        print(squares.sum(), step)
    """

    def test_output_and_compiler(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        write(tmp_path, {"program.py": self.PROGRAM})
        expected = launch("program.py", cwd=tmp_path).stdout
        monkeypatch.setenv("NUMPY_SHIM_JIT_AFTER", "0")
        monkeypatch.setenv("COLUMNS", "200")
        done = launch("--jit", "--summary", "program.py", imported=forks.COMPILER, cwd=tmp_path)
        assert done.stdout == expected, done.stderr
        rows = cells(done.stderr)
        text = (tmp_path / "program.py").read_text().splitlines()
        for line, of in (("for t in range(steps):", "simulate"), ("for k in range(100", "program")):
            number = next(i for i, found in enumerate(text, 1) if line in found)
            row = rows[f"loop_{number}_of_{of}"]
            assert int(row[2].replace(",", "")) > 0, row
            assert "Numba" in row
