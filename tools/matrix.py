"""Run the tests with other releases of torch, and with the newest Python, torch, NumPy and SciPy.

python tools/matrix.py                      # every environment of RELEASES
python tools/matrix.py 2.11.0 newest        # these
python tools/matrix.py --short              # the oldest and the newest, with fewer tests
python tools/matrix.py 2.15.0 -- tests/numpy_shim -k jit    # other tests

A release is one of torch, beside the Python that runs this and the pins of ``constraints.txt``.
``newest`` is what pip brings to the newest supported Python on this machine, ``python3.13`` or the
like on the path or pyenv's: the releases that stand in ``tools/newest.txt``.

Each has a virtual environment outside the checkout, in the cache folder, which is kept between
runs. On Linux a release of torch brings CUDA's libraries along, some gigabytes. Where pip cannot
install a release, as on a machine without a package registry, or where there is no newer Python,
its tests are skipped, and the last lines say so.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xp-torch" / "matrix"


def read_pins(*files: str) -> dict[str, str]:
    """The version of each package; a later file has the last word."""
    lines = [line for file in files for line in (ROOT / file).read_text("utf-8").splitlines()]
    return dict(line.split("==") for line in lines if "==" in line)


PINS = read_pins("constraints.txt")
NEWEST_PINS = read_pins("constraints.txt", "tools/newest.txt")
RELEASES = ("2.11.0", "2.12.1", "2.14.1", NEWEST_PINS["torch"], "newest")

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

NEWEST = ["tests", "--ignore=tests/distributed", "--ignore=tests/xp_backend"]
"""All tests, as ``make test`` runs them."""

NEWEST_SHORT = [
    *SHORT,
    "tests/plain/test_plain_programs.py",
    "tests/xp_torch/test_public_api.py",
    "tests/numpy_shim/test_public_api.py",
    "tests/numpy_shim/test_theirs.py",
    "tests/numpy_shim/array/test_elsewhere.py",
    "tests/numpy_shim/convert/test_numpys_memory.py",
    "tests/numpy_shim/core/test_errstate.py",
    "tests/numpy_shim/linalg",
    "tests/numpy_shim/scipy/test_calls.py",
    *(
        f"tests/numpy_shim/scipy/test_{chapter}.py::test_every_public_name_runs_here_or_says_why_not"
        for chapter in ("fft", "integrate", "interpolate", "linalg", "ndimage", "optimize",
                        "signal", "spatial", "stats")
    ),
]  # fmt: skip
"""And what fails first where a release of NumPy, SciPy or Python has changed."""


class Environment(NamedTuple):
    """A Python, and the packages that its virtual environment is to have."""

    title: str
    folder: str
    python: str
    pins: dict[str, str]


def environment_of(release: str) -> Environment | None:
    """What the tests of a release run in; ``None`` where there is no Python for the newest."""
    if release != "newest":
        folder = f"torch-{release}-python{sys.version_info[0]}.{sys.version_info[1]}"
        return Environment(f"torch {release}", folder, sys.executable, PINS | {"torch": release})
    found = find_python()
    if found is None:
        return None
    title = ", ".join(
        f"{package} {NEWEST_PINS[package]}" for package in ("torch", "numpy", "scipy")
    )
    name = Path(found).name
    return Environment(f"{title}, {name}", f"newest-{name}", found, NEWEST_PINS)


def newer_versions() -> list[str]:
    """The supported versions of Python but the oldest, the newest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: 3\.(\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)
    return [f"3.{minor}" for minor in sorted(map(int, versions), reverse=True)[:-1]]


def candidates(version: str) -> Iterator[str]:
    """The interpreters of a version: the one on the path, and pyenv's, the last patch first."""
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    patches = [p.name for p in pyenv.glob(f"versions/{version}.*") if p.name[5:].isdecimal()]
    for patch in sorted(patches, key=lambda name: int(name[5:]), reverse=True):
        yield str(pyenv / "versions" / patch / "bin" / f"python{version}")


def find_python() -> str | None:
    """The newest supported Python that can make a virtual environment; none if it is the oldest."""
    for version in newer_versions():
        asked = f"import ensurepip, sys; sys.exit(sys.version_info[:2] != (3, {version[2:]}))"
        for python in candidates(version):
            # pyenv puts names on the path that only say which versions there are
            try:
                ended = subprocess.run([python, "-c", asked], capture_output=True)
            except OSError:
                continue
            if ended.returncode == 0:
                return python
    return None


def install(environment: Environment) -> str | None:
    """The interpreter with these packages, made or brought up to date; None if pip cannot."""
    home = CACHE / environment.folder
    python = home / "bin" / "python"
    pins = "".join(f"{package}=={release}\n" for package, release in environment.pins.items())
    stamp = home / ".made-for"
    wanted = pins + (ROOT / "pyproject.toml").read_text("utf-8")
    digest = f"{hashlib.sha256(wanted.encode()).hexdigest()} {ROOT}"
    if not stamp.exists() or stamp.read_text() != digest:
        print(f"== a virtual environment with {environment.title}: a minute or two ==", flush=True)
        subprocess.run([environment.python, "-m", "venv", str(home)], check=True)
        constraints = home / "constraints.txt"
        constraints.write_text(pins)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--constraint", str(constraints)]
        for needed in (["--upgrade", "pip>=24", "hatchling", "editables"], ["torch"]):
            if subprocess.run([*pip, *needed]).returncode:
                print(f"SKIPPED {environment.title}: pip cannot install {needed[-1]}", flush=True)
                return None
        project = ["--no-build-isolation", "--editable", f"{ROOT}[test]"]
        subprocess.run([*pip, *project], check=True)
        stamp.write_text(digest)
    return str(python)


def check(release: str, tests: list[str], *, short: bool) -> tuple[str, str]:
    """Run the tests, and the public suite where it is found.

    The result is what they ran in, and passed, FAILED or SKIPPED.
    """
    environment = environment_of(release)
    if environment is None:
        return release, f"SKIPPED, no Python {' or '.join(newer_versions())} found,"
    python = install(environment)
    if python is None:
        return environment.title, "SKIPPED"
    pytest = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
    suite = [python, "-m", "conformance", "array-api", "--max-examples", "3", "--seed", "1"]
    own = (NEWEST_SHORT if short else NEWEST) if release == "newest" else SHORT if short else TESTS
    commands = [[*pytest, *(tests or own)]]
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
        print(f"== {environment.title}: {' '.join(command[1:])} ==", flush=True)
        passed &= subprocess.run(command, cwd=ROOT, env=variables).returncode == 0
    return environment.title, "passed" if passed else "FAILED"


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
    releases = list(options.releases or RELEASES)
    if options.short and not options.releases:
        releases = [RELEASES[0], RELEASES[-1]]
        if find_python() is None:  # the newest torch runs all the same
            releases.insert(1, RELEASES[-2])
    results = []
    for release in releases:
        start = time.monotonic()
        results.append((*check(release, tests, short=options.short), time.monotonic() - start))
    for title, outcome, seconds in results:
        print(f"{title}: {outcome} in {seconds:.0f} s")
    return int(any(outcome == "FAILED" for _, outcome, _ in results))


if __name__ == "__main__":
    sys.exit(main())
