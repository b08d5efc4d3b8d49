"""``x[key]``: what a key means, and reading and writing by it."""
