"""PCA and a classifier from scikit-learn on xp_torch arrays, beside the same on NumPy's.

scikit-learn dispatches on the namespace of its input: given xp_torch arrays, PCA and linear
discriminant analysis compute with torch, on the CPU or on a GPU. The data are the 1,797
handwritten digits that ship with scikit-learn.

    SCIPY_ARRAY_API=1 python docs/examples/digits.py [--device cuda]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when SciPy is imported

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from sklearn import config_context
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split

import xp_torch as xp

COMPONENTS = 30


def classify(train: Any, test: Any, train_labels: Any, test_labels: Any) -> dict[str, Any]:
    """Reduce to 30 components, fit, predict; the arrays decide where it is computed."""
    start = time.perf_counter()
    pca = PCA(n_components=COMPONENTS, svd_solver="full")
    reduced = pca.fit_transform(train)
    model = LinearDiscriminantAnalysis(solver="svd").fit(reduced, train_labels)
    predicted = model.predict(pca.transform(test))
    accuracy = accuracy_score(test_labels, predicted)
    return {
        "accuracy": float(accuracy),
        "variance": pca.explained_variance_ratio_,
        "predicted": predicted,
        "seconds": time.perf_counter() - start,
    }


def to_numpy(array: Any) -> np.ndarray:
    """An array of either namespace as NumPy's."""
    return np.asarray(array.to_device("cpu"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    device = parser.parse_args().device

    pixels, labels = load_digits(return_X_y=True)
    split = train_test_split(pixels, labels, test_size=0.3, random_state=0)
    on_torch = [xp.asarray(torch.from_numpy(part), device=device) for part in split]

    expected = classify(*split)
    with config_context(array_api_dispatch=True):
        got = classify(*on_torch)

    variance = np.max(np.abs(to_numpy(got["variance"]) - expected["variance"]))
    agree = np.mean(to_numpy(got["predicted"]) == expected["predicted"])
    table = Table(title=f"{len(split[0])} digits to learn from, {len(split[1])} to recognise")
    for heading in ("arrays", "computed on", "accuracy", "variance kept", "seconds"):
        table.add_column(heading, justify="left" if heading == "arrays" else "right")
    for name, where, result in (
        ("NumPy", "cpu", expected), (type(got["predicted"]).__module__, str(device), got),
    ):
        table.add_row(
            name, where, f"{result['accuracy']:.4f}",
            f"{float(result['variance'].sum() if name == 'NumPy' else xp.sum(result['variance'])):.4f}",
            f"{result['seconds']:.3f}",
        )
    console = Console()
    console.print(table)
    console.print(f"largest difference in the explained variance ratios: {variance:.1e}")
    console.print(f"predictions that agree: {agree:.2%}")
    same = variance < 1e-10 and agree == 1.0
    console.print("[green]the results agree[/]" if same else "[red]the results differ[/]")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
