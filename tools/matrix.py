"""Run the tests that depend on torch with other releases of it.

python tools/matrix.py                      # every release of RELEASES
python tools/matrix.py 2.11.0 2.15.0        # these
python tools/matrix.py 2.15.0 -- tests/numpy_shim -k jit    # other tests

Each release has a virtual environment outside the checkout, in the cache folder, which is kept
between runs. On Linux a release of torch brings CUDA's libraries along, some gigabytes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
RELEASES = ("2.11.0", "2.12.1", "2.14.1", "2.15.0")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xp-torch" / "matrix"

TESTS = [
    "tests/plain",
    "tests/test_torch_internals.py",
    "tests/test_patches.py",
    "tests/test_tracing.py",
    "tests/xp_torch/test_surface.py",
    "tests/numpy_shim/test_surface.py",
    "tests/numpy_shim/compiled",
    "tests/numpy_shim/jit",
    "tests/numpy_shim/launcher",
]
"""What depends on torch's private parts, on its tracer and on its kernels."""


def environment(release: str) -> Path:
    """The interpreter with this torch; it is made, or brought up to date, first."""
    home = CACHE / f"torch-{release}"
    python = home / "bin" / "python"
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines()
            if not line.startswith("torch==")]  # fmt: skip
    wanted = "\n".join([*pins, f"torch=={release}", (ROOT / "pyproject.toml").read_text()])
    stamp = home / ".made-for"
    digest = f"{hashlib.sha256(wanted.encode()).hexdigest()} {ROOT}"
    if not stamp.exists() or stamp.read_text() != digest:
        print(f"== a virtual environment with torch {release}: a minute or two ==", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        constraints = home / "constraints.txt"
        constraints.write_text("\n".join([*pins, f"torch=={release}"]) + "\n")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--constraint", str(constraints)]
        subprocess.run([*pip, "--upgrade", "pip>=24", "hatchling", "editables"], check=True)
        subprocess.run([*pip, f"torch=={release}"], check=True)
        project = ["--no-build-isolation", "--editable", f"{ROOT}[test]"]
        subprocess.run([*pip, *project], check=True)
        stamp.write_text(digest)
    return python


def check(release: str, tests: list[str]) -> bool:
    """Run the tests, and the public suite where it is found; whether all passed."""
    python = str(environment(release))
    pytest = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
    suite = [python, "-m", "conformance", "array-api", "--max-examples", "3", "--jobs", "2"]
    commands = [[*pytest, *(tests or TESTS)]]
    if not tests:
        commands += [[*pytest, "tests/xp_backend"], [python, "-m", "xp_torch", "--doctor"]]
        located = subprocess.run([*suite[:4], "--locate"], cwd=ROOT, capture_output=True)
        if located.returncode == 0:
            commands += [[*suite, "--module", name] for name in ("xp_torch", "numpy_shim")]
        else:
            print("SKIPPED: the public suite array-api-tests was not found")
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "XP_TORCH_EXAMPLES": "3"}
    passed = True
    for command in commands:
        print(f"== torch {release}: {' '.join(command[1:])} ==", flush=True)
        passed &= subprocess.run(command, cwd=ROOT, env=variables).returncode == 0
    return passed


def main() -> int:
    """Check the releases that are given; 1 if a test failed."""
    given, _, tests = (
        (sys.argv[1:], "", []) if "--" not in sys.argv else
        (sys.argv[1 : sys.argv.index("--")], "--", sys.argv[sys.argv.index("--") + 1 :])
    )  # fmt: skip
    parser = argparse.ArgumentParser(description="Run tests with other releases of torch.")
    parser.add_argument("releases", nargs="*", help=f"by default {' '.join(RELEASES)}")
    releases = parser.parse_args(given).releases or RELEASES
    results = {}
    for release in releases:
        start = time.monotonic()
        results[release] = check(release, tests), time.monotonic() - start
    for release, (passed, seconds) in results.items():
        print(f"torch {release}: {'passed' if passed else 'FAILED'} in {seconds:.0f} s")
    return int(not all(passed for passed, _ in results.values()))


if __name__ == "__main__":
    sys.exit(main())
