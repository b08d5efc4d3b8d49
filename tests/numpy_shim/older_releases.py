"""The tests that need a newer release of NumPy, to compare with, or of torch, to compile.

numpy_shim does what the later NumPy does, whichever is installed: these are additions, mended bugs,
and what had been deprecated for years. What an older torch cannot trace runs all the same, but for
``fullgraph=True``. Each entry is expected to fail beside an older release, and one that does not is
an error.
"""

from __future__ import annotations

import fnmatch
from typing import NamedTuple


class Since(NamedTuple):
    """The tests that need a release, by file, function and a pattern of the rest."""

    release: tuple[int, int]
    reason: str
    tests: tuple[str, ...]


V2_2, V2_3, V2_4 = (2, 2), (2, 3), (2, 4)

NUMPY: list[Since] = [
    Since(V2_2, "has matvec and vecmat", (
        "test_errstate.py::test_warnings_are_numpys[np.matvec(*",
        "test_errstate.py::test_warnings_are_numpys[np.vecmat(*",
        "test_matrix.py::test_call[np.matvec(*",
        "test_matrix.py::test_call[np.vecmat(*",
        "test_matrix.py::test_dtypes[matvec]",
        "test_matrix.py::test_dtypes[vecmat]",
    )),
    Since(V2_2, "the truth of an empty array is an error", (
        "test_assigned_values.py::test_values_that_are_written[bool-a[0] = {}-np.ones(0)]",
        "test_assigned_values.py::test_values_that_are_written[bool-a.fill({})-np.ones(0)]",
        "test_assigned_values.py::test_values_that_are_written[bool-a[::-1].fill({})-np.ones(0)]",
        "test_assigned_values.py::test_values_that_are_written[bool-a.flat[0] = {}-np.ones(0)]",
        "test_ndarray_protocols.py::test_conversion[bool]",
    )),
    Since(V2_2, "counts uint64, and refuses bins that floats cannot tell apart", (
        "test_histograms.py::test_bincount_of_every_dtype[uint64]",
        "test_histograms.py::test_arguments_and_errors[np.histogram([1.0, 1.0 + 1e-15], 100)]",
    )),
    Since(V2_2, "trims along any axis, and inserts by a mask", (
        'test_rearranging.py::test_call[np.trim_zeros(np.array([0, 0]), "x")]',
        'test_refusals.py::test_call_is_refused_as_documented[np.trim_zeros(*, "x")]',
        "test_rearranging.py::test_call[np.trim_zeros(np.array([[0, 0], [0, 1]]))]",
        "test_rearranging.py::test_call[np.trim_zeros(np.array([[0, 0], [0, 1]]), axis=0)]",
        "test_rearranging.py::test_call[np.insert([1, 2, 3], np.array([True, False, True]), 9)]",
    )),
    Since(V2_2, "an index out of bounds beside an axis without elements is an error", (
        "test_indexing.py::test_masks_and_indices_of_every_dtype",
    )),
    Since(V2_2, "makes a generator of a RandomState", (
        "test_random.py::test_generators_share_and_name_themselves",
    )),
    Since(V2_3, "booleans are no integers, nor None a shape, nor 'r' a side", (
        "test_creation.py::test_call[np.zeros(None)]",
        "test_histograms.py::test_arguments_and_errors[np.bincount([1, 2, 2], minlength=None)]",
        "test_ndarray_methods.py::test_places_of_a_partition[[True]]",
        "test_ndarray_methods.py::test_places_of_a_partition[True]",
        "test_ndarray_methods.py::test_places_of_a_partition[array(True)]",
        "test_ndarray_protocols.py::test_conversion_of_scalars[index]",
        "test_scalars.py::test_sequences_are_repeated[bool-[0, 1]]",
        "test_scalars.py::test_sequences_are_repeated[bool-(1,)]",
        "test_scalars.py::test_sequences_are_repeated[bool-ab*",
        "test_searching.py::test_call[np.searchsorted([1, 2, 3], 2, side=\"r\")]",
        "test_sorting.py::test_call[np.partition([3, 1], True)]",
        'test_options.py::test_call[np.add([1, 2], [1, 2], signature="i")]',
        'test_options.py::test_call[np.add([1, 2], [1, 2], signature=("i4",))]',
    )),
    Since(V2_3, "warns of an overflow in a product, and of that in a square as one", (
        "test_errstate.py::test_warnings_are_numpys[np.array([1e200]) ** 2.0]",
        "test_errstate.py::test_warnings_are_numpys[np.array([1e308]).dot(np.array([10.0]))]",
        "test_errstate.py::test_warnings_are_numpys[np.dot(*",
        "test_errstate.py::test_warnings_are_numpys[np.inner(np.full((2, 2), 1e308)*",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.multi_dot(*",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.norm(np.array([1e200, 1e200]))]",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.norm(np.array([1e200j, 1]))]",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.norm(np.array([6e4, 6e4]*",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.norm(np.array([[1e308, 1e308]])*",
        "test_errstate.py::test_warnings_are_numpys[np.linalg.norm(np.full((2, 2), 1e200)*",
        "test_errstate.py::test_warnings_are_numpys[np.tensordot(*",
    )),
    Since(V2_3, "text that is no number is an error", (
        'test_from_data.py::test_call[np.fromstring("1 2 x 3", sep=" ")]',
        'test_refusals.py::test_call_is_refused_as_documented[np.fromstring("x y", sep=" ")]',
        'test_from_data.py::test_call[np.fromstring("nan(foo)", sep=" ", dtype=int)]',
    )),
    Since(V2_3, "chooses fewer bins for data that repeats", (
        "test_histograms.py::test_rules[*-auto]",
    )),
    Since(V2_3, "an index out of bounds is one of an empty selection, too", (
        "test_indexing.py::test_reading[a[:0][:, [5]]]",
        "test_indexing.py::test_reading[a[np.array([0, 5]), 2:2]]",
        "test_indexing.py::test_unusual_keys[np.True_]",
    )),
    Since(V2_3, "has a default axis, sorted= and out=...", (
        "test_indexing_functions.py::test_take_along_axis["
        "np.take_along_axis(m, np.array([[1], [0]]))]",
        "test_sets.py::test_call[np.unique([3, 1, 1], sorted=True)]",
        "test_options.py::test_call[np.add(1, 2, out=...)]",
        "test_options.py::test_call[np.add.reduce([1, 2], out=...)]",
    )),
    Since(V2_3, "quantiles of nothing are an error, and odd keys of a flat iterator deprecated", (
        "test_order_statistics.py::test_quantile[midpoint]",
        "test_flat.py::test_flat_warns_of_odd_keys",
    )),
    Since(V2_3, "has norms of nothing, and real condition numbers", (
        *(
            f"test_linalg.py::test_norm_of_nothing[{dtype}-{norm}]"
            for dtype in ("float32", "float64", "int32")
            for norm in (
                "1-(2, 0)", "1-(0, 0)", "2-(0, 2)", "2-(2, 0)", "2-(0, 0)", "inf-(0,)",
                "inf-(0, 2)", "inf-(0, 0)",
            )
        ),
        "test_linalg.py::test_single_precision_is_computed_in_double[complex64-cond]",
    )),
    Since(V2_3, "scalars compare to scalars, keep their precision, and are counted as one", (
        'test_operators.py::test_expression[np.float64(1) == "a"]',
        "test_scalars.py::test_arithmetic_gives_scalars",
        "test_scalars.py::test_python_protocols[*",
        "test_searching.py::test_call[np.count_nonzero([1, 0, 2])]",
        "test_searching.py::test_call[np.count_nonzero([])]",
        "test_searching.py::test_call[np.count_nonzero([np.nan, 0j])]",
        "test_searching.py::test_call[np.count_nonzero(3)]",
        "test_searching.py::test_count_nonzero",
    )),
    Since(V2_3, "power by 0.5 is the square root", (
        "test_ufuncs.py::test_power_by_a_number[float32-0.5]",
        "test_ufuncs.py::test_power_by_a_number[float64-0.5]",
    )),
    Since(V2_4, "a flat iterator takes the keys of an array with one axis", (
        *(
            f"test_assigned_values.py::test_values_that_are_written[*-a.flat[np.array(0)] = {value}"
            for value in (
                "{}-np.ones((2, 1))]", "{}-np.ones(0)]", "{}-np.ones((1, 1, 2))]",
                "{}-np.ones((1, 2, 2))]",
            )
        ),
        *(
            f"test_assigned_values.py::test_values_that_are_written[{dtype}-a.flat[np.array(0)] = "
            f"{value}"
            for dtype in ("complex64", "float64", "int8")
            for value in (
                "{}-()]", "{}-[1]]", "{}-[]]", "{}-[[3]]]", "{}-[[1, 2]]]", "{}-[[1], [2]]]",
                "{}-[[[1, 2]]]]",
            )
        ),
        *(
            f"test_assigned_values.py::test_values_that_are_written[int8-a.flat[np.array(0)] = {v}"
            for v in ("{}-2**70]", "{}-300]", "{}-None]", "{}-1j]")
        ),
        "test_assigned_values.py::test_values_that_are_written[float64-a.flat[np.array(0)] = *-1j]",
        *(
            f"test_flat.py::test_flat[*-{key}"
            for key in (
                "a]", "None]", "[ True]]", "(True,)]", "(Ellipsis,)]", "[True, True]]", "1.5]",
                "True1]", "[[ True*", "range(0, 2)]",
            )
        ),
    )),
    Since(V2_4, "says it in other words", (
        "test_errstate.py::test_warnings_are_numpys[np.mean(np.array([]))]",
        "test_errstate.py::test_warnings_are_numpys[np.mean(np.zeros((0, 2)), axis=0)]",
        "test_errstate.py::test_warnings_are_numpys[np.mean(np.array([1.0]), where=*",
        "test_errstate.py::test_warnings_are_numpys[np.median(*",
        "test_errstate.py::test_warnings_are_numpys[np.std(np.array([1e200, -1e200]))]",
        "test_errstate.py::test_warnings_are_numpys[np.var(np.array([1e200*",
    )),
    Since(V2_4, "has ndmax=, several axes of size, keys of pad from the end, and same_value", (
        "test_from_data.py::test_call[*ndmax=*",
        "test_manipulation.py::test_call[np.reshape(np.zeros(6), None)]",
        "test_manipulation.py::test_call[np.size(np.zeros((2, 3)), (0, 1))]",
        "test_refusals.py::test_call_is_refused_as_documented[np.size(a, (0, 0))]",
        "test_padding.py::test_call[np.pad([[1, 2], [3, 4]], {0: 1, -1: (0, 2)})]",
        "test_padding.py::test_call[np.pad([[1, 2], [3, 4]], {0: 1, 2: (0, 2)})]",
        "test_same_value.py::test_same_value[*",
        "test_same_value.py::test_same_value_of_other_shapes",
    )),
    Since(V2_4, "of what may be assigned, a complex array of one element among real ones", (
        "test_indexing.py::test_random_expressions",
    )),
    Since(V2_4, "the rank of nothing is 0", (
        "test_linalg.py::test_of_one_matrix[bool-(0, 0)-matrix_rank]",
        "test_linalg.py::test_of_one_matrix[*int*-(0, 0)-matrix_rank]",
        "test_linalg.py::test_of_one_matrix[float32-(0, 0)-matrix_rank]",
        "test_linalg.py::test_of_one_matrix[float64-(0, 0)-matrix_rank]",
        "test_linalg.py::test_of_one_matrix[complex*-(0, 0)-matrix_rank]",
    )),
    Since(V2_4, "setting strides and outputs by position are deprecated", (
        "test_ndarray.py::test_setting_strides[*",
        "test_options.py::test_output_by_position[maximum]",
        "test_options.py::test_output_by_position[minimum]",
    )),
    Since(V2_4, "quantiles are exact between equal elements, and check their weights", (
        "test_order_statistics.py::test_arguments_and_errors["
        "np.quantile(a, 0.5, weights=a * 0, method='inverted_cdf')]",
        "test_order_statistics.py::test_arguments_and_errors["
        "np.quantile(a, 0.5, weights=a * np.nan, method='inverted_cdf')]",
        "test_order_statistics.py::test_arguments_and_errors[np.quantile([1.0, np.inf], 1)]",
        "test_order_statistics.py::test_every_dtype[median_unbiased-float16]",
        "test_order_statistics.py::test_long_rows[0.937-float32]",
        "test_order_statistics.py::test_quantile[averaged_inverted_cdf]",
        "test_order_statistics.py::test_quantile[interpolated_inverted_cdf]",
        "test_order_statistics.py::test_weights[*",
    )),
    Since(V2_4, "einsum casts to its output, and without axes gives a scalar", (
        "test_products.py::test_einsum_casts_to_out",
        "test_products.py::test_einsum_views[True-()-...]",
        "test_products.py::test_einsum_views[True-()-]",
    )),
    Since(V2_4, "the axes to trim are checked, and an array without axes has none", (
        "test_rearranging.py::test_trim_zeros",
        "test_rearranging.py::test_call[np.trim_zeros(np.array([[0, 0], [0, 1]]), axis=(0, 2))]",
        "test_refusals.py::test_call_is_refused_as_documented[np.trim_zeros(*, axis=3)]",
    )),
    Since(V2_4, "functions written in C tell their signatures", (
        "test_docs.py::test_docstring_has_every_section[busday_count]",
        "test_docs.py::test_docstring_has_every_section[busday_offset]",
        "test_docs.py::test_docstring_has_every_section[datetime_as_string]",
        "test_docs.py::test_docstring_has_every_section[is_busday]",
        "test_docs.py::test_parameters_are_those_of_the_signature[busday_count]",
        "test_docs.py::test_parameters_are_those_of_the_signature[busday_offset]",
        "test_docs.py::test_parameters_are_those_of_the_signature[datetime_as_string]",
        "test_docs.py::test_parameters_are_those_of_the_signature[is_busday]",
    )),
    Since(V2_4, "the sum of a generator is an error", (
        "test_reductions.py::test_arguments_and_errors[np.sum((x for x in [1, 2]))]",
    )),
]  # fmt: skip

V2_12, V2_13 = (2, 12), (2, 13)

TORCH: list[Since] = [
    Since(V2_12, "traces float of an element, and an element as an argument", (
        "test_programs.py::test_compiles_whole[float()-*",
        "test_programs.py::test_compiles_whole[roll by an element-*",
    )),
    Since(V2_12, "traces ranges as indices", (
        "test_indices.py::test_compiles_whole[ranges as indices-*",
    )),
    Since(V2_12, "has the sizes of data in a norm", (
        "test_programs.py::test_sizes_of_data[norm]",
    )),
    Since(V2_13, "traces float and int of an object, and numbers changed in place by one", (
        "test_kernels.py::test_compiled_kernel[durbin]",
        "test_kernels.py::test_compiled_kernel[go_fast]",
        "test_loops.py::test_bodies_are_compiled[fields-arguments0]",
        "test_programs.py::test_compiles_whole[loop over elements-*",
    )),
    Since(V2_13, "compares a number that is an input with an object", (
        "test_loops.py::test_a_number_that_changes_is_compared",
    )),
    Since(V2_12, "has the sizes of a masked selection of a reshaped array", (
        "test_kernels.py::test_compiled_kernel[mandelbrot_masks]",
    )),
    Since(V2_12, "asks no value in the quantiles of a graph", (
        "test_operator_counts.py::test_operator_count[median]",
    )),
    Since(V2_13, "says what a check in a graph has found", (
        "test_programs.py::test_negative_numbers_to_count",
    )),
    Since(V2_13, "reads the bits of an array under vmap, as uint16, uint32 and uint64 need", (
        "test_large_arrays.py::test_wide_unsigned_under_vmap[*]",
    )),
    Since(V2_13, "writes C++ that compiles for any mix of dtypes", (
        "test_random_writes.py::test_programs[*]",
    )),
]  # fmt: skip


def reason_of(test: str, numpys: tuple[int, int], torchs: tuple[int, int]) -> str | None:
    """Why a test fails beside these releases of NumPy and torch; ``None`` if it should not."""
    for name, release, table in (("NumPy", numpys, NUMPY), ("torch", torchs, TORCH)):
        for since in table:
            if release < since.release and any(_matches(test, t) for t in since.tests):
                return f"{name} {'.'.join(map(str, since.release))}: {since.reason}"
    return None


def _matches(test: str, pattern: str) -> bool:
    """Whether a test has this name, in which ``*`` stands for anything."""
    return fnmatch.fnmatchcase(test, pattern.replace("[", "[[]"))
