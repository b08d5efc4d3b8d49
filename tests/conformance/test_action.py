"""The actions: their steps' commands are run, as GitHub's runner runs them."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.worlds.runs import LIBRARY
from tests.conformance.worlds.test_plugin import TESTS

yaml = pytest.importorskip("yaml", reason="PyYAML reads action.yml")

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Action:
    """The file of a composite action."""

    file: Path

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load(self.file.read_text("utf-8"))
        return found

    def run(
        self, step: str, folder: Path, python: Path, **given: str
    ) -> subprocess.CompletedProcess[str]:
        """A step's command, with the action's inputs and GitHub's files."""
        inputs = {name: entry.get("default", "") for name, entry in self.content["inputs"].items()}
        given = {name.replace("_", "-"): value for name, value in given.items()}
        inputs |= {"python": str(python), **given}
        values = {f"inputs.{name}": value for name, value in inputs.items()}
        values |= {"github.action_path": str(self.file.parent)}
        (found,) = (s for s in self.content["runs"]["steps"] if s["name"] == step)
        pattern = re.compile(r"\$\{\{ (\S+) \}\}")
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))
        }
        environment |= {k: pattern.sub(lambda m: values[m[1]], v) for k, v in found["env"].items()}
        environment |= {
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            # Nothing is fetched: what the runner needs is installed, and so is what builds it.
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]]
        return subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )


SUITE_ACTION = Action(ROOT / "action.yml")
WORLDS_ACTION = Action(ROOT / "actions" / "worlds" / "action.yml")

SUITE = """
def test_sort():
    pass

def test_argsort():
    assert False, "descending is ignored"
"""


@pytest.fixture(scope="module")
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that sees the packages of this one, in which an action's step has been run."""
    action, step = request.param
    pytest.importorskip("hatchling", reason="hatchling builds the package")
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "lib" / version / "site-packages"
    for own in packages.glob("setuptools*"):  # older than what torch requires
        shutil.rmtree(own)
    (packages / "outer.pth").write_text("\n".join(site.getsitepackages()))
    python = folder / "bin" / "python"
    done = action.run(step, folder, python)
    assert done.returncode == 0, done.stderr
    return python


RUNNER = pytest.mark.parametrize(
    "python", [(SUITE_ACTION, "Install the runner")], indirect=True, ids=["suite"]
)
WORLDS = pytest.mark.parametrize(
    "python", [(WORLDS_ACTION, "Install the worlds")], indirect=True, ids=["worlds"]
)


@RUNNER
def test_the_runner_is_installed(python: Path, tmp_path: Path) -> None:
    """`conformance` is imported from the environment, and not from this checkout."""
    program = "import conformance; print(conformance.__file__)"
    words = [str(python), "-P", "-c", program]
    bare = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    found = subprocess.run(
        words, cwd=tmp_path, env=bare, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout).is_relative_to(python.parents[1])


@RUNNER
def test_the_suite_is_not_fetched_where_one_is_named(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XP_TORCH_ARRAY_API_TESTS", str(tmp_path))
    done = SUITE_ACTION.run("Get the public suite", tmp_path, python)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@RUNNER
def test_the_table_becomes_the_summary(
    fake_suite: Callable[[str], Path],
    python: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The status is the run's, the summary its Markdown, and the history gets the report."""
    monkeypatch.setenv("XP_TORCH_ARRAY_API_TESTS", str(fake_suite(SUITE)))
    run = partial(SUITE_ACTION.run, "Run it", tmp_path, python)
    done = run(module="math", history="past", arguments="--jobs 1 --seed 3")
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "output").read_text() == "status=1\n"
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "| Sorting | 1 / 1 / 0 / 0 |" in summary
    assert "descending is ignored" in summary
    assert len(list((tmp_path / "past").glob("math-*.json"))) == 1
    done = run(module="no_such_namespace")
    assert done.returncode == 2
    assert (tmp_path / "output").read_text().endswith("status=2\n")


@WORLDS
def test_worlds_become_the_summary(python: Path, tmp_path: Path) -> None:
    """A project's tests in worlds: the status, the table, the history; then tests that are not."""
    (tmp_path / "small.py").write_text(LIBRARY)
    (tmp_path / "test_small.py").write_text(TESTS)
    run = partial(WORLDS_ACTION.run, "Run the tests", tmp_path, python)
    chosen = {"worlds": "strict,two devices", "arguments": "--jobs 1", "history": "past"}
    done = run(tests="test_small.py", **chosen)
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "output").read_text() == "status=1\n"
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "| two devices | 1 / 2 |" in summary
    assert "Pass device=x.device where the array is made." in summary
    assert len(list((tmp_path / "past").iterdir())) == 1
    done = run(tests="no_such_folder")
    assert done.returncode == 2
    assert (tmp_path / "output").read_text().endswith("status=2\n")


@pytest.mark.parametrize("action", [SUITE_ACTION, WORLDS_ACTION], ids=["suite", "worlds"])
def test_every_input_is_used(action: Action) -> None:
    """No input is declared and dropped, and no step reads one that is not declared."""
    used = set(re.findall(r"inputs\.([\w-]+)", action.file.read_text("utf-8")))
    assert used == set(action.content["inputs"])
