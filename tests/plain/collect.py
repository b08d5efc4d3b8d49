"""Run the plain programs in a process of their own, with our packages or without.

``python -m tests.plain.collect FILE before`` imports our packages and then runs the programs.
``python -m tests.plain.collect FILE after`` runs them without our packages, imports these, and runs
the programs again. Each outcome is a line of JSON in the file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path

from tests import quick_compiler

PACKAGES = ("xp_torch", "numpy_shim", "xp_backend")


def import_ours() -> None:
    for package in PACKAGES:
        importlib.import_module(package)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("import_", choices=("before", "after", "twice"))
    parser.add_argument("programs", nargs="*")
    given = parser.parse_args(arguments)
    quick_compiler.use()
    if given.import_ == "before":
        import_ours()
    from . import programs
    from .recording import PROGRAMS, Kept, outcome

    quick_compiler.use()
    assert programs.TOPICS
    names = given.programs or list(PROGRAMS)
    with given.file.open("w") as file:

        def run(phase: str) -> None:
            for name in names:
                start = time.perf_counter()
                result = outcome(name)
                result |= {"program": name, "phase": phase, "time": time.perf_counter() - start}
                print(json.dumps(result), file=file, flush=True)

        if given.import_ == "before":
            run("before")
            return
        run("without")
        assert not set(PACKAGES) & set(sys.modules)
        if given.import_ == "after":
            kept = Kept()
            import_ours()
            record = {"kept": [kept.first, kept.calls()]}
            print(json.dumps(record), file=file, flush=True)
        run("after")


if __name__ == "__main__":
    main(sys.argv[1:])
