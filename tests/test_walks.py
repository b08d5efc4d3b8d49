"""``tools/walks.py`` counts what a call goes through."""

from __future__ import annotations

from tools import walks


def test_a_flat_path_is_one_call():
    import numpy_shim as np

    a = np.ones((2, 3))
    found = walks.walk(lambda: np.add(a, a))
    names = [name for _, name in found.calls]
    assert names in (
        ["binary_call.<locals>.call"],
        ["binary_call.<locals>.call", "new"],
    )  # torch 2.11
    assert (found.files, found.depth) == (len(names), len(names))


def test_calls_in_calls_are_counted():
    import numpy_shim as np

    found = walks.walk(lambda: np.add([1, 2], [3, 4]))
    assert found.files > 2
    assert len(found.calls) >= found.depth > 2


def test_there_is_a_row_for_each_call(capsys):
    walks.main()
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + 6
    assert rows[2].startswith("| `np.add(a, b, out=o, where=m)` |")


def test_calls_stay_short():
    """Lower a number where a call became shorter."""
    limits = {"np.add(a, b, out=o, where=m)": 20, "np.sum(a, axis=(0, 1))": 2}
    for text, limit in limits.items():
        assert len(walks.walk(walks.common_calls()[text]).calls) <= limit, text


def test_each_way_is_tried_once():
    import numpy_shim as np

    a = np.ones((2, 2))
    called = [name for _, name in walks.walk(lambda: np.add(a, [1, 2])).calls]
    assert called.count("binary.<locals>.function") == 1
    assert called.count("plain") == 1
