"""Programs that need a process of their own: another backend's name, a compiler, an example."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def program(*arguments: str) -> str:
    """The output of a program that must succeed."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize("module", ["array_api_strict", "numpy", "jax.numpy", "dpnp", "mlx.core"])
def test_library(module: str):
    """Every check of a device, over any library of the standard; nothing but the standard."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"{module} is not installed")
    out = program("-m", "tests.xp_backend.on_library", module).splitlines()
    assert out[-1].split()[0] == out[-1].split()[2]


def test_compiler_only():
    assert program("-m", "tests.xp_backend.compiler_only").strip() == "passed"


def test_fallback_to_the_cpu():
    """It is counted by operator, line and bytes; eager operators make a Dynamo backend."""
    assert program("-m", "tests.xp_backend.fallback").strip() == "passed"


def test_minimal_backend():
    """At most 30 operators train a network; what is missing is named."""
    out = program("docs/examples/minimal_backend.py").splitlines()
    first, last = (float(line.rpartition(" ")[2]) for line in out[:2])
    assert last < first
    assert int(out[2].split()[0]) <= 30
    assert "aten._linalg_svd.default is not registered" in out[3]


def test_one_backend_a_process():
    code = (
        "import xp_backend.npy, numpy\n"
        "try:\n    xp_backend.from_array_api('other', numpy)\n"
        "except xp_backend.BackendError as e:\n    print(e)"
    )
    assert "this process has the backend 'npy' already" in program("-c", code)


@pytest.mark.parametrize("name", ["npy", "jax"])
def test_network(name: str):
    """A network that is trained on a device has the losses of the CPU."""
    if name == "jax" and importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed")
    out = program("docs/examples/backend_network.py", name).splitlines()
    there, cpu = (list(map(float, line.split()[1:])) for line in out)
    assert there == pytest.approx(cpu, rel=1e-4)
    assert cpu[-1] < 0.7 * cpu[0]


def test_launcher():
    """k-means of the examples, started on the device by the launcher of numpy_shim."""
    script = ("docs/examples/kmeans.py", "--restarts", "1")
    on_npy = program("-m", "numpy_shim", "--device", "npy", *script)
    assert on_npy == program("-m", "numpy_shim", *script)
