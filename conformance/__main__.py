"""`python -m conformance`."""

import importlib.util
import sys

if __name__ == "__main__":
    if importlib.util.find_spec("rich") is None:
        sys.exit('conformance needs rich: pip install "xp-torch[conformance]"')
    from ._cli import main

    sys.exit(main())
