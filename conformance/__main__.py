"""The command `conformance`, which `python -m conformance` is too."""

import importlib.util
import sys


def main() -> int:
    """Run the command line, or say which package it needs."""
    if importlib.util.find_spec("rich") is None:
        sys.exit('conformance needs rich: pip install "xp-torch[conformance]"')
    from ._cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
