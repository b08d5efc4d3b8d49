"""Prints what an extra of pyproject.toml requires, a requirement a line: extra.py NAME."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements(extra: str) -> list[str]:
    """The requirements of an extra, without those of other extras that it names."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    return [r for r in project["optional-dependencies"][extra] if not r.startswith(project["name"])]


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1])))
