"""Launched programs call matplotlib, scikit-learn, scikit-image, Pillow and joblib."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch, with_numpy, write
from tests.numpy_shim.launcher.test_host_copies import rows

CALLS = """
    import pickle
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from joblib import Parallel, delayed
    from matplotlib.colors import LightSource
    from PIL import Image
    from sklearn.datasets import make_blobs
    from sklearn.linear_model import Ridge
    from sklearn.metrics import mean_squared_error
    from sklearn.model_selection import GridSearchCV, train_test_split
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    def doubled(x):
        return x * 2, np.asarray(x).sum()

    def main():
        x = np.random.default_rng(0).normal(size=(40, 3))
        y = x @ np.array([1.0, 2.0, 3.0])
        parts = train_test_split(x, y, random_state=0)
        model = make_pipeline(StandardScaler(), Ridge()).fit(parts[0], parts[2])
        model = pickle.loads(pickle.dumps(model))
        error = pickle.loads(pickle.dumps(mean_squared_error))(parts[3], model.predict(parts[1]))
        search = GridSearchCV(Ridge(), {"alpha": np.logspace(-3, 1, 4)}).fit(x, y)
        print(round(error, 4), search.best_params_)
        near = KNeighborsClassifier(weights=lambda distance: np.exp(-distance)).fit(x, y > 0)
        print(near.predict_proba(x[:3] + 0.1).round(4))
        counts, edges, _ = plt.hist(x[:, 0])
        print(counts, edges.round(3))
        line, = plt.plot(x[:, 0])
        plt.setp(line, "linestyle")
        values = np.linspace(-1.0, 1.0, 60)
        height = np.exp(-values[:, None] ** 2 - values ** 2)
        ax = plt.figure(layout="constrained").add_subplot(projection="3d")
        ax.plot_surface(values[:, None] + 0 * values, values + 0 * height, height)
        print(round(float(LightSource().hillshade(height).sum()), 3))
        print(Image.frombuffer("L", (4, 4), np.arange(16, dtype=np.uint8)).getpixel((1, 1)))
        theirs = [parts[0], model.predict(x), counts, edges]
        theirs += [v for pair in Parallel(n_jobs=2)(delayed(doubled)(height * i) for i in range(2))
                   for v in pair]
        print(round(sum(float(v.sum()) for v in theirs[-2:]), 6))
        if "numpy_shim" in np.__name__:
            assert all(v.device == values.device for v in theirs if v.ndim), theirs
        points, labels = make_blobs(20, random_state=0)
        held = points
        points -= np.ones(2)
        points[np.arange(3)] = np.zeros((3, 2))
        points[np.asarray(labels) == 2] += 1
        np.copyto(points[5:7], np.full((2, 2), 7.0))
        np.add(points, np.ones(2), out=points)
        print(held is points, held.sum().round(6))
        row = height[:, np.argmax(height[0])]
        row /= 2
        print(height.sum().round(6))

    if __name__ == "__main__":
        main()
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch):
    """A terminal in which no name is folded."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_calls_of_libraries_take_and_give_arrays_of_the_device(tmp_path: Path, where: str):
    for name in ("matplotlib", "PIL", "sklearn"):
        pytest.importorskip(name)
    write(tmp_path, {"program.py": CALLS})
    theirs = with_numpy(CALLS).stdout
    done = launch("--device", where, "--summary", "program.py", cwd=tmp_path)
    assert done.stdout == theirs
    found = rows(done.stderr)
    surfaces = [cells[:2] for name, cells in found.items() if name.endswith("plot_surface")]
    assert surfaces == ([["3", "86,400"]] if where == "npy" else [])


IMAGES = """
    import numpy as np
    from skimage import draw, feature, filters, graph, measure, morphology, transform
    from skimage.filters import rank
    from skimage.restoration import inpaint

    def show(values):
        if "numpy_shim" in np.__name__:
            assert type(values) is np.ndarray and values.device == image.device, values
        print(values.dtype, values.shape, values.sum().round(4))

    image = np.zeros((40, 40))
    held = draw.set_color(image, draw.disk((20, 20), 10), 0.5)
    show(image)
    for values in transform.hough_line(image > 0, theta=np.linspace(-1.0, 1.0, 20)):
        show(values)
    for values in measure.find_contours(image, 0.25):
        show(values)
    out = np.zeros_like(image)
    print(morphology.dilation(image, morphology.disk(2), out=out) is out)
    show(out)
    table = measure.regionprops_table(measure.label(image > 0), properties=("area", "centroid"))
    show(table["centroid-1"])
    turned = transform.AffineTransform(rotation=0.1)
    show(turned(np.array([[1.0, 2.0], [3.0, 4.0]])))
    show(transform.warp(image, lambda at: at + np.array([1.0, 0.0])))
    show(rank.median((image * 255).astype(np.uint8), morphology.disk(1)))
    print(graph.MCP(image + 1.0).find_costs([(0, 0)])[0].sum().round(4))
    show(inpaint.inpaint_biharmonic(image, image > 0.25))
    show(feature.corner_peaks(feature.corner_harris(image)))
    print(filters.threshold_otsu(image))
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_functions_of_scikit_image_read_write_and_give_arrays_of_the_device(
    tmp_path: Path, where: str
):
    """Its functions are imported when they are first used, and some write to their arguments."""
    pytest.importorskip("skimage")
    write(tmp_path, {"program.py": IMAGES})
    theirs = with_numpy(IMAGES)
    done = launch("--device", where, "program.py", cwd=tmp_path)
    assert done.stdout == theirs.stdout


