"""Calls that numpy_shim refuses as NumPy does: at least one for each error a docstring names.

``a`` is an array of integers of shape (2, 3).
"""

from . import functions_a_to_l, functions_m_to_z, members, special

CHAPTERS = (functions_a_to_l, functions_m_to_z, members, special)
REFUSED = [call for chapter in CHAPTERS for call in chapter.CALLS.split("\n") if call]
