"""What comes in and what goes out: arguments, sequences, buffers, the host, text."""
