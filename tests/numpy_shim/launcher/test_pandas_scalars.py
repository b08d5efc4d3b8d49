"""Launched programs give pandas scalars of a device where pandas asks for numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import check_output

CALLS = """
    import pickle
    import numpy as np
    import pandas as pd

    i, f = np.arange(3), np.linspace(0.0, 1.0, 3)
    one, two, half = i[1], i[2], f[1]
    s = pd.Series([1.0, np.nan, np.nan, 4.0, 5.0])
    t = pd.Series(np.arange(5.0), index=pd.date_range("2020-01-01", periods=5))
    day = pd.offsets.Day()
    print(s.interpolate(limit=one).tolist(), s.ffill(limit=one).tolist())
    print(s.rolling(two).sum().tolist(), s.rolling(two, min_periods=one).apply(np.nansum).tolist())
    print(s.rolling(window=two, win_type="triang").sum().tolist(), t.shift(one, freq="D"))
    print(pd.Timedelta(one, "D"), pd.Timedelta(half, unit="h"), pd.Timedelta(days=one, hours=half))
    print(one * pd.Timedelta(days=1), half * pd.Timedelta(days=1), pd.Timedelta(days=1) * one)
    print(pd.to_timedelta(one, "D"), pd.to_timedelta([one, half], "D"), pd.to_timedelta(f, "D"))
    print(pd.Timestamp(one, unit="D"), pd.Timestamp(2020, one, one), pd.Timestamp(half, unit="D"))
    print(one * day, day * one, t.index + two * day, pd.Period(year=2020, month=one, freq="M"))
    print(pd.Interval(f[0], half), half in pd.Interval(0, 1), pd.cut(f, two))
    print(pd.Series(f, index=i)[one], pd.Series(f, index=f)[half], pd.Series(f, index=f).loc[half:])
    kept = [pd.Timestamp(2020, 1, 1), pd.Timedelta("1D"), pd.Interval(0, 1), pd.Period("2020", "M")]
    print(pickle.loads(pickle.dumps(kept)) == kept)
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_dates_windows_and_keys(tmp_path: Path, where: str) -> None:
    pytest.importorskip("pandas")
    check_output(tmp_path, CALLS, where)
