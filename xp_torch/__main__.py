"""``python -m xp_torch``: the versions, devices and settings that a bug report should state.

With ``--doctor``, also what the packages change of torch, and whether compiled programs run here.
"""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import metadata

import torch

import xp_torch as xp

from ._core.devices import present
from ._torch import doctor


def report() -> str:
    """The text, one fact a line."""
    try:
        numpys = metadata.version("numpy")
    except metadata.PackageNotFoundError:
        numpys = "not installed"
    flags = xp.flags
    facts = {
        "xp-torch": xp.__version__,
        "array API": flags.api_version,
        "torch": torch.__version__,
        "CUDA of torch": torch.version.cuda or "none",
        "NumPy": numpys,
        "Python": platform.python_version(),
        "platform": platform.platform(),
        "devices": ", ".join(str(device) for device in present()),
        "default device": str(torch.get_default_device()),
        "default dtype": str(torch.get_default_dtype()),
        "flags": ", ".join(
            f"{name}={getattr(flags, name)!r}"
            for name in ("boolean_indexing", "data_dependent_shapes", "enabled_extensions",
                         "default_float")
        ),
    }  # fmt: skip
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def main() -> int:
    """Print the report, and with ``--doctor`` what the doctor finds."""
    parser = argparse.ArgumentParser(
        prog="python -m xp_torch",
        description="Print the versions, devices and settings for a bug report.",
    )
    parser.add_argument(
        "--doctor",
        action="store_true",
        help="list what the packages change of torch, and run a program of each kind",
    )
    options = parser.parse_args()
    print(report())
    return doctor.main() if options.doctor else 0


if __name__ == "__main__":
    sys.exit(main())
