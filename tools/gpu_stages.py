"""The stages of ``gpu_check.py`` that need nothing but torch and this checkout.

    python tools/gpu_stages.py STAGE --device DEVICE [--dry-run]

Each prints one line per failure and ends with a line for the table; the status is 1 when
something failed.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import platform
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

import xp_torch as xp
from tests import synchronising
from tests.cases import all_cases, arrays, labels, leaves, on
from tests.surface import Case
from tests.waiting import Watch

Found: TypeAlias = tuple[list[str], str]
"""The result of a stage: a line for each failure, and the checked items."""

PACKAGES = (
    "torch", "numpy", "array-api-strict", "array-api-compat", "hypothesis", "pytest",
    "pytest-xdist", "pytest-json-report", "rich", "ndindex", "scikit-learn", "scipy",
)  # fmt: skip


def imports(device: str, dry: bool) -> Found:
    """Print the versions, the device, and the import time in a warm process."""
    for package in PACKAGES:
        try:
            print(f"  {package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            print(f"  {package} is not installed")
    card = torch.cuda.get_device_name(0) if device.startswith("cuda") else "no CUDA"
    x = xp.asarray(torch.arange(3, device=device))
    failures = [] if int(xp.sum(x)) == 3 else ["the sum of 0, 1, 2 is not 3"]
    if device.startswith("cuda") and "cuda" not in repr(x):
        failures.append(f"the device is not shown: {x!r}")
    versions = f"Python {platform.python_version()}, torch {torch.__version__}"
    return failures, f"{versions}, CUDA {torch.version.cuda}, {card}"


def forbidding(device: str, body: Callable[[], Any]) -> Any:
    """The result of a call, or the error if it waits for the device.

    On CUDA torch raises the error; elsewhere a watch finds operators that would wait on CUDA.
    """
    if not device.startswith("cuda"):
        with Watch() as watch:
            result = attempt(body)
        if watch.waits:
            return RuntimeError(f"{watch.waits[0]} would be a synchronizing operation on CUDA")
        return result
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        return attempt(body)
    finally:
        torch.cuda.set_sync_debug_mode("default")


def waited(error: BaseException) -> bool:
    """Whether an error is the one that torch raises instead of waiting."""
    while error is not None:
        if "synchronizing" in str(error):
            return True
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return False


def in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def attempt(body: Callable[[], Any]) -> Any:
    """The result or the exception of a case; an exception is an outcome to report."""
    try:
        return body()
    except Exception as error:
        return error


def difference(got: Any, expected: Any) -> str:
    """The difference between the results on the device and on the CPU, or nothing."""
    if isinstance(expected, Exception) or isinstance(got, Exception):
        if type(got) is type(expected):
            return ""
        return f"{_outcome(got)} where the CPU gives {_outcome(expected)}"
    ours, theirs = leaves(got), leaves(expected)
    if len(ours) != len(theirs):
        return f"{len(ours)} arrays where the CPU gives {len(theirs)}"
    for a, b in zip(ours, theirs, strict=True):
        try:
            torch.testing.assert_close(
                comparable(a), comparable(b), equal_nan=True, check_device=False
            )
        except AssertionError as error:
            return " ".join(str(error).split())
        if a.dtype is not b.dtype:
            return f"dtype {a.dtype} where the CPU gives {b.dtype}"
    return ""


def _outcome(value: Any) -> str:
    return in_words(value) if isinstance(value, Exception) else "a result"


def comparable(t: torch.Tensor) -> torch.Tensor:
    """Copy the tensor to the CPU, as signed integers if torch cannot compare its dtype."""
    t = t.detach().cpu()
    twins = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
    return t.view(twins[t.dtype]) if t.dtype in twins else t


def evaluate(case: Any, device: str) -> Any:
    """A case's result with ``device`` as the default device; its inputs are made first."""
    inputs = arrays(case, device)
    with on(device):
        return attempt(lambda: case.body(xp, *inputs))


def without_waiting(case: Any, device: str) -> Any:
    """A case's result, or torch's error if it would wait.

    The case runs once before: what libraries set up at their first call may wait.
    """
    evaluate(case, device)
    inputs = arrays(case, device)
    with on(device):
        return forbidding(device, lambda: case.body(xp, *inputs))


