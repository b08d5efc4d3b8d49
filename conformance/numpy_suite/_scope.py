"""The scope of NumPy's tests for a namespace over torch: one table of exclusions.

A test is out of scope if it tests NumPy's own code: modules in C, private functions. Everything
else is in scope, even if it fails, also a test that counts references or reads memory with ctypes.
The rows are tried in order.
"""

from __future__ import annotations

from dataclasses import dataclass

from ._files import TestFile, TestFunction
from ._names import names_used


@dataclass(frozen=True)
class Row:
    """A reason for exclusion, and the tests that it takes out.

    `files` are whole files, `names` what a test may not use, itself or through its file. `tests`
    are single tests whose source does not show it; running them did.
    """

    title: str
    reason: str
    files: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()

    def takes(self, file: TestFile, test: TestFunction, used: set[str]) -> bool:
        """Whether the row excludes a test of a file that uses these names."""
        return (
            file.path.stem in self.files or test.id in self.tests or not self.names.isdisjoint(used)
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRIVATE = (
    "numpy._core.overrides numpy._core._internal "
    "numpy._core.shape_base._block_dispatcher numpy.lib._arraypad_impl._as_pairs "
    "numpy.lib._nanfunctions_impl._nan_mask numpy.lib._nanfunctions_impl._replace_nan "
    "numpy.lib._shape_base_impl.get_array_wrap "
    "numpy.lib._stride_tricks_impl._broadcast_shape numpy.lib._utils_impl.safe_eval "
    "numpy.linalg._linalg._multi_dot_matrix_chain_order "
    "numpy.lib._function_base_impl numpy._core.function_base.add_newdoc "
    "numpy._core.multiarray._get_ndarray_c_version numpy._core.multiarray._vec_string "
    "numpy._core.multiarray.get_handler_name "
    "numpy._core.numerictypes.maximum_sctype "
    "numpy._core.numerictypes.sctype2char "
    ".add_docstring ._add_newdoc_ufunc ._ArrayMemoryError ._warn_on_write"
)
TABLE = (
    Row(
        "C test modules",
        "calls NumPy's modules written in C for its tests, or its CPU dispatch",
        files=(
            *("test_simd", "test_simd_module", "test_cpu_features", "test_cpu_dispatcher"),
            *("test_argparse", "test_extint128", "test_hashtable", "test_umath_accuracy"),
        ),
        names=_words(
            "numpy._core._multiarray_tests numpy._core._umath_tests numpy._core._rational_tests "
            "numpy._core._operand_flag_tests numpy._core._struct_ufunc_tests numpy._core._simd "
            "numpy._core._multiarray_umath numpy.linalg._umath_linalg numpy.linalg.lapack_lite "
            "._multiarray_tests ._umath_tests ._umath_linalg .lapack_lite _testbuffer"
        ),
    ),
    Row(
        "C extensions",
        "compiles an extension module against NumPy's headers, or uses its C API",
        files=(
            *("test_cython", "test_limited_api", "test_mem_policy", "test_array_interface"),
            *("test_custom_dtypes", "test_arraymethod", "test_extending"),
        ),
        names=_words("build_and_import_extension extbuild _get_sfloat_dtype cffi"),
    ),
    Row(
        "unaligned memory",
        "arrays whose elements lie at odd addresses: torch counts offsets and strides in elements",
        tests=_words(
            "_core/tests/test_numeric.py::TestNonzero::test_count_nonzero_non_aligned_array "
            "_core/tests/test_scalarmath.py::TestBaseMath::test_lower_align "
            "_core/tests/test_umath.py::TestMinMax::test_lower_align "
            "_core/tests/test_umath.py::TestAbsoluteNegative::test_lower_align "
            "_core/tests/test_dlpack.py::TestDLPack::test_size1dims_arrays"
        ),
    ),
    Row(
        "other processes",
        "starts another Python, in which NumPy is imported by its name",
        names=_words("subprocess run_subprocess"),
    ),
    Row(
        "private helpers",
        "calls functions that NumPy keeps to itself; a namespace takes NumPy's own",
        files=("test__iotools", "test__datasource"),
        names=_words(PRIVATE),
    ),
)


def reason(file: TestFile, test: TestFunction) -> Row | None:
    """The first row that excludes a test; None if the test is in scope."""
    used = names_used(file, test)
    return next((row for row in TABLE if row.takes(file, test, used)), None)