ATTRIBUTES = """
    import copy
    import pickle
    import warnings
    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF
    from sklearn.inspection import permutation_importance
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.metrics import ConfusionMatrixDisplay
    from sklearn.mixture import GaussianMixture
    from sklearn.model_selection import GridSearchCV, cross_validate
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    x = np.random.default_rng(0).normal(size=(60, 3))
    y = x @ np.array([1.0, 2.0, 3.0])
    labels = (y > 0).astype(int)

    def show(values):
        if "numpy_shim" in np.__name__:
            assert type(values) is np.ndarray and values.device == x.device, values
        print(values.dtype, values.shape, np.abs(values).sum().round(4))

    line = LinearRegression().fit(x, y)
    show(line.coef_)
    line.coef_[0] = 5
    show(line.predict(x))
    line.coef_ *= 2
    show(line.predict(x))
    line.coef_ = np.ones(3)
    line.coef_[1] = 7
    for other in (line, pickle.loads(pickle.dumps(line)), copy.deepcopy(line)):
        show(other.coef_)
        show(other.predict(x))
    del line.coef_
    for holder in (LinearRegression, LinearRegression(), line):
        try:
            holder.coef_
        except AttributeError as error:
            print(error)
    clusters = KMeans(2, random_state=0, n_init=2).fit(x)
    show(clusters.cluster_centers_)
    show(clusters.labels_)
    forest = RandomForestClassifier(5, random_state=0).fit(x, labels)
    show(forest.feature_importances_)
    show(forest.estimators_[0].feature_importances_)
    show(forest[1].classes_)
    scaler = StandardScaler()
    steps = make_pipeline(scaler, PCA(2), SVC(kernel="linear")).fit(x, labels)
    for values in (scaler.mean_, steps[1].components_, steps["svc"].support_vectors_,
                   steps.named_steps["svc"].coef_, steps.steps[0][1].scale_):
        show(values)
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}).fit(x, y)
    show(search.best_estimator_.coef_)
    show(search.cv_results_["mean_test_score"])
    mixture = GaussianMixture(2, random_state=0).fit(x)
    show(mixture.means_)
    show(mixture.sample(4)[0])
    line.fit(x, y)
    show(permutation_importance(line, x, y, random_state=0, n_repeats=2).importances_mean)
    tried = cross_validate(Ridge(), x, y, return_estimator=True)
    show(tried["test_score"])
    show(tried["estimator"][0].coef_)
    show(GaussianProcessRegressor(RBF()).fit(x, y).kernel_.theta)
    show(ConfusionMatrixDisplay.from_predictions(labels, forest.predict(x)).confusion_matrix)
    print(sorted(name for name in vars(clusters) if not name.startswith("_")))
    line.fit([[1.0, 2.0], [3.0, 5.0]], [1.0, 2.0])
    print(type(line.coef_).__module__)
"""