def left_out(case: Any, device: str) -> str:
    """The reason why a case cannot run here, or nothing."""
    if case.name == "Array.__array__" and importlib.util.find_spec("numpy") is None:
        return "NumPy is not installed"
    if isinstance(case, Case) and case.name == "Array.__array__" and device != "cpu":
        return "NumPy is on the CPU only; the list has the way over it"
    return ""


# Its result is uninitialised memory.
NOT_COMPARED = {"empty", "empty_like"}
# Solutions that are unique up to sign, phase or order, so that the GPU's may differ.
UP_TO_SIGN = {"linalg.eigh", "linalg.eig", "linalg.eigvals", "linalg.svd", "linalg.qr"}


def no_sync(device: str, dry: bool) -> Found:
    """Every case of the surface and the free relatives; only listed cases may wait."""
    cases = all_cases()
    failures = []
    excepted = 0
    table: list[tuple[str, Any, bool]] = [
        (label, case, case.name in synchronising.NAMES)
        for label, case in zip(labels(cases), cases, strict=True)
    ]
    table += [(call.text, call, False) for call in synchronising.FREE]
    for label, case, may_wait in table:
        if left_out(case, device):
            print(f"  left out: {label}: {left_out(case, device)}")
            continue
        got = without_waiting(case, device)
        if may_wait and isinstance(got, Exception) and waited(got):
            excepted += 1
            got = evaluate(case, device)
        if isinstance(got, Exception):
            words = "waits for the device" if waited(got) else in_words(got)
            failures.append(f"{label}: {words}")
        elif case.name not in NOT_COMPARED | UP_TO_SIGN:
            found = difference(got, evaluate(case, "cpu"))
            if found:
                failures.append(f"{label}: {found}")
    return failures, f"{len(table)} cases, {excepted} of them listed as waiting"


def listed(device: str, dry: bool) -> Found:
    """Every published call waits; one that does not makes the list stale."""
    failures = []
    for call in synchronising.LIST:
        if left_out(call, device):
            print(f"  left out: {call.text}: {left_out(call, device)}")
            continue
        got = without_waiting(call, device)
        if dry and call.on_cpu:
            found = ""
        elif not isinstance(got, Exception):
            found = "does not wait; the list is stale"
        else:
            found = "" if waited(got) else in_words(got)
        if found:
            failures.append(f"{call.text}: {found}")
    return failures, f"{len(synchronising.LIST)} calls"


WIDE = ("uint16", "uint32", "uint64")


# Their second argument must not be arbitrary: an index out of bounds is an assertion on the device,
# after which nothing runs, and 2**63 repetitions do not fit into memory.
BY_VALUE = ("take", "take_along_axis", "repeat", "searchsorted")


