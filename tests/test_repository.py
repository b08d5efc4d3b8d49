"""The repository beside the code: pinned actions and tools, hooks, versions of nightly wheels."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tools.dev_version import dev_version
from tools.extra import requirements

yaml = pytest.importorskip("yaml", reason="PyYAML reads the workflows")

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINS = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    if "==" in line
)
HOOKS = {
    "ruff-pre-commit": "ruff",
    "mirrors-mypy": "mypy",
    "codespell": "codespell",
    "rumdl-pre-commit": "rumdl",
    "zizmor-pre-commit": "zizmor",
}
"""The repositories of hooks that run a tool of ``make lint``, and the tool."""


@pytest.mark.parametrize(
    "workflow", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name
)
def test_actions_are_pinned_by_hash(workflow: Path):
    """An action is named by the hash of a commit, and a comment says of which version."""
    used = [line for line in workflow.read_text("utf-8").splitlines() if " uses: " in line]
    assert used
    for line in used:
        assert re.search(r"uses: [\w./-]+@[0-9a-f]{40}  # v?\d+\.\d+\.\d+$", line), line


def test_an_action_has_one_version():
    """The same action has the same hash in all workflows."""
    text = "".join(
        path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")
    )
    versions: dict[str, set[str]] = {}
    for action, version in re.findall(r"uses: ([\w./-]+)@(\S+)", text):
        versions.setdefault(action, set()).add(version)
    assert [action for action, found in versions.items() if len(found) != 1] == []


def test_hooks_have_the_versions_of_make_lint():
    """pre-commit runs each tool in the version of constraints.txt."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    found = {hook["repo"].rpartition("/")[2]: hook["rev"].removeprefix("v") for hook in hooks}
    assert {tool: found[name] for name, tool in HOOKS.items()} == {
        tool: PINS[tool] for tool in HOOKS.values()
    }


@pytest.mark.parametrize("extra", ["lint", "dist", "audit", "docs"])
def test_tools_are_pinned(extra: str):
    """A check fails by a change of ours alone: each tool has one version."""
    names = {re.split(r"[\[<>=]", requirement)[0] for requirement in requirements(extra)}
    assert names - PINS.keys() == set()


def test_the_development_group_names_extras():
    """``[dependency-groups]`` repeats nothing: it names extras of the project that exist."""
    (requirement,) = PROJECT["dependency-groups"]["dev"]
    project, extras = re.fullmatch(r"([\w-]+)\[([\w,]+)\]", requirement).groups()
    assert project == PROJECT["project"]["name"]
    assert set(extras.split(",")) <= PROJECT["project"]["optional-dependencies"].keys()


def test_ignored_checks_have_a_reason():
    ignored = PROJECT["tool"]["repo-review"]["ignore"]
    assert set(ignored) == {"PC170", "PC901", "PC902", "PC903"}
    assert all(ignored.values())


def test_a_nightly_wheel_has_a_version_of_its_day():
    assert dev_version('a = 1\n__version__ = "1.2.0"\n', "20261127") == (
        'a = 1\n__version__ = "1.2.0.dev20261127"\n'
    )
    with pytest.raises(SystemExit, match="no __version__"):
        dev_version('__version__ = "1.2.0.dev1"\n', "20261127")
