"""`python -m conformance library`: sources, environments, causes, what is held to the control."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance import _causes
from conformance._cli import main
from conformance.libraries import _environment, _source
from tests.conformance.test_reports import Page

# A namespace with a launcher. What it lacks or does wrong is what the tests below are about.
NAMESPACE = """
from numpy import *

__version__ = "7.0"

def total(shape):
    raise TypeError(f"total: shape {shape} is refused at {id(shape):#x}")

def cumsum(x):
    return total(x)
"""
LAUNCHER = """
import builtins, os, runpy, sys

plain = builtins.__import__

def swapped(name, names=None, local=None, fromlist=(), level=0):
    file = (names or {}).get("__file__") or ""
    if name == "numpy" and file.startswith(os.path.join(os.getcwd(), "")):
        name = "fake_launched"
    return plain(name, names, local, fromlist, level)

builtins.__import__ = swapped
sys.path.insert(0, os.getcwd())
sys.argv = sys.argv[2:]
runpy.run_module("pytest", run_name="__main__", alter_sys=True)
"""
LIBRARY = """
import numpy as np

REPLACED = np.__name__ != "numpy"

def running(x):
    return np.cumsum(x)
"""
TESTS = """
import os, signal, time
import numpy as np
import pytest
import tiny

def test_passes():
    assert tiny.running is not None

def test_wrong_everywhere():
    assert 0

def test_frame():
    assert list(tiny.running([1, 2])) == [1, 3]

def test_same_frame():
    assert list(tiny.running([1, 2, 3])) == [1, 3, 6]

def test_crash():
    if tiny.REPLACED:
        os._exit(7)

def test_hang():
    if tiny.REPLACED:
        time.sleep(600)

def test_hang_in_compiled_code():
    if tiny.REPLACED:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(600)

@pytest.mark.parametrize("case", [1] if tiny.REPLACED else [1, 2])
def test_parameters(case):
    pass

@pytest.mark.skipif(tiny.REPLACED, reason="not with this one")
def test_skipped():
    pass

def test_only_with_the_module():
    assert tiny.REPLACED

def test_variable():
    assert os.environ.get("TINY") != "wrong"

def test_after_all_that():
    pass
"""
NOT_IMPORTED = """
import tiny
if tiny.REPLACED:
    raise AttributeError("module 'fake_launched' has no attribute 'matrix'")

def test_in_it():
    pass
"""
PROJECT = '[project]\nname = "tiny"\nversion = "1.5"\n'

MakeLibrary = Callable[..., Path]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeLibrary:
    """Make a checkout out of the text of one test file, beside a namespace with a launcher."""
    namespace = tmp_path / "fake_launched"
    namespace.mkdir()
    (namespace / "__init__.py").write_text(NAMESPACE)
    (namespace / "__main__.py").write_text(LAUNCHER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def make(text: str, project: str = PROJECT, **files: str) -> Path:
        folder = tmp_path / "checkout"
        (folder / "src" / "tiny").mkdir(parents=True)
        (folder / "tests").mkdir()
        (folder / "pyproject.toml").write_text(project)
        (folder / "src" / "tiny" / "__init__.py").write_text(LIBRARY)
        (folder / "tests" / "test_tiny.py").write_text(text)
        for name, content in files.items():
            (folder / "tests" / f"{name}.py").write_text(content)
        return folder

    return make


def conformance(*options: object) -> int:
    """The exit status of a run with what is installed here."""
    words = ["library", *options, "--no-install", "--module", "fake_launched"]
    return main([str(word) for word in words])


def told(report: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((report / "report.json").read_text("utf-8"))
    return data


def test_tests_are_held_to_what_passes_with_numpy(
    library: MakeLibrary, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A crash, two kinds of hang, tests that are gone and a file that is; the rest goes on."""
    report = tmp_path / "report"
    folder = library(TESTS, test_other=NOT_IMPORTED)
    before = sorted(folder.rglob("*"))
    assert conformance(folder, "--timeout", 1, "--report", report) == 1
    assert sorted(folder.rglob("*")) == before, "nothing is written into the checkout"
    data = told(report)
    (run,) = data["runs"]
    found = {t["id"].split("::")[1]: (t["outcome"], t["how"]) for t in run["tests"]}
    passed, failed, missing = ("passed", ""), ("failed", "failed"), ("failed", "missing")
    assert found == {
        "test_in_it": missing,
        "test_passes": passed,
        "test_frame": failed,
        "test_same_frame": failed,
        "test_crash": ("failed", "crashed"),
        "test_hang": ("failed", "hung"),
        "test_hang_in_compiled_code": ("failed", "hung"),
        "test_parameters[1]": passed,
        "test_parameters[2]": missing,
        "test_skipped": ("skipped", ""),
        "test_variable": passed,
        "test_after_all_that": passed,
    }
    causes = {(c["kind"], len(c["tests"])): c for c in data["causes"]}
    first = data["causes"][0]
    assert len(first["tests"]) == 2
    refused = causes["TypeError", 2]
    assert refused["message"] == "total: shape [#] is refused at 0x#"
    assert refused["frame"] == "fake_launched/__init__.py in total"
    assert causes["AttributeError", 1]["message"].endswith("has no attribute 'matrix'")
    assert causes["hung", 2]["tests"][0].endswith("test_hang")
    assert data["library"] == {"name": "tiny", "version": "1.5", "origin": str(folder)}
    assert data["control"]["counts"] == {"passed": 12, "failed": 2, "skipped": 0, "xfailed": 0}
    assert data["share"] == pytest.approx(100 * 4 / 12, abs=0.01)
    printed = " ".join(capsys.readouterr().out.split())
    assert "33.3 % of the 12 tests that pass with NumPy" in printed
    page = (report / "report.html").read_text("utf-8")
    reader = Page()
    reader.feed(page)
    assert not reader.open
    assert not reader.fetched
    assert "fake_launched/__init__.py in total" in (report / "report.md").read_text("utf-8")


