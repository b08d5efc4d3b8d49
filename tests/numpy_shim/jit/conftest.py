"""What the tests of ``jit`` share."""

import math

import pytest

from numpy_shim._jit import choice


@pytest.fixture
def whatever_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is right is kept, however long it takes: no test rests on times."""
    monkeypatch.setattr(choice, "_FASTER", math.inf)
    monkeypatch.setattr(choice, "_SAMPLE", 10**9)
