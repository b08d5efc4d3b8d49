"""``torch.func``, ``vmap``, custom autograd functions and operators, autograd in compiled code."""

from __future__ import annotations

import torch
from torch.autograd import forward_ad

from ..recording import error_of, program

X = torch.tensor([[0.5, 1.0], [1.5, 2.0]])


@program
def vmap_of_a_function(compiled):
    @compiled(fullgraph=True)
    def f(x, y):
        return torch.vmap(lambda a, b: (a @ b, a[0] * 2), in_dims=(0, None))(x, y)

    return f(X, X[0])


@program
def vmap_of_a_compiled_function(compiled):
    @compiled
    def f(x):
        return x.sin().sum()

    return error_of(lambda: torch.vmap(f)(X))


@program
def grad_of_a_function(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return torch.func.grad(lambda a: (a**3).sum())(x), torch.func.grad_and_value(
            lambda a: a.sin().sum()
        )(x)

    return f(X)


@program
def grad_of_a_compiled_function(compiled):
    @compiled
    def f(x):
        return (x**2).sum()

    return error_of(lambda: torch.func.grad(f)(X))


@program
def jvp_and_vjp(compiled):
    @compiled(fullgraph=True)
    def f(x, t):
        value, pulled = torch.func.vjp(torch.sin, x)
        return torch.func.jvp(torch.cos, (x,), (t,)), value, pulled(t)

    return f(X, torch.ones(2, 2))


@program
def jacobians(compiled):
    @compiled
    def f(x):
        return torch.func.jacrev(torch.sin)(x), torch.func.jacfwd(lambda a: a**2)(x)

    return f(X[0])


@program
def hessian(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return torch.func.hessian(lambda a: (a**3).sum())(x)

    return f(X[0])


@program
def vmap_of_grad_of_a_module(compiled):
    module = torch.nn.Linear(2, 1)
    weights = {name: torch.full_like(p, 0.5) for name, p in module.named_parameters()}

    @compiled(fullgraph=True)
    def f(weights, x):
        def loss(weights, row):
            return torch.func.functional_call(module, weights, (row,)).sum()

        return torch.vmap(torch.func.grad(loss), in_dims=(None, 0))(weights, x)

    return f(weights, X)


@program
def forward_mode(compiled):
    @compiled
    def f(x):
        return x.sin() * 2

    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, torch.ones(2, 2))
        return error_of(lambda: tuple(forward_ad.unpack_dual(f(dual))))


@program
def backward_of_a_compiled_function(compiled):
    @compiled
    def f(x, y):
        return (x * y).sin().sum(), x @ y

    x, y = X.clone().requires_grad_(), X.clone().requires_grad_()
    total, product = f(x, y)
    (total + product.sum()).backward()
    return x.grad, y.grad, total


@program
def backward_in_a_compiled_function(compiled):
    @compiled
    def f(x):
        loss = (x**2).sum()
        loss.backward()
        return loss

    x = X.clone().requires_grad_()
    return error_of(lambda: f(x)), x.grad


@program
def grad_in_a_compiled_function(compiled):
    @compiled
    def f(x):
        (grad,) = torch.autograd.grad((x**3).sum(), x)
        return grad

    return error_of(lambda: f(X.clone().requires_grad_()))


@program
def gradients_of_gradients_are_refused(compiled):
    @compiled
    def f(x):
        return (x**3).sum()

    x = X.clone().requires_grad_()
    (grad,) = torch.autograd.grad(f(x), x, create_graph=True)
    return grad.detach(), error_of(lambda: torch.autograd.grad(grad.sum(), x))


@program
def no_grad_and_detach(compiled):
    @compiled
    def f(x):
        with torch.no_grad():
            y = x * 2
        with torch.enable_grad():
            z = x * 3
        with torch.inference_mode():
            w = x + 1
        return y, z, w.clone(), x.detach(), torch.is_grad_enabled()

    return error_of(lambda: f(X.clone().requires_grad_()))


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x**3 * scale

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * ctx.scale * grad, None


@program
def custom_function(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return Cube.apply(x, 2.0)

    x = X.clone().requires_grad_()
    f(x).sum().backward()
    return x.grad


@program
def custom_function_on_objects(compiled):
    class Noted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, many, key):
            ctx.key = key
            return many["x"][key] * 2

        @staticmethod
        def backward(ctx, grad):
            return None, None

    @compiled
    def f(x):
        return Noted.apply({"x": x}, (slice(None), 1))

    return error_of(lambda: f(X))


@torch.library.custom_op("plain_programs::scaled", mutates_args=())
def scaled(x: torch.Tensor, s: float) -> torch.Tensor:
    return x * s


@scaled.register_fake
def _(x, s):
    return torch.empty_like(x)


scaled.register_autograd(
    lambda ctx, grad: (grad * ctx.s, None),
    setup_context=lambda ctx, inputs, output: setattr(ctx, "s", inputs[1]),
)


@torch.library.custom_op("plain_programs::zero_first", mutates_args=("x",))
def zero_first(x: torch.Tensor) -> None:
    x[0] = 0


@program
def custom_operator(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return scaled(x, 2.0).sin()

    x = X.clone().requires_grad_()
    f(x).sum().backward()
    return x.grad


@program
def custom_operator_that_writes(compiled):
    @compiled(fullgraph=True)
    def f(x):
        y = x.clone()
        zero_first(y)
        zero_first(x)
        return y + 1

    x = X.clone()
    return f(x), x


@program
def hooks_of_tensors(compiled):
    @compiled
    def f(x):
        y = x * 2
        y.register_hook(lambda grad: grad * 3)
        return y.sum()

    x = X.clone().requires_grad_()
    x.register_hook(lambda grad: grad + 1)
    value = f(x)
    value.backward()
    return value, x.grad


@program
def compiled_autograd(compiled):
    @compiled
    def f(x):
        loss = (x.sin() ** 2).sum()
        loss.backward()
        return loss

    x = X.clone().requires_grad_()
    with torch._dynamo.config.patch(compiled_autograd=True):
        return error_of(lambda: f(x)), x.grad


@program
def checkpoint(compiled):
    from torch.utils.checkpoint import checkpoint

    @compiled(fullgraph=True)
    def f(x):
        return checkpoint(lambda a: a.sin().cos(), x, use_reentrant=False).sum()

    x = X.clone().requires_grad_()
    f(x).backward()
    return x.grad


@program
def control_flow_operators(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a - 1, (x,))

    return error_of(lambda: f(X))


@program
def random_numbers(compiled):
    @compiled(fullgraph=True)
    def f(x):
        return torch.rand_like(x) + torch.nn.functional.dropout(x, 0.5)

    return f(X)
