"""Runs a program, then writes the pixels of its open figures and what crossed to the host.

`python -m conformance.programs.started FOLDER [LAUNCHER WORD ...] -- SCRIPT`: without a launcher
Python runs the script.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

SEED = 20_260_101


def _write(folder: Path) -> None:
    """Write `N.npy`, the pixels of figure N, and `crossings.json`, lines with times and bytes."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is not None:
        import numpy

        for manager in helpers.Gcf.get_all_fig_managers():
            manager.canvas.draw()
            pixels = numpy.array(manager.canvas.buffer_rgba())
            numpy.save(folder / f"{manager.num}.npy", pixels)
    crossings = sys.modules.get("numpy_shim._host.crossings")
    found = crossings.counts() if crossings is not None else {}
    rows = [[*place, count.times, count.bytes] for place, count in found.items() if count.times]
    (folder / "crossings.json").write_text(json.dumps(rows), "utf-8")


def _seed() -> None:
    """Let programs that ask for no seed draw the same numbers in every run."""
    import random

    import numpy

    entropy: Any = numpy.random.bit_generator
    entropy.randbits = random.Random(SEED).getrandbits
    random.seed(SEED)
    numpy.random.seed(SEED)


def main(folder: str, *words: str) -> None:
    """Run a program as the words say."""
    _seed()
    *launcher, script = [word for word in words if word != "--"]
    try:
        if launcher:
            sys.argv[:] = [launcher[0], *launcher[1:], script]
            runpy.run_module(launcher[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv[:] = [script]
            sys.path[0] = os.path.dirname(script)
            names = runpy.run_path(script, run_name="__main__")  # noqa: F841 - for the figures
    finally:
        gc.disable()  # what the program holds is in use while its figures are drawn
        _write(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
