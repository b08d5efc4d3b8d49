"""Loops of a launched program, and of libraries, over the elements of a device's array."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch, with_numpy, write
from tests.numpy_shim.launcher.test_host_copies import rows

LIBRARIES = """
    import heapq
    import statistics
    import numpy as np

    x = np.linspace(0.0, 1.0, 50) ** 2
    print(statistics.fmean(x), statistics.median(x), heapq.nlargest(2, x))
    y = np.arange(4.0)
    for value in heapq.merge(y):
        print(float(value), type(value).__module__)
        y += 10
"""
PROGRAMS = """
    import json
    import numpy as np

    x = np.arange(9000) % 7
    print(type(next(iter(x))), sum(x), max(x), sorted(x)[:2], list(x[::-1])[:2])
    print(dict(zip(x[:2], x)))
    y = np.arange(4.0)
    for value in y:
        y += 10
        print(value, end=" ")
    for value in y[::-1]:
        y += 10
        print(value, end=" ")
    a, b, *c = y
    print(a, b, c, json.dumps({a: [b]}))
    for row in np.arange(6).reshape(2, 3):
        print([v * 2 for v in row], sum(v for v in row))
    print([v for v in np.arange(6).reshape(2, 3).T.flat], [v for v in np.ones(0)])
    print([v for v in np.array([1 + 2j]).conj()], [v for v in np.array([True])])
    print(list(np.ndenumerate(np.arange(4.0).reshape(2, 2))))
"""
INDICES = """
    import numpy as np

    x, m = np.arange(100.0), np.arange(12).reshape(3, 4)
    print([repr(x[i] * x[-i]) for i in range(1, 3)], sum(x[i] for i in range(100)), x[int(7)])
    for i in range(50):
        x[50] = i
        assert x[i] == i and x[50] == i and x[50:][0] == i
    print([m[i, j] for i in range(3) for j in range(4)], [m.T[i, i] for i in np.arange(3)])
    for i in (100, -101):
        try:
            x[i]
        except IndexError as error:
            print(str(error).removeprefix("__getitem__: "))
    for i in range(1, 40):
        x[i] = x[i - 1] * 0.5 + x[i + 1]
    print(x[:3], x[39])
    low, high = 0, 99
    s = np.sort(x)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if s[middle] < 60 else (low, middle)
    print(low)
"""
CROSSINGS = """
    import numpy as np

    x = np.arange(10_000.0)
    total = sum(x)
    first = x[0] - x[-1]
    for i in range(10):
        total += x[i]
    for i in range(1000):
        total += x[i]
    x[0] = x[1]
    for i in range(1, 8):
        x[i] = x[i - 1] + x[i]
    p = np.array([1.0, 2.0, 3.0])
    total += np.sqrt(2.0) * (p[0] * np.sin(p[1]) + p[2] ** 2)
    print(x[:2], total)
"""


def test_a_loop_of_a_library_copies_an_array_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    write(tmp_path, {"program.py": LIBRARIES})
    theirs = launch("program.py", cwd=tmp_path, launcher=False).stdout
    done = launch("--device", "npy", "--summary", "program.py", cwd=tmp_path)
    assert done.stdout == theirs
    found = rows(done.stderr)
    assert [cells[0] for name, cells in found.items() if "fmean" in name] == ["1"]


@pytest.mark.parametrize("source", [PROGRAMS, INDICES], ids=["loops", "indices"])
@pytest.mark.parametrize(
    "options", [(), *(("--device", "npy", "--host-copies", mode) for mode in ("allow", "error"))]
)
def test_a_loop_of_a_program_does_what_it_does_with_numpy(
    source: str, options: tuple[str, ...], tmp_path: Path
):
    write(tmp_path, {"program.py": source})
    assert launch(*options, "program.py", cwd=tmp_path).stdout == with_numpy(source).stdout


def test_what_a_loop_of_a_program_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Blocks, all after some reads, or all of a few; nothing at a constant index of many."""
    monkeypatch.setenv("COLUMNS", "200")
    write(tmp_path, {"program.py": CROSSINGS})
    done = launch("--device", "npy", "--summary", "program.py", cwd=tmp_path)
    assert done.stdout == launch("program.py", cwd=tmp_path, launcher=False).stdout
    found = {name: cells[:2] for name, cells in rows(done.stderr).items()}
    assert found == {
        "program.py:5 iter()": ["2", "80,000"],
        "program.py:8 x[i]": ["10", "80"],
        "program.py:10 x[i]": ["4", "80,024"],
        "program.py:14 x[i] = v": ["0", "0"],  # what the loop before has written goes back there
        "program.py:15 x[i]": ["1", "24"],
        "all": ["17", "160,128"],
    }


def test_an_element_with_a_gradient_keeps_it(tmp_path: Path):
    source = """
        import numpy_shim as np

        def f(x):
            return sum([x[i] ** 2 for i in range(20)]) + sum(v for v in x)

        print(np.grad(f)(np.arange(20.0)))
    """
    write(tmp_path, {"program.py": source})
    ours = launch("program.py", cwd=tmp_path).stdout
    assert launch("--device", "npy", "program.py", cwd=tmp_path).stdout == ours
    assert ours.startswith("[ 1.  3.  5.")
