"""``tools/walks.py`` counts what a call goes through."""

from __future__ import annotations

from tools import walks


def test_a_flat_path_is_one_call():
    import numpy_shim as np

    a = np.ones((2, 3))
    found = walks.walk(lambda: np.add(a, a))
    assert (len(found.calls), found.files, found.depth, found.changes) == (1, 1, 1, 0)


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
