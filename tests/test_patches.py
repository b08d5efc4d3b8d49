"""The door by which torch is changed: what it checks before, and what it does when it cannot."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import inspect
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import forks
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


@pytest.mark.parametrize("gate", [True, False])
def test_a_question_that_cannot_be_asked_closes_the_gate(gate, monkeypatch):
    """Torch's objects have changed: no rule would answer, so that values could be wrong."""
    closed: list[Patch] = []
    monkeypatch.setattr(patches, "close_gate", closed.append)
    module, change = module_with(f), made(concerns=lambda call: call["absent"], gate=gate)
    change.install(module)
    assert [module.f("a"), module.f("b")] == [("a", 2), ("b", 2)]
    assert (change.state, change.reason) == ("not possible", "KeyError: 'absent'")
    assert closed == [change] * gate


def test_a_default_is_read():
    module, change = module_with(f), made(rule=lambda call: (call["x"], call["y"]))
    change.install(module)
    assert module.f("a") == ("a", 2)
    assert module.f("a", 3) == ("a", 3)


def test_a_changed_function_is_torchs_in_other_respects():
    """Programs pickle it, and ask for its signature, its source and its name."""
    from torch._dynamo import trace_rules

    patches.install_all()
    found = trace_rules.check_file
    assert pickle.loads(pickle.dumps(found)) is found
    assert "is_inlined_call" in inspect.signature(found).parameters
    assert inspect.getsource(found).startswith("def check_file(")
    assert found.__name__ == "check_file"


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


# --- when a module is imported ---


@pytest.fixture
def waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ModuleType]:
    """The imports that an action has seen of ``awaited_module``, which is in a folder."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "awaited_module", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "awaited_module.py").write_text("x = 1\n")
    seen: list[ModuleType] = []
    monkeypatch.setitem(patches._waiting, "awaited_module", [])
    patches.when_imported("awaited_module", seen.append)
    return seen


def test_an_action_runs_after_the_import_and_leaves_the_loader(waited: list[ModuleType]):
    module = importlib.import_module("awaited_module")
    assert waited == [module]
    loader = importlib.machinery.SourceFileLoader
    assert type(module.__loader__) is loader
    assert type(module.__spec__.loader) is loader  # type: ignore[union-attr]


def test_to_ask_for_a_module_is_no_import(waited: list[ModuleType]):
    spec = importlib.util.find_spec("awaited_module")
    assert spec is not None
    assert spec.loader.get_source("awaited_module") == "x = 1\n"  # type: ignore[union-attr]
    assert waited == []
    assert waited == [importlib.import_module("awaited_module")]


def test_an_import_that_fails_is_awaited_again(waited: list[ModuleType], tmp_path: Path):
    file = tmp_path / "awaited_module.py"
    file.write_text("raise ImportError('not now')\n")
    with pytest.raises(ImportError, match="not now"):
        importlib.import_module("awaited_module")
    file.write_text("x = 22\n")
    importlib.invalidate_caches()
    module = importlib.import_module("awaited_module")
    assert waited == [module]
    assert module.x == 22


def test_a_finder_of_the_program_finds_the_module(waited: list[ModuleType]):
    class Theirs:
        @staticmethod
        def find_spec(name: str, path: Any, target: Any = None) -> Any:
            if name != "awaited_module":
                return None
            return importlib.util.spec_from_loader(name, Loader())

    class Loader:
        def create_module(self, spec: Any) -> None:
            return None

        def exec_module(self, module: Any) -> None:
            module.x = "theirs"

    sys.meta_path.insert(1, Theirs)  # type: ignore[arg-type]
    module = importlib.import_module("awaited_module")
    assert waited == [module]
    assert module.x == "theirs"


def test_a_module_in_an_archive(
    waited: list[ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One loader serves all modules of the archive."""
    (tmp_path / "awaited_module.py").unlink()
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("awaited_module.py", "import other_in_archive as other\n")
        archive.writestr("other_in_archive.py", "x = 1\n")
    monkeypatch.syspath_prepend(tmp_path / "archive.zip")
    module = importlib.import_module("awaited_module")
    assert waited == [module]
    assert module.other.x == 1
    monkeypatch.delitem(sys.modules, "other_in_archive")


PROGRAMS = {
    "imports in two threads": """
        import sys, threading, time, torch
        delay = float(sys.argv[1])
        def dynamo():
            import torch._dynamo, torch._inductor.compile_fx
        thread = threading.Thread(target=dynamo)
        thread.start()
        time.sleep(delay)
        import numpy_shim as np
        thread.join()
    """,
    "everything of torch first": """
        import torch._dynamo, torch._inductor.compile_fx, torch._inductor.scheduler
        import torch._inductor.fx_passes.reinplace, torch._inductor.lowering
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        import numpy_shim as np
    """,
    "imported again": """
        import sys, torch
        import numpy_shim, xp_torch, torch._dynamo
        for name in [n for n in sys.modules if n.partition(".")[0] in ("numpy_shim", "xp_torch")]:
            del sys.modules[name]
        import numpy_shim as np
    """,
    "reset": """
        import torch, numpy_shim as np
        torch.compile(lambda x: x + 1, backend="eager", fullgraph=True)(np.ones(2))
        torch._dynamo.reset()
        torch.compiler.reset()
    """,
}  # fmt: skip
COMPILES = """
@torch.compile(fullgraph=True)
def f(x):
    t = torch.arange(3.0, dtype=torch.float64)
    x += t
    y = x.copy()
    x[1:] = y[:-1] @ y[:-1]
    return y, isinstance(x[0], np.float64)
x = np.ones(3)
y, _ = f(x)
assert (y.tolist(), x.tolist()) == ([1, 2, 3], [1, 5, 5]), (y, x)
from xp_torch._torch import patches
assert patches.missing() is None, patches.missing().reason
waiting = [p.target for p in patches.PATCHES if p.state == "waiting" and p.module in patches.RULES]
assert not waiting, waiting
"""
"""A program that needs rules of Dynamo and of inductor, after which none waits."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_rules_are_there(program: str):
    """Whatever was imported first, at the same time or again."""
    for delay in ("0.2", "1", "2") if "threads" in program else ("0",):
        words = ["-c", inspect.cleandoc(PROGRAMS[program]) + COMPILES, delay]
        done = forks.run(words, cwd=ROOT, imported=forks.TORCH)
        assert done.returncode == 0, done.stderr[-3000:]


# --- what they say ---


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
