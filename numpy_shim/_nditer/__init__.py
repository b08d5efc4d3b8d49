"""``nditer`` and ``nested_iters``: loops over several arrays."""
