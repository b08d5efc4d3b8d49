"""The guides' commands: each is run, on the files that its page shows, and prints what it says.

The ``>>>`` examples of the guides run in tests/test_docs.py.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from tests import forks
from tests.slow import slow

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<code>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
# Commands that a test cannot run everywhere, and what they need.
NEEDS = {
    "--device cuda": torch.cuda.is_available(),
    ".onnx": find_spec("onnxruntime") is not None and find_spec("onnxscript") is not None,
    "--aot": shutil.which("c++") is not None,
}


def blocks(page: Path, language: str) -> list[re.Match[str]]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [block for block in found if block["language"] == language]


PAGES = [page for page in GUIDES if blocks(page, "sh")]
LONG = {"portable_library", "export", "processes"}
"""Those whose commands take from half a minute to two."""


def relative(path: Path) -> str:
    return path.stem


def show(block: re.Match[str], folder: Path) -> None:
    """Write the file that a block shows, if it has a title."""
    if block["title"]:
        file = folder / block["title"]
        file.parent.mkdir(exist_ok=True)
        file.write_text(block["code"], encoding="utf-8")


def lines(page: Path) -> list[str]:
    """The commands of a page that can run here, in order."""
    return commands("".join(block["code"] for block in blocks(page, "sh")))


def commands(code: str) -> list[str]:
    """The commands of a block that can run here."""
    return [
        line
        for line in code.splitlines()
        if line and not any(option in line and not here for option, here in NEEDS.items())
    ]


def run(line: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command by a shell, or a launched program where torch is imported already."""
    words = shlex.split(line, comments=True)
    alone = {"export", "--ranks"}.isdisjoint(words)
    if words[:3] == ["python", "-m", "numpy_shim"] and alone:
        return forks.run(words[1:], cwd=folder, variables=variables, imported=forks.COMPILER)
    return subprocess.run(
        line, shell=True, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "page", [slow(page) if page.stem in LONG else page for page in PAGES], ids=relative
)
def test_commands(page: Path, tmp_path: Path):
    """Every command ends with status 0, and the blocks of text are among what was printed.

    A command finds the files of its page, each as the page has shown it last; at first, as the page
    shows it first.
    """
    if not lines(page):
        pytest.skip(f"needs {', '.join(NEEDS)}")
    bare = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment = {
        **bare,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "PYTEST_PLUGINS": "conformance.worlds.pytest_plugin",  # as where we are installed
    }
    for block in reversed(blocks(page, "python")):
        show(block, tmp_path)
    printed = ""
    at = 0
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["language"] == "python":
            show(block, tmp_path)
        for line in commands(block["code"]) if block["language"] == "sh" else ():
            done = run(line, tmp_path, environment)
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
            printed += done.stdout
        if block["language"] == "text":
            at = printed.find(block["code"], at)
            assert at >= 0, f"not printed in this order: {block['code']}\nbut: {printed}"


def test_every_guide_is_in_the_navigation():
    """mkdocs.yml names each guide, once."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in GUIDES:
        assert text.count(f"guides/{page.name}") == 1, page.name
