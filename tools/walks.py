"""How far a call walks through our packages: Python calls, files, changes of file and depth.

    python tools/walks.py

One row for each of six common calls. The second call is counted, when what is built on first use
is there. Only functions of ``numpy_shim`` and ``xp_torch`` count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout need not be installed

PACKAGES = tuple(f"{ROOT / name}/" for name in ("numpy_shim", "xp_torch"))


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of our packages."""
    return frame.f_code.co_filename.startswith(PACKAGES)


class Walk:
    """What a call goes through, as ``sys.setprofile`` reports it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        """The file and the name of each function of ours that was called, in order."""
        self.depth = 0
        self.changes = 0
        self._open = 0
        self._last = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "return") or not is_ours(frame):
            return
        self._open += 1 if event == "call" else -1
        if event == "call":
            file = frame.f_code.co_filename
            self.calls.append((file, frame.f_code.co_qualname))
            self.depth = max(self.depth, self._open)
            self.changes += bool(self._last) and file != self._last
            self._last = file
        else:
            above = frame.f_back
            if above is not None and is_ours(above) and above.f_code.co_filename != self._last:
                self.changes += 1
                self._last = above.f_code.co_filename

    @property
    def files(self) -> int:
        return len({file for file, _ in self.calls})


def walk(call: Callable[[], object]) -> Walk:
    """The walk of the second call of ``call``."""
    call()
    found = Walk()
    sys.setprofile(found)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def common_calls() -> dict[str, Callable[[], object]]:
    """The calls, each with its arguments made."""
    import torch

    import numpy_shim as np

    a, b, o = np.ones((3, 3)), np.ones((3, 3)), np.zeros((3, 3))
    m = a > 0
    c, i = np.zeros((4, 4, 4)), np.array([0, 2])
    jitted = np.jit(lambda x: x * 2 + 1, compiler="torch", backend="eager")
    normal = np.random.default_rng(0).normal
    with torch.no_grad():
        jitted(a)
    return {
        "np.add(a, b, out=o, where=m)": lambda: np.add(a, b, out=o, where=m),
        "np.sum(a, axis=(0, 1))": lambda: np.sum(a, axis=(0, 1)),
        "c[1:3, i, None, 0] = 7": lambda: c.__setitem__((slice(1, 3), i, None, 0), 7),
        'np.einsum("ij,jk->ik", a, b)': lambda: np.einsum("ij,jk->ik", a, b),
        "default_rng().normal(size=n)": lambda: normal(size=10),
        "a warm jit call": lambda: jitted(a),
    }


def main() -> None:
    print("| call | Python calls | files | depth | changes of file |\n|---|---|---|---|---|")
    for text, call in common_calls().items():
        found = walk(call)
        row = (f"`{text}`", len(found.calls), found.files, found.depth, found.changes)
        print("|", " | ".join(map(str, row)), "|")


if __name__ == "__main__":
    main()
