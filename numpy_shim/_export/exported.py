"""An exported function: a program of torch's, and the files that are made of it."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from xp_torch._torch.packages import compile_package, load_package, quiet

from .._array.ndarray import array_of, scalar
from .._base.tracing import caller
from .._jit.exchange import Exchange
from .._jit.translation import Translation
from .._jit.with_torch import without_jit
from . import checks
from .call import Call
from .capture import Capture
from .checks import HostArray, Runner
from .errors import ExportError
from .ports import UNBOUNDED, Axes, ports
from .trees import Slot, host_array, mapped, tensor_of

Path = str | os.PathLike[str]
Arguments = Sequence[object]
"""The positional arguments of a call."""


class Exported:
    """A function that ``export`` has made a program of; called, it runs the program.

    Attributes
    ----------
    program : torch.export.ExportedProgram
        torch's program: it takes and gives tensors, and needs torch alone. A result that is one
        array is a tensor; any other result is a dictionary of tensors, with the names of
        ``outputs``.
    inputs, outputs : tuple
        What it takes and gives, in order, each with a ``name``, a ``dtype`` and a ``shape`` in
        which an axis that may vary has its name for a size.
    ranges : dict
        The smallest and the largest size that each of these axes may have.
    """

    def __init__(self, call: Call, captured: Capture, axes: Axes) -> None:
        self._call = call
        self._captured = captured
        self.program = captured.program
        names = [*call.outputs, *call.written_names(captured.kept)]
        found = ports(captured.program, names, axes)
        self.inputs, self.outputs, self.ranges = found.inputs, found.outputs, found.ranges
        self._axes = found.axes
        self._aliases = call.returned_arguments()
        self.__name__ = call.f.__name__
        self._check_program()

    def _check_program(self) -> None:
        """Compare the program with the function for the example, and run it for other sizes.

        Where a result is not unique, as eigenvectors are not, it is that of the function on our
        arrays.
        """
        example = [self._call.examples]
        try:
            self._compare("the program", self._run, example)
        except ExportError as error:
            self._call.run_on_ours()
            self._compare("the program", self._run, example)
            text = f"{error}: it gives what the function gives on arrays of numpy_shim"
            warnings.warn(text, RuntimeWarning, stacklevel=caller())
        for tensors in self._cases(None) if self.ranges else ():
            try:
                self._module(*tensors)
            except Exception as error:
                # torch checks what the trace has relied on: that one size is not another, too.
                if " != " in str(error) or self._expected(tensors) is None:
                    continue
                sizes = ", ".join(f"{n} = {size}" for n, size in self._sizes(tensors).items())
                raise ExportError(
                    f"export: {self.__name__} cannot be exported for all sizes, as for {sizes}: "
                    f"{str(error).partition(chr(10))[0]}"
                ) from None

    def _expected(self, tensors: Sequence[Tensor]) -> dict[str, HostArray] | None:
        """What the function gives; ``None`` if it does not take values that were drawn."""
        try:
            return self._call.expected(tensors, self._captured.kept)
        except Exception:  # whatever a function raises
            return None

    def _sizes(self, tensors: Sequence[Tensor]) -> dict[str, int]:
        return checks.sizes_of(self.inputs, tensors)

    def __str__(self) -> str:
        lines = [f"{self.__name__}:"]
        lines += [f"  takes {port}" for port in self.inputs]
        lines += [f"  gives {port}" for port in self.outputs]
        for name, (least, most) in self.ranges.items():
            lines.append(f"  {name}: {least} {'or more' if most == UNBOUNDED else f'to {most}'}")
        return "\n".join(lines)

    __repr__ = __str__

    # --- calls ---

    @functools.cached_property
    def _module(self) -> Callable[..., Any]:
        return self.program.module()

    def _run(self, inputs: Mapping[str, Tensor]) -> dict[str, HostArray]:
        return self._named(self._module(*inputs.values()))

    def _named(self, result: object) -> dict[str, HostArray]:
        """The result of a program or a compiled file as NumPy's arrays, by name."""
        found = result if isinstance(result, dict) else {self.outputs[0].name: result}
        return {name: host_array(x) for name, x in found.items()}

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        """Run the program, as the function would be called.

        Results are of the kind that came in, as those of ``jit``, and what the function writes to
        its arguments is written. Arrays must have the dtypes and the axes of the example; anything
        else must be what it was there.
        """
        exchange = Exchange(Translation(without_jit))
        args, kwargs = exchange.take(arguments), exchange.take(keywords)
        arrays = self._call.arrays_of(args, kwargs)
        tensors = [tensor_of(x, port.name) for x, port in zip(arrays, self.inputs, strict=True)]
        try:
            self._sizes(tensors)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.__name__}: {error}") from None
        with torch.no_grad():
            result = self._module(*tensors)
        found = list(result.values()) if isinstance(result, dict) else [result]
        self._write(arrays, found)

        def part(x: object) -> Any:
            if type(x) is not Slot:
                return x
            if x.index in self._aliases:
                return arrays[self._aliases[x.index]]
            value = found[x.index]
            if x.kind == "array":
                return array_of(value)
            return scalar(value) if x.kind == "scalar" else value.item()

        return exchange.give(mapped(self._call.result, part))

    def _write(self, arrays: list[Any], found: list[Tensor]) -> None:
        """Write to the arguments what the function would have written."""
        outputs = {number: i for i, number in self._aliases.items()}
        count = len(self._call.outputs)
        outputs |= {number: count + i for i, number in enumerate(self._captured.kept)}
        for number in self._captured.written:
            arrays[number][...] = array_of(found[outputs[number]])

    # --- files ---

    def save(self, path: Path) -> None:
        """Write torch's program to a file; ``torch.export.load(path).module()`` runs it.

        Parameters
        ----------
        path : str or path
            The file, whose name ends with ``.pt2``.
        """
        with quiet():
            torch.export.save(self.program, _with_end(path, ".pt2"))

    def aot(self, path: Path, *, inputs: Sequence[Arguments] | None = None) -> None:
        """Compile the program to machine code in a file that C++ runs without Python.

        AOTInductor compiles it, which needs a C++ compiler for programs on the CPU, or CUDA's. The
        file runs on the kind of processor that it is compiled for.

        Parameters
        ----------
        path : str or path
            The file, whose name ends with ``.pt2``.
        inputs : sequence of tuples, optional
            Arguments of calls that the file is checked with. Without them inputs are drawn: rows of
            the example's arrays, of other numbers where axes vary, and values close to them.

        Raises
        ------
        ExportError
            If the program cannot be compiled, or the file gives something else than the function.
            There is no file then.
        """
        name = _with_end(path, ".pt2")
        on_cpu = all(x.is_cpu for x in self._call.examples)
        try:
            with quiet():
                compile_package(self.program, name, on_cpu)
                loaded = load_package(name)
            order = [port.name for port in self.inputs]
            self._check(name, lambda x: self._named(loaded(*[x[n] for n in order])), inputs)
        except BaseException:
            if os.path.exists(name):
                os.remove(name)
            raise

    def onnx(self, path: Path, *, inputs: Sequence[Arguments] | None = None) -> None:
        """Write the program as an ONNX file, once ONNX Runtime gives the function's results.

        Inputs, outputs and axes that vary have their names in the file. It needs the extra
        ``onnx``: ``pip install "xp-torch[onnx]"``.

        Parameters
        ----------
        path : str or path
            The file, whose name ends with ``.onnx``.
        inputs : sequence of tuples, optional
            Arguments of calls that the file is checked with, as for ``aot``.

        Raises
        ------
        ExportError
            If an operator of the program has no counterpart in ONNX, or ONNX Runtime gives
            something else than the function. Nothing is written then.
        ImportError
            If onnx, onnxscript or onnxruntime is missing.
        """
        from .onnx_file import onnx_bytes, onnx_runner

        name = _with_end(path, ".onnx")
        data = onnx_bytes(self.program, self.inputs, self.outputs, self._axes)
        self._check(name, onnx_runner(name, data, self.outputs), inputs)
        with open(name, "wb") as file:
            file.write(data)

    def _cases(self, inputs: Sequence[Arguments] | None) -> Iterator[list[Tensor]]:
        """The arrays of the calls that a file is checked with."""
        if inputs is None:
            yield from checks.drawn(self.inputs, self._call.examples, self.ranges)
            return
        for arguments in inputs:
            if not isinstance(arguments, (tuple, list)):
                raise TypeError(
                    f"{self.__name__}: inputs must be a sequence of tuples of arguments; got a "
                    f"{type(arguments).__name__} in it"
                )
            arrays = self._call.arrays_of(tuple(arguments), {})
            tensors = [tensor_of(x, port.name) for x, port in zip(arrays, self.inputs, strict=True)]
            self._sizes(tensors)
            yield tensors

    def _check(self, what: str, run: Runner, inputs: Sequence[Arguments] | None) -> None:
        """Compare a file with the function, for the inputs that are given, or for drawn ones."""
        cases = list(self._cases(inputs))
        if inputs is None:
            cases = [tensors for tensors in cases if self._expected(tensors) is not None]
            if not cases:
                raise ExportError(
                    f"export: {self.__name__} takes none of the inputs that were drawn to check "
                    f"{what}: give inputs="
                )
        self._compare(what, run, cases)

    def _compare(self, what: str, run: Runner, cases: Iterable[list[Tensor]]) -> None:
        """Compare what a file gives with what the function gives, for new copies of inputs."""
        for tensors in cases:
            expected = self._call.expected(tensors, self._captured.kept)
            names = (port.name for port in self.inputs)
            copies = dict(zip(names, (x.clone() for x in tensors), strict=True))
            with torch.no_grad():
                given = run(copies)
            checks.compare(f"export: {what}", expected, given)


def _with_end(path: Path, end: str) -> str:
    name = os.fspath(path)
    if not name.endswith(end):
        raise ValueError(f"export: the name of the file must end with {end}; got {name!r}")
    return name
