"""NumPy with a module ``scipy`` that refuses: to see what a test file is given."""

from numpy import *  # noqa: F403
from numpy import __version__ as __version__
