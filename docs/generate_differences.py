"""Writes into ``numpy_differences.md`` what NumPy's own tests show, from the expected failures.

python docs/generate_differences.py [--check]

The runs hold the file of expected failures to what happens: a failure that is not in it fails
the run, and so does an entry that passes.
"""

from __future__ import annotations

import sys

from _marked import main, table

from conformance import _expected
from conformance.numpy_suite._files import function_id


def shown() -> str:
    """The reasons, each with the number of NumPy's tests that fail for it, and one of them.

    A test function counts once, however many of its parameter sets fail.
    """
    tests: dict[str, list[str]] = {}
    for entry, reason in _expected.read("numpy/numpy_shim").items():
        test = function_id(entry)
        if test not in tests.setdefault(reason, []):
            tests[reason].append(test)
    rows = [
        [reason, str(len(ids)), f"`{ids[0].replace('/tests/test_', '/').replace('.py::', '::')}`"]
        for reason, ids in sorted(tests.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return table(["what", "tests", "one of them"], rows)


if __name__ == "__main__":
    sys.exit(main("numpy_differences.md", {"numpy tests": shown()}, __doc__.splitlines()[0]))
