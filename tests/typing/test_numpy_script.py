"""The script that ``make lint`` hands to mypy runs, too."""

from __future__ import annotations

from tests.typing import numpy_script


def test_script_runs():
    numpy_script.main()
