"""Tensor to tensor, one file per chapter of the standard; every torch workaround lives here.

A kernel takes tensors that are already promoted and checked, accepts every dtype of its
category, and gives the standard's result. It knows nothing of arrays.
"""
