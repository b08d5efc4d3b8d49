"""The wheel and the source distribution: what they hold, and that they work where installed."""

from __future__ import annotations

import hashlib
import os
import site
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import xp_torch

ROOT = Path(__file__).parents[1]
PACKAGES = ["xp_torch", "numpy_shim", "xp_backend", "conformance"]

hatchling = pytest.importorskip("hatchling", reason="hatchling builds the distributions")


def build(folder: Path) -> dict[str, Path]:
    """Build both distributions into a folder; by kind."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
    )  # fmt: skip
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return build(tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_the_packages(distributions: dict[str, Path]):
    names = zipfile.ZipFile(distributions["wheel"]).namelist()
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == set(PACKAGES)
    for package in PACKAGES:
        files = {
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / package).rglob("*")
            if file.suffix in (".py", ".pyi", ".typed", ".txt", ".j2", ".rev")
        }
        assert files <= set(names)
    assert f"xp_torch-{xp_torch.__version__}.dist-info/METADATA" in names


def test_dask_finds_the_backend_by_an_entry_point(distributions: dict[str, Path]):
    with zipfile.ZipFile(distributions["wheel"]) as wheel:
        (name,) = (n for n in wheel.namelist() if n.endswith("entry_points.txt"))
        text = wheel.read(name).decode()
    entry = "numpy_shim = numpy_shim._interop.dask_backend:Backend"
    assert f"[dask.array.backends]\n{entry}\n" in text
    module, _, attribute = entry.partition(" = ")[2].partition(":")
    source = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")
    assert f"class {attribute}(" in source


def test_the_source_builds_the_same_wheel(distributions: dict[str, Path], tmp_path: Path):
    with tarfile.open(distributions["sdist"]) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.iterdir())
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "tests", "docs"):
        assert (source / name).exists()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "out")],
        cwd=source, check=True, capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
    )  # fmt: skip
    built = next((tmp_path / "out").glob("*.whl"))
    assert digest(built) == digest(distributions["wheel"])


def test_the_source_has_what_git_tracks(distributions: dict[str, Path]):
    """No cache of a tool and no built file: a clone gives the same archive as a checkout in use."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this is no checkout: git lists no files")
    with tarfile.open(distributions["sdist"]) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers()}
    assert names - set(done.stdout.splitlines()) == {"PKG-INFO"}


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_distributions_are_reproducible(distributions: dict[str, Path], tmp_path: Path):
    again = build(tmp_path)
    assert {k: digest(v) for k, v in again.items()} == {
        k: digest(v) for k, v in distributions.items()
    }


def test_it_works_where_it_is_installed(distributions: dict[str, Path], tmp_path: Path):
    """In an environment that has the dependencies, and neither the project nor its folder."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target",
         str(tmp_path / "site"), str(distributions["wheel"])],
        check=True, capture_output=True,
    )  # fmt: skip
    program = (
        "import sys; sys.path[1:1] = sys.argv[2:]; sys.path.insert(0, sys.argv[1])\n"
        "import xp_torch, numpy_shim, conformance, importlib.metadata as metadata\n"
        "assert xp_torch.__file__.startswith(sys.argv[1]), xp_torch.__file__\n"
        "assert numpy_shim.__file__.startswith(sys.argv[1])\n"
        "print(float(numpy_shim.arange(4).sum()), xp_torch.asarray([1]) + 1)\n"
        "print(metadata.entry_points(group='array_api')['xp_torch'].load().__name__)\n"
        "command = metadata.entry_points(group='console_scripts')['conformance'].load()\n"
        "print(command is conformance.__main__.main)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(tmp_path / "site"),
         *site.getsitepackages()],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["6.0 Array([2], dtype=int64)", "xp_torch", "True"]


def test_the_report_for_bugs():
    done = subprocess.run(
        [sys.executable, "-m", "xp_torch"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    facts = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert facts["xp-torch"] == xp_torch.__version__
    assert facts["array API"] == "2025.12"
    assert "cpu" in facts["devices"]
    assert {"torch", "NumPy", "Python", "platform", "flags"} <= facts.keys()


def test_the_citation_has_the_version():
    assert f"version: {xp_torch.__version__}\n" in (ROOT / "CITATION.cff").read_text()
