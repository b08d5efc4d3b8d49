"""The parts of torch that write a traced program into files, and what they log meanwhile.

They are imported with inductor, which takes seconds, so only functions import them.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``aoti_compile_and_package``,       documented for users, in a module that is not public
``aoti_load_package``
``_guards``, ``_internal``          loggers with public names; no public issue known
==================================  ===============================================================
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .dynamo import LOGGERS, ON_CPU

_LOGGERS = (*LOGGERS, "torch._guards", "torch.onnx._internal.exporter._registration")
"""What tells, beside an error, how it came about, or of a package that is not installed."""


def compile_package(program: Any, path: str, on_cpu: bool) -> None:
    """Compile an exported program with AOTInductor, for C++ or Python, into one file."""
    from torch._inductor import aoti_compile_and_package

    options = ON_CPU if on_cpu else {}
    aoti_compile_and_package(program, package_path=path, inductor_configs=dict(options))


def load_package(path: str) -> Callable[..., Any]:
    """The function in a compiled file; it takes tensors."""
    from torch._inductor import aoti_load_package

    loaded: Callable[..., Any] = aoti_load_package(path)
    return loaded


def _is_critical(record: logging.LogRecord) -> bool:
    return record.levelno > logging.ERROR


@contextmanager
def quiet() -> Iterator[None]:
    """Let torch log and warn nothing: what matters is told by an error."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(_is_critical)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger in loggers:
            logger.removeFilter(_is_critical)
