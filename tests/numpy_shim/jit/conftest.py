"""What the tests of ``jit`` share."""

import math

import pytest

from numpy_shim._jit import choice
from numpy_shim._jit.fastest import OfTranslation
from numpy_shim._jit.with_numba import WithNumba


@pytest.fixture
def whatever_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is right is kept, however long it takes: no test rests on times."""
    monkeypatch.setattr(choice, "_FASTER", math.inf)
    monkeypatch.setattr(choice, "_SAMPLE", 10**9)
    monkeypatch.setattr(choice, "_BRIEF", -1.0)
    monkeypatch.setattr(choice, "_CLEAR", math.inf)
    for candidate in (WithNumba, OfTranslation):
        monkeypatch.setattr(candidate, "shortest", 0.0)
