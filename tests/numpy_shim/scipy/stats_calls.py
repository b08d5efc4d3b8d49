"""Calls of ``scipy.stats``: name, arguments, options."""

from __future__ import annotations

from typing import Any

import numpy
import scipy.stats

RNG = numpy.random.default_rng(0)
X = RNG.normal(size=24)
Y = 0.5 * X + RNG.normal(size=24)
Z = RNG.normal(size=17) + 1
M = RNG.normal(size=(5, 12))
LONG = RNG.normal(size=200)
POS = RNG.gamma(2.0, size=30)
POS_M = RNG.gamma(2.0, size=(4, 9)) + 0.1
U = RNG.uniform(0.05, 0.95, size=12)
SMALL = X.astype("f")
INTS = RNG.integers(0, 6, size=30)
GRID = RNG.integers(0, 5, size=(3, 10))
TIES = numpy.array([1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 5.0])
COUNTS = numpy.array([16, 18, 16, 14, 12, 12])
TABLE = numpy.array([[10, 20, 30], [6, 9, 17]])
NAN = numpy.where(numpy.arange(24) == 5, numpy.nan, X)
EMPTY = numpy.empty(0)
ANGLES = numpy.array([0.1, 0.3, 6.1, 6.2, 0.02])


def _apart(x: Any, y: Any, axis: int = -1) -> Any:
    return x.mean(axis) - y.mean(axis)


Case = tuple[Any, ...]

