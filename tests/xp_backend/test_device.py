"""What every torch device has, on ``npy``: each body runs on the CPU too, and gives the same."""

from __future__ import annotations

import copy
import io
import math
import pickle
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from torch import Tensor

from xp_backend import BackendEnvironment, BackendTensor

Body = Callable[[str], Any]
BASE = torch.arange(6.0).reshape(2, 3) + 1


def at(device: str) -> Tensor:
    return BASE.clone().to(device)


def views(d: str) -> Tensor:
    a = at(d)
    v = a[:, 1:]
    v.add_(10)
    a[0].mul_(2)
    a.t()[0, 1] = -1
    a.view(-1)[1::2].fill_(5)
    torch.exp(a[1] / 10, out=v.new_empty(3))
    return a


def more_views(d: str) -> Tensor:
    a = torch.zeros(4, 4, device=d)
    a.diagonal().fill_(1)
    a[1:3, 1:3] += torch.ones(2, 2, device=d)
    a[:, 0] = torch.arange(4.0, device=d)
    a.unfold(0, 2, 2)[0].mul_(3)
    return a


def bits(d: str) -> Tensor:
    """A write through a view of another dtype."""
    a = torch.ones(3, device=d)
    a.view(torch.int32)[1] = 0
    z = torch.zeros(2, dtype=torch.complex64, device=d)
    z.imag.add_(2)
    torch.view_as_real(z)[0, 0] = 3
    z.conj()[1] = 1 + 5j
    return torch.cat([a, torch.view_as_real(z).reshape(-1)])


def indexed(d: str) -> Tensor:
    a = torch.zeros(4, 4, device=d)
    i = torch.tensor([3, 1], device=d)
    a[i] = 1.0
    a[i, i] = torch.tensor([7.0, 8.0], device=d)
    a[a > 6] = 2
    a[None, 0, ..., [1, 2]] = 5.0
    a.index_put_((i[[0, 0]],), torch.ones(2, 4, device=d), accumulate=True)
    a.scatter_(1, torch.tensor([[1], [0]], device=d), 9.0)
    a.scatter_add_(0, torch.tensor([[1, 1]], device=d), torch.ones(1, 2, device=d))
    a.masked_fill_(a == 9, -1)
    return torch.cat([a, a[i], a[:, i].t(), a[a != 0][:4][None]])


def gradient(d: str) -> Tensor:
    a = at(d).requires_grad_()
    ((a @ a.t()).softmax(1) * a.sum(1) + a[:, 0]).sum().backward()
    return a.grad


def gradient_across(d: str) -> Tensor:
    a = BASE.clone().requires_grad_()
    b = a.to(d)
    (b * b).sum().backward()
    return a.grad


def gradient_of_view(d: str) -> Tensor:
    a = at(d).requires_grad_()
    b = a * 1
    b[:, 1:].mul_(3)
    (b * b).sum().backward()
    return a.grad


def second_order(d: str) -> Tensor:
    a = at(d).requires_grad_()
    (g,) = torch.autograd.grad((a**3).sum(), a, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), a)
    return h


def saved(d: str) -> bool:
    """A tensor that was saved for backward and written to since is noticed."""
    a = at(d).requires_grad_()
    b = a * 1
    r = b * b
    b.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        r.sum().backward()
    return True


def module(optimizer: str) -> Body:
    def train(d: str) -> Tensor:
        torch.manual_seed(0)
        layers = [torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.ReLU()]
        net = torch.nn.Sequential(*layers, torch.nn.Linear(4, 1)).to(d)
        step = getattr(torch.optim, optimizer)(net.parameters(), lr=0.1)
        for _ in range(3):
            step.zero_grad()
            net(at(d)).pow(2).mean().backward()
            step.step()
        return net[0].weight.detach()

    return train


def double(d: str) -> Tensor:
    """A module that changes its dtype on the device."""
    net = torch.nn.Linear(3, 2).to(d)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(1.0)
    return net.double()(at(d).double())


