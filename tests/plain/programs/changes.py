"""What makes Dynamo compile again: globals, closures, shapes, default dtypes and devices."""

from __future__ import annotations

import torch

from ..recording import error_of, program

SCALE = 2
TABLE = {"a": 1.0}
X = torch.arange(3.0)


@program
def changed_globals(compiled):
    global SCALE

    @compiled
    def f(x):
        return x * SCALE + TABLE["a"]

    results = []
    for scale, entry in ((2, 1.0), (3, 1.0), (3, 4.0), (2, 1.0)):
        SCALE, TABLE["a"] = scale, entry
        results.append(f(X))
    return results


@program
def changed_closures(compiled):
    def counter():
        count = 0

        def step(x):
            nonlocal count
            count += 1
            return x + count

        return step, lambda: count

    step, count = counter()
    run = compiled(step)
    return [run(X) for _ in range(4)], count()


@program
def changed_functions(compiled):
    inner = torch.sin

    @compiled
    def f(x):
        return inner(x) * 2

    first = f(X)
    inner = torch.cos
    return first, f(X)


@program
def changed_shapes_and_dtypes(compiled):
    @compiled
    def f(x):
        return x * 2 + x.shape[0]

    return [f(x) for x in (X, X.double(), X[:2], X[None], X.to(torch.int32), X.expand(2, 3))]


@program
def too_many_recompilations(compiled):
    @compiled
    def f(x, key):
        return x + len(key)

    return [f(X, "a" * n) for n in range(12)]


@program
def failure_on_recompilation(compiled):
    @compiled
    def f(x, key):
        return x + len(key)

    with torch._dynamo.config.patch(error_on_recompile=True):
        return f(X, "a"), error_of(lambda: f(X, "bc"))


@program
def default_dtypes(compiled):
    @compiled
    def f(n):
        return torch.ones(2) * n, torch.tensor(1.5), torch.get_default_dtype()

    first = f(2)
    torch.set_default_dtype(torch.float64)
    try:
        second = f(2)
    finally:
        torch.set_default_dtype(torch.float32)
    return first, second, f(2)


@program
def default_devices(compiled):
    @compiled
    def f(x):
        return torch.ones(3), torch.arange(2).device, x + 1

    first = f(X)
    with torch.device("meta"):
        second = error_of(lambda: f(X))
    torch.set_default_device("cpu")
    try:
        third = f(X)
    finally:
        torch.set_default_device(None)
    return first, second, third, f(X)


@program
def global_settings(compiled):
    @compiled
    def f(x):
        return x * 2 if torch.is_grad_enabled() else x * 3

    with torch.no_grad():
        first = f(X)
    with torch.inference_mode():
        second = f(X).clone()
    torch.use_deterministic_algorithms(True)
    try:
        third = f(X)
    finally:
        torch.use_deterministic_algorithms(False)
    return first, second, third, f(X)


@program
def compiled_in_compiled(compiled):
    @compiled
    def inner(x):
        return x + 1

    @compiled
    def f(x):
        return inner(x) * 2

    return inner(X), f(X)


@program
def stances(compiled):
    @compiled
    def f(x):
        return x + 1, torch.compiler.is_compiling()

    first = f(X)
    with torch.compiler.set_stance("force_eager"):
        second = f(X[:2])
    with torch.compiler.set_stance("fail_on_recompile"):
        third = error_of(lambda: f(X[None]))
    return first, second, third
