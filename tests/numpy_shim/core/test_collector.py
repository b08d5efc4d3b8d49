"""The garbage collector waits for the import of the package, and is then as it was."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from numpy_shim._base.collector import CollectLater


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_it_is_as_before(is_on: bool, fails: bool):
    was_on = gc.isenabled()
    (gc.enable if is_on else gc.disable)()
    try:
        later = CollectLater()
        assert not gc.isenabled()
        if not fails:
            later.end()
            assert gc.isenabled() == is_on
        del later
        assert gc.isenabled() == is_on
    finally:
        (gc.enable if was_on else gc.disable)()


def test_what_is_made_meanwhile_is_old():
    """The next search of the youngest objects does not go through it."""
    was_on = gc.isenabled()
    gc.enable()
    try:
        later = CollectLater()
        made = [[]]
        later.end()
        assert any(x is made for x in gc.get_objects(generation=2))
        assert not gc.get_freeze_count()
    finally:
        (gc.enable if was_on else gc.disable)()


def test_frozen_objects_stay_frozen():
    was_on = gc.isenabled()
    gc.enable()
    gc.freeze()
    try:
        CollectLater().end()
        assert gc.isenabled()
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()
        (gc.enable if was_on else gc.disable)()


def test_the_import_does_not_search_the_objects_of_torch():
    """A full collection in the import takes longer than half of the rest of it."""
    program = """if True:
        import gc
        import torch
        before = gc.get_stats()[2]["collections"]
        import numpy_shim
        print(gc.get_stats()[2]["collections"] - before, gc.isenabled())
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "0 True\n"
