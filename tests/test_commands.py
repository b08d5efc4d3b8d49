"""The commands and programs of the pages: each is run, or its words are held to what they name.

A command that takes minutes, or needs a GPU or the network, is not run here. Its options are read
by the parser of the program that it calls, and its files, targets and sessions must exist. The
commands of the guides are run in test_guides.py, ``>>>`` examples in test_docs.py.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from collections.abc import Callable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
import torch

from conformance._cli import parser as conformance_parser
from numpy_shim._launcher.cli import _parser as launcher_parser
from numpy_shim._launcher.export_command import NAME as EXPORT
from numpy_shim._launcher.export_command import parser as export_parser
from tests import forks
from tests.test_docs import PAGES, ROOT, relative

yaml = pytest.importorskip("yaml", reason="PyYAML reads the workflows")

FENCE = re.compile(r"^```(?P<language>\w*)(?P<title>[^\n]*)\n(?P<code>.*?)^```", re.DOTALL | re.M)
SPAN = re.compile(r"`((?:make|python3?|pipx run|pip install|torchrun) [^`]+)`")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def commands_of(page: Path) -> Iterator[str]:
    """The commands of a page: in blocks of sh, and in the running text."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        if block["language"] == "sh":
            yield from block["code"].replace("\\\n", " ").splitlines()
    for span in SPAN.findall(FENCE.sub("", text)):
        yield " ".join(span.split())


def steps_of(workflow: Path) -> Iterator[str]:
    """The commands of a workflow of GitHub's."""
    for job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values():
        for step in job["steps"]:
            yield from step.get("run", "").splitlines()


COMMANDS = [
    *((page, line) for page in PAGES for line in commands_of(page) if line.strip()),
    *((page, line) for page in WORKFLOWS for line in steps_of(page)),
]


def environment() -> dict[str, str]:
    bare = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return {**bare, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def check_make(words: list[str]) -> None:
    """The targets and variables of ``make`` are in the Makefile."""
    text = (ROOT / "Makefile").read_text("utf-8")
    for word in words:
        name, equals, _ = word.partition("=")
        pattern = rf"^{name} \?=" if equals else rf"^{name}:"
        assert re.search(pattern, text, re.MULTILINE), word


def check_conformance(words: list[str]) -> None:
    conformance_parser().parse_args(words)


def check_launcher(words: list[str]) -> None:
    if words[:1] == [EXPORT]:
        export_parser().parse_args(words[1:])
    launcher_parser().parse_args(words)


def check_benchmarks(words: list[str], module: str = "benchmarks.__main__") -> None:
    check_options(Path(importlib.util.find_spec(module).origin), words)


def is_on_path(module: str) -> bool:
    """Whether there is a module, found in files only.

    ``importlib.util.find_spec("pip")`` also asks setuptools' finder, which then takes its own
    ``distutils`` away: setuptools, which inductor needs, cannot be imported after that.
    """
    path, parts = None, module.split(".")
    for end in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:end]), path)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return True


def check_options(script: Path, words: list[str]) -> None:
    """Each option of a script stands in its source."""
    text = script.read_text("utf-8")
    for word in words:
        if word.startswith("--"):
            assert f'"{word}"' in text, f"{script.name} has no option {word}"


def check_nothing(words: list[str]) -> None:
    """The words are a program's own, or a name that the reader fills in."""


MODULES: dict[str, Callable[[list[str]], None]] = {
    "conformance": check_conformance,
    "conformance._standard": check_nothing,
    "numpy_shim": check_launcher,
    "benchmarks": check_benchmarks,
    "benchmarks.kernels": lambda words: check_benchmarks(words, "benchmarks.kernels.__main__"),
    "benchmarks.distributed": lambda words: check_benchmarks(words, "benchmarks.distributed"),
    "benchmarks.choices": lambda words: check_benchmarks(words, "benchmarks.choices"),
    "benchmarks.scipy_calls": lambda words: check_benchmarks(words, "benchmarks.scipy_calls"),
    "benchmarks.scipy_native": lambda words: check_benchmarks(words, "benchmarks.scipy_native"),
    "benchmarks.memory": lambda words: check_benchmarks(words, "benchmarks.memory"),
    "benchmarks.surface": lambda words: check_benchmarks(words, "benchmarks.surface"),
    "benchmarks.jit_programs": lambda words: check_benchmarks(words, "benchmarks.jit_programs"),
    "benchmarks.small_programs": lambda words: check_benchmarks(words, "benchmarks.small_programs"),
    "pytest": check_nothing,
    "pip": lambda words: check_pip(words),
    "torch.distributed.run": check_nothing,
    "xp_torch": check_nothing,
    "M": check_nothing,
}
"""What ``python -m`` runs, and how the words after it are checked."""


def check_python(words: list[str]) -> None:
    if words[0] == "-i":
        words = words[1:]
    if words[0] == "-c":
        compile(words[1], "-c", "exec")
    elif words[0] == "-m":
        if words[1] != "M":
            assert is_on_path(words[1]), words[1]
        MODULES[words[1]](words[2:])
    elif "/" in words[0]:
        check_options(ROOT / words[0], words[1:])
    else:
        assert words[0].endswith(".py")  # a script that the page shows or the reader has


