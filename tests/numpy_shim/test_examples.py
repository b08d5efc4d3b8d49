"""The examples print the same under NumPy and under the launcher, and draw the same pictures.

Numbers agree to one unit in the last digit that is printed, whole numbers exactly: torch adds in
another order than NumPy, so that a rounded last digit may fall to either side.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy
import pytest

from tests import forks
from tests.numpy_shim.launcher.test_reports import cells
from tests.slow import one_in
from tools.show_picture import read_png, show

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
# What each is run with: small enough to take a second.
ARGUMENTS = {
    "kmeans": ["--restarts", "3"],
    "mandelbrot": ["--width", "120", "--steps", "40"],
    "maze": ["--size", "10"],
    "network": ["--epochs", "3", "--hidden", "32"],
    "options": ["--paths", "4000", "--days", "30"],
    "pagerank": ["--pages", "120"],
    "patterns": ["--size", "48", "--steps", "200"],
    "restore": ["--rows", "2", "--columns", "5"],
    "smoke": ["--size", "40", "--steps", "30"],
    "spectrum": ["--seconds", "1.5"],
}
PICTURES = ("mandelbrot", "maze", "patterns", "restore", "smoke", "spectrum")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def environment(**settings: str) -> dict[str, str]:
    # Tests run side by side.
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), **settings}


def run(*command: str) -> str:
    """What a program prints with NumPy."""
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True, text=True, timeout=300, env=environment(), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_ours(
    *command: str, imported: Sequence[str] = forks.LAUNCHER, **settings: str
) -> subprocess.CompletedProcess[str]:
    done = forks.run(command, cwd=Path.cwd(), variables=environment(**settings), imported=imported)
    assert done.returncode == 0, done.stderr
    return done


def is_close(ours: str, theirs: str) -> bool:
    a, b = Decimal(ours), Decimal(theirs)
    digits = max(a.as_tuple().exponent, b.as_tuple().exponent)
    return abs(a - b) <= (Decimal(1).scaleb(digits) if digits < 0 else 0)


def assert_same_output(ours: str, theirs: str) -> None:
    for our_line, their_line in zip(ours.splitlines(), theirs.splitlines(), strict=True):
        assert NUMBER.sub("#", our_line).split() == NUMBER.sub("#", their_line).split()
        pairs = zip(NUMBER.findall(our_line), NUMBER.findall(their_line), strict=True)
        assert all(is_close(a, b) for a, b in pairs), f"{our_line}\n{their_line}"


def test_every_example_is_run():
    scripts = {p.stem for p in EXAMPLES.glob("*.py")} - {"digits", "pictures"}
    scripts -= {"backend_network", "minimal_backend"}  # of xp_backend, see tests/xp_backend
    assert scripts == set(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_same_output(name: str, device: str, tmp_path: Path):
    script, arguments = str(EXAMPLES / f"{name}.py"), list(ARGUMENTS[name])
    picture = tmp_path / "picture.ppm"
    if name in PICTURES:
        arguments += ["--output", str(picture)]
    theirs = run(script, *arguments)
    drawn = picture.read_bytes() if name in PICTURES else b""
    # On npy it is measured that values leave the device by listed calls only.
    program = "tests.numpy_shim.on_npy" if device == "npy" else "numpy_shim"
    ours = run_ours("-m", program, "--device", device, script, *arguments).stdout
    assert_same_output(ours, theirs)
    if name in PICTURES:
        same_picture(picture.read_bytes(), drawn)


# The functions of an example that are called more than three times and compute with arrays: with
# NUMPY_SHIM_JIT_AFTER=0 the fourth call compiles. The other examples have no hot function: their
# time goes to main, or to a loop of a function that is called once or twice.
HOT = {
    "kmeans": {"distances"},
    "network": {"Network.step"},  # with what it calls
    "patterns": {"laplacian"},
    "smoke": {"advect", "diffuse", "project"},
}
SMALLER = {
    "mandelbrot": ["--width", "24", "--steps", "8"],
    "maze": ["--size", "5"],
    "options": ["--paths", "400", "--days", "8"],
    "pagerank": ["--pages", "40"],
    "restore": ["--rows", "1", "--columns", "2"],
    "network": ["--epochs", "1", "--hidden", "8", "--batch", "128"],
    "patterns": ["--size", "24", "--steps", "8"],
    "smoke": ["--size", "16", "--steps", "6"],
}


def compiled_functions(name: str, backend: str) -> set[str]:
    """Run an example with ``--jit`` and compare its output; what the report says is compiled."""
    script, arguments = str(EXAMPLES / f"{name}.py"), SMALLER.get(name, ARGUMENTS[name])
    settings = {"NUMPY_SHIM_JIT_AFTER": "0", "NUMPY_SHIM_JIT_BACKEND": backend, "COLUMNS": "200"}
    words = ("-m", "numpy_shim", "--jit", "--summary", script, *arguments)
    done = run_ours(*words, imported=forks.COMPILER, **settings)
    assert_same_output(done.stdout, run(script, *arguments))
    assert "differ" not in done.stderr
    report = done.stderr.partition("what --jit compiled")[2].partition("numpy_shim: summary")[0]
    return {function for function, row in cells(report).items() if row[2] not in ("", "0")}


@pytest.mark.parametrize("name", one_in(3, ARGUMENTS))
def test_same_output_compiled(name: str):
    """With ``--jit`` the output is that of NumPy, and hot functions are compiled."""
    assert compiled_functions(name, "eager") == HOT.get(name, set())


def test_same_output_compiled_by_the_default_backend():
    """It compiles C++."""
    assert compiled_functions("patterns", "inductor") == HOT["patterns"]


JIT = """
import importlib, inspect, sys, warnings
import numpy_shim

