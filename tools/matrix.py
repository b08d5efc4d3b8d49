"""Run the tests that depend on torch with other releases of it.

python tools/matrix.py                      # every release of RELEASES
python tools/matrix.py 2.11.0 2.15.0        # these
python tools/matrix.py --short              # the oldest and the newest, with fewer tests
python tools/matrix.py 2.15.0 -- tests/numpy_shim -k jit    # other tests

Each release has a virtual environment outside the checkout, in the cache folder, which is kept
between runs. On Linux a release of torch brings CUDA's libraries along, some gigabytes. The newest
release stands in ``tools/torch-newest.txt``, which pip reads. Where pip cannot install a release,
as on a machine without a package registry, its tests are skipped, and the last lines say so.
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
NEWEST = ROOT / "tools" / "torch-newest.txt"
RELEASES = ("2.11.0", "2.12.1", "2.14.1", NEWEST.read_text().strip().removeprefix("torch=="))
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

SHORT = [
    "tests/plain/test_plain_programs.py",
    "tests/test_torch_internals.py",
    "tests/test_patches.py",
    "tests/test_tracing.py",
    "tests/xp_torch/test_surface.py",
    "tests/numpy_shim/test_surface.py",
    "tests/numpy_shim/compiled/test_programs.py",
    "tests/numpy_shim/compiled/test_indices.py",
    "tests/numpy_shim/compiled/test_scalars.py",
    "tests/numpy_shim/compiled/test_inductor.py",
    "tests/numpy_shim/launcher/test_hot.py",
]
"""What fails first where a release of torch has changed."""


def environment(release: str) -> Path | None:
    """The interpreter with this torch, made or brought up to date; None if pip cannot make it."""
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
        for needed in (["--upgrade", "pip>=24", "hatchling", "editables"], [f"torch=={release}"]):
            if subprocess.run([*pip, *needed]).returncode:
                print(f"SKIPPED torch {release}: pip cannot install {needed[-1]}", flush=True)
                return None
        project = ["--no-build-isolation", "--editable", f"{ROOT}[test]"]
        subprocess.run([*pip, *project], check=True)
        stamp.write_text(digest)
    return python


def check(release: str, tests: list[str], *, short: bool) -> str:
    """Run the tests, and the public suite where it is found: passed, FAILED or SKIPPED."""
    made = environment(release)
    if made is None:
        return "SKIPPED"
    python = str(made)
    pytest = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
    suite = [python, "-m", "conformance", "array-api", "--max-examples", "3", "--seed", "1"]
    commands = [[*pytest, *(tests or (SHORT if short else TESTS))]]
    if not tests:
        commands.append([python, "-m", "xp_torch", "--doctor"])
    if not tests and not short:
        commands.append([*pytest, "tests/xp_backend"])
        located = subprocess.run([*suite[:4], "--locate"], cwd=ROOT, capture_output=True)
        if located.returncode == 0:
            commands += [
                [*suite, "--jobs", "2", "--module", name] for name in ("xp_torch", "numpy_shim")
            ]
        else:
            print("SKIPPED: the public suite array-api-tests was not found")
    variables = {
        **os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "XP_TORCH_EXAMPLES": "3",
    }  # fmt: skip
    passed = True
    for command in commands:
        print(f"== torch {release}: {' '.join(command[1:])} ==", flush=True)
        passed &= subprocess.run(command, cwd=ROOT, env=variables).returncode == 0
    return "passed" if passed else "FAILED"


def main() -> int:
    """Check the releases that are given; 1 if a test failed."""
    given, tests = sys.argv[1:], []
    if "--" in given:
        place = given.index("--")
        given, tests = given[:place], given[place + 1 :]
    parser = argparse.ArgumentParser(description="Run tests with other releases of torch.")
    parser.add_argument("releases", nargs="*", help=f"by default {' '.join(RELEASES)}")
    parser.add_argument("--short", action="store_true", help="fewer tests, of the first and last")
    options = parser.parse_args(given)
    releases = options.releases or ([RELEASES[0], RELEASES[-1]] if options.short else RELEASES)
    results = {}
    for release in releases:
        start = time.monotonic()
        results[release] = check(release, tests, short=options.short), time.monotonic() - start
    for release, (outcome, seconds) in results.items():
        print(f"torch {release}: {outcome} in {seconds:.0f} s")
    return int(any(outcome == "FAILED" for outcome, _ in results.values()))


if __name__ == "__main__":
    sys.exit(main())
