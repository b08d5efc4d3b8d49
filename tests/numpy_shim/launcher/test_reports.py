"""What the launcher tells of a program that has ended: the summary and the compile report."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch, write

REPORTED = """
    import numpy as np

    class Model:
        def __init__(self, k):
            self.k = k

        def apply(self, a, *rest, scale=2.0, **more):
            return a * self.k * scale + len(rest) + len(more)

    def step(a):
        a = a + np.sin(a)
        a *= 0.5
        return a

    def simulate(a, n):
        for _ in range(n):
            a = step(a)
        return a

    def positive(a):
        if a.sum() > 0:
            return a
        return -a

    def outer(k):
        def inner(a):
            return a * k
        return inner

    def rows(a):
        for i in range(2):
            yield a * i

    def plain(n):
        return n + 1

    def main():
        a = simulate(np.ones(8), 3)
        b = positive(a)
        Model(2).apply(b, 1, 2, x=3)
        outer(plain(3))(b)
        list(rows(b))
        mask = b > 0.1
        print(b[mask].sum() > 0)
        print(b.tolist() == b.tolist())
        c = b[np.arange(4) // 2]  # bounds and quotients are looked at, on the CPU only

    main()
"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    folder = write(tmp_path_factory.mktemp("reported"), {"reported.py": REPORTED})
    return launch("--summary", "--compile-report", "reported.py", cwd=folder)


class TestReports:
    def test_the_output_is_the_programs_own(self, reported: subprocess.CompletedProcess[str]):
        assert reported.stdout == "True\nTrue\n"

    def test_operators_are_counted(self, reported: subprocess.CompletedProcess[str]):
        rows = cells(reported.stderr)
        assert rows["sin"][0] == "3"
        assert "calls of torch operators" in reported.stderr

    def test_waits_are_told_by_line(self, reported: subprocess.CompletedProcess[str]):
        text = reported.stderr
        assert "a value is read" in text
        assert "if a.sum() > 0:" in text
        assert "the shape needs the values" in text
        assert "b[mask]" in text
        rows = cells(text)
        assert "np.arange(4) // 2" not in text
        assert rows["reported.py:46"][:2] == ["2", "tolist"]

    def test_functions_are_judged(self, reported: subprocess.CompletedProcess[str]):
        rows = cells(reported.stderr)
        for name, graph in (
            ("Model.apply", "4"),
            ("step", "3"),
            ("simulate", "9"),
            ("outer.inner", "1"),
        ):
            assert rows[name][0] == "yes", name
            assert rows[name][2] == graph, name
        assert rows["positive"][0] == "no"
        assert rows["rows"][0] == "no"
        assert "plain" not in rows
        assert "reported.py:22: if a.sum() > 0:" in " ".join(reported.stderr.split())

    def test_a_program_that_fails_is_reported_too(self, tmp_path: Path):
        source = "import numpy as np\nnp.sin(np.ones(3))\nraise SystemExit(3)\n"
        write(tmp_path, {"failing.py": source})
        done = launch("--summary", "failing.py", cwd=tmp_path, status=3)
        assert cells(done.stderr)["sin"][0] == "1"


def cells(text: str) -> dict[str, list[str]]:
    """The rows of the tables in a text, by their first cell."""
    rows = [[c.strip() for c in line.split("│")[1:-1]] for line in text.splitlines() if "│" in line]
    return {row[0]: row[1:] for row in rows}
