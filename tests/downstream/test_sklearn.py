"""scikit-learn with ``array_api_dispatch=True``: fitted on xp_torch arrays, it stays on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import (
    accuracy_score,
    mean_absolute_error,
    mean_squared_error,
    r2_score,
    zero_one_loss,
)
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import xp_torch as xp
from xp_torch._array import Array


def on(device: str, *arrays: np.ndarray) -> list[Array]:
    return [xp.asarray(torch.from_numpy(np.asarray(a)), device=device) for a in arrays]


def to_numpy(array: Array) -> np.ndarray:
    assert isinstance(array, Array)
    return np.asarray(array.to_device("cpu"))


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray]:
    x, y = load_digits(return_X_y=True)
    return x[:400], y[:400]


@pytest.mark.parametrize("solver", ["full", "covariance_eigh"])
def test_pca(solver: str, digits: Any, device: str):
    """Components up to sign, the variances, and the transformed data."""
    model = PCA(n_components=5, svd_solver=solver)
    expected = clone(model).fit(digits[0])
    (x,) = on(device, digits[0])
    with config_context(array_api_dispatch=True):
        got = model.fit(x)
        back = got.inverse_transform(got.transform(x))
    np.testing.assert_allclose(to_numpy(got.explained_variance_), expected.explained_variance_)
    np.testing.assert_allclose(
        np.abs(to_numpy(got.components_)), np.abs(expected.components_), atol=1e-8
    )
    np.testing.assert_allclose(
        to_numpy(back), expected.inverse_transform(expected.transform(digits[0])), atol=1e-8
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_ridge(dtype: str, digits: Any, device: str):
    """The coefficients of a ridge regression, in the dtype of the data."""
    x, y = digits[0].astype(dtype), digits[1].astype(dtype)
    model = Ridge(alpha=1.0, solver="svd")
    expected = clone(model).fit(x, y)
    xt, yt = on(device, x, y)
    with config_context(array_api_dispatch=True):
        got = model.fit(xt, yt)
        predicted = got.predict(xt)
    assert predicted.dtype == getattr(xp, dtype)
    tolerance = 1e-3 if dtype == "float32" else 1e-8
    np.testing.assert_allclose(to_numpy(got.coef_), expected.coef_, atol=tolerance)
    np.testing.assert_allclose(to_numpy(predicted), expected.predict(x), atol=10 * tolerance)


def test_linear_discriminant_analysis(device: str):
    """The same classes predicted, and the same probabilities."""
    x, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis(solver="svd")
    expected = clone(model).fit(x, y)
    xt, yt = on(device, x, y)
    with config_context(array_api_dispatch=True):
        got = model.fit(xt, yt)
        predicted, probabilities = got.predict(xt), got.predict_proba(xt)
    np.testing.assert_array_equal(to_numpy(predicted), expected.predict(x))
    np.testing.assert_allclose(to_numpy(probabilities), expected.predict_proba(x), atol=1e-8)


@pytest.mark.parametrize("model", [StandardScaler(), MinMaxScaler()], ids=["standard", "minmax"])
def test_scalers(model: Any, digits: Any, device: str):
    """Scaling there and back."""
    expected = clone(model).fit(digits[0])
    (x,) = on(device, digits[0])
    with config_context(array_api_dispatch=True):
        got = clone(model).fit(x)
        there = got.transform(x)
        back = got.inverse_transform(there)
    np.testing.assert_allclose(to_numpy(there), expected.transform(digits[0]), atol=1e-10)
    np.testing.assert_allclose(to_numpy(back), digits[0], atol=1e-10)


@pytest.mark.parametrize(
    "metric", [accuracy_score, zero_one_loss, mean_squared_error, mean_absolute_error, r2_score]
)
def test_metrics(metric: Any, device: str):
    """Classification and regression scores."""
    rng = np.random.default_rng(0)
    true, predicted = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    if metric not in (accuracy_score, zero_one_loss):
        true, predicted = true.astype(float), predicted + rng.random(50)
    with config_context(array_api_dispatch=True):
        got = metric(*on(device, true, predicted))
    assert float(got) == pytest.approx(metric(true, predicted))


@pytest.mark.parametrize("metric", [cosine_similarity, euclidean_distances])
def test_pairwise(metric: Any, device: str):
    """Pairwise matrices stay on the device of their input."""
    x = np.random.default_rng(0).random((8, 3))
    (xt,) = on(device, x)
    with config_context(array_api_dispatch=True):
        got = metric(xt)
    assert got.device == xt.device
    np.testing.assert_allclose(to_numpy(got), metric(x), atol=1e-7)
