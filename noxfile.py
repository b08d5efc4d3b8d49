#!/usr/bin/env -S pipx run
# /// script
# dependencies = ["nox>=2025.10.14"]
# ///
"""The tests with the oldest and the newest torch, NumPy and Python that are supported.

    pipx run nox                # all of them
    pipx run nox -s "tests(oldest)"

``constraints.txt`` pins what every day's tests run with; here are the ends of the ranges that
``pyproject.toml`` promises. On Linux these releases of torch bring CUDA's libraries along, some
gigabytes for each environment.
"""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.10.14"
nox.options.default_venv_backend = "venv"

OLDEST = nox.param("3.11", "2.11.*", "2.1.*", id="oldest")
GPU = nox.param("3.12", "2.11.*", "2.5.*", id="gpu-check")  # what docs/gpu.md asks for
NEWEST = nox.param("3.13", "2.15.*", "2.5.*", id="newest")
NEXT = nox.param("3.14", "2.15.*", "2.5.*", id="next")  # no run is recorded yet


@nox.session
@nox.parametrize("python,torch,numpy", [OLDEST, GPU, NEWEST, NEXT])
def tests(session: nox.Session, torch: str, numpy: str) -> None:
    """Our own tests; what follows ``--`` goes to pytest."""
    session.install(f"torch=={torch}", f"numpy=={numpy}")
    session.install(f"numpy=={numpy}", ".[test]")
    session.run("python", "-c", "import torch, numpy; print(torch.__version__, numpy.__version__)")
    arguments = session.posargs or ["-n", "2", "--dist", "worksteal", "tests"]
    session.run("python", "-m", "pytest", *arguments, env={"OMP_NUM_THREADS": "1"})


if __name__ == "__main__":
    nox.main()
