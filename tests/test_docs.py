"""The documentation is true: examples run, generated tables are current, excerpts are real."""

from __future__ import annotations

import doctest
import importlib.metadata
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
import xp_torch
from xp_torch import _flags
from xp_torch._array import Array

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python(?P<title>[^\n]*)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented() -> Iterator[tuple[str, Any]]:
    """Every public object by name: functions, extensions, the array and its methods, flags."""
    yield "xp_torch", xp_torch
    for name in (*xp_torch.__all__, "to_torch"):
        if inspect.isfunction(getattr(xp_torch, name)):
            yield name, getattr(xp_torch, name)
    for extension in (xp_torch.linalg, xp_torch.fft):
        short = extension.__name__.rpartition(".")[2]
        yield short, extension
        for name in extension.__all__:
            yield f"{short}.{name}", getattr(extension, name)
    for cls in (Array, _flags.Flags):
        yield cls.__name__, cls
        for name, member in vars(cls).items():
            if name.startswith("_") and not name.startswith("__"):
                continue
            if inspect.isfunction(member) or isinstance(member, property):
                yield f"{cls.__name__}.{name}", member


DOCUMENTED = {name: inspect.getdoc(o) for name, o in documented()}
WITH_EXAMPLES = {name: doc for name, doc in DOCUMENTED.items() if doc and ">>> " in doc}


def example_blocks(page: Path) -> list[str]:
    """The blocks of a page that are examples, and not an excerpt of a file."""
    blocks = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [b["code"] for b in blocks if b["code"].startswith(">>> ")]


PAGES_WITH_EXAMPLES = [p for p in PAGES if example_blocks(p)]


def run_examples(text: str, name: str) -> None:
    """Run the examples of a docstring or page, and show what differs."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert test.examples, name
    shown: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=shown.append)
    assert not shown, "".join(shown)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_examples(name: str):
    """Every example in a public docstring gives what it says."""
    run_examples(WITH_EXAMPLES[name], name)


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=relative)
def test_page_examples(page: Path):
    """Every ``>>>`` example of a page gives what it says, one after the other.

    It leaves no default device, which would be a mode around every later call of torch.
    """
    run_examples("\n".join(example_blocks(page)), page.name)
    xp_torch.flags.reset()
    assert not torch._C._len_torch_function_stack()


@pytest.mark.parametrize(
    "name", [n for n in DOCUMENTED if not n.partition(".")[2].startswith("__")]
)
def test_public_object_is_documented(name: str):
    """Everything public says what it is; operators and properties may do so in a line."""
    assert DOCUMENTED[name] or name.startswith("Flags."), name


def test_generated_promotion_tables():
    """The tables of docs/promotion.md are what the libraries return."""
    done = check("docs/generate_promotion.py")
    if "not compared" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_libraries_side_by_side():
    """The tables of docs/dashboard.md are what is kept of the reports."""
    done = check("docs/generate_dashboard.py")
    assert done.returncode == 0, done.stderr


def test_generated_list_of_waiting_calls():
    """The list of docs/sync.md is the one that the tests hold the namespace to."""
    done = check("docs/generate_sync.py")
    assert done.returncode == 0, done.stderr


def test_generated_table_of_worlds():
    """The table of docs/conformance.md is of the worlds that there are."""
    done = check("docs/generate_worlds.py")
    assert done.returncode == 0, done.stderr


def test_generated_findings_of_worlds():
    """Each file of docs/portability raises its error, at the line that the page names."""
    page = (ROOT / "docs/portability/index.md").read_text("utf-8")
    for name in ("array-api-extra", "array-api-strict", "scipy"):
        if f"{name} {importlib.metadata.version(name)}" not in page:
            pytest.skip(f"the page is of another version of {name}")
    done = check("docs/generate_portability.py")
    assert done.returncode == 0, done.stderr


def test_generated_table_of_special_functions():
    """The table of docs/special.md is the one that the tests hold the functions to."""
    done = check("docs/generate_special.py")
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_torch():
    """The tables of docs/torch_releases.md are what the packages change and use of torch."""
    done = check("docs/generate_releases.py")
    assert done.returncode == 0, done.stderr


def test_generated_list_of_what_gathers():
    """The list of docs/distributed.md is the one that the tests hold distributed arrays to."""
    done = check("docs/generate_gathering.py")
    assert done.returncode == 0, done.stderr


def test_generated_differences():
    """The table of docs/numpy_differences.md is what NumPy's tests are expected to fail for."""
    done = check("docs/generate_differences.py")
    assert done.returncode == 0, done.stderr