@pytest.mark.parametrize(("where", "switch"), [("cpu", "0"), ("npy", "0"), ("npy", "1")])
def test_attributes_of_fitted_estimators_are_arrays_of_the_device(
    tmp_path: Path, where: str, switch: str, monkeypatch: pytest.MonkeyPatch
):
    """Of what was fitted with NumPy's arrays or lists they stay NumPy's."""
    for name in ("matplotlib", "sklearn"):
        pytest.importorskip(name)
    monkeypatch.setenv("SCIPY_ARRAY_API", switch)
    write(tmp_path, {"program.py": ATTRIBUTES})
    theirs = with_numpy(ATTRIBUTES).stdout
    assert launch("--device", where, "program.py", cwd=tmp_path).stdout == theirs


FRAMES = """
    import copy
    import numpy as np
    import pandas as pd
    x = np.random.default_rng(0).normal(size=(8, 2))
    def show(values):
        if "numpy_shim" in np.__name__:
            assert type(values) is np.ndarray and values.device == x.device, values
        print(values.dtype, values.shape, values.flags.writeable, np.abs(values).sum().round(4))
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "k": list("uvuvuvuv")})
    for values in (
        frame["a"].values, frame[["a", "b"]].values, frame["a"].to_numpy(),
        frame.b.to_numpy(copy=True), (frame["a"] * 2 + 1).values,
        frame.groupby("k").mean().values, frame.sort_values("a")["b"].values,
        frame[frame["a"] > 0]["b"].to_numpy(), pd.concat([frame, frame])["a"].values,
        frame.merge(frame, on="k")["a_x"].values, frame.drop(columns="k").corr().values,
        frame.set_index("k").T.values, pd.Series(x[:, 1]).cumsum().unique(),
        (frame["a"] > 0).values, pd.DataFrame(x).iloc[1].values, copy.copy(frame)["a"].values,
        frame["a"].rolling(2).mean().dropna().values if False else frame["a"].diff().values,
        *pd.factorize(np.array([3, 1, 3])), pd.unique(np.array([1.0, 1.0])), pd.isna(x),
    ):
        show(values)
    plain = pd.DataFrame({"a": [1.0, 2.0]})
    print(type(plain["a"].values).__module__, frame["k"].values.dtype, frame.dtypes.values.tolist())
    plain["c"] = x[:2, 0]
    show(plain["c"].values)
    try:
        plain["c"].values[0] = 1
    except ValueError as error:
        print("read-only" in str(error))
    plain["c"].to_numpy(copy=True)[0] = 1
    print(plain.to_dict()["a"], plain.values.tolist() == plain.to_numpy().tolist())
    print(float(frame["a"].values @ frame["b"].values).__round__(6), frame["a"].attrs)
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_arrays_read_from_frames_of_arrays_are_of_the_device(tmp_path: Path, where: str):
    """Of what was made without our arrays they are NumPy's."""
    pytest.importorskip("pandas")
    write(tmp_path, {"program.py": FRAMES})
    theirs = with_numpy(FRAMES).stdout
    assert launch("--device", where, "program.py", cwd=tmp_path).stdout == theirs


FITTED = """
    import sys
    import numpy as np
    import sklearn
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LinearRegression, Ridge

    x = np.random.default_rng(0).normal(size=(40, 3))
    y = x @ np.array([1.0, 2.0, 3.0])
    chosen = sklearn.config_context(array_api_dispatch=len(sys.argv) > 1)
    with chosen:
        for model in (Ridge(solver="svd"), PCA(2), LinearRegression()):
            model.fit(x, y)
            made = model.predict(x) if hasattr(model, "predict") else model.transform(x)
            fitted = model.components_ if hasattr(model, "components_") else model.coef_
            print(getattr(fitted, "device", "cpu"), made.device, np.abs(made).sum().round(6))
"""


@pytest.mark.parametrize("words", [(), ("dispatch",)])
def test_estimators_that_follow_the_array_api_are_fitted_on_the_device(
    tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    """Those whose tag says so; the program may also leave it to scikit-learn."""
    pytest.importorskip("sklearn")
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    write(tmp_path, {"program.py": FITTED})
    theirs = with_numpy(FITTED, *words).stdout.split()
    done = launch("--device", "npy", "--summary", "program.py", *words, cwd=tmp_path)
    ours = done.stdout.split()
    assert ours[2::3] == theirs[2::3]
    assert ours[:2] == ours[3:5] == ["npy:0", "npy:0"]
    # Single values are read there too; the arguments have 1,280 bytes.
    fits = [
        name.split(".")[-2]
        for name, cells in rows(done.stderr).items()
        if ".fit" in name and int(cells[1].replace(",", "")) >= 1280
    ]
    assert fits == ["LinearRegression"]
