"""``python -m numpy_shim --ranks N``: one output, and an end for all if one fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from numpy_shim._launcher import sharding
from numpy_shim._launcher.device import LaunchError
from tests.distributed.pool import free_port

ROOT = Path(__file__).parents[2]

PROGRAM = """
import random
import numpy as np
a = np.ones((1000, 3))
a[2:5] = 0
u = np.linspace(0, 1, 4000)
u[1:-1] = (u[:-2] + u[2:]) / 2
drawn = np.random.default_rng(5).random((500, 2))
print(a.sum(), float(u[7]), np.sort(drawn, 0)[3], f"{drawn.std():.12f}")
print(a)
np.save(__file__ + ".npy", u)
u = np.load(__file__ + ".npy")
np.random.seed(3)
print(u.shape, u.dtype, u[5:7], np.random.randn(300, 2)[299], np.random.randint(9, size=500)[1])
"""


def launched(folder: Path, program: str, *options: str, wait: bool = True, **env: str):  # type: ignore[no-untyped-def]
    script = folder / "script.py"
    script.write_text(program, encoding="utf-8")
    variables = {
        k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "MASTER_PORT")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "numpy_shim", *options, str(script)],
        env={**variables, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if not wait:
        return process
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_the_output_is_that_of_one_process(tmp_path: Path):
    alone = launched(tmp_path, PROGRAM)
    assert alone[0] == 0, alone
    assert launched(tmp_path, PROGRAM, "--ranks", "2", "--shard-above", "1KB")[:2] == alone[:2]


def test_the_summary_shows_what_moves_by_line(tmp_path: Path):
    program = """
import numpy as np
u = np.linspace(0, 1, 4000)
u[1:-1] = (u[:-2] + u[2:]) / 2
"""
    _, _, err = launched(tmp_path, program, "--ranks", "2", "--shard-above", "1KB", "--summary")
    moved = err[err.index("received from the others") :]
    assert "script.py:4" in moved
    assert "neighbours" in moved
    assert "all_gather" not in moved


def test_the_import_brings_nothing_of_it():
    code = "import sys, numpy_shim, xp_torch; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = done.stdout.split()
    assert "numpy_shim" in loaded
    assert "torch.distributed.tensor" not in loaded
    assert "xp_torch._mesh.tensor" not in loaded


def ended(process, before: float | None = None):  # type: ignore[no-untyped-def]
    """The exit status and the errors of a program that prints "ready", if it ends in ten seconds.

    The seconds are counted from that line, or from ``before``: starting takes long on a busy
    machine. They are ten of a machine that has a core for each process that wants one.
    """
    crowded = max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)
    if before is None:
        assert process.stdout.readline() == "ready\n"
        before = time.monotonic()
    _, err = process.communicate(timeout=120)
    assert time.monotonic() - before < 10 * crowded
    return process.returncode, err


@pytest.mark.parametrize(("rank", "busy"), [(0, "float(a.sum())"), (1, "time.sleep(60)")])
def test_an_error_on_one_process_ends_all(tmp_path: Path, rank: int, busy: str):
    """Also if the others wait for it, or compute something else."""
    program = f"""
import os, time
import numpy as np
a = np.ones(1000)
print("ready", flush=True)
time.sleep(0.5)
if os.environ["RANK"] == "{rank}":
    raise ValueError("wrong on one")
while True:
    {busy}
"""
    process = launched(tmp_path, program, "--ranks", "2", "--shard-above", "1KB", wait=False)
    status, err = ended(process)
    assert status == 1
    assert err.count("Traceback") == 1
    assert err.strip().endswith("ValueError: wrong on one")


@pytest.mark.parametrize("busy", ["float(a.sum())", "time.sleep(60)"])
def test_a_process_that_is_killed_ends_all(tmp_path: Path, busy: str):
    program = f"""
import os, signal, time
import numpy as np
a = np.ones(1000)
print("ready", flush=True)
time.sleep(0.5)
if os.environ["RANK"] == "1":
    os.kill(os.getpid(), signal.SIGKILL)
while True:
    {busy}