def saved_and_loaded(d: str) -> Tensor:
    net = torch.nn.Linear(3, 2).to(d)
    file = io.BytesIO()
    torch.save(net.state_dict(), file)
    file.seek(0)
    other = torch.nn.Linear(3, 2).to(d)
    other.load_state_dict(torch.load(file))
    assert torch.equal(net.weight.cpu(), other.weight.cpu())
    file.seek(0)
    assert torch.load(file, map_location="cpu")["weight"].device.type == "cpu"
    return other(at(d)) - net(at(d))


def seeded(d: str) -> Tensor:
    torch.manual_seed(3)
    drawn = [torch.rand(2, device=d), torch.randn(2, device=d), at(d).normal_()[0]]
    drawn.append(torch.randint(0, 9, (2,), device=d).float())
    drawn.append(torch.randperm(4, device=d).float())
    drawn.append(torch.rand_like(at(d))[0])
    return torch.cat(drawn)


def defaulted(d: str) -> Tensor:
    with torch.device(d):
        assert torch.get_default_device().type == d
        made = torch.ones(2) + torch.tensor([1.0, 2.0])
    assert made.device.type == d
    return made


def copied(d: str) -> Tensor:
    a = at(d).requires_grad_()
    b = copy.deepcopy(a)
    c = pickle.loads(pickle.dumps(a))
    assert b.requires_grad
    assert c.requires_grad
    assert b.device == c.device == a.device
    with torch.no_grad():
        b.add_(1)
    return torch.cat([a.detach(), b.detach(), c.detach()])


def data_of(d: str) -> Tensor:
    a = at(d)
    a.data = torch.ones(3, 2, device=d)
    return a + a.data.mul_(2)


def geometry(d: str) -> Tensor:
    a = at(d)
    a.transpose_(0, 1)
    a.unsqueeze_(0)
    assert a.shape == (1, 3, 2)
    return a * 2


ODD = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]


def shown_signs(x: Tensor) -> Tensor:
    """Zeros of both signs as infinities, which a comparison tells apart."""
    return torch.where(x == 0, 1 / x, x)


def special_values(d: str) -> Tensor:
    """Signs of zeros, infinities and NaN."""
    a = torch.tensor(ODD, dtype=torch.float64, device=d)
    rest = [torch.sign(a), torch.floor_divide(a, torch.full_like(a, -2)), a.neg(), a.round()]
    return torch.cat([shown_signs(x) for x in rest])


def parts_of_complex(d: str) -> Tensor:
    """A complex number keeps its two parts, whatever they are."""
    a = torch.tensor(ODD, dtype=torch.float64, device=d)
    made = torch.complex(a[:, None].expand(7, 7), a)
    viewed = torch.view_as_complex(torch.stack([a, a.flip(0)], -1))
    parts = [made.real, made.imag, torch.view_as_real(viewed)]
    return torch.cat([shown_signs(p.reshape(-1)) for p in parts])


def scattered(d: str) -> Tensor:
    """Reductions at equal indices, in floating-point, integer and boolean arrays."""
    index = torch.tensor([[2, 0, 2, 2, 1], [0, 0, 0, 3, 0]], device=d)
    values = torch.tensor([[3.0, 1.0, -2.0, 5.0, 4.0], [7.0, -1.0, 2.0, 2.0, 3.0]], device=d)
    found = []
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        for own in (True, False):
            for dtype in (torch.float32, torch.int64):
                base = torch.arange(8, device=d).reshape(2, 4).to(dtype)
                put = values.to(dtype)
                base.scatter_reduce_(1, index, put, reduce, include_self=own)
                found.append(base.double())
        line = torch.zeros((), device=d).scatter_reduce(0, index[0, 1], values[0, 0], reduce)
        found.append(line.double().expand(1, 4))
        if reduce != "sum":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "index_reduce() is in beta"
                base = torch.ones(2, 4, device=d).index_reduce(1, index[0], values, reduce)
            found.append(base.double())
    truth = torch.zeros(2, 4, dtype=torch.bool, device=d)
    found.append(truth.scatter_reduce(1, index, values > 2, "amax").double())
    return torch.cat(found)


