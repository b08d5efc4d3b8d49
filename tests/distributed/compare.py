"""Compare what the processes answer with one process's result."""

from __future__ import annotations

from typing import Any

import numpy

_TOLERANCE = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "torch.float32": 1e-5,
              "torch.complex64": 1e-5}  # fmt: skip


def difference(want: Any, got: Any) -> str:
    """What is different between two results; empty if they are equal to rounding."""
    if want[0] != got[0]:
        return f"{want[0]} {want[1]} became {got[0]} {got[1]}"
    if want[0] == "array":
        if want[1] != got[1] or want[2].shape != got[2].shape:
            return f"{want[1]}{want[2].shape} became {got[1]}{got[2].shape}"
        a, b = want[2], got[2]
        if a.dtype.kind in "fc":
            rtol = _TOLERANCE.get(want[1], 1e-12)
            same = numpy.allclose(a, b, rtol=rtol, atol=rtol, equal_nan=True)
        else:
            same = bool((a == b).all())
        return "" if same else f"{a.tolist()} became {b.tolist()}"
    if want[0] == "several":
        if len(want[1]) != len(got[1]):
            return f"{len(want[1])} results became {len(got[1])}"
        found = [difference(a, b) for a, b in zip(want[1], got[1], strict=True)]
        return "; ".join(f for f in found if f)
    if want[0] == "python" and type(want[1]) is type(got[1]) is float:
        same = numpy.allclose(want[1], got[1], rtol=1e-12, equal_nan=True)
        return "" if same else f"{want[1]} became {got[1]}"
    return "" if want[1] == got[1] else f"{want[1]} became {got[1]}"


def verdict(want: dict[str, Any], got: list[dict[str, Any]]) -> tuple[str, Any]:
    """``right``, ``gathered``, ``refused``, ``wrong`` or ``error``, and why."""
    if "error" in want:
        kinds = {g.get("error") for g in got}
        if kinds == {want["error"]}:
            return "right", "the same error"
        return "error", (want["error"], kinds, [g.get("message") for g in got])
    errors = [g for g in got if "error" in g]
    if errors:
        e = errors[0]
        told = "distributed" in e["message"]
        if len(errors) == len(got) and told:
            return "refused", f"{e['error']}: {e['message']}"
        return "error", [(g.get("error"), g.get("message", "")) for g in got]
    for g in got:
        found = difference(want["value"], g["value"]) or difference(want["inputs"], g["inputs"])
        if found:
            return "wrong", found
    everything = [size for g in got for kind, size in g["moved"] if kind == "all_gather"]
    largest = max(g["largest"] for g in got)
    if everything and max(everything) * 2 >= largest:
        return "gathered", (max(everything), largest)
    return "right", ""
