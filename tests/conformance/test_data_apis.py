"""`--report-format data-apis`: what the Consortium's dashboard accepts, and what is refused.

The rules are those of data-apis/array-api-tests-compliance-data: its schema `v1`, and the checks
of its harvester.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from conformance import _target
from conformance._cli import main

from .test_array_api import EVERY_OUTCOME, TWO

MakeSuite = Callable[[str], Path]

BACKEND = re.compile(r"[a-z0-9]+(?:[._+-][a-z0-9]+)*")
PHASES = {"setup", "call"}


def committed(suite: Path) -> str:
    """Make the suite a repository of one commit; its revision."""
    git = ["git", "-C", str(suite), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "suite"]):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def reported(suite: Path, folder: Path, *options: object) -> int:
    words = [
        "array-api", "--module", "numpy", "--suite", suite, "--jobs", 1, "--seed", 5,
        "--report", folder, "--report-format", "data-apis", *options,
    ]  # fmt: skip
    return main([str(word) for word in words])


def check_target(target: dict[str, str]) -> None:
    """The rules of ``execution_target``."""
    optional = {"backend", "device_model", "runtime_version", "driver_version"}
    assert {"kind"} <= target.keys() <= {"kind", *optional}
    assert target["kind"] in ("cpu", "gpu", "tpu", "other")
    assert target["kind"] == "cpu" or BACKEND.fullmatch(target["backend"])
    assert all(value and value == value.strip() for value in target.values())


def check_report(report: dict[str, Any]) -> None:
    """The rules of schema v1, and those that the harvester checks beside it."""
    assert list(report) == [
        "schema", "name", "version", "api_version", "timestamp", "platform", "execution_target",
        "python", "test_suite", "data",
    ]  # fmt: skip
    assert report["schema"] == "v1"
    assert list(report["platform"]) == ["description", "system", "release", "machine"]
    texts = [report[name] for name in ("name", "version", "api_version", "python")]
    for text in [*texts, *report["platform"].values()]:
        assert 0 < len(text) <= 512
        assert text == text.strip()
    assert datetime.strptime(report["timestamp"], "%Y-%m-%dT%H:%M:%SZ")
    assert re.fullmatch("[0-9a-f]{40}", report["test_suite"])
    check_target(report["execution_target"])
    data = report["data"]
    assert list(data) == ["duration", "exitcode", "summary", "tests"]
    assert data["duration"] >= 0
    assert data["exitcode"] in (0, 1)
    counts = Counter(test["outcome"] for test in data["tests"])
    total = {"total": len(data["tests"]), "collected": len(data["tests"])}
    assert data["summary"] == counts | total
    for test in data["tests"]:
        assert test["nodeid"].startswith("array_api_tests/")
        assert len(test.keys() & PHASES) == 1


def test_a_report_of_every_outcome(fake_suite: MakeSuite, tmp_path: Path):
    """A crash and a hang are failed tests, a broken fixture is an error, as in pytest."""
    suite = fake_suite(EVERY_OUTCOME)
    revision = committed(suite)
    assert reported(suite, tmp_path / "out", "--timeout", 2) == 1
    (path,) = (tmp_path / "out").iterdir()
    assert path.name == "numpy-seed5.json"
    report = json.loads(path.read_text("utf-8"))
    check_report(report)
    assert (report["name"], report["test_suite"]) == ("numpy", revision)
    assert report["execution_target"] == {"kind": "cpu"}
    assert report["data"]["exitcode"] == 1
    tests = {test["nodeid"].split("::")[1]: test for test in report["data"]["tests"]}
    assert {name: test["outcome"] for name, test in tests.items()} == {
        "test_sort": "passed",
        "test_wrong[argsort]": "failed",
        "test_wrong[<b>&]": "failed",
        "test_crash": "failed",
        "test_hang": "failed",
        "test_setup": "error",
        "test_skipped": "skipped",
        "test_marked": "xfailed",
        "test_after_all_that": "passed",
    }
    assert tests["test_marked"]["reason"] == "marked by the suite: known upstream"
    assert "no such table" in tests["test_setup"]["setup"]["longrepr"]
    assert "should be [2, 1]" in tests["test_wrong[argsort]"]["call"]["crash"]["message"]


def test_a_run_without_failures_has_exit_code_0(fake_suite: MakeSuite, tmp_path: Path):
    """An expected failure is none, and has its reason; peers have files of their own."""
    suite = fake_suite(TWO)
    committed(suite)
    expected = tmp_path / "expected.txt"
    name = "array_api_tests/test_sorting_functions.py::test_argsort"
    expected.write_text(f"{name}  # upstream issue 7\n")
    out = tmp_path / "out"
    options = ["--expected", expected, "--against", "array_api_strict", "math"]
    assert reported(suite, out, *options) == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "array-api-strict-seed5.json", "numpy-seed5.json",
    ]  # fmt: skip
    reports = {p.stem: json.loads(p.read_text("utf-8")) for p in out.iterdir()}
    for report in reports.values():
        check_report(report)
    data = reports["numpy-seed5"]["data"]
    assert data["exitcode"] == 0
    assert data["summary"] == {"passed": 1, "xfailed": 1, "total": 2, "collected": 2}
    assert [t.get("reason") for t in data["tests"]] == [None, "upstream issue 7"]
    assert reports["array-api-strict-seed5"]["data"]["exitcode"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "test_sort"], "for the whole suite"),
        (["--history", "past"], "for the whole suite"),
        (["--module", "math"], "names a version, and math has none"),
    ],
)
def test_what_would_mislead_is_refused(
    fake_suite: MakeSuite,
    tmp_path: Path,
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
):
    """The dashboard shows a report as that of the whole suite, of a version."""
    suite = fake_suite(TWO)
    committed(suite)
    assert reported(suite, tmp_path / "out", *options) == 2
    assert message in " ".join(capsys.readouterr().out.split())
    assert not (tmp_path / "out").exists()


def test_a_suite_of_unknown_revision_has_no_report(
    fake_suite: MakeSuite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert reported(fake_suite(TWO), tmp_path / "out") == 2
    assert "revision, which is unknown" in " ".join(capsys.readouterr().out.split())


def test_a_run_that_is_not_whole_has_no_report(
    fake_suite: MakeSuite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    suite = fake_suite("raise ValueError('at import')\n")
    committed(suite)
    assert reported(suite, tmp_path / "out") == 2
    assert "its run is not whole" in " ".join(capsys.readouterr().out.split())


def test_the_format_needs_a_folder(fake_suite: MakeSuite, capsys: pytest.CaptureFixture[str]):
    words = ["array-api", "--module", "numpy", "--suite", str(fake_suite(TWO))]
    assert main([*words, "--report-format", "data-apis"]) == 2
    assert "needs --report DIR" in capsys.readouterr().out


def fake_torch(hip: str | None, cuda: str | None) -> Any:
    return SimpleNamespace(
        version=SimpleNamespace(hip=hip, cuda=cuda),
        cuda=SimpleNamespace(get_device_name=lambda device: "Model X"),
    )


def test_targets_of_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The model, the runtime and NVIDIA's driver, whose tool says its version."""
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 570.124.06\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    device = SimpleNamespace(type="cuda")
    on_cuda = _target._of_torch(fake_torch(None, "12.8"), device)
    assert on_cuda == {
        "kind": "gpu",
        "backend": "cuda",
        "device_model": "Model X",
        "runtime_version": "12.8",
        "driver_version": "570.124.06",
    }
    check_target(on_cuda)
    on_rocm = _target._of_torch(fake_torch("6.3.1", None), device)
    assert (on_rocm["backend"], on_rocm["runtime_version"]) == ("rocm", "6.3.1")
    for kind, backend in {"mps": "mps", "xpu": "oneapi", "npy": "npy"}.items():
        target = _target._of_torch(fake_torch(None, None), SimpleNamespace(type=kind))
        check_target(target)
        assert target["backend"] == backend


def test_a_machine_without_nvidias_tool(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert _target._nvidia_driver() == ""


@pytest.mark.parametrize(
    ("platform", "kind", "backend"),
    [("gpu", "gpu", "cuda"), ("rocm", "gpu", "rocm"), ("tpu", "tpu", "xla"), ("x", "other", "xla")],
)
def test_targets_of_jax(platform: str, kind: str, backend: str):
    target = _target._of_jax(SimpleNamespace(platform=platform, device_kind="Model X"))
    check_target(target)
    assert target == {"kind": kind, "backend": backend, "device_model": "Model X"}


@pytest.mark.parametrize(
    ("on", "target"),
    [
        (torch.device("cpu"), {"kind": "cpu"}),
        (torch.device("meta"), {"kind": "other", "backend": "meta"}),
        ("cpu", {"kind": "cpu"}),
        ("array_api_strict.Device('CPU_DEVICE')", {"kind": "cpu"}),
        ("Device 1: X", {"kind": "other", "backend": "device1x"}),
        ("", {"kind": "other", "backend": "unknown"}),
    ],
)
def test_targets_of_other_libraries(on: Any, target: dict[str, str]):
    check_target(target)
    assert _target.target(on) == target
