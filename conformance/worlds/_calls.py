"""A call of the function under test, and the calls that differ from it in one argument."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ._comparison import difference, is_array
from ._world import Unportable

Slot = int | str
"""The position or the name of an argument."""


@dataclass(frozen=True)
class Call:
    """A function and its arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __call__(self) -> Any:
        return self.function(*self.args, **self.kwargs)

    @property
    def name(self) -> str:
        return getattr(self.function, "__qualname__", repr(self.function))

    def arrays(self) -> Iterator[tuple[Slot, Any]]:
        """The arguments that are arrays."""
        named: list[tuple[Slot, Any]] = [*enumerate(self.args), *self.kwargs.items()]
        return ((slot, value) for slot, value in named if is_array(value))

    def replaced(self, **values: object) -> Call:
        """The call with other arguments, by `str(slot)`."""
        args = tuple(values.get(str(i), value) for i, value in enumerate(self.args))
        kwargs = {name: values.get(name, value) for name, value in self.kwargs.items()}
        return Call(self.function, args, kwargs)

    def mapped(self, change: Callable[[Any], Any]) -> Call:
        """The call with every array changed."""
        return self.replaced(**{str(slot): change(array) for slot, array in self.arrays()})

    def fail(self, text: str, cause: BaseException | None = None) -> Any:
        """Raise `Unportable` for this function."""
        raise Unportable(f"{self.name}: {text}", self.function) from cause


def must_agree(
    varied: Call,
    reference: Call,
    what: str,
    rtol: float | None,
    *,
    refusals: tuple[type[Exception], ...] = (TypeError,),
    dtypes: bool = False,
    excuse: bool = True,
) -> None:
    """A varied call gives what its reference gives, or a refusal that says why it cannot.

    Raise `Unportable` for another result and for another exception. Where the reference itself
    raises, `excuse` lets the call raise the same.
    """
    wanted, error = _outcome(reference)
    try:
        got = varied()
    except refusals:
        return
    except Exception as raised:
        if excuse and error is not None and type(raised) is type(error):
            return
        kinds = " or ".join(kind.__name__ for kind in refusals)
        varied.fail(f"{what}: {type(raised).__name__}: {raised}, and not a {kinds}", raised)
    if error is None and (text := difference(got, wanted, rtol, dtypes=dtypes)):
        varied.fail(f"{what}: {text}")


def _outcome(call: Call) -> tuple[Any, Exception | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns of empty arrays
        try:
            return call(), None
        except Exception as error:
            return None, error
