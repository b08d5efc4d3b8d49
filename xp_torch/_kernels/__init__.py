"""Kernels take and return tensors, one file per chapter; they hold every torch workaround.

A kernel takes tensors that are already promoted and checked, accepts every dtype of its
category, and gives the standard's result. It knows nothing of arrays.
"""
