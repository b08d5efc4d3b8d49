"""`python -m conformance scipy|sklearn|array-api-extra`, on small libraries with such tests."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance._cli import SUITES, main
from conformance.backends import _suite
from conformance.backends.plugin import Adapter
from tests.conformance.test_reports import Page

# Three backends. What is wrong with the module is what the tests are about.
BACKEND = """
__version__ = "7.0"

def empty(shape):
    return ()

def one():
    return {one}

def refuse(x):
    raise ValueError(f"refuse: {{x}} is no value")

good = {good}
"""
SCIPY = {
    "conftest": """
import os, json
import pytest
import reference_backend, peer_backend

assert os.environ["XP_TORCH_API_VERSION"] == "2024.12"
xp_known_backends = {"numpy", "reference_backend", "peer_backend"}
xp_skip_cpu_only_backends = set()
xp_available_backends = [
    pytest.param(m, id=m.__name__, marks=pytest.mark.array_api_backends)
    for m in (reference_backend, peer_backend)
    if m.__name__ in json.loads(os.environ["SCIPY_ARRAY_API"])
]

def pytest_configure(config):
    config.addinivalue_line("markers", "array_api_backends: takes xp")
    config.addinivalue_line("markers", "np_only: skips all backends that are known")

@pytest.fixture(params=xp_available_backends)
def xp(request):
    if request.node.get_closest_marker("np_only"):
        if request.param.__name__ in xp_known_backends:
            pytest.skip("for NumPy alone")
    return request.param
""",
    "cluster/tests/test_vq": """
import pytest

def test_one(xp):
    assert xp.one() == 1

@pytest.mark.parametrize("case", [3, 4])
def test_parameters(xp, case):
    if not xp.good:
        xp.refuse(case)

class TestClass:
    def test_both_fail(self, xp):
        assert xp is None

    @pytest.mark.np_only
    def test_skipped(self, xp):
        assert 0

def test_reference_is_skipped(xp):
    if xp.__name__ == "reference_backend":
        pytest.skip("not there")
    assert xp.good

def test_without_backend():
    assert 0
""",
    "cluster/tests/test_nothing": "def test_without_backend():\n    assert 0\n",
    "fft/tests/test_basic": "def test_fft(xp):\n    assert xp.one() == 1\n",
}
SKLEARN = {
    "utils/_array_api": """
from collections import namedtuple

NamespaceAndDevice = namedtuple("NamespaceAndDevice", ["xp", "device"])
REFERENCE_TO_TORCH = "reference_backend to torch cpu"

def yield_namespaces(include_numpy_namespaces=True):
    yield from ["numpy", "reference_backend", "peer_backend"]

def yield_namespace_device_dtype_combinations(include_numpy_namespaces=True):
    for name in yield_namespaces(include_numpy_namespaces):
        if name == "reference_backend":
            yield name, "CPU_DEVICE", "float64"
            yield name, "device1", "float32"
        elif name == "peer_backend":
            yield name, "cpu", "float64"
            yield name, "cuda", "float64"
        else:
            yield name, None, None

def yield_mixed_namespace_input_permutations():
    pair = NamespaceAndDevice
    yield pair("cupy", None), pair("torch", "cuda"), "cupy to torch cuda"
    yield pair("reference_backend", "device1"), pair("torch", "cpu"), REFERENCE_TO_TORCH
""",
    "metrics/tests/test_common": """
import importlib
import pytest
from fake_sklearn.utils._array_api import (
    yield_mixed_namespace_input_permutations,
    yield_namespace_device_dtype_combinations,
    yield_namespaces,
)

@pytest.mark.parametrize("array_namespace", yield_namespaces(include_numpy_namespaces=False))
def test_namespace(array_namespace):
    assert importlib.import_module(array_namespace).one() == 1

@pytest.mark.parametrize(
    "array_namespace, device_name, dtype_name", yield_namespace_device_dtype_combinations()
)
@pytest.mark.parametrize("metric", ["a", "b"])
def test_metric(metric, array_namespace, device_name, dtype_name):
    xp = importlib.import_module(array_namespace)
    assert xp.good or metric != "a" or dtype_name != "float32"

@pytest.mark.parametrize(
    "from_ns_and_device, to_ns_and_device",
    [pytest.param(a, b, id=i) for a, b, i in yield_mixed_namespace_input_permutations()],
)
def test_mixed(from_ns_and_device, to_ns_and_device):
    assert importlib.import_module(from_ns_and_device.xp).good