"""
    process = launched(tmp_path, program, "--ranks", "2", "--shard-above", "1KB", wait=False)
    status, err = ended(process)
    assert status == 137
    assert err.splitlines() == [
        "numpy_shim: process 1 of 2 was ended by SIGKILL; the others were ended too"
    ]


def test_the_exit_status_is_the_programs(tmp_path: Path):
    assert launched(tmp_path, "import sys; sys.exit(3)", "--ranks", "2")[0] == 3


def test_an_exit_of_all_says_nothing(tmp_path: Path):
    assert launched(tmp_path, "import sys; sys.exit(3)", "--ranks", "2") == (3, "", "")


@pytest.mark.parametrize(("rank", "left", "status"), [(1, 3, 3), (0, 0, 1)])
def test_a_process_that_leaves_ends_all(tmp_path: Path, rank: int, left: int, status: int):
    """Those that wait for it would wait until the end of gloo's patience."""
    program = f"""
import os, sys, time
import numpy as np
a = np.ones(1000)
print("ready", flush=True)
time.sleep(0.5)
if os.environ["RANK"] == "{rank}":
    sys.exit({left})
while True:
    a.sum()
"""
    process = launched(tmp_path, program, "--ranks", "2", "--shard-above", "1KB", wait=False)
    found, err = ended(process)
    assert found == status
    assert err.splitlines() == [
        f"numpy_shim: process {rank} of 2 left with status {left} while the others went on; they "
        "were ended"
    ]


@pytest.mark.parametrize("busy", ["a.sum()", "time.sleep(60)"])
def test_an_interrupt_ends_all(tmp_path: Path, busy: str):
    program = f"""
import time
import numpy as np
a = np.ones(1000)
print("ready", flush=True)
while True:
    {busy}
"""
    process = launched(tmp_path, program, "--ranks", "2", "--shard-above", "1KB", wait=False)
    assert process.stdout.readline() == "ready\n"
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    status, err = ended(process, before)
    assert status == 130
    assert err.splitlines() == ["numpy_shim: stopped by SIGINT; all processes were ended"]


def test_a_missing_port_is_named(tmp_path: Path):
    status, _, err = launched(tmp_path, "", RANK="0", WORLD_SIZE="2", MASTER_ADDR="localhost")
    assert status == 2
    assert err.startswith("numpy_shim: MASTER_PORT must be set")


def test_a_port_where_nobody_is_ends_soon(tmp_path: Path):
    status, _, err = launched(
        tmp_path, "", RANK="1", WORLD_SIZE="2", MASTER_ADDR="localhost",
        MASTER_PORT=str(free_port()),
    )  # fmt: skip
    assert status == 2
    assert err.startswith("numpy_shim: cannot meet the other processes at localhost")
    assert len(err.splitlines()) == 1


THREADS = """
import atexit, os
import numpy_shim as np

def threads():
    found = [open(f"/proc/self/task/{t}/comm").read() for t in os.listdir("/proc/self/task")]
    return sum("gloo" in name for name in found)

atexit.register(lambda: print(threads()))  # before the modules below register: it runs after them
from numpy_shim import distributed
from torch.distributed.device_mesh import init_device_mesh

a = distributed.shard(np.arange(12.0).reshape(6, 2))
other = init_device_mesh("cpu", (1, 1), mesh_dim_names=("x", "y"))["x"]
b = distributed.shard(np.arange(4.0), mesh=other)
print(float(a.sum()), float(b.sum()), threads() > 0)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
def test_no_thread_of_the_group_is_left():
    """One that dropped a tensor while the interpreter ended aborted the process, under load."""
    done = subprocess.run(
        [sys.executable, "-c", THREADS],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout.split() == ["66.0", "6.0", "True", "0"], done


@pytest.mark.parametrize(
    ("text", "size"), [("64MB", 64_000_000), ("1.5KiB", 1536), ("7", 7), ("2 gb", 2 * 10**9)]
)
def test_sizes(text: str, size: int):
    assert sharding.size_in_bytes(text) == size


@pytest.mark.parametrize("text", ["much", "-3MB", "3XB", ""])
def test_sizes_that_are_none(text: str):
    with pytest.raises(LaunchError, match="--shard-above"):
        sharding.size_in_bytes(text)
