"""Copies to the host under the launcher: counted exactly, warned of, refused, in processes too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch, write

PLOTS = """
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    x = np.linspace(0.0, 1.0, 100)
    for i in range(3):
        plt.imshow(np.ones((4, 4)) * i)
    frame = pd.DataFrame({"a": x, "b": x * 2})
    print(frame.to_numpy().shape, float(x.sum()))
"""
STARTED = """
    import multiprocessing, threading
    import numpy as np
    import pandas as pd

    def work(n):
        return float(pd.Series(np.ones(n)).sum())

    if __name__ == "__main__":
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(1) as pool:
                print(pool.map(work, [3, 4]))
        thread = threading.Thread(target=work, args=(5,))
        thread.start()
        thread.join()
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch):
    """A terminal in which no name is folded."""
    monkeypatch.setenv("COLUMNS", "160")


def rows(text: str) -> dict[str, list[str]]:
    """The table "crossed to the host": by line and function its other cells."""
    table = text.partition("crossed to the host")[2]
    cells = [[c.strip() for c in line.split("│")[1:-1]] for line in table.splitlines()]
    return {f"{c[0]} {c[1]}".strip(): c[2:] for c in cells if len(c) == 7}


def test_the_table_counts_exactly(tmp_path: Path):
    write(tmp_path, {"plots.py": PLOTS})
    done = launch("--device", "npy", "--summary", "plots.py", cwd=tmp_path)
    assert done.stdout == "(100, 2) 50.0\n"
    found = rows(done.stderr)
    assert found["plots.py:10 matplotlib.pyplot.imshow"][:2] == ["3", "384"]
    assert found["plots.py:11 pandas.core.frame.DataFrame"][:2] == ["2", "1,600"]
    assert found["plots.py:12 float()"][:2] == ["1", "8"]
    assert found["all"][:2] == ["6", "1,992"]


def test_a_loop_is_told_in_one_line(tmp_path: Path):
    write(tmp_path, {"plots.py": PLOTS})
    text = launch("--device", "npy", "plots.py", cwd=tmp_path).stderr
    assert text.count("numpy_shim:") == 1
    assert "1 line (plots.py:10 matplotlib.pyplot.imshow, 3 times)" in text
    assert launch("plots.py", cwd=tmp_path).stderr == ""


def test_error_names_the_first_and_warn_each_once(tmp_path: Path):
    write(tmp_path, {"plots.py": PLOTS})
    options = ("--device", "npy", "--host-copies")
    stopped = launch(*options, "error", "plots.py", cwd=tmp_path, status=1)
    assert stopped.stderr.splitlines()[-1].startswith(
        "TypeError: matplotlib.pyplot.imshow: 128 bytes on npy:0 are needed on the host at "
    )
    assert "plots.py:10, " in stopped.stderr.splitlines()[-1]
    warned = launch(*options, "warn", "plots.py", cwd=tmp_path).stderr
    assert warned.count("matplotlib.pyplot.imshow copies 128 bytes") == 1
    assert warned.count("pandas.core.frame.DataFrame copies 800 bytes") == 1


def test_threads_and_started_processes_count(tmp_path: Path):
    write(tmp_path, {"started.py": STARTED})
    done = launch("--device", "npy", "--summary", "started.py", cwd=tmp_path)
    assert done.stdout == "[3.0, 4.0]\n" * 2
    assert rows(done.stderr)["all"][:2] == ["5", str(8 * (3 + 4 + 3 + 4 + 5))]


def test_an_interrupted_program_prints_its_summary(tmp_path: Path):
    source = "import numpy as np, pandas as pd\npd.Series(np.ones(3))\nraise KeyboardInterrupt\n"
    write(tmp_path, {"stopped.py": source})
    done = launch("--device", "npy", "--summary", "stopped.py", cwd=tmp_path, status=-2)
    assert rows(done.stderr)["stopped.py:2 pandas.core.series.Series"][:2] == ["1", "24"]


