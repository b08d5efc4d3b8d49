"""The array API tests that libraries ship, with a namespace as one more of their backends."""
