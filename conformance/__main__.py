"""`python -m conformance`."""

import importlib.util
import sys

if __name__ == "__main__":
    absent = [name for name in ("rich", "jinja2") if importlib.util.find_spec(name) is None]
    if absent:
        names = " and ".join(absent)
        sys.exit(f'conformance needs {names}: pip install "xp-torch[conformance]"')
    from ._cli import main

    sys.exit(main())
