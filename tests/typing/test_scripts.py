"""The scripts that ``make lint`` hands to mypy and pyright run, too."""

from __future__ import annotations

from tests.typing import numpy_script, xp_script


def test_numpy_script_runs():
    numpy_script.main()


def test_xp_script_runs():
    xp_script.main()