def unsigned_calls() -> dict[str, Callable[..., Any]]:
    """Calls by name: functions of one and two arrays, and functions with other arguments."""
    calls: dict[str, Callable[..., Any]] = {}
    for name in xp.__all__:
        function = getattr(xp, name)
        if callable(function) and name not in ("empty", "empty_like", "from_dlpack"):
            calls[f"{name}(x)"] = lambda x, y, i, f=function: f(x)
            if name not in BY_VALUE:
                calls[f"{name}(x, y)"] = lambda x, y, i, f=function: f(x, y)
    for name in xp.linalg.__all__:
        function = getattr(xp.linalg, name)
        calls[f"linalg.{name}(m)"] = lambda x, y, i, f=function: f(xp.reshape(x, (2, 4)))
        calls[f"linalg.{name}(x, y)"] = lambda x, y, i, f=function: f(x, y)
    calls |= {
        "x[i]": lambda x, y, i: x[i],
        "x[::-1]": lambda x, y, i: x[::-1],
        "x[mask]": lambda x, y, i: x[x > y],
        "x[0]": lambda x, y, i: x[0],
        "x[i] = y": lambda x, y, i: _stored(x, i, y),
        "x[mask] = 7": lambda x, y, i: _stored(x, x > y, 7),
        "x[1::2] = y": lambda x, y, i: _stored(x, slice(1, None, 2), y[:4]),
        "x + 1": lambda x, y, i: x + 1,
        "x // 3": lambda x, y, i: x // 3,
        "x % 3": lambda x, y, i: x % 3,
        "x ** 3": lambda x, y, i: x**3,
        "x << 5": lambda x, y, i: x << 5,
        "x >> 5": lambda x, y, i: x >> 5,
        "x > 2": lambda x, y, i: x > 2,
        "x @ y": lambda x, y, i: x @ y,
        "m @ m.T": lambda x, y, i: xp.reshape(x, (2, 4)) @ xp.reshape(y, (4, 2)),
        "max(m, axis=1)": lambda x, y, i: xp.max(xp.reshape(x, (2, 4)), axis=1),
        "sum(m, axis=0)": lambda x, y, i: xp.sum(xp.reshape(x, (2, 4)), axis=0),
        "prod(m, axis=0)": lambda x, y, i: xp.prod(xp.reshape(x, (2, 4)), axis=0),
        "sort descending": lambda x, y, i: xp.sort(x, descending=True),
        "argsort descending": lambda x, y, i: xp.argsort(x, descending=True),
        "searchsorted": lambda x, y, i: xp.searchsorted(xp.sort(x), y, side="right"),
        "clip": lambda x, y, i: xp.clip(x, 2, y),
        "where": lambda x, y, i: xp.where(x > y, x, y),
        "concat": lambda x, y, i: xp.concat([x, y]),
        "stack": lambda x, y, i: xp.stack([x, y]),
        "take": lambda x, y, i: xp.take(x, i),
        "take_along_axis": lambda x, y, i: xp.take_along_axis(x, i),
        "repeat": lambda x, y, i: xp.repeat(x, 2),
        "repeat by i": lambda x, y, i: xp.repeat(x, i),
        "roll": lambda x, y, i: xp.roll(x, 3),
        "tile": lambda x, y, i: xp.tile(x, (2,)),
        "flip": lambda x, y, i: xp.flip(x),
        "diff": lambda x, y, i: xp.diff(x),
        "tril": lambda x, y, i: xp.tril(xp.reshape(x, (2, 4))),
        "cumulative_sum": lambda x, y, i: xp.cumulative_sum(x, include_initial=True),
        **{
            f"astype {name}": lambda x, y, i, d=name: xp.astype(x, getattr(xp, d))
            for name in ("bool", "int8", "int64", "uint8", *WIDE, "float32", "complex128")
        },
        **{
            f"from {name}": lambda x, y, i, d=name: xp.astype(xp.astype(i, getattr(xp, d)), x.dtype)
            for name in ("bool", "int8", "uint8", *WIDE, "float64")
        },
    }
    return calls


def _stored(x: Any, key: Any, value: Any) -> Any:
    x = xp.asarray(x, copy=True)
    x[key] = value
    return x


def unsigned(device: str, dry: bool) -> Found:
    """Values around zero and around the middle and the end of the range, as on the CPU."""
    calls = unsigned_calls()
    failures = []
    for dtype in WIDE:
        top = 2 ** int(dtype.removeprefix("uint")) - 1
        first = [0, 1, 2, top, top - 1, top // 2, top // 2 + 1, 7]
        second = [1, 3, top, 2, top - 1, top // 2 + 1, 5, 7]
        for label, call in calls.items():
            got = attempt(partial(call, *_made(first, second, dtype, device)))
            expected = attempt(partial(call, *_made(first, second, dtype, "cpu")))
            found = difference(got, expected)
            if found:
                failures.append(f"{label} of {dtype}: {found}")
    return failures, f"{len(calls)} calls on each of {', '.join(WIDE)}"


def _made(first: list[int], second: list[int], dtype: str, device: str) -> tuple[Any, ...]:
    kind = getattr(xp, dtype)
    return (
        xp.asarray(first, dtype=kind, device=device),
        xp.asarray(second, dtype=kind, device=device),
        xp.asarray([3, 1, 0, 2, 7, 5, 6, 4], device=device),
    )


STAGES = {"imports": imports, "no-sync": no_sync, "listed": listed, "unsigned": unsigned}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dry-run", action="store_true", help="without CUDA")
    options = parser.parse_args()
    start = time.perf_counter()
    failures, summary = STAGES[options.stage](options.device, options.dry_run)
    for failure in failures:
        print(f"  failed: {failure[:300]}")
    print(f"{summary}; {len(failures)} failed, {time.perf_counter() - start:.0f} s")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
