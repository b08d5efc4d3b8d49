"""``tools/walks.py`` counts what a call goes through, in a process where no other test has run.

After a second device, or another error state, a call asks more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = """
import json
import numpy_shim as np
from tools import walks
a, b = np.ones((2, 3)), np.ones((2, 2))
calls = {
    "add": lambda: np.add(a, a),
    "lists": lambda: np.add([1, 2], [3, 4]),
    "beside a list": lambda: np.add(b, [1, 2]),
    **walks.common_calls(),
}
found = {text: walks.walk(call) for text, call in calls.items()}
print(json.dumps({t: ([n for _, n in w.calls], w.files, w.depth) for t, w in found.items()}))
"""


@pytest.fixture(scope="module")
def walked() -> dict[str, Any]:
    """For each call the names of the functions, the number of files and the depth."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("XP_TORCH_DEVICES", None)
    made = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def test_a_flat_path_is_one_call(walked: dict[str, Any]):
    names, files, depth = walked["add"]
    call = "binary_call.<locals>.call"
    assert names in ([call], [call, "new"])  # the second with torch 2.11
    assert (files, depth) == (len(names), len(names))


def test_calls_in_calls_are_counted(walked: dict[str, Any]):
    names, files, depth = walked["lists"]
    assert files > 2
    assert len(names) >= depth > 2


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("np.add(a, b, out=o, where=m)", 13),
        ("np.sum(a, axis=(0, 1))", 3),
        ("c[1:3, i, None, 0] = 7", 25),
        ('np.einsum("ij,jk->ik", a, b)', 14),
        ("a warm jit call", 11),
    ],
)
def test_calls_stay_short(text: str, limit: int, walked: dict[str, Any]):
    """Lower a number where a call became shorter."""
    assert len(walked[text][0]) <= limit


def test_each_way_is_tried_once(walked: dict[str, Any]):
    names = walked["beside a list"][0]
    assert names.count("binary.<locals>.function") == 1
    assert names.count("plain") == 1


def test_there_is_a_row_for_each_call(capsys: pytest.CaptureFixture[str]):
    from tools import walks

    walks.main()
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + 6
    assert rows[2].startswith("| `np.add(a, b, out=o, where=m)` |")
