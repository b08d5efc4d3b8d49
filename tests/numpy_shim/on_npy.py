"""``python -m tests.numpy_shim.on_npy --device npy SCRIPT``: the launcher; transfers are counted.

The status is 1 if a value left the device ``npy`` in a call that is not published as waiting.
"""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

import xp_backend.npy
from numpy_shim._launcher.cli import main
from tests.numpy_shim.test_no_sync import READ_ON_NPY
from tests.numpy_shim.waiting_calls import WAITING

# Python asks for a value, as with ndarray.__float__ and array_str; a distribution of the host's
# streams takes its parameters as numbers.
PYTHON_ASKS = {"__format__", "__int__", "__str__", "drawing.<locals>.method"}
READ = {"__index__", "_at_values", "_each", "element"}
LISTED = {name.rpartition(".")[2] for name in (*WAITING, *READ_ON_NPY)} | PYTHON_ASKS


def calls(frame: FrameType | None) -> list[str]:
    """The functions of numpy_shim at work, the outermost first, without the decorator's."""
    found: list[str] = []
    while frame is not None and frame.f_code.co_name != "<module>":
        name, code = frame.f_globals["__name__"], frame.f_code
        if name.startswith("numpy_shim.") and code.co_name != "call":
            found.insert(0, code.co_qualname if "<locals>" in code.co_qualname else code.co_name)
        frame = frame.f_back
    return found


def is_listed(names: list[str]) -> bool:
    """Whether the program called a function that waits, or gave a scalar as an index.

    A launched program reads an index to get a view, ``_at_values``, and the elements that its
    loops ask for.
    """
    return not LISTED.isdisjoint(names[:2]) or not READ.isdisjoint(names)


def run() -> int:
    """The launcher's status, or 1 after a list of the calls that are not published."""
    unlisted: Counter[str] = Counter()
    listed = 0
    counts = xp_backend.npy.environment._counts
    count = counts.moved

    def moved(direction: str, operator: str, nbytes: int) -> None:
        nonlocal listed
        if direction == "to cpu":
            names = calls(sys._getframe(1))
            if is_listed(names):
                listed += 1
            else:
                unlisted[f"{operator} in {names[0] if names else 'the program'}"] += 1
        count(direction, operator, nbytes)  # type: ignore[arg-type]

    counts.moved = moved  # type: ignore[method-assign, assignment]
    status = main()
    for call, number in unlisted.items():
        print(f"{number} values left the device by {call}", file=sys.stderr)
    if not listed:
        print("no transfer was seen", file=sys.stderr)
    return 1 if unlisted or not listed else status


if __name__ == "__main__":
    sys.exit(run())
