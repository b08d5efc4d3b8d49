"""Programs that copy, write in place and look at views, compiled by inductor.

What inductor does with them by its own rules is compared too, also where it is not what eager mode
does: an import of ours mends nothing in other people's graphs.
"""

from __future__ import annotations

import torch

from ..recording import coded

A = torch.arange(6.0)
B = torch.arange(6.0) * 10 + 1
M = torch.arange(16.0).reshape(4, 4)


def both(function):
    """Run on copies of two vectors; the result, and what became of the arguments."""
    a, b = A.clone(), B.clone()
    return function(a, b), a, b


@coded
def arrays_exchanged(compiled):
    @compiled
    def f(a, b):
        t = a.clone()
        a[:] = b
        b[:] = t

    return both(f)


@coded
def copy_before_a_write(compiled):
    @compiled
    def f(a, b):
        t = a.clone()
        a[0] = 1
        a[1:3] += t[0]
        return t

    return both(f)


@coded
def copy_that_is_returned(compiled):
    @compiled
    def f(a, b):
        a[0] = 1
        return a.clone(), a.clone(), b.clone()

    first, a, b = both(f)
    return first, a, b, len({t.data_ptr() for t in first} | {a.data_ptr(), b.data_ptr()})


@coded
def sum_with_zeros(compiled):
    @compiled
    def f(x, y):
        return x + torch.zeros(6), y * torch.ones(6), x - 0, y / 1

    x, y = -torch.zeros(6), B.clone()
    results = f(x, y)
    return results, [r.data_ptr() == t.data_ptr() for r in results for t in (x, y)]


@coded
def diagonal_written_twice(compiled):
    @compiled
    def f(m, y):
        d = m.diagonal()
        d.copy_(y)
        d.copy_(d[1] + y)
        return m.sum(0)

    m = M.clone()
    return f(m, torch.ones(4)), m


@coded
def view_written_by_itself(compiled):
    @compiled
    def f(m):
        c = m.reshape(-1)
        c.copy_(c[2] - c)

    m = M.clone()
    return f(m), m


@coded
def rows_then_columns(compiled):
    @compiled
    def f(m):
        m[1:-1] = m[:-2] + m[2:]
        m[:, 1:-1] = m[:, :-2] + m[:, 2:]
        m[:, 0] = m[:, -1]
        return m * 2

    m = M.clone()
    return f(m), m


@coded
def many_writes(compiled):
    @compiled
    def f(a, b):
        for i in range(6):
            a[i : i + 1] = b[5 - i] + a[0]
        return a.sum()

    return both(f)


@coded
def writes_of_nothing(compiled):
    @compiled
    def f(a, b):
        a[3:3] = b[:0]
        b[0:0] += 1
        return a + b

    return both(f)


@coded
def slice_scatters(compiled):
    @compiled
    def f(m, v):
        x = torch.slice_scatter(m, v.expand(2, 4), 0, 1, 3)
        y = torch.select_scatter(x, v, 1, 2)
        return torch.diagonal_scatter(y, v * 0), x

    return f(M, torch.ones(4))


@coded
def shifted_in_place(compiled):
    @compiled
    def f(a, b):
        a[1:] = a[:-1].clone()
        b[:-1] += b[1:].flip(0)
        return a[::2], b[1::2]

    return both(f)


@coded
def short_reductions(compiled):
    @compiled
    def f(a, m):
        return m.sum(0), m.amax(1), a.mean(), m.prod(), m.var(0), a.argmax(), a.cumsum(0)

    return f(A, M)


@coded
def reductions_of_what_is_written(compiled):
    @compiled
    def f(m):
        m[0] = m.sum(0)
        m[:, 0] /= m.sum(1)
        return m.max() - m.min()

    m = M.clone()
    return f(m), m


@coded
def complex_writes(compiled):
    @compiled
    def f(z):
        z[1:] = z[:-1] * 1j
        z.real[0] = 7
        return z.conj() * 2

    z = torch.complex(A, B)
    return f(z), z


@coded
def half_precision_writes(compiled):
    @compiled
    def f(h):
        h[1:4] = h[2:5] + 1
        h[0] = h.sum()
        return h.float()

    h = A.to(torch.bfloat16)
    return f(h), h


@coded
def integer_writes(compiled):
    @compiled
    def f(n, i):
        n[i] = n[i] * 2
        n.index_add_(0, i, i)
        n //= 2
        return n % 3, n << 1

    n = torch.arange(6)
    return f(n, torch.tensor([1, 3])), n


@coded
def masked_writes(compiled):
    @compiled
    def f(a, b):
        a[a > 2] = 0.5
        b.masked_fill_(b > 20, -1)
        return torch.where(a > b, a, b)

    return both(f)


@coded
def views_of_views(compiled):
    @compiled
    def f(m):
        v = m[1:].T[::2]
        v += 1
        w = v.unsqueeze(0).expand(2, -1, -1)
        return w.sum(), m.view(2, 8)[:, 3:], m.as_strided((2, 2), (4, 2))

    m = M.clone()
    results = f(m)
    return results, m, [r._is_view() for r in results]


@coded
def results_that_share_memory(compiled):
    @compiled
    def f(a, b):
        v = a[1:]
        v.mul_(2)
        return v, a, b, b.view(2, 3), a.detach()

    results, a, _ = both(f)
    return results, [r.data_ptr() - a.data_ptr() for r in results if r is a or r._base is a]


@coded
def writes_with_gradients(compiled):
    @compiled
    def f(x, y):
        z = x.clone()
        z[1:3] = y[:2] * 2
        z[z > 3] *= 2
        return z.sum()

    x, y = A.clone().requires_grad_(), B.clone().requires_grad_()
    f(x, y).backward()
    return x.grad, y.grad


@coded
def writes_of_dynamic_sizes(compiled):
    @compiled(dynamic=True)
    def f(a, n):
        a[n:] = a[:-n] + n
        return a[: a.shape[0] // 2]

    a, b = A.clone(), torch.arange(8.0)
    return f(a, 2), f(b, 3), a, b


@coded
def numpys_arrays_written(compiled):
    import numpy

    @compiled
    def f(a):
        b = a.copy()
        a[1:] = b[:-1]
        b[0] = a.sum()
        return b

    a = numpy.arange(5.0)
    return f(a), a


@coded
def attention_and_softmax(compiled):
    @compiled
    def f(q, k):
        return torch.softmax(q @ k.T / 2.0, -1) @ k, torch.nn.functional.layer_norm(q, (4,))

    return f(M / 10, M / 7)


@coded
def buffers_of_a_module(compiled):
    class Ring(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("memory", torch.zeros(3, 2))

        def forward(self, x):
            old = self.memory.clone()
            self.memory[1:] = old[:-1]
            self.memory[0] = x
            return old

    module = Ring()
    run = compiled(module)
    return run(torch.ones(2)), run(torch.full((2,), 2.0)), module.memory