BODIES: dict[str, Body] = {
    "scatter_reduce": scattered,
    "special values": special_values,
    "parts of complex numbers": parts_of_complex,
    "to": at,
    "cpu": lambda d: at(d).cpu(),
    "named method": lambda d: getattr(BASE, d)(),
    "add": lambda d: at(d) + at(d),
    "add of a number": lambda d: at(d) + 1.5,
    "number first": lambda d: 1 - at(d),
    "number of a higher kind": lambda d: torch.arange(3, device=d) * 1.5,
    "promotion": lambda d: torch.arange(3, device=d) + at(d),
    "promotion of 0-D": lambda d: at(d) + torch.tensor(2.0, dtype=torch.float64, device=d),
    "true division of integers": lambda d: torch.arange(3, device=d) / 2,
    "alpha": lambda d: torch.add(at(d), at(d), alpha=2),
    "broadcasting": lambda d: at(d) * at(d)[:, :1] + at(d)[0],
    "matmul": lambda d: at(d) @ at(d).view(3, 2),
    "bmm": lambda d: at(d)[None] @ at(d).t()[None],
    "reshape of a transpose": lambda d: at(d).t().reshape(6),
    "slice": lambda d: at(d)[:, 1:],
    "sum": lambda d: at(d).sum(),
    "sum of an axis": lambda d: at(d).sum(0, keepdim=True),
    "mean": lambda d: at(d).mean(1),
    "std": lambda d: at(d).std(1),
    "max with places": lambda d: torch.cat([t.double() for t in at(d).max(1)]),
    "cumsum": lambda d: at(d).cumsum(1),
    "index by an array": lambda d: at(d)[torch.tensor([1, 0], device=d)],
    "index by a mask": lambda d: at(d)[at(d) > 3],
    "softmax": lambda d: at(d).softmax(1),
    "sinc by decomposition": lambda d: torch.sinc(at(d)),
    "layer_norm": lambda d: torch.nn.functional.layer_norm(at(d), (3,)),
    "silu": lambda d: torch.nn.functional.silu(at(d)),
    "item": lambda d: at(d).sum().item(),
    "tolist": lambda d: torch.tensor(at(d).tolist()),
    "bool": lambda d: bool(at(d).sum() > 3),
    "zeros": lambda d: torch.zeros(2, device=d),
    "full": lambda d: torch.full((2,), 7.0, device=d),
    "arange": lambda d: torch.arange(1, 9, 2, device=d),
    "arange of floats": lambda d: torch.arange(0.5, 2, 0.25, device=d),
    "eye": lambda d: torch.eye(3, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 5, device=d),
    "tensor": lambda d: torch.tensor([1.0, 2.0], device=d),
    "zeros_like": lambda d: torch.zeros_like(at(d)),
    "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
    "new_ones": lambda d: at(d).new_ones(2),
    "empty is filled": lambda d: torch.empty(2, 2, device=d).copy_(at(d)[:, :2]),
    "views": views,
    "more views": more_views,
    "views of bits": bits,
    "indexing": indexed,
    "split": lambda d: torch.cat([p * 2 for p in at(d).split(2, 1)], 1),
    "gradient": gradient,
    "gradient across devices": gradient_across,
    "gradient of a view": gradient_of_view,
    "second order": second_order,
    "saved tensors": saved,
    "vmap": lambda d: torch.func.vmap(lambda r: r * r.sum())(at(d)),
    "func.grad": lambda d: torch.func.grad(lambda r: (r * r).sum())(at(d)),
    "jvp": lambda d: torch.func.jvp(lambda r: r * r, (at(d),), (at(d),))[1],
    "jacrev of vmap": lambda d: torch.func.jacrev(lambda r: torch.sin(r) * r)(at(d)[0]),
    "hessian": lambda d: torch.func.hessian(lambda r: (r**3).sum())(at(d)[0]),
    "SGD": module("SGD"), "Adam": module("Adam"), "AdamW": module("AdamW"),
    "RMSprop": module("RMSprop"),
    "double of a module": double,
    "save and load": saved_and_loaded,
    "random numbers": seeded,
    "default device": defaulted,
    "copies": copied,
    "data": data_of,
    "geometry in place": geometry,
    "foreach": lambda d: torch.cat(torch._foreach_mul([at(d), at(d)], 2.0)),
    "out=": lambda d: torch.add(at(d), 1, out=torch.empty(2, 3, device=d)),
    "sort": lambda d: torch.cat([t.double() for t in (-at(d)).sort(1)]),
    "topk": lambda d: at(d).topk(2, 1).values,
    "unique": lambda d: torch.unique(at(d) // 2),
    "einsum": lambda d: torch.einsum("ij,kj->ik", at(d), at(d)),
    "where": lambda d: torch.where(at(d) > 3, at(d), 0.0),
    "clamp": lambda d: at(d).clamp(2, max=4),
    "fft": lambda d: torch.fft.fft(at(d)).abs(),
    "svd": lambda d: torch.linalg.svdvals(at(d)),
    "solve": lambda d: torch.linalg.solve(at(d) @ at(d).t(), at(d)),
    "info of solve": lambda d: torch.linalg.solve_ex(0 * at(d) @ at(d).t(), at(d)).info,
    "det": lambda d: torch.linalg.det(at(d) @ at(d).t()),
    "cross entropy": lambda d: torch.nn.functional.cross_entropy(
        at(d), torch.tensor([0, 2], device=d)
    ),
    "embedding": lambda d: torch.nn.functional.embedding(torch.tensor([1, 0], device=d), at(d)),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_same_as_on_the_cpu(body: Body, env: BackendEnvironment):
    got, expected = body(env.name), body("cpu")
    if isinstance(expected, Tensor):
        assert got.dtype is expected.dtype
        assert got.shape == expected.shape
        torch.testing.assert_close(got.cpu(), expected, equal_nan=True)
    else:
        assert type(got) is type(expected)
        assert got == expected


def test_result_is_on_the_device(env: BackendEnvironment):
    x = at("npy") * 2
    assert type(x) is BackendTensor
    assert x.device == torch.device("npy:0")
    assert not x.is_cpu


def test_two_devices_are_refused(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match=r"aten\.add\.Tensor.*npy:0 and cpu"):
        at("npy") + BASE


def test_zero_dimensional_cpu_operand_moves(env: BackendEnvironment):
    """As on CUDA; the report has it."""
    x = at("npy")
    env.report(reset=True)
    x + torch.tensor(1.0)
    (moved,) = env.report().transfers
    assert (moved.direction, moved.operator, moved.nbytes) == ("to backend", "aten.add.Tensor", 4)
    assert "test_device.py:" in moved.line


def test_view_and_base(env: BackendEnvironment):
    a = at("npy")
    v = a[0]
    assert v._is_view()
    assert v._base is a
    v.add_(1)
    assert a._version == v._version == 1
    assert v.data_ptr() == a.data_ptr()
    assert a[1].data_ptr() - a.data_ptr() == 12
    assert a.untyped_storage().data_ptr() != at("npy").untyped_storage().data_ptr()
    assert a.untyped_storage().nbytes() == 24


@pytest.mark.parametrize("values", [torch.arange(4.0), torch.tensor(2.0)])
def test_a_view_is_written_after_a_copy_that_broadcasts(values: Tensor, env: BackendEnvironment):
    """The copy lies row by row, so that views have their elements where they look for them."""
    x = torch.ones(3, 4, device=env.name)
    row = x[0]
    x.copy_(values.to(env.name))
    row.fill_(9)
    assert x.cpu().tolist() == [[9.0] * 4, *values.expand(2, 4).tolist()]


def test_printing(env: BackendEnvironment):
    assert repr(at("npy")[0]) == "tensor([1., 2., 3.], device='npy:0')"
    x = at("npy")[0].requires_grad_()
    assert repr(x) == "tensor([1., 2., 3.], device='npy:0', requires_grad=True)"
    assert repr(x * 1).endswith("device='npy:0', grad_fn=<MulBackward0>)")


def test_pinning_is_refused(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="cannot pin a tensor on 'npy'"):
        at("npy").pin_memory()
    assert not at("npy").is_pinned()
    for tensor in (BASE, at("npy")):
        with pytest.raises(RuntimeError, match=r"cannot pin .* 'npy'"):
            next(iter(torch.utils.data.DataLoader([tensor], pin_memory=True)))
    (batch,) = torch.utils.data.DataLoader([at("npy")])
    assert torch.equal(batch.cpu()[0], BASE)
    with pytest.raises(RuntimeError, match="cannot pin memory"):
        torch.ones(3, device="npy", pin_memory=True)
    with pytest.raises(RuntimeError, match="cannot pin memory"):
        torch.ones_like(at("npy"), pin_memory=True)


def test_layouts_are_refused(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match=r"strided tensors only, got layout=torch\.sparse_coo"):
        torch.zeros_like(at("npy"), layout=torch.sparse_coo)


def test_sharing_between_processes_is_refused(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="cannot share a tensor on 'npy'"):
        at("npy").share_memory_()
    assert not at("npy").is_shared()


@pytest.mark.parametrize("module", [torch, torch.utils.dlpack], ids=["torch", "utils"])
@pytest.mark.parametrize("name", ["from_dlpack", "to_dlpack"])
def test_dlpack_of_torch_is_refused(module: Any, name: str, env: BackendEnvironment):
    """torch would describe memory that it does not have; tensors of the CPU are served."""
    with pytest.raises(BufferError, match=f"{name} takes no tensor on 'npy'"):
        getattr(module, name)(at("npy"))
    assert torch.equal(module.from_dlpack(module.to_dlpack(BASE)), BASE)


def test_dlpack_is_the_array_of_the_library(env: BackendEnvironment):
    """The standard asks for ``__dlpack__``; the library exports its array."""
    x = at("npy")
    assert x.__dlpack_device__() == (1, 0)
    assert torch.equal(torch.from_dlpack(env.blob(x)), BASE)
    assert numpy.from_dlpack(x).tolist() == BASE.tolist()
    with pytest.raises(BufferError, match="no gradient"):
        x.requires_grad_().__dlpack__()


def test_numpy_is_refused(env: BackendEnvironment):
    with pytest.raises(TypeError, match="can't convert npy:0"):
        at("npy").numpy()
    assert at("npy").numpy(force=True).shape == (2, 3)
    for function in (numpy.asarray, numpy.array, numpy.sin):
        with pytest.raises(TypeError, match="can't convert npy:0"):
            function(at("npy"))


def test_storage_cannot_grow(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="a storage cannot grow"):
        at("npy").resize_(9)


def test_overlapping_write_is_refused(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="single memory location"):
        torch.zeros(1, device="npy").expand(3).add_(1)


def test_threads(env: BackendEnvironment):
    """Threads do not disturb each other's decompositions."""
    found: list[Tensor] = []

    def work() -> None:
        for _ in range(20):
            x = at("npy").requires_grad_()
            torch.nn.functional.layer_norm(torch.sinc(x), (3,)).sum().backward()
        found.append(x.grad.cpu())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4
    assert all(torch.equal(f, found[0]) for f in found)
