"""The parts: where the suite is, which function a test is about, what may be imported."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

import conformance
from conformance import _cli, _expected
from conformance._cli import main
from conformance.array_api import _chapters, _checkout

PACKAGE = Path(conformance.__file__).parent


def test_package_knows_namespaces_by_name_only() -> None:
    """No file imports a namespace, ours or another; some adapt to NumPy's; worlds are ours.

    These are NumPy's assertions, what Dask's tests of CuPy compare with, and pixels of figures.
    """
    imported = {}
    adapters = {
        PACKAGE / "numpy_suite" / "_testing.py",
        PACKAGE / "dask_suite" / "plugin.py",
        PACKAGE / "programs" / "_comparison.py",
        PACKAGE / "programs" / "started.py",
        *(PACKAGE / "worlds").glob("*.py"),
    }
    for path in set(PACKAGE.rglob("*.py")) - adapters:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            imported.update({name.split(".")[0]: path.name for name in names})
    refused = ("xp_torch", "numpy_shim", "numpy", "array_api_strict", "array_api_compat")
    assert not {name: imported[name] for name in refused if name in imported}


def test_without_the_suite_it_says_where_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, the searched folders, and the commands that get the pinned revision."""
    monkeypatch.delenv(_checkout.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(_checkout, "__file__", str(tmp_path / "a" / "b" / "c" / "_checkout.py"))
    assert main(["array-api"]) == 2
    printed = capsys.readouterr().out
    assert str(tmp_path / "xp-torch" / "array-api-tests") in printed
    assert f"git clone {_checkout.URL}" in printed
    assert _checkout.pinned()["array-api-tests"] in printed
    assert main(["array-api", "--locate"]) == 2


def test_everything_ends_with_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the suite the status is the coverage's, and the summary has a line for each part."""
    pytest.importorskip("array_api_strict")
    monkeypatch.setenv(_checkout.VARIABLE, str(tmp_path))
    monkeypatch.setattr(_cli, "OURS", "array_api_strict")
    assert main([]) == 0
    summary = capsys.readouterr().out.split(" summary ")[1]
    assert "names, signatures, dtypes: array_api_strict" in summary
    assert "array-api-tests: The public suite array-api-tests was not found" in summary


def test_searched_folders_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The option, then the variable, then the cache, then beside the checkout."""
    monkeypatch.setenv(_checkout.VARIABLE, "/named")
    assert [p for _, p in _checkout.candidates("/given")] == [Path("/given")]
    assert [p for _, p in _checkout.candidates(None)] == [Path("/named")]
    monkeypatch.delenv(_checkout.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache, beside = (p for _, p in _checkout.candidates(None))
    assert cache == tmp_path / "xp-torch" / "array-api-tests"
    assert beside == PACKAGE.parents[1] / "array-api-tests"


def test_another_revision_is_warned_of(tmp_path: Path) -> None:
    """A checkout at another commit, with local changes, says so; so does one without git."""
    (tmp_path / "array_api_tests").mkdir()
    (tmp_path / "conftest.py").write_text("")
    assert "array-api-tests is unknown" in _checkout.locate(str(tmp_path)).warnings()[0]
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "conftest.py").write_text("changed")
    first, *_, last = _checkout.locate(str(tmp_path)).warnings()
    assert f"pinned is {_checkout.pinned()['array-api-tests']}" in first
    assert "has local changes" in last


@pytest.mark.parametrize(
    ("test", "function"),
    [
        ("test_has_names.py::test_has_names[elementwise-atan2]", "atan2"),
        ("test_has_names.py::test_has_names[linalg-svd]", "linalg.svd"),
        ("test_has_names.py::test_has_names[array_method-__int__]", "__int__"),
        ("test_signatures.py::test_extension_func_signature[linalg.det]", "linalg.det"),
        ("test_signatures.py::test_info_func_signature[devices]", "info.devices"),
        ("test_special_cases.py::test_binary[pow(x2_i is -0) -> 1]", "pow"),
        ("test_special_cases.py::test_iop[__imod__(x1_i < 0 and x2_i is +0) -> NaN]", "__imod__"),
        ("test_operators_and_elementwise_functions.py::test_add[__add__(x, s)]", "__add__"),
        ("test_data_type_functions.py::TestResultType::test_with_scalars", "result_type"),
        ("test_data_type_functions.py::test_finfo[dtype0]", "finfo"),
        ("test_manipulation_functions.py::TestExpandDims::test_expand_dims_tuples", "expand_dims"),
        ("test_fft.py::test_shift_func[ifftshift]", "fft.ifftshift"),
        ("test_linalg.py::test_linalg_matmul", "linalg.matmul"),
        ("test_dlpack.py::test_dunder_dlpack", "__dlpack__"),
        ("test_array_object.py::test_getitem", "__getitem__"),
        ("test_new_chapter.py::test_nothing_known", ""),
    ],
)
def test_function_that_a_test_is_about(test: str, function: str) -> None:
    """From the shapes of id that the suite has to a name of the standard."""
    assert _chapters.function(f"array_api_tests/{test}") == function


def test_chapter_is_the_file() -> None:
    """A file that is not known yet still gets a readable title."""
    assert _chapters.chapter("array_api_tests/test_set_functions.py::test_isin") == "Sets"
    assert _chapters.chapter("array_api_tests/test_new_things.py::test_x") == "New things"


def test_ids_with_spaces_and_marks_are_read(tmp_path: Path) -> None:
    """The reason starts at the first `#` after white space that is not among the parameters."""
    path = tmp_path / "m.txt"
    path.write_text(
        "# a comment\n\na.py::test[__add__(x, s)]  # see #12\n"
        "a.py::test[a # b]  # as a[0] # says\na.py::test  # [no] parameters\n"
    )
    assert _expected.read("m", path) == {
        "a.py::test[__add__(x, s)]": "see #12",
        "a.py::test[a # b]": "as a[0] # says",
        "a.py::test": "[no] parameters",
    }
    path.write_text("a  # b\na  # c\n")
    with pytest.raises(_expected.ExpectationError, match="listed twice"):
        _expected.read("m", path)


def test_expected_failures_of_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are added to those of the namespace, on that device only."""
    monkeypatch.setattr(_expected, "FOLDER", tmp_path)
    (tmp_path / "m.txt").write_text("a  # everywhere\n")
    (tmp_path / "m.on_jax.txt").write_text("b  # on jax\n")
    assert _expected.read("m") == _expected.read("m", device="cpu") == {"a": "everywhere"}
    assert _expected.read("m", device="jax:0") == {"a": "everywhere", "b": "on jax"}
    assert _expected.read("m", tmp_path / "m.txt", "jax") == {"a": "everywhere"}


def test_nothing_is_expected_to_fail_in_xp_torch() -> None:
    """The file is there, and empty."""
    assert (_expected.FOLDER / "xp_torch.txt").is_file()
    assert _expected.read("xp_torch") == _expected.read("xp_torch", device="npy") == {}