def test_other():
    assert 0
""",
}
EXTRA = {
    "_lib/_backends": """
from enum import Enum
import pytest

class Backend(Enum):
    REFERENCE = "reference_backend"
    STRICTEST = "reference_backend:strictest"
    PEER = "peer_backend"
    DASK = "dask.array"

    @property
    def modname(self):
        return self.value.split(":")[0]

    def like(self, *others):
        return any(self.modname == other.modname for other in others)

    def pytest_param(self):
        return pytest.param(self, id=self.name.lower())
""",
    "tests/main/conftest": """
import importlib
import pytest
from fake_extra._lib._backends import Backend

@pytest.fixture(params=[b.pytest_param() for b in Backend])
def library(request):
    assert isinstance(request.param, Backend)
    return request.param

@pytest.fixture
def xp(library):
    return importlib.import_module(library.modname)
""",
    "tests/main/test_at": """
from fake_extra._lib._backends import Backend

def test_xp(xp):
    assert xp.good

def test_library(library, xp):
    assert not library.like(Backend.DASK)
    assert library is not Backend.PEER or xp.good
""",
}

Write = Callable[[str, str, dict[str, str]], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Make a package, and have it stand for the library of a command."""
    for name, one, good in (
        ("reference_backend", 1, True),
        ("peer_backend", 1, True),
        ("fake_backend", 2, False),
    ):
        (tmp_path / f"{name}.py").write_text(BACKEND.format(one=one, good=good))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(_suite, "REFERENCE", "reference_backend")

    def make(command: str, package: str, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = tmp_path / package / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            for parent in path.relative_to(tmp_path).parents:
                if parent != Path():
                    (tmp_path / parent / "__init__.py").touch()
            path.write_text(text)
        (library,) = (suite for suite in SUITES if suite.name == command)
        monkeypatch.setattr(library, "package", package)
        monkeypatch.setattr(library, "distribution", "pytest")

    return make


def conformance(command: str, *options: object) -> int:
    words = [command, *options, "--module", "fake_backend", "--jobs", 1]
    return main([str(word) for word in (*words, "--against", "peer_backend")])


def told(report: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((report / "report.json").read_text("utf-8"))
    return data


def outcomes(run: dict[str, Any]) -> dict[str, str]:
    return {t["id"].split("::", 1)[1]: t["outcome"] for t in run["tests"]}


def test_module_is_a_backend_beside_its_peers(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each test that takes a backend runs with each; others, and other backends, do not."""
    write("scipy", "fake_scipy", SCIPY)
    report = tmp_path / "report"
    assert conformance("scipy", "--report", report) == 1
    data = told(report)
    subject, reference, peer = data["runs"]
    assert [r["module"] for r in data["runs"]] == [
        "fake_backend",
        "reference_backend",
        "peer_backend",
    ]
    assert outcomes(subject) == {
        "test_one[fake_backend]": "failed",
        "test_parameters[3-fake_backend]": "failed",
        "test_parameters[4-fake_backend]": "failed",
        "TestClass::test_both_fail[fake_backend]": "failed",
        "TestClass::test_skipped[fake_backend]": "skipped",
        "test_reference_is_skipped[fake_backend]": "failed",
        "test_fft[fake_backend]": "failed",
    }
    assert peer["counts"] == {"passed": 5, "failed": 1, "skipped": 1, "xfailed": 0}
    assert reference["counts"] == {"passed": 4, "failed": 1, "skipped": 2, "xfailed": 0}
    worse = {i.split("::")[1] for i in subject["regressions"]}
    assert worse == {
        "test_one[fake_backend]",
        "test_parameters[3-fake_backend]",
        "test_parameters[4-fake_backend]",
        "test_fft[fake_backend]",
    }
    causes = {c["kind"]: c for c in subject["causes"]}
    assert len(causes["ValueError"]["tests"]) == 2
    assert causes["ValueError"]["message"] == "refuse: # is no value"
    assert list(subject["chapters"]) == ["cluster", "fft"]
    printed = " ".join(capsys.readouterr().out.split())
    assert "4 of the failures pass with reference_backend" in printed
    page = (report / "report.html").read_text("utf-8")
    reader = Page()
    reader.feed(page)
    assert not reader.open
    assert not reader.fetched
    head = " fails, passes with reference_backend |\n| --- |"
    assert head in (report / "report.md").read_text("utf-8")
    row = "| cluster | 0 / 5 / 1 / 0 | 3 / 1 / 2 / 0 | 4 / 1 / 1 / 0 | 3 |"
    assert row in (report / "report.md").read_text("utf-8")
    # The command that is printed runs that test, and it fails.
    command = causes["ValueError"]["repeat"]
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "1 failed" in done.stdout
    assert "refuse: 3 is no value" in done.stdout


def test_only_what_passes_with_the_reference_is_held_against_it(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status is 0 if all failures are expected or shared with the reference."""
    write("scipy", "fake_scipy", SCIPY)
    assert conformance("scipy", "cluster", "--only", "both_fail or skipped") == 0
    expected = tmp_path / "expected.txt"
    expected.write_text("fake_scipy/fft/tests/test_basic.py::test_fft[fake_backend]  # issue 7\n")
    assert conformance("scipy", "fft", "--expected", expected) == 0
    assert "1 expected to fail: issue 7" in capsys.readouterr().out
    # It is stale where its test is collected or should be, not in a run of another area.
    assert conformance("scipy", "cluster", "--only", "both_fail", "--expected", expected) == 0
    expected.write_text("fake_scipy/fft/tests/test_basic.py::test_gone[fake_backend]  # issue 8\n")
    assert conformance("scipy", "fft", "--expected", expected) == 1
    assert "has no such test" in capsys.readouterr().out
    assert conformance("scipy", "nothing") == 2
    printed = " ".join(capsys.readouterr().out.split())
    assert "no array API tests in nothing; it has them in cluster, fft" in printed


def test_functions_that_yield_namespaces(write: Write, tmp_path: Path) -> None:
    """On a device and with two dtypes as scikit-learn does; pairs; devices that are not there."""
    write("sklearn", "fake_sklearn", SKLEARN)
    report = tmp_path / "report"
    assert conformance("sklearn", "--report", report) == 1
    subject, reference, peer = told(report)["runs"]
    assert outcomes(subject) == {
        "test_namespace[fake_backend]": "failed",
        "test_metric[a-fake_backend-cpu-float64]": "passed",
        "test_metric[a-fake_backend-cpu-float32]": "failed",
        "test_metric[b-fake_backend-cpu-float64]": "passed",
        "test_metric[b-fake_backend-cpu-float32]": "passed",
        "test_mixed[fake_backend to torch cpu]": "failed",
    }
    assert set(outcomes(peer)) == {
        "test_namespace[peer_backend]",
        "test_metric[a-peer_backend-cpu-float64]",
        "test_metric[b-peer_backend-cpu-float64]",
    }
    assert reference["counts"]["passed"] == 6
    assert len(subject["regressions"]) == 3, "each has its twin with the reference"


def test_enumeration_of_backends(write: Write, tmp_path: Path) -> None:
    """The module is a member of it to the tests, and is not counted among its members."""
    write("array-api-extra", "fake_extra", EXTRA)
    report = tmp_path / "report"
    assert conformance("array-api-extra", "--report", report) == 1
    subject, reference, _ = told(report)["runs"]
    assert outcomes(subject) == {
        "test_xp[fake_backend]": "failed",
        "test_library[fake_backend]": "passed",
    }
    assert reference["counts"]["passed"] == 2
    assert list(subject["chapters"]) == ["at"]
    assert len(subject["regressions"]) == 1


@pytest.mark.parametrize(
    ("test_id", "backend", "key"),
    [
        ("a.py::test[xp_torch]", "xp_torch", "a.py::test[*]"),
        ("a.py::test[1-xp_torch-torch]", "xp_torch", "a.py::test[1-*-torch]"),
        ("a.py::test[xp_torch-torch]", "torch", "a.py::test[xp_torch-*]"),
        ("a.py::test_torch[torch-cpu-float64]", "torch", "a.py::test_torch[*-float64]"),
        ("a.py::test[array_api_strict-device1-x]", "array_api_strict", "a.py::test[*-x]"),
        ("a.py::t[array_api_strict to torch cpu]", "array_api_strict", "a.py::t[* to torch cpu]"),
        ("a.py::test[torch-None-None-x]", "torch", "a.py::test[*-None-x]"),
    ],
)  # fmt: skip
def test_keys_of_a_test_are_the_same_for_all_backends(test_id: str, backend: str, key: str) -> None:
    """The name of the backend, and the device that stands behind it, are left out."""
    assert Adapter("x", "xp_torch", ["torch"], None).key(test_id, backend) == key
