"""Conversion to and from arrays: arguments, sequences, buffers, the host, text."""
