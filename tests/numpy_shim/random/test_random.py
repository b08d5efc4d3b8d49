"""Random numbers: NumPy's own, bit for bit, and torch's where that stream is chosen."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare

DRAWS: list[tuple[str, tuple[Any, ...]]] = [
    ("beta", (1.0, 2.0)), ("binomial", (10, 0.3)), ("chisquare", (2.0,)), ("exponential", (2.0,)),
    ("f", (2.0, 3.0)), ("gamma", (2.0, 1.5)), ("geometric", (0.3,)), ("gumbel", (0.0, 1.0)),
    ("hypergeometric", (5, 6, 7)), ("laplace", (0.0, 2.0)), ("logistic", (1.0, 2.0)),
    ("lognormal", (0.0, 1.0)), ("logseries", (0.5,)), ("negative_binomial", (3, 0.4)),
    ("noncentral_chisquare", (2.0, 3.0)), ("noncentral_f", (2.0, 3.0, 1.0)), ("normal", (1.0, 2.0)),
    ("pareto", (2.0,)), ("poisson", (3.0,)), ("power", (2.0,)), ("rayleigh", (2.0,)),
    ("standard_cauchy", ()), ("standard_exponential", ()), ("standard_gamma", (2.0,)),
    ("standard_normal", ()), ("standard_t", (3.0,)), ("triangular", (0.0, 1.0, 2.0)),
    ("uniform", (-1.0, 1.0)), ("vonmises", (0.0, 1.0)), ("wald", (1.0, 2.0)), ("weibull", (2.0,)),
    ("zipf", (2.0,)),
]  # fmt: skip
VECTORS: list[tuple[str, tuple[Any, ...]]] = [
    ("dirichlet", ([1.0, 2.0, 3.0],)), ("multinomial", (10, [0.2, 0.3, 0.5])),
    ("multivariate_normal", ([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]])),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args"), DRAWS + VECTORS, ids=lambda v: str(v)[:20])
@pytest.mark.parametrize("size", [None, 3, (2, 3), 0])
def test_streams_are_numpys(name: str, args: tuple[Any, ...], size: Any):
    """Of the legacy functions, ``RandomState`` and ``Generator``; arrays and Python numbers."""

    def body(np: Any) -> Any:
        np.random.seed(7)
        return [
            getattr(source, name)(*args, size=size)
            for source in (np.random, np.random.RandomState(1), np.random.default_rng(1))
        ]

    compare(body, allow_numpy=True)


@pytest.mark.parametrize(("name", "args"), [d for d in DRAWS if d[1]], ids=lambda v: str(v)[:20])
def test_parameters_are_arrays(name: str, args: tuple[Any, ...]):
    """Parameters that broadcast, as arrays of ours."""

    def body(np: Any) -> Any:
        given = [np.array([[a], [a]]) for a in args]
        rng = np.random.default_rng(3)
        return getattr(rng, name)(*given), getattr(rng, name)(*given, size=(2, 4))

    compare(body, allow_numpy=True)


def test_integers():
    """Dtypes, bounds and what is refused."""
    for low, high, dtype in [(5, None, int), (0, 5, "uint8"), (-5, 5, "int16"), (0, 2**63, "u8"),
                             (5, 0, int), (0, 300, "uint8"), (0, 2, bool)]:  # fmt: skip
        compare(lambda np, a=low, b=high, d=dtype: np.random.default_rng(1).integers(a, b, 5, d),
                allow_numpy=True)  # fmt: skip
        compare(lambda np, a=low, b=high, d=dtype: np.random.RandomState(1).randint(a, b, 5, d),
                allow_numpy=True)  # fmt: skip
    compare(lambda np: np.random.default_rng(1).integers(np.array([1, 5]), endpoint=True),
            allow_numpy=True)  # fmt: skip
    compare(lambda np: np.random.default_rng(1).integers(0, 9, 3, np.int32), allow_numpy=True)


def test_shapes_of_rand():
    compare(lambda np: [np.random.RandomState(1).rand(2, 3), np.random.RandomState(1).randn(),
                        np.random.RandomState(1).random((2, 1)), np.random.RandomState(1).rand(-1)],
            allow_numpy=True)  # fmt: skip


@pytest.mark.parametrize("shape", [(5,), (4, 3), (1,), (0,)])
@pytest.mark.parametrize("dtype", ["float64", "uint16", "bool"])
def test_reordering(shape: tuple[int, ...], dtype: str):
    """``permutation``, ``shuffle`` and ``choice`` of arrays: NumPy's order, on the device."""
    spec = Spec(numpy.arange(numpy.prod(shape)).reshape(shape).astype(dtype))

    def body(np: Any, x: Any) -> Any:
        results = []
        for rng in (np.random.default_rng(5), np.random.RandomState(5)):
            results.append(rng.permutation(x))
            rng.shuffle(x)
            results.append(rng.permutation(4))
            if x.shape[0]:
                rng_choice = rng.choice(x[:, 0] if len(shape) > 1 else x, 3)
                results += [rng_choice, rng.choice(6, (2, 2)), rng.choice(6, 3, False)]
                results.append(rng.choice(4, p=[0.1, 0.2, 0.3, 0.4]))
        return results

    compare(body, spec, allow_numpy=True)