WITH_LIBRARIES = """
    import numpy as np
    import pandas as pd
    import library
    from PIL import Image
    from scipy import special

    a = np.array([3, 9, 1])
    s = pd.Series([1.0, np.nan, 3.0])
    print(np.mean(s), np.std(s), np.max(s), np.cumsum(s).tolist())
    frame = pd.DataFrame({"v": a})
    frame["z"] = a.mean()
    print(frame.iloc[np.argmax(a)].tolist(), frame.loc[a.argmin(), "v"], frame["v"][a.argmax()])
    print(pd.DataFrame([{"m": np.mean(a)}, {"m": a.max()}]).dtypes["m"], frame.dtypes["z"])
    print(pd.Series([a.sum(), 5]).dtype, frame.head(a[2]).shape)
    pixels = (np.arange(12, dtype=np.uint8) * 20).reshape(2, 2, 3)
    picture = Image.fromarray(pixels)
    print(picture.getpixel((0, 1)), bool((np.asarray(picture) == pixels).all()))
    part = np.arange(20.0).reshape(4, 5)[1:, 1:]
    for view in (part, part.T, np.broadcast_to(part[0], (3, 4)), part[::-1]):
        print(library.windows(view).tolist())
    print(special.erf(a / 9.0).device if "numpy_shim" in np.__name__ else "npy:0")
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_libraries_take_scalars_and_arrays_of_a_device(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("PIL")
    library = """
        from numpy.lib.stride_tricks import as_strided

        def windows(x):
            shape = (x.shape[0] - 1, x.shape[1] - 1, 2, 2)
            return as_strided(x, shape, x.strides * 2)
    """
    installed = write(tmp_path / "site-packages", {"library.py": library})
    monkeypatch.setenv("PYTHONPATH", f"{installed}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    write(tmp_path, {"program.py": WITH_LIBRARIES})
    theirs = launch("program.py", cwd=tmp_path, launcher=False).stdout.splitlines()
    ours = launch("--device", where, "program.py", cwd=tmp_path).stdout.splitlines()
    assert ours[:-1] == theirs[:-1]
    assert ours[-1].partition(":")[0] == where


def test_the_table_says_why_a_function_was_not_computed_on_the_device(tmp_path: Path):
    text = """
        import numpy as np
        from scipy import ndimage, special
        print(special.gamma(np.ones(3) * 1j))
        print(ndimage.find_objects(np.asarray([1, 1, 2])))
    """
    write(tmp_path, {"program.py": text})
    done = launch("--device", "npy", "--summary", "program.py", cwd=tmp_path)
    found = [name for name in rows(done.stderr) if "scipy.special.gamma" in name]
    assert found, done.stderr
    assert "not on the device: TypeError: ufunc 'gamma' not supported" in done.stderr
    assert "not on the device: the slices are numbers of the host" in done.stderr


WARNING = """
    import numpy as np
    from matplotlib import pyplot as plt
    from scipy import optimize, stats

    plt.switch_backend("agg")
    x = np.ones(9)
    optimize.curve_fit(lambda t, a, b: a * t + 0 * b, x, x)
    stats.pearsonr(x, x)
    plt.gca().set_xlim(x[0], x[1])
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_warnings_of_libraries_name_the_line_of_the_program(tmp_path: Path, where: str):
    """Libraries count the frames up to the program: ``stacklevel=2``."""
    write(tmp_path, {"program.py": WARNING})
    theirs = launch("program.py", cwd=tmp_path, launcher=False).stderr
    assert theirs.count("program.py:") == 3
    assert launch("--device", where, "program.py", cwd=tmp_path).stderr.startswith(theirs)


FLOATS = """
    import json, sqlite3
    import numpy as np

    class Wide(json.JSONEncoder):
        def default(self, x):
            return x.tolist() if isinstance(x, np.ndarray) else super().default(x)

    x = np.linspace(0.25, 2.0, 5)
    mean = x.mean()
    print(json.dumps({"mean": mean, "all": [x[0], {"worst": x.max()}]}))
    print(json.dumps(mean, default=str), json.dumps(1j, default=str))
    print(json.dumps([mean, x], cls=Wide), json.dumps({"mean": [mean]}, indent=1))
    print(json.dumps(Wide(), default=lambda x: {"mean": mean}, indent=1))
    for refused in (x, np.float32(1) * mean.astype(np.float32), x.argmin(), x[0] > 0):
        try:
            print(json.dumps(refused, indent=1))
        except TypeError as error:
            print(type(error).__name__)
    numbers = sqlite3.connect(":memory:").execute("select ? + 1, typeof(?)", (mean, x[1]))
    print(numbers.fetchone())
"""


