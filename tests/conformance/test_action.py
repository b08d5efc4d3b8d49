"""`action.yml`: its steps' commands are run, as GitHub's runner runs them."""

from __future__ import annotations

import os
import re
import site
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML reads action.yml")

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}

SUITE = """
def test_sort():
    pass

def test_argsort():
    assert False, "descending is ignored"
"""


def run(
    step: dict[str, Any], folder: Path, python: Path, **given: str
) -> subprocess.CompletedProcess[str]:
    """A step's command, with the action's inputs and GitHub's files."""
    inputs = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()}
    values = {f"inputs.{name}": value for name, value in inputs.items()}
    values |= {"inputs.module": "math", "inputs.python": str(python)}
    values |= {"github.action_path": str(ROOT)}
    values |= {f"inputs.{name}": value for name, value in given.items()}
    pattern = re.compile(r"\$\{\{ (\S+) \}\}")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    environment |= {k: pattern.sub(lambda m: values[m[1]], v) for k, v in step["env"].items()}
    environment |= {
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        # Nothing is fetched: what the runner needs is installed, and so is what builds it.
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
    }
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that sees the packages of this one, in which the first step has been run."""
    pytest.importorskip("hatchling", reason="hatchling builds the package")
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    seen = folder / "lib" / version / "site-packages" / "outer.pth"
    seen.write_text("\n".join(site.getsitepackages()))
    python = folder / "bin" / "python"
    done = run(STEPS["Install the runner"], folder, python)
    assert done.returncode == 0, done.stderr
    return python


def test_the_runner_is_installed(python: Path, tmp_path: Path) -> None:
    """`conformance` is imported from the environment, and not from this checkout."""
    program = "import conformance; print(conformance.__file__)"
    words = [str(python), "-P", "-c", program]
    bare = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    found = subprocess.run(
        words, cwd=tmp_path, env=bare, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout).is_relative_to(python.parents[1])


def test_the_suite_is_not_fetched_where_one_is_named(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XP_TORCH_ARRAY_API_TESTS", str(tmp_path))
    done = run(STEPS["Get the public suite"], tmp_path, python)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_table_becomes_the_summary(
    fake_suite: Callable[[str], Path],
    python: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The status is the run's, the summary its Markdown, and the history gets the report."""
    monkeypatch.setenv("XP_TORCH_ARRAY_API_TESTS", str(fake_suite(SUITE)))
    step = STEPS["Run it"]
    done = run(step, tmp_path, python, history="past", arguments="--jobs 1 --seed 3")
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "output").read_text() == "status=1\n"
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "| Sorting | 1 / 1 / 0 / 0 |" in summary
    assert "descending is ignored" in summary
    assert len(list((tmp_path / "past").glob("math-*.json"))) == 1
    done = run(step, tmp_path, python, module="no_such_namespace")
    assert done.returncode == 2
    assert (tmp_path / "output").read_text().endswith("status=2\n")


def test_every_input_is_used() -> None:
    """No input is declared and dropped, and no step reads one that is not declared."""
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text("utf-8")))
    assert used == set(ACTION["inputs"])
