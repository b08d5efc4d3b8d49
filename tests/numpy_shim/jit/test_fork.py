"""A fork of the process tries the compilers: what loses is never compiled in the program."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch

from .with_numba import needs_numba

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2,
    reason="a fork works on a processor of its own",
)

START = """
import os, sys, time
import torch
from numpy_shim._jit import fork

def heard(work):
    copy = fork.start(work)
    while not copy.is_done():
        time.sleep(0.01)
    return copy.result()
"""


IMPORTED = ("torch", "numpy_shim._jit.choice", "numpy_shim._jit.fork")


def printed(
    text: str, tmp_path: Path, *words: str, status: int = 0, imported: Sequence[str] = IMPORTED
) -> list[str]:
    """The lines that a program prints, in a process of its own."""
    (tmp_path / "program.py").write_text(text)
    done = launch(
        *words, "program.py", cwd=tmp_path, status=status, launcher=False, imported=imported
    )
    return done.stdout.splitlines()


def test_work_on_all_threads_and_its_result(tmp_path: Path):
    """OpenMP's threads, which the program has by then, are not in its fork."""
    text = """
x = torch.ones(700, 700)
y = x @ x
print(heard(lambda: (float((x @ x).sum()), torch.get_num_threads())))
print((float(y.sum()), torch.get_num_threads()), fork.Fork.current)
"""
    first, second = printed(START + text, tmp_path)
    assert second == f"{first} None"


def test_work_that_fails_has_no_result(tmp_path: Path):
    text = """
print(heard(lambda: 1 / 0), heard(lambda: os._exit(3)), heard(lambda: print), heard(lambda: [1]))
"""
    assert printed(START + text, tmp_path) == ["None None <built-in function print> [1]"]


def test_the_fork_reads_and_writes_nothing_of_the_programs(tmp_path: Path):
    text = """
opened = open("written.txt", "w")
opened.write("once ")
print("once", end=" ")
def work():
    print("copied", flush=True)
    print("copied", file=sys.stderr, flush=True)
    os.write(1, b"copied")
    try:
        opened.flush()
    except OSError:
        pass
    return sys.stdin.read()
print(repr(heard(work)))
opened.close()
print(open("written.txt").read())
"""
    assert printed(START + text, tmp_path) == ["once ''", "once "]


def test_the_fork_is_no_child_of_the_program(tmp_path: Path):
    text = """
copy = fork.start(lambda: time.sleep(60))
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child")
copy.stop()
"""
    assert printed(START + text, tmp_path) == ["no child"]


@pytest.mark.parametrize(
    ("end", "status"),
    [("", 0), ("copy.stop(); time.sleep(2)", 0), ("os.kill(os.getpid(), 9)", -9)],
)
def test_the_fork_ends_with_the_program_or_when_it_is_stopped(
    tmp_path: Path, end: str, status: int
):
    text = """
def work():
    with open("copy.txt.tmp", "w") as file:
        file.write(str(os.getpid()))
    os.rename("copy.txt.tmp", "copy.txt")
    time.sleep(50)
copy = fork.start(work)
while not os.path.exists("copy.txt"):
    time.sleep(0.01)
"""
    printed(START + text + end, tmp_path, status=status)
    process = int((tmp_path / "copy.txt").read_text())
    until = time.monotonic() + 20
    while _is_alive(process) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _is_alive(process)


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.parametrize(
    "what",
    [
        "threading.Thread(target=time.sleep, args=(5,), daemon=True).start()",
        "signal.signal(signal.SIGCHLD, lambda *_: None)",
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})",
        "os.sysconf = lambda name: 1 << 40",
        "os.getpid = lambda: 1",
        "os.environ['NUMPY_SHIM_JIT_FORK'] = '0'",
    ],
)
def test_where_there_is_none(tmp_path: Path, what: str):
    text = "import signal, threading\nprint(fork.is_possible())\n"
    assert printed(f"{START}{text}{what}\n{text}", tmp_path) == ["True", "False"]


CHOICE = """
import numpy as np
from numpy_shim._jit.choice import Chooser

class Ready:
    shortest, patience, calls = 0.0, 1.0, 0
    def __init__(self, name, function):
        self.name, self.function = name, function
    def cost(self, is_cached=False):
        return 0.1 if is_cached else 10.0
    def compiled(self, copies, result):
        Ready.calls += 1
        return self, self.call(copies.arguments, copies.keywords)[0]
    def call(self, arguments, keywords):
        return self.function(*arguments, **keywords), True

def plain(x):
    time.sleep(0.02)
    x += 1
    return x.sum()
def fast(x):
    x += 1
    return x.sum()
def slow(x):
    time.sleep(0.03)
    x += 1
    return x.sum()
def wrong(x):
    return x.sum()

def run(*functions):
    Ready.calls = 0
    chooser = Chooser(plain, [Ready(f.__name__, f) for f in functions], after=0.1, may_fork=True,
                      refused=lambda choice, difference: print("differs", difference))
    x = np.zeros(3)
    for i in range(100):
        assert chooser.call((x,), {}) == 3 * (i + 1)
    (choice,) = chooser.choices.values()
    assert not choice.may_fork and choice.fork is None
    print(choice.by or "plain", Ready.calls, sorted(choice.told), chooser.is_settled)
    print(choice)
"""


