"""The launcher gives programs ``numpy_shim.scipy`` for ``scipy``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import forks
from tests.numpy_shim.launcher.launching import launch

PROGRAM = """
import importlib, pickle, sys
import scipy, scipy.signal as sg, scipy.sparse.linalg
from scipy import special, stats
from scipy.spatial.distance import cdist
import numpy as np

x = np.linspace(0, 1, 8)
ours = type(x)
print(ours.__module__, type(special.erf(x)) is ours, type(cdist(x[:, None], x[:, None])) is ours)
print(scipy.__name__, sys.modules["scipy"].__name__, scipy.version.version == scipy.__version__)
print(type(importlib.import_module("scipy.signal").hilbert(x)) is ours)
print(pickle.loads(pickle.dumps(special.erf)) is special.erf)
print(isinstance(special.jv, object), type(stats.norm.pdf(x)) is ours)
"""
ERRORS = """
for text in (
    "from scipy.signal import foo", "import scipy.bar", "import scipy.stats.nope",
    "from scipy import nope", "import scipy.signal; scipy.signal.nix",
):
    try:
        exec(text)
    except Exception as error:
        print(type(error).__name__, error)
"""


def run(*words: str) -> str:
    ended = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_program_gets_ours(tmp_path: Path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    assert launch(str(file), cwd=tmp_path).stdout.split("\n")[:-1] == [
        "numpy_shim True True",
        "numpy_shim.scipy scipy True",
        "True",
        "True",
        "True True",
    ]


def test_the_errors_are_scipys(tmp_path: Path):
    file = tmp_path / "program.py"
    file.write_text(ERRORS)
    assert launch(str(file), cwd=tmp_path).stdout == run(str(file))


def test_nothing_is_imported_that_is_not_used():
    text = "import sys, numpy_shim.scipy; print([n for n in sys.modules if 'scipy.stats' in n])"
    assert run("-c", text) == "[]\n"
    assert run("-c", "import sys, numpy_shim; print('scipy' in sys.modules)") == "False\n"


def test_scipy_is_optional():
    text = (
        "import sys; sys.modules['scipy'] = None; import numpy_shim\n"
        "try: import numpy_shim.scipy\nexcept ImportError as error: print(error)"
    )
    wanted = "numpy_shim.scipy needs SciPy, which is not installed: pip install scipy\n"
    assert run("-c", text) == wanted


@pytest.mark.parametrize("name", ["signal", "stats.qmc", "sparse.csgraph", "linalg.blas"])
def test_modules_are_found_by_name(name: str, tmp_path: Path):
    text = f"import numpy_shim.scipy.{name} as m; print(m.__name__, len(dir(m)) > 3)"
    assert forks.run(["-c", text], cwd=tmp_path).stdout == f"numpy_shim.scipy.{name} True\n"
