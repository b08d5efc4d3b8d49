"""Keys and slices in compiled code, with numbers, tensors, objects and NumPy's integers."""

from __future__ import annotations

import numpy
import torch

from ..recording import error_of, program

X = torch.arange(12.0).reshape(3, 4)


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@program
def slices(compiled):
    @compiled(fullgraph=True)
    def f(x, n):
        key = slice(None, n)
        return x[1:], x[:, n:], x[key], x[..., ::2], x[None, 1], x[-1], key.stop, x[slice(0, n, 2)]

    return f(X, 2)


@program
def slices_of_symbolic_numbers(compiled):
    @compiled(dynamic=True)
    def f(x, n):
        half = x.shape[0] // 2
        return x[:half], x[half : half + n], x[-n:], x[n], slice(half, n).indices(10)

    return f(torch.arange(10.0), 2), f(torch.arange(14.0), 3)


@program
def slices_of_marked_sizes(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return x[: x.shape[0] - 1] + x[1:]

    x = torch.arange(6.0)
    torch._dynamo.mark_dynamic(x, 0)
    return f(x), f(torch.arange(9.0))


@program
def slices_by_tensors(compiled):
    @compiled
    def f(x, i, j):
        return x[i:j], x[:j], x[i::1]

    return f(torch.arange(6.0), torch.tensor(1), torch.tensor(4))


@program
def slices_by_tensors_made_in_the_graph(compiled):
    @compiled
    def f(x):
        return x[: x.argmax()]

    return f(torch.tensor([1.0, 5.0, 2.0]))


@program
def slices_by_objects(compiled):
    @compiled
    def f(x, i):
        return x[:i], x[i:]

    return error_of(lambda: f(torch.arange(6.0), Index(2)))


@program
def slices_of_lists_by_objects(compiled):
    @compiled
    def f(x, numbers, i):
        return x * 2, numbers[:i], numbers[i], [*range(9)][i:]

    return error_of(lambda: f(torch.ones(2), [1, 2, 3, 4], Index(2)))


@program
def slices_of_objects(compiled):
    class Rows:
        def __init__(self, data):
            self.data = data

        def __getitem__(self, key):
            return (self.data[key], key)

        def __setitem__(self, key, value):
            self.data[key] = value

        def __len__(self):
            return len(self.data)

    @compiled
    def f(rows):
        rows[0:1] = 5.0
        return rows[1:], rows[1, ::2], len(rows)

    return f(Rows(X.clone()))


@program
def slice_objects_come_and_go(compiled):
    @compiled
    def f(x, key, keys):
        return x[key], [x[k] for k in keys], slice(1, 3), key.start, key == slice(1, None)

    return f(X, slice(1, None), (slice(0, 2), (slice(None), 1)))


@program
def keys_of_numpys_integers(compiled):
    @compiled
    def f(x):
        return x[numpy.int64(1)]

    return f(torch.arange(3.0))


@program
def keys_of_numpys_integers_as_arguments(compiled):
    @compiled
    def f(x, i):
        return x[i], x[i, 1]

    return f(X, numpy.int64(1)), f(X, numpy.int32(2))


@program
def keys_of_numpys_integers_in_slices(compiled):
    @compiled
    def f(x):
        return x[numpy.int64(1) :], x[: numpy.int32(2), numpy.uint8(1)]

    return error_of(lambda: f(X))


@program
def keys_of_numpys_arrays(compiled):
    rows = numpy.array([2, 0])

    @compiled
    def f(x, columns):
        return x[rows], x[:, columns]

    return f(X, numpy.array([1, 1, 3]))


@program
def keys_of_tensors(compiled):
    @compiled(fullgraph=True)
    def f(x, i, mask):
        return x[i], x[i, i], x[..., i[:, None]], torch.where(mask, x, -x)

    return f(X, torch.tensor([0, 2]), torch.tensor([True, False, True, True]))


@program
def keys_that_select_by_data(compiled):
    @compiled
    def f(x):
        return x[x > 4] * 2, x.nonzero()

    return f(X)


@program
def keys_that_select_by_data_are_refused(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return x[x > 4].sum() if x[x > 4].shape[0] > 3 else x

    return error_of(lambda: f(X))


@program
def assignments(compiled):
    @compiled(fullgraph=True)
    def f(x, i):
        x = x.clone()
        x[0] = 1
        x[1:, 1] += 2
        x[i] = x[i] * 2
        x[x > 9] = 0.0
        x[..., -1] = torch.arange(3.0)
        return x

    return f(X, torch.tensor([2]))


@program
def assignments_of_arguments(compiled):
    @compiled
    def f(x, value):
        x[:, 1] = value
        x[1] -= x[0]

    x = X.clone()
    f(x, 7.0)
    f(x, torch.ones(3))
    return x


@program
def keys_out_of_bounds(compiled):
    @compiled
    def f(x):
        return x[7]

    return error_of(lambda: f(X))


@program
def lists_in_compiled_code(compiled):
    @compiled(fullgraph=True)
    def f(x, many):
        many[1:3] = [x, x + 1]
        del many[0]
        many.insert(0, x.ndim)
        return many[::-1], many[-1], len(many), [*enumerate(many[:1])]

    return f(torch.ones(2), [0, 1, 2, 2])