def test_what_loses_is_never_compiled_in_the_program(tmp_path: Path):
    lines = printed(START + CHOICE + "run(slow)", tmp_path)
    assert lines[0] == "plain 0 ['slow'] True"
    assert any("slow: right, but not faster" in line for line in lines)
    assert any("trials in a fork took" in line for line in lines)


def test_what_wins_is_compiled_in_the_program(tmp_path: Path):
    lines = printed(START + CHOICE + "run(slow, fast)", tmp_path)
    assert lines[0] == "fast 1 ['fast', 'slow'] False"


def test_what_differs_is_told_of(tmp_path: Path):
    lines = printed(START + CHOICE + "run(wrong)", tmp_path)
    assert lines[0].startswith("differs in argument 1: values differ")
    assert lines[1] == "plain 0 ['wrong'] True"


def test_a_fork_that_dies_leaves_the_decision_to_the_program(tmp_path: Path):
    """It is made when the calls have taken what the compiler costs, as without a fork."""
    text = """
def dies(x):
    if os.getpid() != process:
        os._exit(1)
    return fast(x)
process = os.getpid()
Ready.cost = lambda self, is_cached=False: 0.5
run(dies)
"""
    assert printed(START + CHOICE + text, tmp_path)[0] == "dies 1 ['dies'] False"


def test_one_fork_at_a_time_and_what_waits_for_it(tmp_path: Path):
    """A compiler whose cost the calls have taken three times over is tried in the program."""
    text = """
other = fork.start(lambda: time.sleep(60))
Ready.cost = lambda self, is_cached=False: 0.2
chooser = Chooser(plain, [Ready("fast", fast)], after=0.1, may_fork=True)
x = np.zeros(3)
for i in range(60):
    chooser.call((x,), {})
(choice,) = chooser.choices.values()
print(choice.by, choice.may_fork, 25 < choice.plain.calls < 40, fork.Fork.current is other)
other.stop()
"""
    assert printed(START + CHOICE + text, tmp_path) == ["fast True True True"]


def test_a_fork_that_nobody_asks_makes_room(tmp_path: Path):
    """A function that is called no more leaves the next one its turn."""
    text = """
def calls(n):
    chooser = Chooser(plain, [Ready("fast", fast)], after=0.1, may_fork=True)
    x = np.zeros(3)
    for i in range(n):
        chooser.call((x,), {})
    (choice,) = chooser.choices.values()
    return choice
print(calls(8).fork is not None)
time.sleep(1)
print(calls(60).by)
"""
    assert printed(START + CHOICE + text, tmp_path) == ["True", "fast"]


def test_without_files_to_open_there_is_none(tmp_path: Path):
    text = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
print(fork.start(lambda: 1))
"""
    assert printed(START + text, tmp_path) == ["None"]


def test_a_process_that_the_program_forks_hears_nothing(tmp_path: Path):
    text = """
copy = fork.start(lambda: time.sleep(0.5) or "heard")
child = os.fork()
if child == 0:
    print(fork.is_busy(), copy.is_done(), copy.result(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
while not copy.is_done():
    time.sleep(0.01)
print(copy.result(), fork.is_busy())
"""
    assert printed(START + text, tmp_path) == ["False True None", "heard False"]


PROGRAM = """
import numpy as np

def collatz(n):
    longest = 0
    for start in range(1, n):
        c, steps = start, 0
        while c != 1:
            c = c // 2 if c % 2 == 0 else 3 * c + 1
            steps += 1
        longest = max(longest, steps)
    return longest

def slowly(x):
    for _ in range(200):
        x = np.where(x > 0.5, np.sqrt(x), x + 0.1)
    return x.sum()

total = 0
for _ in range(200):
    total += collatz(2000) + slowly(np.linspace(0, 1, 100))
print(total)
"""


@needs_numba
def test_a_program_prints_the_same(tmp_path: Path):
    words = ("-m", "numpy_shim")
    with_it = printed(PROGRAM, tmp_path, *words, "--jit", "--summary", imported=())
    assert with_it[0] == printed(PROGRAM, tmp_path, imported=())[0]
