"""Calls that numpy_shim refuses as NumPy does: at least one for each error a docstring names.

``a`` is an array of integers of shape (2, 3).
"""

from . import functions_a_to_l, functions_m_to_z, members

REFUSED = (functions_a_to_l.CALLS + functions_m_to_z.CALLS + members.CALLS).split("\n")[1:-1]
REFUSED = [call for call in REFUSED if call]
