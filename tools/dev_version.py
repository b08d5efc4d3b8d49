"""Makes this checkout's version that of a nightly wheel: 0.1.0 becomes 0.1.0.dev20261127.

python tools/dev_version.py [YYYYMMDD]
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

HOME = Path(__file__).parents[1] / "xp_torch" / "__init__.py"


def dev_version(text: str, day: str) -> str:
    """The text of a module whose ``__version__`` is a development version of that day."""
    new, count = re.subn(r'^(__version__ = "[\d.]+)"$', rf'\1.dev{day}"', text, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit("dev_version: there is no __version__ of numbers alone")
    return new


if __name__ == "__main__":
    today = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d")
    day = sys.argv[1] if len(sys.argv) > 1 else today
    HOME.write_text(dev_version(HOME.read_text("utf-8"), day), "utf-8")