def test_axis_of_a_generator():
    spec = Spec(numpy.arange(12.0).reshape(3, 4))

    def body(np: Any, x: Any) -> Any:
        rng = np.random.default_rng(5)
        rng.shuffle(x, axis=1)
        return [
            rng.permutation(x, axis=1), rng.permuted(x, axis=0), rng.permuted(x),
            rng.choice(x, 2, axis=1), rng.choice(x, (2, 2), axis=0, shuffle=False),
        ]  # fmt: skip

    compare(body, spec, allow_numpy=True)


SHUFFLERS = ["np.random.default_rng(3)", "np.random.RandomState(3)", "np.random"]
VIEWS = ["a", "a[::-1]", "a[::2]", "a[1:4]", "a.T", "a[..., ::-1]", "np.asfortranarray(a)"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("shape", [(7,), (7, 2), (3, 2, 4), (1, 3), (0, 3)])
@pytest.mark.parametrize("shuffler", SHUFFLERS)
def test_shuffle(shuffler: str, shape: tuple[int, ...], view: str):
    """NumPy's order, along each axis; a view writes to its base, and no row is lost."""

    def body(np: Any) -> Any:
        np.random.seed(3)
        source = eval(shuffler, {"np": np})
        results = []
        for axis in range(len(shape) if "default_rng" in shuffler else 1):
            a = np.arange(int(numpy.prod(shape))).reshape(shape)
            x = eval(view, {"np": np, "a": a})
            source.shuffle(x, axis) if axis else source.shuffle(x)
            results += [a, x]
        return results

    compare(body, allow_numpy=True)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("shape", [(7,), (7, 2), (3, 2, 4)])
@pytest.mark.parametrize("shuffler", SHUFFLERS)
def test_shuffle_of_the_native_stream(shuffler: str, shape: tuple[int, ...], view: str):
    """Slices along the axis change their order, and none is lost or repeated."""
    np = numpy_shim
    for axis in range(len(shape) if "default_rng" in shuffler else 1):
        a = np.arange(int(numpy.prod(shape))).reshape(shape)
        x = eval(view, {"np": np, "a": a})
        before = numpy.moveaxis(numpy.array(x.tolist()), axis, 0)
        with np.random.set_stream("torch"):
            source = eval(shuffler, {"np": np})
            source.shuffle(x, axis) if axis else source.shuffle(x)
        after = numpy.moveaxis(numpy.array(x.tolist()), axis, 0)
        assert sorted(after.tolist()) == sorted(before.tolist())
        assert sorted(a.reshape(-1).tolist()) == list(range(a.size))


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_out(name: str, dtype: str):
    """``out`` is filled and returned; another dtype is refused."""

    def body(np: Any, x: Any) -> Any:
        returned = getattr(np.random.default_rng(2), name)(out=x, dtype=dtype)
        return returned is x

    compare(body, Spec(numpy.zeros((2, 3), dtype)), allow_numpy=True)
    compare(body, Spec(numpy.zeros((2, 3), "int64")), allow_numpy=True)


def test_state():
    """Seeding, states, pickling, spawning; the global state is NumPy's own."""
    numpy_shim.random.seed(3)
    assert numpy.random.rand() == numpy_shim.random.RandomState(3).rand()
    state = numpy_shim.random.get_state()
    first = numpy_shim.random.rand(3)
    numpy_shim.random.set_state(state)
    assert first.tolist() == numpy_shim.random.rand(3).tolist()
    for rng in (numpy_shim.random.default_rng(1), numpy_shim.random.RandomState(1)):
        twin, other = pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)
        values = rng.normal(size=2).tolist()
        assert values == twin.normal(size=2).tolist() == other.normal(size=2).tolist()
    compare(lambda np: [g.random() for g in np.random.default_rng(1).spawn(2)], allow_numpy=True)
    rng = numpy_shim.random.Generator(numpy_shim.random.Philox(2))
    assert rng.random() == numpy.random.Generator(numpy.random.Philox(2)).random()
    assert numpy_shim.random.default_rng(rng) is rng


