"""The universal functions: tables, calls, objects, folds, declarations, and foreign operands."""
