"""The table of numpy_shim's public surface: a case per function, for tracing and for gradients.

Each chapter's file lists ``CASES`` (see ``tests.surface.Case``); bodies take ``(np, *arrays)``.
``tests/numpy_shim/test_surface.py`` holds the table against the namespace. A name is the
function's (``"add"``, ``"add.reduce"``, ``"linalg.eigh"``, ``"ndarray.__add__"``).
"""
