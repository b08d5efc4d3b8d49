"""The first screen of the README does what it says, word for word, where the wheel is installed.

The commands run in a clone, without the checkout on the path. `pip install .` is done without its
dependencies, which the environment has; `make demo` and `make test` take minutes, and their targets
are checked in test_commands.py.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.test_docs import ROOT

hatchling = pytest.importorskip("hatchling", reason="hatchling builds the distributions")

SCREEN = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", SCREEN, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with what a clone has, and the environment in which the package is installed."""
    folder = tmp_path_factory.mktemp("clone")
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this is no clone: git lists no files")
    for name in done.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    target = folder.parent / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--no-build-isolation", "--target", str(target), "."],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    for package in ("xp_torch", "numpy_shim", "xp_backend", "conformance"):
        shutil.rmtree(folder / package)  # what runs is what was installed
    path = os.pathsep.join([str(target), *site.getsitepackages()])
    return folder, {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}


def test_it_fits_a_screen():
    """Three tasks of at most seven lines of code, one picture, two commands; no wide table."""
    tasks = re.findall(r"^\*\*(.+?)\*\*", SCREEN, re.MULTILINE)
    assert len(tasks) == 3
    blocks = re.findall(r"^```\w+\n(.*?)^```", SCREEN, re.DOTALL | re.MULTILINE)
    assert all(len(block.strip().splitlines()) <= 7 for block in blocks)
    assert SCREEN.count("![") == 1
    assert [line.split()[:2] for line in COMMANDS[-2:]] == [["make", "demo"], ["make", "test"]]
    assert len(SCREEN.splitlines()) <= 50
    assert "|" not in SCREEN


def pixels(file: Path) -> tuple[bytes, bytes]:
    """The header and the bytes of a PNG of one piece, unpacked."""
    data, at, packed, header = file.read_bytes(), 8, b"", b""
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        header = body if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    return header, zlib.decompress(packed)


def test_the_commands_draw_the_picture(clone: tuple[Path, dict[str, str]]):
    """The command that is shown draws the picture that is shown, but for a few last digits."""
    folder, environment = clone
    run = [line for line in COMMANDS if line.startswith("python ")]
    assert run
    for line in run:
        words = [sys.executable, *line.split()[1:]]
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    (shown,) = re.findall(r"!\[.*\]\((.+?)\)", SCREEN)
    (header, ours), (there, theirs) = pixels(folder / "mandelbrot.png"), pixels(ROOT / shown)
    assert header == there
    assert len(ours) == len(theirs)
    assert sum(a != b for a, b in zip(ours, theirs, strict=True)) < len(ours) / 100


def test_the_examples_give_what_they_say(clone: tuple[Path, dict[str, str]]):
    """The examples run in a process of their own, with the installed package."""
    folder, environment = clone
    (folder / "screen.md").write_text(SCREEN + "\n", encoding="utf-8")
    program = (
        "import doctest, xp_torch; failed, ran = doctest.testfile('screen.md', False)\n"
        "print(failed, ran, xp_torch.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True
    )
    *_, last = done.stdout.splitlines() or [done.stderr]
    failed, ran, file = last.split(maxsplit=2)
    assert (failed, ran) == ("0", "6"), done.stdout
    assert str(folder.parent / "installed") in file