DESCRIPTIVE: list[Case] = [
    ("describe", X), ("describe", M, {"axis": 1}), ("describe", INTS), ("describe", NAN),
    ("gmean", POS), ("gmean", POS_M, {"axis": 1}), ("gmean", POS_M, {"axis": None}),
    ("gmean", SMALL**2), ("gmean", POS, {"weights": POS}), ("gmean", EMPTY), ("hmean", POS),
    ("hmean", POS_M, {"axis": 1}), ("hmean", POS_M, {"weights": POS_M}), ("hmean", -POS),
    ("pmean", POS, 1.5), ("pmean", POS_M, 0), ("pmean", POS_M, -2, {"axis": 1}), ("gstd", POS),
    ("gstd", POS_M, {"axis": None}), ("mode", INTS), ("mode", GRID, {"axis": 1}),
    ("mode", GRID, {"axis": None, "keepdims": True}), ("mode", TIES), ("moment", X, 3),
    ("moment", M, [1, 2, 4]), ("moment", M, 2, {"center": 1.0}), ("moment", INTS, 2), ("skew", X),
    ("skew", M, {"axis": 1, "bias": False}), ("skew", NAN), ("skew", NAN, {"nan_policy": "omit"}),
    ("skew", NAN, {"nan_policy": "raise"}), ("skew", INTS), ("skew", SMALL), ("kurtosis", X),
    ("kurtosis", M, {"fisher": False, "bias": False}), ("kurtosis", SMALL), ("variation", X + 3),
    ("variation", M + 4, {"axis": 1, "ddof": 1}), ("variation", NAN, {"nan_policy": "omit"}),
    ("sem", M), ("sem", X, {"ddof": 0}), ("sem", NAN), ("iqr", X), ("iqr", M, {"axis": 1}),
    ("iqr", X, {"rng": (10, 90), "scale": "normal"}), ("iqr", M, {"interpolation": "midpoint"}),
    ("median_abs_deviation", X), ("median_abs_deviation", M, {"axis": None, "scale": "normal"}),
    ("entropy", U), ("entropy", U, U[::-1]), ("entropy", POS_M, {"axis": 1, "base": 2}),
    ("differential_entropy", X), ("differential_entropy", M, {"axis": 1, "method": "vasicek"}),
    ("zscore", X), ("zscore", M, {"axis": 1, "ddof": 1}), ("zscore", NAN),
    ("zscore", NAN, {"nan_policy": "omit"}), ("gzscore", POS), ("zmap", X, Y),
    ("zmap", M, M + 1, {"axis": 1}), ("tmean", X, (-1, 1)), ("tmean", X), ("tvar", X, (-1, 1)),
    ("tstd", X, (-1, None)), ("tsem", X, (-1, 1), {"inclusive": (False, True)}), ("tmin", X, -0.5),
    ("tmin", M, 0.0), ("tmax", X, 0.5), ("tmax", M, 0.0, {"axis": 1}), ("kstat", X),
    ("kstat", M, 3, {"axis": 1}), ("kstat", X, 4), ("kstatvar", X), ("kstatvar", X, 1),
    ("lmoment", X), ("lmoment", M, [1, 2], {"axis": 1}), ("expectile", X, 0.3),
    ("circmean", ANGLES),
    ("circvar", ANGLES), ("circstd", ANGLES), ("circmean", M, {"axis": 1, "high": 3, "low": -3}),
    ("circstd", M, {"normalize": True}), ("directional_stats", M), ("rankdata", TIES),
    ("rankdata", TIES, {"method": "min"}), ("rankdata", TIES, {"method": "dense"}),
    ("rankdata", TIES, {"method": "ordinal"}), ("rankdata", M, {"axis": 1}), ("rankdata", NAN),
    ("rankdata", NAN, {"nan_policy": "omit"}), ("tiecorrect", TIES), ("trimboth", X, 0.1),
    ("trim1", X, 0.1), ("trim1", X, 0.1, "left"), ("trim_mean", X, 0.1),
    ("trim_mean", M, 0.1, {"axis": 1}), ("sigmaclip", X, 1.5, 1.5),
    ("scoreatpercentile", X, 30),
    ("scoreatpercentile", X, [30, 60]), ("quantile", X, 0.3), ("quantile", M, U, {"axis": 1}),
    ("quantile", X, U, {"method": "harrell-davis"}), ("cumfreq", X, 5), ("relfreq", X, 5),
    ("binned_statistic", X, Y), ("binned_statistic", X, [X, Y], "sum", 4),
    ("binned_statistic", X, Y, "count", [-1.0, 0.0, 0.5, 1.0]),
    ("binned_statistic", X, Y, "median", 4, (-1, 1)), ("binned_statistic", X, Y, "std", 4),
    ("binned_statistic", X, Y, "min", 4), ("binned_statistic", X, Y, "max", 4),
    ("binned_statistic", INTS, INTS, "mean", 3), ("binned_statistic", NAN, Y),
    ("binned_statistic", X, Y, "no statistic"),
    ("binned_statistic_2d", X, Y, X * Y, "mean", 4),
    ("binned_statistic_2d", X, Y, X, "count", [3, 5]),
    ("binned_statistic_2d", X, Y, X, "sum", 4, {"expand_binnumbers": True}),
    ("binned_statistic_dd", [X, Y], X), ("binned_statistic_dd", M.T[:, :2], M[2], "sum", 3),
    ("obrientransform", X, Y), ("combine_pvalues", U),
    ("combine_pvalues", U, {"method": "stouffer"}),
    ("combine_pvalues", U, {"method": "stouffer", "weights": POS[:12]}),
    ("combine_pvalues", U, {"method": "pearson"}), ("combine_pvalues", U, {"method": "tippett"}),
    ("combine_pvalues", U, {"method": "mudholkar_george"}), ("false_discovery_control", U),
    ("false_discovery_control", U, {"method": "by"}), ("bayes_mvs", X), ("boxcox", POS),
    ("boxcox", POS, 0.3), ("boxcox_llf", 0.3, POS), ("boxcox_llf", 0.3, POS_M),
    ("boxcox_normmax", POS), ("boxcox_normmax", POS, {"method": "all"}), ("yeojohnson", X),
    ("yeojohnson", X, 0.3), ("yeojohnson_llf", 0.3, X), ("yeojohnson_normmax", X),
    ("probplot", X), ("probplot", X, {"fit": False}), ("ppcc_max", X), ("ppcc_plot", X, -1, 1),
    ("boxcox_normplot", POS, -1, 1), ("yeojohnson_normplot", X, -1, 1),





]  # fmt: skip
TESTS: list[Case] = [
    ("ttest_1samp", X, 0.5), ("ttest_1samp", M, 0.1, {"axis": 1, "alternative": "less"}),
    ("ttest_1samp", NAN, 0.5), ("ttest_1samp", NAN, 0.5, {"nan_policy": "omit"}),
    ("ttest_1samp", SMALL, 0.5), ("ttest_1samp", EMPTY, 0.0), ("ttest_ind", X, Z),
    ("ttest_ind", X, Z, {"equal_var": False}), ("ttest_ind", M, M + 0.3, {"axis": 1}),
    ("ttest_ind", X, Z, {"trim": 0.1}), ("ttest_ind", X, Z, {"alternative": "greater"}),
    ("ttest_ind_from_stats", 1.0, 2.0, 10, 1.5, 2.5, 12),
    ("ttest_ind_from_stats", M[0], POS[:12], 10, M[1], POS[12:24], 9), ("ttest_rel", X, Y),
    ("ttest_rel", M, M + M**2, {"axis": 1}), ("f_oneway", X, Y, Z),
    ("f_oneway", M, M + 1, {"axis": 1}), ("f_oneway", X, Z, {"equal_var": False}),
    ("alexandergovern", X, Y, Z), ("kruskal", X, Y, Z), ("kruskal", TIES, TIES + 1),
    ("friedmanchisquare", X, Y, X - Y), ("mannwhitneyu", X, Z),
    ("mannwhitneyu", X, Z, {"method": "asymptotic", "use_continuity": False}),
    ("mannwhitneyu", TIES, TIES + 1), ("mannwhitneyu", TIES[:4], X[:5], {"method": "exact"}),
    ("wilcoxon", X), ("wilcoxon", X, Y), ("wilcoxon", M, {"axis": 1}),
    ("wilcoxon", TIES, {"zero_method": "pratt", "correction": True}),
    ("wilcoxon", LONG, {"alternative": "greater"}), ("ranksums", X, Z), ("brunnermunzel", X, Z),
    ("brunnermunzel", X, Z, {"distribution": "normal"}), ("mood", X, Z), ("mood", TIES, TIES + 1),
    ("ansari", X, Z), ("ansari", TIES, TIES + 1), ("fligner", X, Y, Z),
    ("fligner", X, Z, {"center": "trimmed"}), ("levene", X, Y, Z),
    ("levene", X, Z, {"center": "mean"}), ("bartlett", X, Y, Z), ("median_test", X, Y, Z),
    ("median_test", TIES, TIES + 1, {"ties": "above"}),

    ("ks_2samp", X, Z), ("ks_2samp", X, Z, {"alternative": "less", "method": "asymp"}),
    ("ks_2samp", X, Z, {"alternative": "greater"}),
    ("ks_2samp", TIES, X, {"alternative": "greater"}), ("ks_2samp", M, M + 0.5, {"axis": 1}),
    ("ks_2samp", LONG, Z), ("ks_2samp", NAN, Z, {"nan_policy": "omit"}), ("ks_2samp", EMPTY, Z),
    ("page_trend_test", numpy.sort(M, 1)[:, :4]),
    ("page_trend_test", GRID, {"method": "asymptotic"}), ("page_trend_test", M[:3, :4], {
        "predicted_ranks": [2, 1, 4, 3]}),
    ("bws_test", X[:5], Z[:4]), ("bws_test", X[:4], Z[:5], {"alternative": "less"}),
    ("permutation_test", (X[:4], Z[:3]), _apart), ("permutation_test", (X[:4], Z[:3]), _apart, {
        "alternative": "less", "vectorized": True}),
    ("permutation_test", (X[:5], Y[:5]), _apart, {"permutation_type": "samples"}),

    ("cramervonmises", X, "norm"), ("cramervonmises_2samp", X, Z),
    ("cramervonmises_2samp", X, Z, {"method": "asymptotic"}), ("epps_singleton_2samp", X, Z),
    ("energy_distance", X, Z), ("energy_distance", X, Y, {"u_weights": X**2, "v_weights": Y**2}),
    ("wasserstein_distance", X, Z), ("wasserstein_distance", X, Y, {"u_weights": X**2}),

    ("skewtest", X), ("skewtest", M, {"axis": 1}), ("kurtosistest", LONG),
    ("kurtosistest", M, {"axis": None, "alternative": "greater"}), ("normaltest", LONG),
    ("normaltest", M, {"axis": 1}), ("jarque_bera", X), ("jarque_bera", M, {"axis": 1}),
    ("chisquare", COUNTS),
    ("chisquare", COUNTS, COUNTS[::-1]), ("chisquare", GRID + 1, {"axis": 1, "ddof": 1}),
    ("power_divergence", COUNTS, {"lambda_": "log-likelihood"}),
    ("power_divergence", COUNTS, {"lambda_": 0.3}), ("chi2_contingency", TABLE),
    ("chi2_contingency", TABLE[:, :2], {"correction": False, "lambda_": "neyman"}),




]  # fmt: skip
RELATIONS: list[Case] = [
    ("pearsonr", X, Y), ("pearsonr", X, Y, {"alternative": "less"}),
    ("pearsonr", M, M[::-1], {"axis": 1}),
    ("pearsonr", SMALL, Y), ("pearsonr", X, Y[:3]), ("pearsonr", numpy.ones(5), X[:5]),
    ("spearmanr", X, Y), ("spearmanr", M.T), ("spearmanrho", X, Y),
    ("pointbiserialr", INTS > 2, POS),
    ("kendalltau", X, Y), ("kendalltau", TIES, TIES[::-1]), ("kendalltau", X, Y, {"variant": "c"}),

    ("chatterjeexi", X, Y), ("linregress", X, Y), ("linregress", M, M[::-1], {"axis": 1}),
    ("theilslopes", Y, X), ("siegelslopes", Y, X),
]  # fmt: skip

OF_1_18: list[Case] = [
    *(("estimated_cdf", x, y, {"method": method}) for method in (
        "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
        "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "no method",
    ) for x, y in ((X, Z), (TIES, TIES), (X, 0.5), (SMALL, 0.5), (INTS, INTS))),
    ("estimated_cdf", M, M[:, :3], {"axis": 1}), ("estimated_cdf", M, 0.5, {"axis": None}),
    ("estimated_cdf", X, 0.5, {"keepdims": True}), ("estimated_cdf", X, Z, {"keepdims": False}),
    ("estimated_cdf", NAN, Z), ("estimated_cdf", NAN, Z, {"nan_policy": "omit"}),
    ("estimated_cdf", NAN, Z, {"nan_policy": "raise"}), ("estimated_cdf", X, NAN),
    ("estimated_cdf", EMPTY, 0.5), ("estimated_cdf", X, 1j),
]  # fmt: skip
"""The functions that SciPy 1.18 has and 1.17 lacks."""

ALL = [*DESCRIPTIVE, *TESTS, *RELATIONS]
if hasattr(scipy.stats, "estimated_cdf"):
    ALL += OF_1_18