def test_the_reference_has_every_name():
    """A page a chapter: what is public in numpy_shim stands on one of them, once."""
    done = check("docs/generate_reference.py")
    assert done.returncode == 0, done.stdout + done.stderr
    text = "\n".join(f.read_text("utf-8") for f in (ROOT / "docs/api/numpy").glob("*.md"))
    names = re.findall("^::: (.*)$", text, re.MULTILINE)
    theirs = re.findall(r"^NumPy's own \w+: `(\S+) is (\S+)`\.$", text, re.MULTILINE)
    for numpys, name in theirs:
        assert pkgutil.resolve_name(numpys) is pkgutil.resolve_name(name), name
    names += re.findall(r"^## \w+ \{ #(numpy_shim\.\S+) \}$", text, re.MULTILINE)
    assert len(names) == len(set(names))
    public = {
        f"numpy_shim.{name}"
        for name in numpy_shim.__all__
        if not name.startswith("_") and not inspect.ismodule(getattr(numpy_shim, name))
        and not (isinstance(getattr(numpy_shim, name), type)
                 and issubclass(getattr(numpy_shim, name), numpy.generic))
    }  # fmt: skip
    assert public <= set(names)


def test_generated_tables_of_libraries():
    """The tables of docs/libraries.md are what is kept of the reports."""
    done = check("docs/generate_libraries.py")
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_dask():
    """The tables of docs/dask.md are what is kept of the last report."""
    done = check("docs/generate_dask.py")
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_the_surface():
    """The tables of docs/surface.md are the figures that are kept."""
    done = check("docs/generate_surface.py")
    assert not done.returncode, done.stderr


def test_generated_tables_of_performance():
    """The tables of docs/performance.md are the figures that are kept."""
    done = check("docs/generate_performance.py")
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_choices():
    """The tables of docs/jit_choices.md are the figures that are kept."""
    done = check("docs/generate_choices.py")
    assert done.returncode == 0, done.stderr


def test_generated_tables_of_scipys_speed():
    """The table of speed of docs/scipy.md is the figures that are kept."""
    done = check("docs/generate_scipy.py")
    assert done.returncode == 0, done.stderr


def check(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, script, "--check"], cwd=ROOT, capture_output=True, text=True
    )


def excerpts() -> list[tuple[Path, str, str]]:
    """Page, file and text of every block that is titled with a file of the repository."""
    found = []
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            title = re.search(r'title="([^"]+)"', block["title"])
            if title and page.parent.name != "guides":  # there a title is a file to save
                found.append((page, title[1], block["code"]))
    return found


EXCERPTS = excerpts()


@pytest.mark.parametrize(("page", "file", "code"), EXCERPTS, ids=[f for _, f, _ in EXCERPTS])
def test_excerpt_is_in_its_file(page: Path, file: str, code: str):
    """A block titled with a file stands in that file, word for word."""
    assert code in (ROOT / file).read_text(encoding="utf-8"), f"{relative(page)}: {file}"


def test_reference_is_complete():
    """Every public function is in one page of the reference, and no page names another."""
    listed = []
    for page in sorted((ROOT / "docs" / "api").glob("*.md")):
        listed += re.findall(r"^::: (xp_torch\.\S+)", page.read_text("utf-8"), re.MULTILINE)
    functions = [n for n in xp_torch.__all__ if inspect.isfunction(getattr(xp_torch, n))]
    expected = [f"xp_torch.{n}" for n in functions]
    expected.append("xp_torch.to_torch")
    for extension in (xp_torch.linalg, xp_torch.fft):
        names = [n for n in extension.__all__ if n not in functions]
        expected += [f"{extension.__name__}.{n}" for n in names]
    expected += ["xp_torch._array.Array", "xp_torch._flags.Flags"]
    assert sorted(listed) == sorted(expected)


NAMED_TEST = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_named_tests_exist(page: Path):
    """Every test that a page names is there."""
    for file, name in NAMED_TEST.findall(page.read_text(encoding="utf-8")):
        source = (ROOT / "tests" / "xp_torch" / file).read_text(encoding="utf-8")
        assert f"def {name}(" in source, f"{file}::{name}"


LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path):
    """Every relative link of a page names a file that exists."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_dtypes_are_named_in_the_reference():
    """The page on dtypes names every dtype and constant, which have no signature to list."""
    text = (ROOT / "docs" / "api" / "data_types.md").read_text(encoding="utf-8")
    for name in xp_torch.__all__:
        value = getattr(xp_torch, name)
        if isinstance(value, (torch.dtype, float, type(None))):
            assert f"`{name}`" in text, name