def test_json_and_sqlite3_take_scalars_as_floats(tmp_path: Path):
    """As they take NumPy's float64, and they refuse what they refuse of NumPy's."""
    write(tmp_path, {"floats.py": FLOATS})
    theirs = launch("floats.py", cwd=tmp_path, launcher=False).stdout
    assert launch("--device", "npy", "floats.py", cwd=tmp_path).stdout == theirs
    assert launch("floats.py", cwd=tmp_path).stdout == theirs


STANDARD = """
    import decimal, io, json, os, queue, select, signal, socket, sqlite3, statistics, threading
    import time
    import numpy as np

    x = np.asarray([6.0, 0.75, 1e-3])
    mean, zero, n = x.sum(), x[0] * 0, np.asarray([1, 2]).sum()

    def say(function, *args, **kwargs):
        try:
            print(function(*args, **kwargs))
        except (TypeError, ValueError) as error:
            print(type(error).__name__)

    circle = []
    circle.append(circle)
    for options in ({}, {"indent": 1}, {"skipkeys": True}, {"sort_keys": True}):
        say(json.dumps, {mean: [{x[1]: (mean, x[2])}]}, **options)
        say(json.dumps, {1j: mean}, **options)
        say(json.dumps, circle, **options)
    say(json.dumps, {"a": 1j}, default=lambda z: {x[1]: z.real})
    file = io.StringIO()
    json.dump({"a": [mean], mean: 1}, file)
    print(file.getvalue())
    for values in ([x[0], 2.5], [2.5, x[0]], [x[0], x[1], 3]):
        for mean_of in (statistics.mean, statistics.harmonic_mean, statistics.stdev):
            print(mean_of(values), type(mean_of(values)).__name__)
    print(bytes(n), bytes(np.asarray(n)), bytes(x[:1]), bytes(mean), bytes(n > 0))
    for now in (mean, x[0] * 1e9):
        print(time.gmtime(now), time.localtime(now), time.ctime(now))
    begin = time.perf_counter()
    time.sleep(x[1] / 2)
    print(round(time.perf_counter() - begin, 1), time.sleep(zero))
    say(time.sleep, np.asarray(0.5))
    say(time.sleep, np.float32(1) * x.astype(np.float32)[2])
    condition, event, tasks = threading.Condition(), threading.Event(), queue.Queue()
    with condition:
        print(condition.wait(x[2]), event.wait(timeout=x[2]))
    try:
        tasks.get(timeout=x[2])
    except queue.Empty:
        print("empty")
    thread = threading.Timer(x[2], print, ["called"])
    thread.start()
    thread.join(x[0])
    print(select.select([], [], [], x[2]), signal.setitimer(signal.ITIMER_REAL, mean * 100)[1])
    with socket.socket() as wire:
        wire.settimeout(x[1])
        print(wire.gettimeout())
    open("touched", "w").close()
    os.utime("touched", (x[0], x[1]))
    print(os.stat("touched").st_mtime)
    row = (mean, n, x[:2], np.asarray([1.5], np.float32)[0], n > 0)
    print(sqlite3.connect(":memory:").execute("select ?, ?, ?, ?, ?", row).fetchone())
"""


def test_the_standard_library_takes_scalars_as_numpys(tmp_path: Path):
    """Keys of json, times and timeouts, means, counts of bytes."""
    write(tmp_path, {"standard.py": STANDARD})
    theirs = launch("standard.py", cwd=tmp_path, launcher=False).stdout
    assert launch("--device", "npy", "standard.py", cwd=tmp_path).stdout == theirs
