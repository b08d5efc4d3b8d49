"""Named tuples with arrays, given to functions of NumPy's: their classes stay."""

import scipy.stats

import numpy_shim as np


def test_a_result_with_a_constructor_of_its_own_is_compared():
    found = scipy.stats.mannwhitneyu([1.0, 2.0], [3.0, 4.0])
    np.testing.assert_equal(found, scipy.stats.mannwhitneyu([1.0, 2.0], [3.0, 4.0]))