def test_printed_command_repeats_one_test(library: MakeLibrary, tmp_path: Path) -> None:
    """It runs that test alone, with the module in NumPy's place and the same variables."""
    report = tmp_path / "report"
    body = "    assert not (tiny.REPLACED and 'TINY' in os.environ)\n"
    text = f"import os\nimport tiny\ndef test_it():\n{body}"
    assert conformance(library(text), "--report", report, "--env", "TINY=1") == 1
    (cause,) = told(report)["causes"]
    done = subprocess.run(
        cause["repeat"], shell=True, capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.returncode == 1
    assert "1 failed" in done.stdout


def test_a_library_that_passes(library: MakeLibrary, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, whatever fails with NumPy too; options of pytest that it lacks are left out."""
    project = PROJECT + '[tool.pytest.ini_options]\naddopts = "--nobody-has-this"\n'
    folder = library("def test_one():\n    pass\ndef test_two():\n    assert 0\n", project)
    assert conformance(folder) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "100.0 % of the 1 tests" in printed
    assert "without the options that the library gives pytest" in printed


def test_expected_failures(
    library: MakeLibrary, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a reason a failure is none, and one that passes is stale."""
    folder = library("import tiny\ndef test_one():\n    assert not tiny.REPLACED\n")
    expected = tmp_path / "expected.txt"
    expected.write_text("tests/test_tiny.py::test_one  # upstream issue 7\n")
    assert conformance(folder, "--expected", expected) == 0
    assert "1 expected to fail: upstream issue 7" in " ".join(capsys.readouterr().out.split())
    (folder / "tests" / "test_tiny.py").write_text("def test_one():\n    pass\n")
    assert conformance(folder, "--expected", expected) == 1


@pytest.mark.parametrize(
    ("library_given", "module", "reason"),
    [
        ("./nowhere", "fake_launched", "is not a folder"),
        ("not a name", "fake_launched", "is neither NAME, NAME==VERSION nor a path"),
        ("./checkout", "json.tool", "cannot take NumPy's place"),
        ("./checkout", "no_such_module", "no module named"),
        ("./checkout", "fake_launched", "no test of tiny 1.5 passes with NumPy"),
    ],
)
def test_what_cannot_be_run_is_refused(
    library: MakeLibrary,
    capsys: pytest.CaptureFixture[str],
    library_given: str,
    module: str,
    reason: str,
) -> None:
    """Status 2, and why."""
    library("def test_one():\n    assert 0\n")
    assert main(["library", library_given, "--no-install", "--module", module]) == 2
    assert reason in " ".join(capsys.readouterr().out.split())


BUILT = PROJECT + (
    'optional-dependencies = { test = ["tiny-need"] }\n'
    '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
)


def archive(folder: Path, name: str, files: dict[str, str]) -> None:
    """A source distribution of these files."""
    folder.mkdir(exist_ok=True)
    staged = folder / name
    for path, text in {"PKG-INFO": metadata(name), **files}.items():
        (staged / path).parent.mkdir(parents=True, exist_ok=True)
        (staged / path).write_text(text)
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as package:
        package.add(staged, name)


def metadata(name: str) -> str:
    name, _, version = name.rpartition("-")
    return f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"


def test_distribution_and_needs_are_installed_beside_the_environment(
    library: MakeLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By pip, without a network here: into the cache, where NumPy stays what it is."""
    pytest.importorskip("hatchling")
    pytest.importorskip("editables")
    links = tmp_path / "links"
    need = PROJECT.replace("tiny", "tiny-need") + BUILT[BUILT.index("[build") :]
    archive(links, "tiny_need-1.5", {"pyproject.toml": need, "tiny_need/__init__.py": ""})
    files = {
        "pyproject.toml": BUILT,
        "src/tiny/__init__.py": LIBRARY,
        "tests/test_tiny.py": "import tiny_need\ndef test_one():\n    pass\n",
    }
    archive(links, "tiny-1.5", files)
    for name, value in {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(links),
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_CONFIG_FILE": "/dev/null",
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    library("")
    assert main(["library", "tiny", "--module", "fake_launched"]) == 0
    folder = tmp_path / "cache" / "xp-torch" / "libraries" / "tiny-1.5"
    assert json.loads((folder / "installed.json").read_text())["warnings"] == []
    packages = next((folder / "venv").rglob("site-packages"))
    assert (packages / "tiny_need").is_dir()
    assert not (packages / "numpy").exists(), "what is installed here is seen"
    words = [sys.executable, "-c", "import tiny_need"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1
    # Only the cache has it now.
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert _source.find("tiny").version == "1.5"
    assert _source.find("tiny==1.5").root == folder / "source"
    with pytest.raises(_source.SourceError, match="could not get the source distribution"):
        _source.find("tiny==2.0")


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        ({}, []),
        ({"requirements-test.txt": ""}, [["--requirement", "requirements-test.txt"]]),
        (
            {"pyproject.toml": '[project.optional-dependencies]\ntests = ["x"]\ndev = ["y"]\n'},
            [["--editable", ".[tests]"]],
        ),
        (
            {"pyproject.toml": '[dependency-groups]\ntest = ["x"]\ndocs = ["y"]\n'},
            [["--group", "pyproject.toml:test"]],
        ),
        (
            {"PKG-INFO": "Name: x\nProvides-Extra: dev\nProvides-Extra: docs\n"},
            [["--editable", ".[dev]"]],
        ),
    ],
)
def test_needs_are_those_of_the_tests(
    tmp_path: Path, files: dict[str, str], arguments: list[list[str]]
) -> None:
    """Extras, groups and files for the tests; those for developers where there are none."""
    root = tmp_path / "source"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text)
    source = _source.Source("x", "1", tmp_path, "")
    found = [
        [w.replace(f"{root}/", "").replace(str(root), ".") for w in words]
        for words in _environment._asked(source)
    ]
    assert found == arguments


@pytest.mark.parametrize(
    ("message", "same"),
    [
        ("shape (3, 4) of float64", "shape (#) of float64"),
        ("shape (5, 4, 1) of float64", "shape (#) of float64"),
        ("<X object at 0x7f12ab>", "<X object at 0x#>"),
        ("off by 1.5e-07, nan", "off by #, nan"),
        ("-3 is not in [0, 7)", "# is not in [#)"),
        ("cannot open /tmp/a/b.py", "cannot open b.py"),
        ("one\ntwo", "one"),
        ("", ""),
    ],
)
def test_messages_are_compared_without_their_values(message: str, same: str) -> None:
    """Numbers, addresses and folders go; names with digits stay."""
    assert _causes.normalised(message) == same


def test_reports_become_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of either kind, and a newer one in its place; the largest causes, then a sum."""
    docs = Path(__file__).parents[2] / "docs"
    monkeypatch.syspath_prepend(docs)
    page = importlib.import_module("generate_libraries")

    def cause(name: str, tests: list[str]) -> dict[str, Any]:
        return {"kind": name, "message": "a | b", "frame": "m/x.py in f", "tests": tests}

    ids = [f"tests/test_x.py::test_{i}" for i in range(9)]
    report: dict[str, Any] = {
        "created": "2026-11-22T00:00:00+00:00",
        "library": {"name": "tiny", "version": "1.5"},
        "module": "m",
        "times": 1.25,
        "control": {"version": "2.4"},
        "causes": [cause(f"E{i}", [ids[i]]) for i in range(8)] + [cause("Big", ids[:3])],
        "runs": [{"counts": {"passed": 3, "failed": 1, "skipped": 0, "xfailed": 0}}],
    }
    data: dict[str, Any] = {"library": {}, "backends": {}}
    page.add(data, report)
    report["times"] = 2.0
    page.add(data, report)
    assert page.libraries(data).splitlines()[2:] == [
        "| tiny 1.5 | 4 | 3 | 1 | 0 | 0 | 75.0 % | 2.0 | 2026-11-22 |"
    ]
    rows = page.library_causes(data).splitlines()[2:]
    assert rows[0] == "| tiny | 3 | `` Big: a \\| b `` | m/x.py in f | `test_x::test_0` |"
    assert len(rows) == page.SHOWN + 1
    assert rows[-1] == "| tiny | 3 | 3 other causes |  |  |"
    counts = {"passed": 1, "failed": 2, "skipped": 0, "xfailed": 0}
    report = {
        "created": "2026-11-22T00:00:00+00:00",
        "library": {"name": "big", "version": "2"},
        "runs": [
            {
                "module": "xp_torch",
                "chapters": {"fft": counts, "io": counts},
                "regressions": ids[:2],
                "causes": [cause("E", ids[:2])],
                "tests": [{"id": i, "chapter": "fft" if i == ids[0] else "io"} for i in ids],
            },
            {"module": "torch", "chapters": {"io": counts}},
        ],
    }
    page.add(data, report)
    assert page.backends(data).splitlines()[2:] == [
        "| big 2 | fft | 1 / 2 / 0 / 0 |  |  | 1 | 2026-11-22 |",
        "| big 2 | io | 1 / 2 / 0 / 0 |  | 1 / 2 / 0 / 0 | 1 | 2026-11-22 |",
    ]
    assert len(page.backend_causes(data).splitlines()) == 4
