"""User classes in compiled code: operators, attributes, properties, objects that hold tensors."""

from __future__ import annotations

import weakref

import torch

from ..recording import error_of, program


class Box:
    """An object over a tensor with every operator, as our arrays are."""

    def __init__(self, data):
        self.data = data

    def __matmul__(self, other):
        return Box(self.data @ _data(other))

    def __rmatmul__(self, other):
        return Box(_data(other) @ self.data)

    def __imatmul__(self, other):
        self.data = self.data @ _data(other)
        return self

    def __invert__(self):
        return Box(~self.data)

    def __divmod__(self, other):
        return Box(self.data // _data(other)), Box(self.data % _data(other))

    def __rdivmod__(self, other):
        return Box(_data(other) // self.data), Box(_data(other) % self.data)

    def __add__(self, other):
        return Box(self.data + _data(other))

    def __radd__(self, other):
        return Box(_data(other) + self.data)

    def __iadd__(self, other):
        self.data += _data(other)
        return self

    def __sub__(self, other):
        return NotImplemented

    def __neg__(self):
        return Box(-self.data)

    def __getitem__(self, key):
        return Box(self.data[key])

    def __setitem__(self, key, value):
        self.data[key] = _data(value)

    def __bool__(self):
        return bool(self.data.any())

    def __len__(self):
        return len(self.data)

    def __lt__(self, other):
        return Box(self.data < _data(other))

    def __contains__(self, item):
        return bool((self.data == item).any())

    def __call__(self, x):
        return self.data * x

    def __iter__(self):
        return (Box(part) for part in self.data)


def _data(value):
    return value.data if isinstance(value, Box) else value


M = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
N = torch.tensor([[7, 2], [3, 4]])


@program
def objects_matmul(compiled):
    @compiled
    def f(a, b, t):
        return (a @ b).data, (a @ t).data

    return error_of(lambda: f(Box(M), Box(M + 1), M))


@program
def objects_matmul_of_a_tensor(compiled):
    @compiled
    def f(a, t):
        return (t @ a).data

    return error_of(lambda: f(Box(M), M))


@program
def objects_matmul_in_place(compiled):
    @compiled
    def f(a, t):
        a @= t
        return a.data

    return error_of(lambda: f(Box(M), M))


@program
def objects_invert(compiled):
    @compiled
    def f(a):
        return (~a).data

    return error_of(lambda: f(Box(N)))


@program
def objects_divmod(compiled):
    @compiled
    def f(a, b):
        q, r = divmod(a, b)
        return q.data, r.data

    return error_of(lambda: f(Box(N), 3)), error_of(lambda: f(Box(N), Box(N - 1)))


@program
def objects_divmod_reflected(compiled):
    @compiled
    def f(a):
        q, r = divmod(9, a)
        return q.data, r.data

    return error_of(lambda: f(Box(N)))


@program
def objects_add(compiled):
    @compiled
    def f(a, t):
        return (a + t).data, (a + 1).data, (1 + a).data, (-a).data

    return error_of(lambda: f(Box(M), M))


@program
def objects_add_to_a_tensor(compiled):
    @compiled
    def f(a, t):
        return (t + a).data

    return error_of(lambda: f(Box(M), M))


@program
def objects_add_in_place(compiled):
    @compiled
    def f(a, t):
        a += t
        a += 1
        return a.data

    box = Box(M.clone())
    return error_of(lambda: f(box, M)), box.data


@program
def objects_that_refuse(compiled):
    @compiled
    def f(a, t):
        return a - t

    return error_of(lambda: f(Box(M), 2)), error_of(lambda: f(Box(M), Box(M)))


@program
def objects_as_containers(compiled):
    @compiled
    def f(a):
        a[0] = 5.0
        return a[0].data, len(a), (a < 3).data, 4.0 in a, bool(a), a(2), [b.data for b in a]

    return error_of(lambda: f(Box(M.clone())))


@program
def objects_made_and_returned(compiled):
    @compiled(fullgraph=True)
    def f(x):
        box = Box(x * 2)
        box.extra = x + 1
        return box

    box = f(M)
    return type(box), vars(box)


@program
def objects_without_a_tensor_in_sight(compiled):
    """Dynamo looks for tensors in the frame, and at modules of torch and NumPy by name."""

    @compiled
    def f(box):
        return box.data.sin() + 1

    return f(Box(M)), f(Box(M[0]))


@program
def functions_without_a_tensor(compiled):
    @compiled
    def f(a, b):
        return [a + b, {"a": a}, f"{b}"]

    return f(1, 2), f("a", "b")


@program
def functions_that_make_their_tensors(compiled):
    @compiled
    def f(n):
        print(end="")
        return torch.arange(n) * 2

    return f(3), f(4), f(5)


@program
def attributes_by_properties(compiled):
    class Circle:
        def __init__(self, radius):
            self._radius = radius

        @property
        def area(self):
            return 3.0 * self._radius**2

        @area.setter
        def area(self, value):
            self._radius = (value / 3.0) ** 0.5

    @compiled
    def f(c):
        area = c.area
        c.area = area * 4
        return area, c._radius

    circle = Circle(torch.tensor(2.0))
    return f(circle), f(circle), vars(circle)


@program
def attributes_by_getattr(compiled):
    class Lazy:
        def __init__(self, data):
            self.data = data

        def __getattr__(self, name):
            if name == "double":
                return self.data * 2
            raise AttributeError(f"no {name} here")

    @compiled
    def f(o):
        return o.double, hasattr(o, "other"), getattr(o, "third", 3)

    @compiled
    def g(o):
        return o.data + o.missing

    return f(Lazy(M)), error_of(lambda: g(Lazy(M)))


@program
def attributes_by_getattribute(compiled):
    class Guarded:
        def __getattribute__(self, name):
            if name == "data":
                return M
            return object.__getattribute__(self, name)

    @compiled
    def f(o):
        return o.data + 1

    return error_of(lambda: f(Guarded()))


@program
def attributes_in_slots(compiled):
    class Slotted:
        __slots__ = ("data", "other")

        def __init__(self, data):
            self.data = data

    @compiled
    def f(o):
        o.other = o.data + 1
        return o.other

    slotted = Slotted(M)
    return f(slotted), slotted.other


@program
def attributes_by_descriptors(compiled):
    class Scaled:
        def __set_name__(self, owner, name):
            self.name = f"_{name}"

        def __get__(self, instance, owner):
            return getattr(instance, self.name) * 2

        def __set__(self, instance, value):
            setattr(instance, self.name, value)

    class Holder:
        value = Scaled()

    @compiled
    def f(h, x):
        h.value = x
        return h.value

    return error_of(lambda: f(Holder(), M))


@program
def attributes_that_change(compiled):
    @compiled
    def f(box, x):
        return x * box.scale

    box, results = Box(None), []
    for scale in (2, 3.0, torch.tensor(4.0), 5):
        box.scale = scale
        results.append(f(box, M))
    return results


@program
def attributes_of_classes_and_functions(compiled):
    class Config:
        scale = 2

    def helper(x):
        return x * helper.factor

    helper.factor = 3

    @compiled
    def f(x):
        return helper(x) * Config.scale

    first = f(M)
    Config.scale, helper.factor = 4, 5
    return first, f(M)


@program
def objects_are_let_go(compiled):
    """What a compiled function gets and has in its closure ends when nobody else has it."""

    def run():
        other = Box(M)

        @compiled
        def f(box, module, x):
            return module(x) + box.data + other.data.sum()

        owners = Box(M), torch.nn.Linear(2, 2)
        f(*owners, M)
        return [weakref.ref(owner) for owner in (*owners, other)]

    return [ref() is None for ref in run()]


@program
def weak_references_and_ids(compiled):
    @compiled
    def f(ref, x):
        return ref().data + x, id(x) == id(x), ref() is ref()

    box = Box(M)
    return error_of(lambda: f(weakref.ref(box), M))
