"""The tool that runs the tests with other releases: the Python it finds, and what it pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import matrix


def interpreter(path: Path, body: str) -> str:
    """A program that stands for a Python; what it is asked are its arguments."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a newer Python: a folder on the path, and one of pyenv's."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/nowhere")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path


def test_the_newest_version_on_the_path_is_found(machine: Path):
    newest, second, *_ = matrix.newer_versions()
    interpreter(machine / "bin" / f"python{second}", "exit 0")
    found = interpreter(machine / "bin" / f"python{newest}", "exit 0")
    assert matrix.find_python() == found


def test_the_last_patch_of_pyenv_is_found(machine: Path):
    """Also where the path has the name and no interpreter, as pyenv's shims; no free-threaded."""
    newest = matrix.newer_versions()[0]
    interpreter(machine / "bin" / f"python{newest}", "exit 127")
    for patch in ("2", "10", "9", "11t", "0rc1"):
        folder = machine / "pyenv" / "versions" / f"{newest}.{patch}"
        interpreter(folder / "bin" / f"python{newest}", "exit 0")
    expected = machine / "pyenv" / "versions" / f"{newest}.10" / "bin" / f"python{newest}"
    assert matrix.find_python() == str(expected)


def test_versions_are_the_supported_ones():
    """The newest first, without the oldest, which the pins of every day are for."""
    versions = matrix.newer_versions()
    numbers = [tuple(map(int, v.split("."))) for v in versions]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] > (3, 11)


@pytest.mark.parametrize("short", [True, False])
def test_a_machine_without_a_newer_python_says_so(
    short: bool, machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The last lines have it, and the newest torch runs beside the pins of every day."""
    installed: list[str] = []
    monkeypatch.setattr(matrix, "install", lambda e: installed.append(e.pins["torch"]))
    monkeypatch.setattr("sys.argv", ["matrix.py", *(["--short"] if short else [])])
    assert matrix.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("newest: SKIPPED, no Python 3.13")
    assert installed[0] == matrix.RELEASES[0]
    assert installed[-1] == matrix.NEWEST_PINS["torch"]
    assert len(lines) == len(installed) + 1


def test_a_failure_is_reported(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    python = interpreter(machine / "python", "exit 1")
    monkeypatch.setattr(matrix, "install", lambda environment: python)
    monkeypatch.setattr("sys.argv", ["matrix.py", "--short", "2.11.0"])
    assert matrix.main() == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("torch 2.11.0: FAILED in ")


def test_the_newest_packages_replace_those_of_every_day(machine: Path):
    interpreter(machine / "bin" / f"python{matrix.newer_versions()[0]}", "exit 0")
    environment = matrix.environment_of("newest")
    assert environment is not None
    changed = {package for package, pin in environment.pins.items() if pin != matrix.PINS[package]}
    assert {"numpy", "scipy", "torch"} <= changed
    assert environment.pins.keys() == matrix.PINS.keys()
    pinned = matrix.environment_of("2.11.0")
    assert pinned is not None
    assert {k for k, pin in pinned.pins.items() if pin != matrix.PINS[k]} == {"torch"}


def test_files_that_are_named_exist():
    """A renamed test file would end a run at once."""
    for tests in (matrix.TESTS, matrix.SHORT, matrix.NEWEST, matrix.NEWEST_SHORT):
        for test in tests:
            file, _, function = test.removeprefix("--ignore=").partition("::")
            assert (matrix.ROOT / file).exists(), test
            if function:
                assert f"def {function}(" in (matrix.ROOT / file).read_text("utf-8"), test
