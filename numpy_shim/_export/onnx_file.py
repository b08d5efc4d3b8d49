"""ONNX files: torch's converter with the program's names, and ONNX Runtime to check them."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from xp_torch._torch.packages import quiet

from .._jit.record import Break
from .capture import last_line_of
from .checks import HostArray, Runner
from .errors import ExportError
from .ports import Port

_MISSING = re.compile(r"No ONNX function found for <OpOverload\(op='([\w.]+)'")
_NOT_IN_RUNTIME = re.compile(r"Could not find an implementation for (\w+)\(")


def onnx_bytes(
    program: torch.export.ExportedProgram,
    inputs: Sequence[Port],
    outputs: Sequence[Port],
    axes: Mapping[str, str],
) -> bytes:
    """A program as ONNX; ``axes`` names torch's symbols for sizes."""
    missing = [n for n in ("onnx", "onnxscript", "onnxruntime") if not importlib.util.find_spec(n)]
    if missing:
        raise ImportError(
            f'export: {", ".join(missing)} is not installed: pip install "xp-torch[onnx]"'
        )
    from .onnx_operators import TRANSLATIONS

    try:
        with contextlib.redirect_stdout(io.StringIO()), quiet():
            made = torch.onnx.export(
                program, (), dynamo=True, verbose=False,
                input_names=[port.name for port in inputs],
                output_names=[port.name for port in outputs],
                custom_translation_table=TRANSLATIONS,
            )  # fmt: skip
    except torch.onnx.errors.OnnxExporterError as error:
        raise ExportError(f"export: {_why(error, program)}") from None
    assert made is not None
    model = made.model
    for value in (*model.graph.inputs, *model.graph.outputs):
        value.shape = _named(value.shape, axes)
    data: bytes = made.model_proto.SerializeToString()
    return data


def _named(shape: Any, axes: Mapping[str, str]) -> Any:
    """A shape of ONNX with the program's names for torch's symbols."""
    named = [
        re.sub(r"\bs\d+\b", lambda s: axes.get(s[0], s[0]), str(size.value))
        if hasattr(size, "value")
        else size
        for size in shape
    ]
    return type(shape)(named)


def _why(error: BaseException, program: torch.export.ExportedProgram) -> str:
    """What has no counterpart in ONNX, and the line of the program, as far as torch tells."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    missing = _MISSING.search(str(causes[-1]))
    if missing is None:
        return f"torch cannot convert it to ONNX: {str(causes[-1]).partition(chr(10))[0]}"
    numbers = " of complex numbers" if "complex" in str(causes[-1]) else ""
    why = f"ONNX has nothing for torch's operator {missing[1]}{numbers}"
    stem = missing[1].partition(".")[2].strip("_").removesuffix("_ex")
    for node in program.graph.nodes:
        if stem in str(node.target):
            return str(Break(last_line_of(node), why))
    return why


def onnx_runner(name: str, data: bytes, outputs: Sequence[Port]) -> Runner:
    """What runs an ONNX file in ONNX Runtime on the CPU."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has a class for each kind of failure
        missing = _NOT_IN_RUNTIME.search(str(error))
        why = f"it has no {missing[1]} for the dtype" if missing else str(error)
        raise ExportError(f"export: ONNX Runtime cannot load {name}: {why}") from None
    names = [port.name for port in outputs]

    def run(inputs: Mapping[str, Tensor]) -> dict[str, HostArray]:
        given = {key: x.cpu().numpy() for key, x in inputs.items()}
        try:
            return dict(zip(names, session.run(names, given), strict=True))
        except Exception as error:
            raise ExportError(f"export: ONNX Runtime cannot run {name}: {error}") from None

    return run