@pytest.mark.parametrize("cls", ["Generator", "RandomState"])
def test_surface(cls: str):
    """Every public method of NumPy's, with its signature."""
    ours, theirs = getattr(numpy_shim.random, cls), getattr(numpy.random, cls)
    for name in dir(theirs):
        if not name.startswith("_"):
            assert hasattr(ours, name), name
            if callable(getattr(theirs, name)):
                assert inspect.signature(getattr(ours, name)) == inspect.signature(
                    getattr(theirs, name)
                ), name
    assert set(numpy.random.__all__) <= set(numpy_shim.random.__all__)


NATIVE_MEANS = {
    "normal": ((1.0, 2.0), 1.0), "uniform": ((0.0, 4.0), 2.0), "exponential": ((2.0,), 2.0),
    "gamma": ((2.0, 1.5), 3.0), "beta": ((1.0, 3.0), 0.25), "poisson": ((3.0,), 3.0),
    "binomial": ((10, 0.3), 3.0), "laplace": ((1.0, 1.0), 1.0), "logistic": ((1.0, 1.0), 1.0),
    "gumbel": ((0.0, 1.0), 0.5772), "rayleigh": ((2.0,), 2.5066), "geometric": ((0.4,), 2.5),
    "chisquare": ((3.0,), 3.0), "lognormal": ((0.0, 0.5), 1.1331), "power": ((2.0,), 0.6667),
    "weibull": ((2.0,), 0.8862), "pareto": ((5.0,), 0.25), "standard_normal": ((), 0.0),
    "standard_exponential": ((), 1.0), "standard_gamma": ((2.0,), 2.0), "random": ((), 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", NATIVE_MEANS)
def test_native_stream(name: str):
    """torch's numbers have the distribution's mean, and repeat with the seed."""
    args, mean = NATIVE_MEANS[name]
    with numpy_shim.random.set_stream("torch"):
        rng = numpy_shim.random.default_rng(11)
        drawn = getattr(rng, name)(*args, size=20_000)._tensor.double()
        again = getattr(numpy_shim.random.default_rng(11), name)(*args, size=20_000)._tensor
    assert abs(drawn.mean().item() - mean) < 0.1
    assert torch.equal(drawn, again.double())


def test_native_stream_traces():
    """Drawing from torch's own generator leaves a trace whole."""

    def noise(x: Any) -> Any:
        return x + numpy_shim.random.normal(size=3) * numpy_shim.random.rand(3)

    with numpy_shim.random.set_stream("torch"):
        compiled = torch.compile(noise, backend="eager", fullgraph=True)
        assert compiled(numpy_shim.asarray([1.0, 2.0, 3.0])).shape == (3,)


def test_native_stream_refuses_what_it_has_not():
    with numpy_shim.random.set_stream("torch"):
        with pytest.raises(NotImplementedError, match="vonmises"):
            numpy_shim.random.vonmises(0.0, 1.0)
        assert numpy_shim.random.get_stream() == "torch"
    assert numpy_shim.random.get_stream() == "numpy"
    with pytest.raises(ValueError, match="stream must be"):
        numpy_shim.random.set_stream("other")


KINDS = ["MT19937", "PCG64", "PCG64DXSM", "SFC64", "Philox"]


@pytest.mark.parametrize("kind", KINDS)
def test_bit_generators_take_arrays(kind: str):
    """As a seed, and in a state; what they become is of the same kind."""
    made = getattr(numpy_shim.random, kind)(numpy_shim.array([1, 2]))
    theirs = getattr(numpy.random, kind)([1, 2])
    assert made.random_raw() == theirs.random_raw()
    for value in made.state.get("state", {}).values():
        assert type(value) is not numpy.ndarray
    state = made.state
    drawn = made.random_raw(3)
    made.state = state
    assert (made.random_raw(3) == drawn).all()
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made) is type(made.spawn(1)[0])
    assert again.random_raw() == made.random_raw()


def test_seed_sequence_takes_arrays():
    ours = numpy_shim.random.SeedSequence(numpy_shim.array([1, 2]))
    theirs = numpy.random.SeedSequence([1, 2])
    assert (ours.generate_state(4) == theirs.generate_state(4)).all()
    assert type(ours.spawn(1)[0]) is numpy_shim.random.SeedSequence
    drawn = float(numpy_shim.random.default_rng(ours).random())
    assert drawn == numpy.random.default_rng(theirs).random()


def test_generators_share_and_name_themselves():
    np = numpy_shim
    state = np.random.RandomState(3)
    generator = np.random.default_rng(state)
    assert generator.bit_generator is state._bit_generator
    assert repr(generator) == f"Generator(MT19937) at 0x{id(generator):X}"
    assert repr(state) == f"RandomState(MT19937) at 0x{id(state):X}"
    other = np.random.RandomState(4)
    other.__setstate__(state.__getstate__())
    assert float(other.rand()) == float(state.rand())
    name, key, *rest = state.get_state()
    other.set_state((name, np.asarray(key), *rest))
    assert float(other.rand()) == float(state.rand())


@pytest.mark.parametrize("axis", [1, 5, -3])
def test_wrong_axes(axis: int):
    compare(lambda np: np.random.default_rng(0).shuffle(np.arange(3), axis), allow_numpy=True)
    compare(lambda np: np.random.default_rng(0).permutation(np.arange(3), axis), allow_numpy=True)
    compare(lambda np: np.random.default_rng(0).shuffle(np.array(3)), allow_numpy=True)
    compare(lambda np: np.random.RandomState(0).shuffle(np.array(3)), allow_numpy=True)


def test_out_with_gaps():
    compare(lambda np: np.random.default_rng(0).random(out=np.zeros(6)[::2]), allow_numpy=True)


@pytest.mark.parametrize("kind", KINDS)
def test_generators_from_old_pickles(kind: str):
    """Which name the bit generator, and do not hold it."""
    for cls in ("Generator", "RandomState"):
        made = getattr(numpy_shim.random, cls)(getattr(numpy_shim.random, kind)(3))
        restore, _, _ = made.__reduce__()
        again = restore(kind)
        assert type(again) is type(made)
        assert type(again._bit_generator if cls == "RandomState" else again.bit_generator) is (
            getattr(numpy_shim.random, kind)
        )


def test_the_global_state_of_another_kind():
    """``seed`` and ``mtrand`` see the bit generator that was set."""
    np = numpy_shim
    before = np.random.get_bit_generator()
    try:
        bits = np.random.PCG64(1)
        np.random.set_bit_generator(bits)
        assert np.random.mtrand._rand._bit_generator is bits
        np.random.seed(5)
        drawn = np.random.mtrand.randint(0, 1000, 4)
        assert drawn.tolist() == numpy.random.RandomState(numpy.random.PCG64(5)).randint(
            0, 1000, 4
        ).tolist()  # fmt: skip
    finally:
        np.random.set_bit_generator(before)


def test_states_hold_arrays():
    """Of the legacy generators too, in both forms."""
    for source in (numpy_shim.random, numpy_shim.random.RandomState(1)):
        state = source.get_state()
        assert type(state[1]) is numpy_shim.ndarray
        source.set_state(state)
        state = source.get_state(legacy=False)
        assert type(state["state"]["key"]) is numpy_shim.ndarray
        source.set_state(state)
    assert type(numpy_shim.random.RandomState(1)._bit_generator) is numpy_shim.random.MT19937


@pytest.mark.parametrize("kind", KINDS)
def test_raw_bits(kind: str):
    def body(np: Any) -> Any:
        made = getattr(np.random, kind)(3)
        return made.random_raw(), made.random_raw((2, 3)), made.random_raw(2, False)

    compare(body, allow_numpy=True)


def test_seed_sequences_of_the_user():
    """Give arrays of ours; only one that says so has children."""

    class Zeros:
        def generate_state(self, n_words: int, dtype: Any = numpy.uint32) -> Any:
            return numpy_shim.zeros(n_words, dtype)

    class Spawning(Zeros):
        def spawn(self, n_children: int) -> list[Any]:
            return [Spawning() for _ in range(n_children)]

    numpy_shim.random.bit_generator.ISeedSequence.register(Zeros)
    given = Zeros()
    rng = numpy_shim.random.default_rng(given)
    assert rng.bit_generator.seed_seq is given
    with pytest.raises(TypeError, match="does not implement spawning"):
        rng.spawn(2)
    numpy_shim.random.bit_generator.ISpawnableSeedSequence.register(Spawning)
    children = numpy_shim.random.default_rng(Spawning()).spawn(2)
    assert [type(c.bit_generator.seed_seq) for c in children] == [Spawning, Spawning]
    assert float(children[0].random()) == float(rng.random())


def test_shuffling_what_is_no_array():
    """Other objects than sequences give a warning at the caller's line; tensors count as arrays."""
    compare(lambda np: _shuffled(np, [1, 2, 3, 4]), allow_numpy=True)
    for source in (numpy_shim.random, numpy_shim.random.default_rng(0)):
        with pytest.warns(UserWarning, match="you are shuffling a 'dict' object") as found:
            source.shuffle({0: 0, 1: 1})
        assert [w.filename for w in found] == [__file__]
    tensor, array = torch.arange(12).reshape(6, 2), numpy.arange(12).reshape(6, 2)
    numpy_shim.random.default_rng(1).shuffle(tensor)
    numpy.random.default_rng(1).shuffle(array)
    assert tensor.tolist() == array.tolist()


def _shuffled(np: Any, x: list[int]) -> list[int]:
    np.random.RandomState(2).shuffle(x)
    return x
