"""The door by which torch is changed: what it checks before, and what it does when it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from xp_torch._torch import patches
from xp_torch._torch.patches import Call, Patch

ROOT = Path(__file__).parents[1]


def made(**changed: Any) -> Patch:
    """A patch of ``module.f(x, y)`` for strings, which are ours in these tests."""
    options: dict[str, Any] = {
        "targets": ["module:f"],
        "takes": "x",
        "concerns": lambda call: isinstance(call["x"], str),
        "rule": lambda call: f"ours {call['x']}",
        "why": "", "without": "", "until": "", "gate": False,
        "known": lambda module: False,
        "also": lambda module, function, wrapper: None,
    } | changed  # fmt: skip
    return Patch(**options)


def module_with(function: Any) -> ModuleType:
    module = ModuleType("module")
    module.f = function  # type: ignore[attr-defined]
    return module


def f(x, y=2):
    return x, y


def test_the_rule_answers_where_an_array_is_concerned_and_torch_elsewhere():
    module, change = module_with(f), made()
    change.install(module)
    assert change.state == "installed"
    assert module.f("a") == "ours a"
    assert module.f(1, y=3) == (1, 3)


def test_more_parameters_pass_untouched():
    def newer(first, x, *, more, y=2):
        return first, x, more, y

    module, change = module_with(newer), made(rule=lambda call: call.proceed(x="ours"))
    change.install(module)
    assert module.f(0, "a", more=1) == (0, "ours", 1, 2)
    assert module.f(0, 5, more=1) == (0, 5, 1, 2)


@pytest.mark.parametrize("function", [lambda a: a, None], ids=["other parameters", "no name"])
def test_what_torch_has_not_is_not_installed(function: Any):
    module, change = module_with(function), made()
    change.install(module)
    assert change.state == "not possible"
    assert "x" in change.reason or "no f" in change.reason
    assert module.f is function


def test_a_rule_that_torch_has_is_not_needed():
    module, change = module_with(f), made(known=lambda module: True)
    change.install(module)
    assert (change.state, module.f) == ("not needed", f)


def test_another_name_is_taken():
    module, change = module_with(f), made(targets=["module:g", "f"])
    change.install(module)
    assert module.f("a") == "ours a"


def test_a_method_of_a_class_stays_one():
    class Owner:
        @classmethod
        def f(cls, x):
            return cls, x

    module = module_with(None)
    module.Owner = Owner  # type: ignore[attr-defined]
    change = made(targets=["module:Owner.f"])
    change.install(module)
    assert Owner.f("a") == "ours a"
    assert Owner.f(1) == (Owner, 1)


def test_an_error_in_the_question_counts_as_no():
    module, change = module_with(f), made(concerns=lambda call: 1 / 0)
    change.install(module)
    assert module.f("a") == ("a", 2)


def test_a_wrong_call_is_torchs_error():
    module, change = module_with(f), made()
    change.install(module)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        module.f("a", z=1)


def test_an_error_of_what_the_rule_calls_is_raised():
    def rule(call: Call) -> Any:
        raise KeyError("theirs")  # in this file, which is none of the rules

    module, change = module_with(f), made(rule=rule)
    change.install(module)
    with pytest.raises(KeyError, match="theirs"):
        module.f("a")


def test_an_error_of_the_rule_leaves_the_call_to_torch():
    """Reading a parameter that torch no longer has is an error of the rule."""
    module, change = module_with(f), made(rule=lambda call: call["absent"])
    change.install(module)
    assert module.f("a") == ("a", 2)


def test_an_error_of_a_rule_that_is_needed_breaks_the_graph():
    module, change = module_with(f), made(rule=lambda call: call["absent"], gate=True)
    change.install(module)
    with pytest.raises(Exception, match="--doctor") as raised:
        module.f("a")
    assert "the rule for f does not work with torch" in str(raised.value)


def test_a_failure_to_share_undoes_the_change():
    def also(module: Any, function: Any, wrapper: Any) -> None:
        raise LookupError("no table")

    module, change = module_with(f), made(also=also)
    change.install(module)
    assert (change.state, change.reason) == ("not possible", "LookupError: no table")
    assert module.f is f


def test_every_patch_says_what_it_is_for():
    patches.install_all()
    for change in patches.PATCHES:
        assert change.state in ("installed", "not needed"), (change.target, change.reason)
        assert change.why.endswith("."), change.target
        assert change.without.endswith("."), change.target
        assert change.until, change.target
    assert len({change.target for change in patches.PATCHES}) == len(patches.PATCHES)


def test_the_doctor_says_yes_four_times():
    done = subprocess.run(
        [sys.executable, "-m", "xp_torch", "--doctor"],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    last = done.stdout.splitlines()[-1]
    assert last == "arrays: yes, gradients: yes, torch.compile: yes, jit: yes", done.stdout
    assert done.returncode == 0
    for change in patches.PATCHES:
        assert change.target in done.stdout
