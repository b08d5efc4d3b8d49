"""``x[key]``: parse keys, and read and write elements."""
