"""Kernels of neural networks."""

from __future__ import annotations

import numpy

from .table import kernel


def relu(np, x):
    return np.maximum(x, 0)


@kernel(lambda r: (r.random((2, 2, 3, 3)).astype(numpy.float32),))
def softmax(np, x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    return tmp_out / np.sum(tmp_out, axis=-1, keepdims=True)


@kernel(lambda r: (r.random((2, 5, 5, 3)).astype("f4"), r.random((2, 2, 3, 4)).astype("f4")))
def conv2d(np, inputs, weights):
    k = weights.shape[0]
    n, h_in, w_in, c_out = *inputs.shape[:3], weights.shape[3]
    h_out, w_out = h_in - k + 1, w_in - k + 1
    output = np.empty((n, h_out, w_out, c_out), dtype=np.float32)
    for i in range(h_out):
        for j in range(w_out):
            output[:, i, j, :] = np.sum(
                inputs[:, i : i + k, j : j + k, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def maxpool2d(np, x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


@kernel(lambda r: (r.random((2, 6, 6, 1)).astype("f4"), r.random((3, 3, 1, 2)).astype("f4"),
                   r.random((8, 3)).astype("f4"), r.random(3).astype("f4")))  # fmt: skip
def lenet(np, x, weights, dense, bias):
    x = relu(np, conv2d(np, x, weights))
    x = maxpool2d(np, x)
    x = np.reshape(x, (x.shape[0], -1))
    return x @ dense + bias


@kernel(lambda r: (r.random((4, 3)), r.random((3, 5)), r.random(5), r.random((5, 2)), r.random(2)))
def mlp(np, x, w1, b1, w2, b2):
    x = relu(np, x @ w1 + b1)
    return softmax(np, x @ w2 + b2)


def batchnorm2d(np, x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


@kernel(
    lambda r: tuple(
        r.random(shape).astype("f4")
        for shape in ((2, 4, 4, 3), (1, 1, 3, 2), (3, 3, 2, 2), (1, 1, 2, 3))
    )
)
def resnet(np, x, w1, w2, w3):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, w1.shape[3]), dtype=np.float32)
    padded[:, 1:-1, 1:-1, :] = conv2d(np, x, w1)
    y = relu(np, batchnorm2d(np, padded))
    y = relu(np, batchnorm2d(np, conv2d(np, y, w2)))
    return relu(np, batchnorm2d(np, conv2d(np, y, w3)) + x)
