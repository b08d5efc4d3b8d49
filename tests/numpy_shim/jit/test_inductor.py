"""``jit`` with its default backend, inductor, which compiles C++ on the CPU."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import numpy as np
from torch._inductor.utils import run_and_get_code

import numpy_shim
from tests.numpy_shim.jit.test_jit import assert_whole, scaled


def distances(a: Any, b: Any) -> Any:
    return np.sqrt(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1))


def test_short_reductions():
    """inductor unrolls them on the CPU; without the option, each result is a loop of its own.

    A user's option comes first.
    """
    points = np.linspace(-1, 1, 160).reshape(20, 8)
    codes = []
    for options in (None, {"unroll_reductions_threshold": 1}):
        f = numpy_shim.jit(distances, compiler="torch", options=options)
        found, code = run_and_get_code(f, points, points[::-1].copy())
        numpy.testing.assert_allclose(found, distances(points, points[::-1]), rtol=1e-15)
        codes.append("".join(code))
    assert ["x2" in code for code in codes] == [False, True]  # the third loop


def test_default_backend():
    """The same values, in one graph."""
    f = numpy_shim.jit(scaled, compiler="torch")
    x = np.linspace(-1, 1, 4)
    numpy.testing.assert_allclose(f(x), scaled(x), rtol=1e-15)
    assert_whole(f)


PROGRAM = """
import numpy as np, numpy_shim
from torch._dynamo.utils import counters

def f(x):
    return np.exp(-x * x) + 3.0

g = numpy_shim.jit(f, compiler="torch")
assert np.allclose(g(np.linspace(0, 1, 3000)), f(np.linspace(0, 1, 3000)), rtol=1e-13)
print("hits", counters["aot_autograd"]["autograd_cache_hit"])
"""


def test_a_second_process_finds_what_is_compiled(tmp_path: Path):
    """Nor does the first compile torch's headers to learn what vectors there are."""
    file, cache = tmp_path / "program.py", tmp_path / "cache"
    file.write_text(PROGRAM)

    def run() -> tuple[str, dict[Path, float]]:
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(cache)}
        command = [sys.executable, str(file)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        libraries = {path: path.stat().st_mtime for path in cache.rglob("*.so")}
        return done.stdout, libraries

    first, second = run(), run()
    assert (first[0], second[0]) == ("hits 0\n", "hits 1\n")
    assert first[1]
    assert second[1] == first[1]
    if sys.platform == "linux" and platform.machine() == "x86_64":
        sources = [path.read_text() for path in cache.rglob("*.cpp")]
        assert any("exp()" in text for text in sources)
        assert not any("void __avx_chk_kernel() {\n    auto" in text for text in sources)