def check_pip(words: list[str]) -> None:
    """The extras of this project that a command names are declared."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert words[0] == "install"
    for extras in re.findall(r"(?:xp-torch|\.)\[([\w,]+)\]", " ".join(words)):
        for extra in extras.split(","):
            assert re.search(rf"^{extra} = \[", text, re.MULTILINE), extra


def check_pipx(words: list[str]) -> None:
    """The session of nox is one of the noxfile."""
    assert words[0] == "run"
    if words[1] == "nox":
        session = re.search(r"\((.+)\)", words[3])[1] if len(words) > 2 else "oldest"
        assert "${{" in session or f'id="{session}"' in (ROOT / "noxfile.py").read_text("utf-8")


def check_torchrun(words: list[str]) -> None:
    launcher_parser().parse_args(words[words.index("numpy_shim") + 1 :])


PROGRAMS: dict[str, Callable[[list[str]], None]] = {
    "make": check_make, "python": check_python, "python3": check_python, "pip": check_pip,
    ".venv/bin/python": check_python, "pipx": check_pipx, "torchrun": check_torchrun,
    "git": check_nothing, "tools/get_suites.sh": check_nothing,
}  # fmt: skip
"""How the words after each program are checked; git's are compared in tests/conformance."""

OURS = ("benchmarks/", "conformance/", "docs/", "tests/", "tools/", "xp_torch/", "numpy_shim/")


@pytest.mark.parametrize(
    ("page", "line"), COMMANDS, ids=[f"{relative(page)}: {line}" for page, line in COMMANDS]
)
def test_command(page: Path, line: str, capsys: pytest.CaptureFixture[str]):
    """The program is known, it takes the options, and the files of the repository exist."""
    words = shlex.split(line, comments=True)
    while words[0] == "!" or re.fullmatch(r"[A-Z_\d]+=.*", words[0]):  # "!": it must fail
        words = words[1:]
    try:
        PROGRAMS[words[0]](words[1:])
    except SystemExit:
        pytest.fail(capsys.readouterr().err)
    for word in words:
        if word.startswith(OURS) and "*" not in word:
            assert (ROOT / word.partition("::")[0]).exists(), word


@pytest.mark.parametrize("words", [
    ["make", "no-such-target"], ["make", "bench", "OPTIONS=1"], ["python", "-m", "no_such_module"],
    ["python", "docs/generate_libraries.py", "--no-such-option"], ["python", "-c", "x ="],
    ["pip", "install", "xp-torch[nothing]"], ["pipx", "run", "nox", "-s", "tests(never)"],
    ["python", "-m", "conformance", "array-api", "--no-such-option"], ["rm", "x"],
    ["python", "-m", "numpy_shim", "--no-such-option", "x.py"],
    ["python", "-m", "numpy_shim", "export", "module:function", "-o", "f.onnx"],
])  # fmt: skip
def test_wrong_command_is_found(words: list[str]):
    with pytest.raises((AssertionError, SystemExit, SyntaxError, KeyError)):
        PROGRAMS[words[0]](words[1:])


TEMPLATES = """
import xp_torch
__package__ = "xp_torch"
from hypothesis import given
from tests.differential import compare
from tests.strategies import pairs
from tests.surface import Case
from tests.xp_torch.test_elementwise import ALL
"""
BEFORE = {"adding-a-function.md": TEMPLATES}
"""What stands above the programs of a page in the files for which they are meant."""
NOT_RUN = {"LocalCluster": "takes gigabytes; tests/numpy_shim/interop runs smaller clusters"}
"""Programs that are not run, by a word in them, and why."""

PROGRAMS_SHOWN = [
    (page, block["code"])
    for page in PAGES
    if page.parent.name != "guides"  # theirs are files that commands run
    for block in FENCE.finditer(page.read_text(encoding="utf-8"))
    if block["language"] == "python" and not block["title"]
    if not block["code"].startswith(">>> ") and not any(word in block["code"] for word in NOT_RUN)
]


@pytest.mark.parametrize(
    ("page", "code"),
    PROGRAMS_SHOWN,
    ids=[f"{relative(p)}-{i}" for i, (p, _) in enumerate(PROGRAMS_SHOWN)],
)
def test_program(page: Path, code: str, tmp_path: Path):
    """Each program of a page runs, in a process of its own; on the CPU where there is no GPU."""
    if "jax" in code:
        pytest.importorskip("jax", reason="the program uses JAX")
    if not torch.cuda.is_available():
        code = code.replace('"cuda"', '"cpu"')
    words = ["-c", BEFORE.get(page.name, "") + code]
    imported = forks.COMPILER if re.search("compile|jit|export", code) else forks.LAUNCHER
    done = forks.run(words, cwd=tmp_path, variables=environment(), imported=imported)
    assert done.returncode == 0, done.stderr
