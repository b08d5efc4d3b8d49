"""``python -m numpy_shim script.py``: run a NumPy program on torch. See docs/launcher.md."""

from __future__ import annotations

import sys

from ._launcher.cli import main

if __name__ == "__main__":
    status = main()
    if status:  # after SystemExit(0), ``python -i`` would print it
        sys.exit(status)
