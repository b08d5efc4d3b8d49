"""``python -m numpy_shim export module:function``: a file that runs without Python."""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import os
import sys
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy

from .._export.errors import ExportError
from .._export.export import export
from .device import LaunchError

NAME = "export"

_EPILOG = """\
examples:
  python -m numpy_shim export filters:smooth --example inputs.npz -o smooth.onnx
  python -m numpy_shim export filters:smooth --example inputs.npz --dynamic x=n --aot -o smooth.pt2

The example has an array for each argument that is one, under the argument's name:
numpy.savez("inputs.npz", x=x). The kind of file follows from its name: .onnx is checked in ONNX
Runtime, .pt2 is torch's program, or compiled with --aot.
"""


def is_asked_for(arguments: Sequence[str]) -> bool:
    """Whether a command line is this command's; a script named ``export`` is run as before."""
    return list(arguments[:1]) == [NAME] and not os.path.isfile(NAME)


def parser() -> argparse.ArgumentParser:
    """The parser of the words after ``export``."""
    made = argparse.ArgumentParser(
        prog="python -m numpy_shim export",
        description="Write a file of a function written for NumPy, which runs without Python.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("function", metavar="module:function", help="the function to export")
    made.add_argument(
        "--example", required=True, metavar="INPUTS.npz", help="the arrays of a call, by name"
    )
    made.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write: .onnx or .pt2"
    )
    made.add_argument(
        "--dynamic",
        action="append",
        default=[],
        metavar="INPUT=AXES",
        help="names of the axes whose size may vary: x=n for the first, x=n,m for two, x=,m for "
        "the second",
    )
    made.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="ARGUMENT=VALUE",
        help="a fixed argument that is no array, as Python writes it: steps=3",
    )
    made.add_argument(
        "--aot", action="store_true", help="compile to machine code, for C++; the file is a .pt2"
    )
    return made


def main(arguments: Sequence[str]) -> int:
    """Write the file that the command line asks for, and return its exit status."""
    given = parser().parse_args(arguments)
    if not given.output.endswith((".pt2",) if given.aot else (".onnx", ".pt2")):
        ends = ".pt2" if given.aot else ".onnx or .pt2"
        raise LaunchError(f"export: the name of the file must end with {ends}: {given.output!r}")
    function = _function(given.function)
    keywords = _example(given.example) | dict(map(_value, given.set))
    parameters = inspect.signature(function).parameters
    dynamic = dict(map(_axes, given.dynamic))
    positional = [
        keywords.pop(name)
        for name, parameter in parameters.items()
        if parameter.kind is parameter.POSITIONAL_ONLY and name in keywords
    ]
    try:
        made = export(function, *positional, keywords=keywords, dynamic=dynamic)
        if given.aot:
            made.aot(given.output)
        elif given.output.endswith(".onnx"):
            made.onnx(given.output)
        else:
            made.save(given.output)
    except (ExportError, ImportError, TypeError, ValueError) as error:
        print(f"numpy_shim: {error}", file=sys.stderr)
        return 1
    print(made)
    print(f"written to {given.output}")
    return 0


def _function(name: str) -> FunctionType:
    """The function that ``module:function`` names, from the current directory as with ``-m``."""
    module_name, colon, function_name = name.partition(":")
    if not colon or not function_name:
        raise LaunchError(f"export: name a function as module:function; got {name!r}")
    if not sys.flags.safe_path:
        sys.path[0] = os.getcwd()
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise LaunchError(f"export: there is no module named {module_name!r}") from None
    found = getattr(module, function_name, None)
    if not isinstance(found, FunctionType):
        raise LaunchError(f"export: {module_name} has no function {function_name!r}")
    return found


def _example(path: str) -> dict[str, Any]:
    """The arrays of a file by name; those without axes are scalars."""
    try:
        with numpy.load(path) as file:
            return {name: file[name][()] for name in file.files}
    except (OSError, ValueError, AttributeError) as error:
        raise LaunchError(f"export: {path} is no file of arrays by numpy.savez: {error}") from None


def _value(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    try:
        if equals:
            return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        pass
    raise LaunchError(f"export: --set takes ARGUMENT=VALUE with a value of Python; got {text!r}")


def _axes(text: str) -> tuple[str, list[str | None]]:
    name, equals, axes = text.partition("=")
    if not equals:
        raise LaunchError(f"export: --dynamic takes INPUT=AXES; got {text!r}")
    return name, [axis or None for axis in axes.split(",")]
