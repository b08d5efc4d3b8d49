"""Describe what a namespace computes on, as the Consortium's reports do: `execution_target`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Any


def target(device: object) -> dict[str, str]:
    """The execution target of an array's device.

    `kind` is cpu, gpu, tpu or other; all but a CPU have a `backend`, and where the library tells
    them `device_model`, `runtime_version` and `driver_version`.
    """
    torch, jax, cupy = (sys.modules.get(name) for name in ("torch", "jax", "cupy"))
    if torch is not None and isinstance(device, torch.device):
        found = _of_torch(torch, device)
    elif jax is not None and isinstance(device, jax.Device):
        found = _of_jax(device)
    elif cupy is not None and isinstance(device, cupy.cuda.Device):
        found = _of_cupy(cupy, device)
    elif "cpu" in str(device).lower():  # of NumPy and Dask "cpu", of array-api-strict CPU_DEVICE
        found = {"kind": "cpu"}
    else:
        found = {"kind": "other", "backend": _name(str(device))}
    return {name: value for name, value in found.items() if value}


def _of_torch(torch: Any, device: Any) -> dict[str, str]:
    kind = device.type
    if kind == "cpu":
        return {"kind": "cpu"}
    if kind == "cuda":
        rocm = torch.version.hip
        return {
            "kind": "gpu",
            "backend": "rocm" if rocm else "cuda",
            "device_model": torch.cuda.get_device_name(device),
            "runtime_version": rocm or torch.version.cuda or "",
            "driver_version": "" if rocm else _nvidia_driver(),
        }
    if kind in ("mps", "xpu"):
        return {"kind": "gpu", "backend": {"mps": "mps", "xpu": "oneapi"}[kind]}
    return {"kind": "other", "backend": _name(kind)}


def _of_jax(device: Any) -> dict[str, str]:
    platform = device.platform
    if platform == "cpu":
        return {"kind": "cpu"}
    gpu = platform in ("gpu", "cuda", "rocm")
    kind = "gpu" if gpu else "tpu" if platform == "tpu" else "other"
    backend = platform if platform in ("cuda", "rocm") else "cuda" if gpu else "xla"
    return {"kind": kind, "backend": backend, "device_model": device.device_kind}


def _of_cupy(cupy: Any, device: Any) -> dict[str, str]:
    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(device.id)
    return {
        "kind": "gpu",
        "backend": "rocm" if runtime.is_hip else "cuda",
        "device_model": properties["name"].decode(),
        "runtime_version": str(runtime.runtimeGetVersion()),
        "driver_version": "" if runtime.is_hip else _nvidia_driver(),
    }


def _name(text: str) -> str:
    """A text as the name of a backend: lower case, of letters and digits."""
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum()) or "unknown"


def _nvidia_driver() -> str:
    """The version of NVIDIA's driver, or "" where its tool is absent."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    asked = [tool, "--query-gpu=driver_version", "--format=csv,noheader"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return next(iter(done.stdout.split()), "") if done.returncode == 0 else ""
