"""A suite of a few tests that behaves like the public one, and the public one where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.array_api import _checkout

CONFTEST = """
from hypothesis import settings

def pytest_addoption(parser):
    parser.addoption("--max-examples", type=int, default=100)
    parser.addoption("--disable-deadline", action="store_true")

def pytest_configure(config):
    settings.register_profile(
        "fake", max_examples=config.getoption("--max-examples"), derandomize=False
    )
    settings.load_profile("fake")
"""


@pytest.fixture
def fake_suite(tmp_path: Path) -> Callable[[str], Path]:
    """Make a suite out of the text of one test file."""

    def make(text: str, file: str = "test_sorting_functions.py") -> Path:
        folder = tmp_path / "suite"
        tests = folder / "array_api_tests"
        tests.mkdir(parents=True)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "conftest.py").write_text(CONFTEST)
        (tests / "__init__.py").write_text("")
        (tests / file).write_text(text)
        return folder

    return make


@pytest.fixture(scope="session")
def public_suite() -> _checkout.Checkout:
    """The public suite; without it the test is skipped and says where it was looked for."""
    try:
        return _checkout.locate()
    except _checkout.CheckoutNotFoundError as error:
        pytest.skip(str(error))