warnings.simplefilter("ignore")
sys.path.insert(0, {folder!r})
module = importlib.import_module({name!r})
own = [v for v in vars(module).values() if getattr(v, "__module__", "") == module.__name__]
functions = [(module, f) for f in own if inspect.isfunction(f)]
for kind in filter(inspect.isclass, own):
    functions += [(kind, f) for f in vars(kind).values() if inspect.isfunction(f)]
functions = [pair for pair in functions if pair[1].__name__ not in ("main", "__init__")]
for owner, f in functions:
    setattr(owner, f.__name__, numpy_shim.jit(f, backend="eager"))
sys.argv = [{name!r}, *{arguments!r}]
module.main()
told = [getattr(owner, f.__name__).explain() for owner, f in functions]
print([t.name for t in told if t.graphs], file=sys.stderr)
"""


@pytest.mark.parametrize("name", one_in(5, ARGUMENTS))
def test_same_output_with_jit(name: str):
    """Every function and method is compiled by ``jit``: NumPy's arrays go in and come out."""
    arguments = SMALLER.get(name, ARGUMENTS[name])
    program = JIT.format(folder=str(EXAMPLES), name=name, arguments=arguments)
    done = run_ours("-c", program, imported=forks.COMPILER)
    assert_same_output(done.stdout, run(str(EXAMPLES / f"{name}.py"), *arguments))
    functions = ast.literal_eval(done.stderr.splitlines()[-1])
    assert functions or name not in HOT


def same_picture(ours: bytes, theirs: bytes) -> None:
    """The same but for a step in the brightness of a pixel, by rounding."""
    assert ours[:16] == theirs[:16]
    a, b = (numpy.frombuffer(data, dtype=numpy.uint8).astype(int) for data in (ours, theirs))
    assert a.shape == b.shape
    assert numpy.abs(a - b).max() <= 1


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("a 1.2346 b 7", "a 1.2347 b  7", True),
        ("a 1.2346 b 7", "a 1.2348 b 7", False),
        ("a 7", "a 8", False),
        ("a 1.5e-05", "a 1.6e-05", True),
        ("a 1.5", "b 1.5", False),
    ],
)
def test_the_comparison(ours: str, theirs: str, same: bool):
    if same:
        assert_same_output(ours, theirs)
    else:
        with pytest.raises(AssertionError):
            assert_same_output(ours, theirs)


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".ppm"])
def test_pictures_are_written(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each format holds the pixels."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import pictures  # beside the examples

    pixels = numpy.arange(2 * 3 * 3, dtype=numpy.uint8).reshape(2, 3, 3)
    path = tmp_path / f"a{suffix}"
    pictures.save(path, pixels)
    data = path.read_bytes()
    if suffix == ".png":
        assert read_png(path) == [[tuple(pixel) for pixel in row] for row in pixels.tolist()]
        assert int.from_bytes(data[-16:-12]) == zlib.crc32(data[data.index(b"IDAT") : -16])
    elif suffix == ".ppm":
        assert data == b"P6 3 2 255\n" + pixels.tobytes()
    else:
        assert data == b"P5 3 2 255\n" + pixels.mean(axis=2).astype(numpy.uint8).tobytes()
    with pytest.raises(ValueError, match="ends neither"):
        pictures.save(tmp_path / "a.gif", pixels)


@pytest.mark.parametrize("coloured", [True, False])
def test_a_picture_is_shown(coloured: bool, tmp_path: Path):
    """Two rows of pixels become one of characters, thinned out to the width."""
    black, white = (0, 0, 0), (255, 255, 255)
    rows = [[black, white] * 8, [white, white] * 8] * 3
    text = show(rows, 8, coloured).plain.splitlines()
    assert [len(line) for line in text] == [8]
