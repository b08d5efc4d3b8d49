"""``scipy.ndimage`` where the arrays are, beside SciPy: values, dtypes, shapes and errors."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
import scipy.ndimage
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import ndimage
from numpy_shim.scipy._ndimage import FUNCTIONS, ON_THE_HOST
from numpy_shim.scipy._ndimage.order import selection_network

from .beside import check_names, compare_calls, compare_values, outcome

RNG = numpy.random.default_rng(0)
FILTER_MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-wrap", "grid-constant")
ALL_MODES = (*FILTER_MODES, "grid-mirror")
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "int8", "uint16", "bool", "complex128")


LABELS = numpy.random.default_rng(1).integers(0, 4, (6, 7))
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def begin_again() -> None:
    """The numbers of a test do not depend on the tests before it."""
    RNG.bit_generator.state = START


def image(dtype: str, *shape: int) -> Any:
    values = RNG.normal(size=shape) * 40
    if dtype == "complex128":
        return values + 1j * RNG.normal(size=shape)
    if dtype == "bool":
        return values > 0
    return numpy.abs(values).astype(dtype) if dtype[0] == "u" else values.astype(dtype)


def compare(name: str, *args: Any, device: Any = "cpu", **kwargs: Any) -> None:
    """The same result, or the same error; numbers to the last digits of the largest of them."""
    compare_calls(FUNCTIONS[name], getattr(scipy.ndimage, name), args, kwargs, device)


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.ndimage, FUNCTIONS, ON_THE_HOST)


FILTERS: list[tuple[str, tuple[Any, ...]]] = [
    ("gaussian_filter", (1.3,)), ("gaussian_filter", ((0.7, 2.0),)), ("gaussian_laplace", (1.0,)),
    ("gaussian_gradient_magnitude", (1.0,)), ("uniform_filter", (3,)),
    ("uniform_filter", ((4, 1),)), ("sobel", ()), ("prewitt", (0,)), ("laplace", ()),
    ("convolve1d", ([1, 2.0, 4.0],)),
    ("correlate1d", ([1.0, -2.0],)), ("convolve", ([[0.0, 1.0], [1.0, 0.5]],)),
    ("correlate", (numpy.arange(15.0).reshape(3, 5),)), ("uniform_filter1d", (7,)),
]  # fmt: skip
ORDER: list[tuple[str, tuple[Any, ...]]] = [
    ("minimum_filter", (3,)), ("maximum_filter", ((2, 5),)), ("median_filter", (3,)),
    ("median_filter", ((1, 4),)), ("percentile_filter", (70, 4)), ("rank_filter", (2, 3)),
    ("minimum_filter1d", (4,)), ("maximum_filter1d", (9,)), ("grey_erosion", (3,)),
    ("grey_dilation", ((3, 2),)), ("grey_opening", (3,)), ("grey_closing", (3,)),
    ("white_tophat", (3,)), ("black_tophat", (3,)), ("morphological_gradient", (3,)),
    ("morphological_laplace", (3,)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "args"), FILTERS + ORDER, ids=str)
def test_filters(name: str, args: tuple[Any, ...], dtype: str, device: str):
    if dtype == "bool" and name in ("sobel", "prewitt"):
        pytest.skip("between the axes SciPy keeps numbers in Booleans")
    x = image(dtype, 9, 7)
    compare(name, x, *args, device=device)
    compare(name, x[::2, ::-1], *args, mode="constant", cval=2.5, device=device)


@pytest.mark.parametrize("mode", [*ALL_MODES, "no mode"])
@pytest.mark.parametrize(("name", "args"), FILTERS + ORDER, ids=str)
def test_modes_and_sizes_beyond_the_edges(name: str, args: tuple[Any, ...], mode: str):
    for shape in ((6, 5), (1, 4), (2, 1), (0, 3)):
        compare(name, image("float64", *shape), *args, mode=mode, cval=-1.5)


@pytest.mark.parametrize("origin", [-2, -1, 0, 1, 2])
def test_origins(origin: int):
    x = image("float64", 8, 6)
    for name, args in [*FILTERS[4:6], *FILTERS[9:], *ORDER[:12]]:
        compare(name, x, *args, origin=origin)
    compare("correlate", x, numpy.ones((3, 4)), origin=(origin, -origin))


def test_options():
    x = image("float64", 6, 7, 5)
    for axes in (0, (0, 2), (-1, 1)):
        compare("gaussian_filter", x, 1.0, axes=axes)
        compare("median_filter", x, 3, axes=axes)
        compare("minimum_filter", x, 3, axes=axes)
        compare("convolve", x, numpy.ones((3, 2)[: numpy.size(axes)]), axes=axes)
    footprint = numpy.array([[0, 1, 0], [1, 1, 0], [0, 1, 1]], bool)
    for name in ("minimum_filter", "maximum_filter", "median_filter", "grey_dilation"):
        compare(name, x[0], footprint=footprint)
        compare(name, x[0], size=3, footprint=footprint)
        compare(name, x[0])
    for dtype in ("int64", "float32", "int8"):
        relief = RNG.integers(0, 9, (3, 3))
        compare("grey_dilation", image(dtype, 6, 6), structure=relief)
        compare("grey_erosion", image(dtype, 6, 6), structure=relief)
    for order in (1, 2, 3, (0, 1, 2)):
        compare("gaussian_filter", x, 1.0, order=order)
    compare("gaussian_filter", x, 1.0, radius=2)
    compare("gaussian_filter", x, 1.0, truncate=2.0)
    compare("gaussian_filter", x, 1.0, mode=["reflect", "wrap", "constant"])
    compare("gaussian_filter1d", x, 1.0, axis=4)
    compare("correlate1d", x, [])
    compare("median_filter", x, 0)


@pytest.mark.parametrize("dtype", ["float32", "uint8", "int16", "int64", "bool", "complex64"])
@pytest.mark.parametrize(("name", "args"), [*FILTERS[:3], *ORDER[:4], ("zoom", (1.5,))], ids=str)
def test_outputs(name: str, args: tuple[Any, ...], dtype: str):
    if dtype == "bool" and name.startswith("gaussian_"):
        pytest.skip("between the axes SciPy keeps numbers in Booleans")
    x = image("float64", 6, 5)
    compare(name, x, *args, output=dtype)
    compare(name, x, *args, output=numpy.dtype(dtype))
    shape = getattr(scipy.ndimage, name)(x, *args).shape
    ours, theirs = np.zeros(shape, dtype), numpy.zeros(shape, dtype)
    found = outcome(FUNCTIONS[name], (np.asarray(x), *args), {"output": ours})
    expected = outcome(getattr(scipy.ndimage, name), (x, *args), {"output": theirs})
    if isinstance(expected, Exception):
        assert type(found) is type(expected)
    else:
        assert found is ours
        compare_values(ours, theirs, (name, dtype), "cpu")
    wrong = outcome(FUNCTIONS[name], (np.asarray(x), *args), {"output": np.zeros(3)})
    assert isinstance(wrong, RuntimeError), wrong


def test_infinities_spread_as_in_scipy():
    x = image("float64", 40)
    for at, value in ((7, numpy.inf), (20, -numpy.inf), (30, numpy.nan)):
        x[at] = value
        compare("uniform_filter1d", x, 5)
        compare("gaussian_filter1d", x, 1.0)
        compare("correlate1d", x, [1.0, 0.0, 2.0])
        compare("correlate", x, numpy.array([1.0, 0.0, 2.0]))
    compare("spline_filter1d", numpy.where(numpy.arange(300) == 7, numpy.nan, 1.0))


# --- interpolation ---


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("mode", [*ALL_MODES, "no mode"])
def test_interpolation(mode: str, order: int, device: str):
    # SciPy before 1.18 reads a coefficient that it has changed: seen in short reflected lines
    x, options = image("float64", 64, 60), {"order": order, "mode": mode, "cval": -3.0}
    places = RNG.uniform(-90, 150, (2, 90))
    compare("map_coordinates", x, places, device=device, **options)
    compare("map_coordinates", x, numpy.round(places), device=device, **options)
    compare("shift", x, (1.25, -2.5), device=device, **options)
    compare("shift", x, (70.0, 0.0), device=device, **options)
    compare("zoom", x, (1.7, 0.6), device=device, **options)
    compare("zoom", x, 2, grid_mode=True, device=device, **options)
    compare("affine_transform", x, [0.5, 1.5], (1.0, -3.0), device=device, **options)
    matrix = numpy.array([[0.8, -0.3], [0.4, 1.1]])
    compare("affine_transform", x, matrix, (1.0, -2.0), (5, 9), device=device, **options)
    compare("rotate", x, 33.0, device=device, **options)
    compare("rotate", x, 90, reshape=False, device=device, **options)
    compare("spline_filter1d", x, order, mode=mode, device=device)
    compare("spline_filter", x, order, mode=mode, device=device)


@pytest.mark.parametrize("dtype", DTYPES)
def test_interpolation_of_every_dtype(dtype: str):
    x = image(dtype, 6, 5)
    for order in (0, 1) if dtype == "bool" else (0, 1, 3):  # 1 - 1e-16 is False
        compare("zoom", x, 1.5, order=order)
        compare("map_coordinates", x, [[0, 1, 2.2], [3, 1.1, 0]], order=order)
        compare("shift", x, 0.7, order=order, output="uint8")
        compare("shift", x, 0.7, order=order, prefilter=False)
        compare("rotate", x, 10.0, order=order)


def test_small_and_odd_images():
    for shape in ((1,), (2,), (1, 3), (3, 2, 2)):
        x = image("float64", *shape)
        compare("spline_filter", x)
        compare("zoom", x, 2)
        for mode in ("reflect", "wrap", "mirror", "grid-wrap", "nearest", "constant"):
            compare("shift", x, 0.4, mode=mode, order=1 if mode == "reflect" else 3)
            compare("shift", x, 3.4, mode=mode, order=1)
    compare("map_coordinates", numpy.float64(3.0), [[1.0]])
    compare("map_coordinates", image("float64", 3, 3), [[1.0]])
    compare("affine_transform", image("float64", 3, 3), numpy.eye(3))
    compare("affine_transform", image("float64", 3, 3), numpy.ones((2, 3)))
    compare("affine_transform", image("float64", 3, 3), numpy.ones((4, 4)))
    compare("rotate", image("float64", 3), 3.0)
    compare("rotate", image("float64", 3, 4, 2), 30.0, axes=(0, 2))
    compare("zoom", image("float64", 3), [1, 2])
    compare("spline_filter1d", image("float64", 400), 5)


# --- spectra, shapes and measurements ---


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int32"])
def test_fourier(dtype: str):
    x = image("float64", 8, 5).astype(dtype)
    for name in ("fourier_gaussian", "fourier_uniform", "fourier_ellipsoid"):
        compare(name, x, 2.5)
        compare(name, x, (2.5, 9.0), 12, 0)
        compare(name, x[0], 1.5)
        compare(name, x, 0.0)
    compare("fourier_shift", x, (1.5, -2))
    compare("fourier_shift", x, 1.0, 9, -1)


STRUCTURES = [None, numpy.ones((3, 3)), numpy.array([[1, 1]]), numpy.array([[0, 1], [1, 1]]),
              numpy.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]])]  # fmt: skip


@pytest.mark.parametrize("structure", STRUCTURES, ids=repr)
def test_binary_shapes(structure: Any, device: str):
    x = RNG.random((9, 11)) > 0.3
    mask = RNG.random((9, 11)) > 0.2
    odd = structure is None or all(
        n % 2 for n in structure.shape
    )  # SciPy reads what is not its own
    for name in ("binary_erosion", "binary_dilation"):
        for iterations, edge, brute in itertools.product((1, 2, 3, 0), (0, 1), (False, True)):
            if not (odd or brute or iterations == 1):
                continue
            options = {"iterations": iterations, "border_value": edge, "brute_force": brute}
            compare(name, x, structure, device=device, **options)
            compare(name, x, structure, mask=mask, device=device, **options)
        if odd:
            compare(name, x.astype(int) * 3, structure, origin=-1, device=device)
    for name in ("binary_opening", "binary_closing", "binary_fill_holes"):
        compare(name, x, structure, device=device)
    compare("binary_propagation", x & (RNG.random(x.shape) > 0.5), structure, mask=x, device=device)
    compare("binary_hit_or_miss", x, structure, device=device)
    compare("label", x, structure, device=device)


def test_labels():
    for shape in ((40, 41), (200,), (6, 7, 8), (0, 3), ()):
        for share in (0.0, 0.4, 0.6, 1.0):
            x = numpy.asarray(RNG.random(shape) < share)
            compare("label", x)
            compare("label", x, numpy.ones([3] * x.ndim))
            compare("label", x.astype(float) * 2.5, output="int64")
    snake = numpy.zeros((31, 31), int)  # one long path
    snake[::2] = 1
    snake[1::4, -1] = snake[3::4, 0] = 1
    compare("label", snake)
    compare("label", numpy.eye(600, dtype=int), output="uint8")
    compare("label", numpy.eye(3), [[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    compare("label", numpy.eye(3) * 1j)
    out = np.zeros((3, 3), "int32")
    assert FUNCTIONS["label"](np.eye(3), output=out) == 3
    assert out.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 3]]


def test_distances(device: str):
    for shape in ((7,), (9, 12), (1, 5), (5, 6, 4), (30, 30)):
        for share in (0.0, 0.5, 0.9, 1.0):
            x = RNG.random(shape) < share
            for metric in ("chessboard", "taxicab"):
                compare("distance_transform_cdt", x, metric, device=device)
            compare("distance_transform_edt", x, device=device)
            compare("distance_transform_edt", x, return_indices=True, device=device)
            compare("distance_transform_edt", x, 0.5, device=device)
    x = RNG.random((11, 13)) < 0.9
    compare("distance_transform_edt", x, (2.0, 0.3), return_indices=True, device=device)
    for share in (0.9, 0.9995):  # near, and too far for single steps
        x = RNG.random((150, 120)) < share
        for sampling in (None, (2, 3), (0.3, 1), (50, 1)):
            compare("distance_transform_edt", x, sampling, return_indices=True, device=device)
    compare("distance_transform_edt", x, return_distances=False, device=device)
    compare("distance_transform_cdt", x, "no metric", device=device)
    compare("distance_transform_cdt", x, numpy.ones((3, 3), bool), device=device)
    with pytest.raises(NotImplementedError, match="nearest elements"):
        FUNCTIONS["distance_transform_cdt"](np.asarray(x, device=device), return_indices=True)


@pytest.mark.parametrize("metric", ["euclidean", "taxicab", "chessboard", "no metric"])
def test_distances_by_brute_force(metric: str, device: str):
    for shape in ((7,), (9, 12), (1, 5), (5, 6, 4), (0, 3)):
        for share in (0.0, 0.5, 0.9, 1.0):
            x = RNG.random(shape) < share
            for options in ({}, {"return_indices": True}, {"sampling": 0.3}):
                compare("distance_transform_bf", x, metric, device=device, **options)
    out = np.zeros((9, 12), "float64" if metric == "euclidean" else "uint32", device=device)
    x = RNG.random((9, 12)) < 0.8
    if metric != "no metric":
        found = FUNCTIONS["distance_transform_bf"](np.asarray(x, device=device), metric)
        FUNCTIONS["distance_transform_bf"](np.asarray(x, device=device), metric, distances=out)
        assert out.tolist() == found.tolist()


# --- functions of the program ---


def second(x: Any, axis: int, output: Any, mode: str, cval: float, factor: float = 1.0) -> Any:
    module = OURS if isinstance(x, np.ndarray) else scipy.ndimage
    return module.correlate1d(x, [factor, -2.0, factor], axis, output, mode, cval)


OURS = SimpleNamespace(**FUNCTIONS)


def neighbours(line: Any, out: Any, factor: float = 1.0) -> None:
    out[...] = line[:-2] + line[1:-1] * factor + line[2:]


OF_PROGRAMS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("generic_laplace", (second,), {}),
    ("generic_laplace", (second,), {"axes": (1,), "mode": "wrap", "extra_arguments": (3.0,)}),
    ("generic_gradient_magnitude", (second,), {}),
    ("generic_gradient_magnitude", (second,), {"extra_keywords": {"factor": 0.5}}),
    ("generic_filter", (lambda w: w.max() - w.min(), 3), {}),
    ("generic_filter", (lambda w: w.mean(), (2, 3)), {"mode": "constant", "cval": 2.5}),
    ("generic_filter", (lambda w, k: w.sum() * k,), {
        "footprint": [[1, 0, 1]], "origin": (0, 1), "extra_arguments": (2.0,)}),
    ("generic_filter", (lambda w: 1, 2), {"output": "uint8"}),
    ("generic_filter", (lambda w: "a", 2), {}),
    ("generic_filter", (7, 2), {}),
    ("generic_filter1d", (neighbours, 3), {}),
    ("generic_filter1d", (neighbours, 3), {
        "axis": 0, "mode": "mirror", "extra_keywords": {"factor": 2.0}}),
    ("generic_filter1d", (7, 3), {}),
    ("geometric_transform", (lambda c: (c[0] - 0.5, c[1] * 0.9),), {}),
    ("geometric_transform", (lambda c, by: (c[1] * by, c[0]),), {
        "output_shape": (3, 4), "order": 1, "mode": "nearest", "extra_arguments": (0.25,)}),
    ("geometric_transform", (lambda c: (1,),), {}),
    ("geometric_transform", (lambda c: "ab",), {}),
    ("vectorized_filter", (lambda w, axis: w.mean(axis=axis),), {"size": 3}),
    ("vectorized_filter", (lambda w, axis: w.max(axis=axis),), {
        "footprint": [[False, True], [True, True]], "mode": "wrap"}),
    ("labeled_comprehension", (LABELS, [1, 3], lambda v: v.sum(dtype=float), float, -1), {}),
    ("labeled_comprehension", (LABELS, 2, lambda v: v.mean(dtype=float), float, -1), {}),
    ("labeled_comprehension", (LABELS, None, lambda v: v.mean(dtype=float), float, -1), {}),
    ("labeled_comprehension", (
        LABELS, numpy.array([0, 9]), lambda v, p: v.max() + p.max(), float, -1, True), {}),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "bool"])
@pytest.mark.parametrize(
    ("name", "args", "options"), OF_PROGRAMS, ids=[f"{i}" for i in range(len(OF_PROGRAMS))]
)
def test_functions_of_the_program(
    name: str, args: Any, options: dict[str, Any], dtype: str, device: str
):
    compare(name, image(dtype, 6, 7), *args, device=device, **options)


def test_errors_of_the_programs_function_are_raised_once():
    calls = []

    def failing(values: Any) -> float:
        calls.append(values)
        raise ValueError("of the program")

    with pytest.raises(ValueError, match="of the program"):
        ndimage.generic_filter(np.ones((3, 3), device="npy"), failing, 3)
    assert len(calls) == 1


def test_functions_of_the_program_have_gradients():
    x = torch.tensor(image("float64", 4, 5), requires_grad=True)
    for name, args in (
        ("generic_filter", (lambda w: (w * w).sum(), 3)),
        ("generic_filter1d", (neighbours, 3)),
        ("geometric_transform", (lambda c: (c[0] - 0.5, c[1] * 0.9),)),
        ("generic_laplace", (second,)),
    ):
        assert torch.autograd.gradcheck(
            lambda t, name=name, args=args: FUNCTIONS[name](np.asarray(t), *args).tensor, (x,),
            atol=1e-6,
        )  # fmt: skip


def test_measurements(device: str):
    x, labels = image("float64", 6, 7), RNG.integers(0, 4, (6, 7))
    for name in ("sum", "sum_labels", "mean", "variance", "standard_deviation", "minimum",
                 "maximum", "median", "minimum_position", "maximum_position", "extrema",
                 "center_of_mass"):  # fmt: skip
        compare(name, x, device=device)
        compare(name, x, labels, device=device)
        compare(name, x, labels, 2, device=device)
        compare(name, x, labels, [1, 3], device=device)
        compare(name, x, labels, numpy.array([0, 1, 9]), device=device)
        compare(name, x.astype(int), labels, [1, 2], device=device)
    compare("histogram", x, -50, 50, 7, device=device)
    compare("histogram", x, -50, 50, 7, labels, device=device)
    compare("histogram", x, -50, 50, 7, labels, 2)  # on a device of the host: an array of objects
    compare("generate_binary_structure", 2, 1)
    compare("iterate_structure", numpy.eye(3) > 0, 2)


# --- gradients, graphs ---


@pytest.mark.parametrize(
    "name_and_args",
    [*FILTERS[:9], ("minimum_filter", (3,)), ("median_filter", (3,)), ("zoom", (1.5,)),
     ("shift", (0.3,)), ("rotate", (20.0,)), ("spline_filter", ()), ("grey_closing", (3,))],
    ids=str,
)  # fmt: skip
def test_gradients(name_and_args: Any):
    name, args = name_and_args
    t = torch.tensor(image("float64", 5, 4), requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda t: FUNCTIONS[name](np.asarray(t), *args).tensor, (t,), atol=1e-6
    )


@pytest.mark.parametrize("count", [7, 40])
def test_gradient_of_coordinates_and_weights(count: int):
    x = torch.tensor(image("float64", 6, 5), requires_grad=True)
    places = torch.tensor(RNG.uniform(0.2, 3.8, (2, count)), requires_grad=True)
    weights = torch.tensor(RNG.normal(size=(3, 3)), requires_grad=True)

    def sampled(x: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return FUNCTIONS["map_coordinates"](np.asarray(x), np.asarray(places)).tensor

    def weighed(x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return FUNCTIONS["convolve"](np.asarray(x), np.asarray(weights)).tensor

    assert torch.autograd.gradcheck(sampled, (x, places))
    assert torch.autograd.gradcheck(weighed, (x, weights))


def test_the_network_selects():
    for count in range(1, 26):
        for rank in range(count):
            for _ in range(4):
                values = list(RNG.integers(0, 9, count))
                sorted_values = sorted(values)
                for i, j, used in selection_network(count, rank):
                    low, high = min(values[i], values[j]), max(values[i], values[j])
                    values[i] = low if used != "high" else None
                    values[j] = high if used != "low" else None
                assert values[rank] == sorted_values[rank]


TRACED: list[tuple[str, tuple[Any, ...]]] = [
    ("gaussian_filter", (1.0,)), ("uniform_filter", (3,)), ("sobel", ()), ("zoom", (2,)),
    ("shift", (1.5,)), ("map_coordinates", ([[1.2, 3.0], [0.0, 2.2]],)), ("mean", ()),
    ("spline_filter", ()), ("map_coordinates", ([[1.2] * 50, [2.2] * 50],)),
]  # fmt: skip
BROKEN = [("median_filter", (3,)), ("binary_erosion", ()), ("label", ())]


@pytest.mark.parametrize(("name", "args"), TRACED + BROKEN, ids=str)
def test_compiled(name: str, args: tuple[Any, ...]):
    """In one graph, or, where values decide what is done, after the end of a graph."""
    torch.compiler.reset()
    function = getattr(ndimage, name)
    whole = (name, args) in TRACED
    x = image("float64", 7, 6)
    compiled = torch.compile(lambda a: function(a + 1, *args), backend="eager", fullgraph=whole)
    theirs = getattr(scipy.ndimage, name)(x + 1, *args)
    compare_values(compiled(np.asarray(x)), theirs, name, "cpu")
