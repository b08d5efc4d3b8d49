"""Every check that needs a GPU, in a few minutes, with a table at the end.

    python tools/gpu_check.py [--device cuda] [--only STAGE ...] [--json FILE]
    python tools/gpu_check.py --device cpu --dry-run     # no GPU: proves the script itself

Each stage has its own process and time limit, so that a stage that fails, hangs or leaves the
device in a bad state does not end the check. A stage with missing tools is not run, and the table
lists them. The exit status is 0 if no stage failed and at least the stages that need only torch
have run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout need not be installed

PASSED, FAILED, NOT_RUN = "passed", "FAILED", "not run"


@dataclass(frozen=True)
class Stage:
    """A stage: its name, its time limit, and its command for a device."""

    name: str
    what: str
    limit: int
    command: Callable[[str, bool], list[str]]
    needs: tuple[str, ...] = ()


@dataclass
class Outcome:
    """The result of a stage: a line for the table, and the end of its output."""

    stage: Stage
    status: str
    detail: str
    seconds: float
    tail: str = ""


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def checks(name: str) -> Callable[[str, bool], list[str]]:
    """The command of a stage that is one of ``tools/gpu_stages.py``'s."""

    def command(device: str, dry: bool) -> list[str]:
        extra = ["--dry-run"] if dry else []
        return python("tools/gpu_stages.py", name, "--device", device, *extra)

    return command


def device_tests(device: str, dry: bool) -> list[str]:
    """pytest for the tests on ``device`` in the files whose imports are available."""
    files = [f for f in test_files() if not missing_imports(f)]
    return python(
        "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "--maxfail=20",
        "--continue-on-collection-errors", "-k", device,
        *[str(f.relative_to(ROOT)) for f in files],
    )  # fmt: skip


def suite(device: str, dry: bool) -> list[str]:
    """The public suite; in a dry run only the question of where it is."""
    if dry:
        return python("-m", "conformance", "array-api", "--locate")
    return python(
        "-m", "conformance", "array-api", "--module", "xp_torch", "--device", device,
        "--max-examples", "20", "--jobs", "4",
    )  # fmt: skip


def distributed(device: str, dry: bool) -> list[str]:
    return python("tools/gpu_distributed.py", "--device", device, *(["--dry-run"] if dry else []))


def benchmark(device: str, dry: bool) -> list[str]:
    fast = ["--rounds", "3", "--number", "20"] if dry else ["--rounds", "7", "--number", "300"]
    return python("-m", "benchmarks", "--device", device, "--no-peers", "--no-traces", *fast)


STAGES = [
    Stage("imports", "versions, the device, import xp_torch", 120, checks("imports")),
    Stage("no-sync", "the surface waits only where listed", 240, checks("no-sync")),
    Stage("listed", "what is listed does wait", 120, checks("listed")),
    Stage("unsigned", "uint16/32/64 as on the CPU", 240, checks("unsigned")),
    Stage("distributed", "arrays over the GPUs, by NCCL", 180, distributed, ("numpy",)),
    Stage("tests", "our tests on the device", 300, device_tests, ("pytest", "hypothesis")),
    Stage(
        "suite", "array-api-tests on the device", 600, suite,
        ("pytest", "hypothesis", "ndindex", "rich", "xdist"),
    ),
    Stage(
        "cost", "per-call cost over the raw torch call", 240, benchmark,
        ("rich", "array_api_compat", "numpy"),
    ),
]  # fmt: skip


def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def test_files() -> list[Path]:
    folders = ("xp_torch", "numpy_shim")
    return [f for name in folders for f in sorted((ROOT / "tests" / name).glob("test_*.py"))]


def missing_imports(file: Path, seen: set[Path] | None = None) -> set[str]:
    """The missing packages of a test file and of our modules that it imports."""
    seen = {ROOT / "tests" / "conftest.py"} if seen is None else seen
    seen.add(file)
    missing: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module, *[f"{node.module}.{alias.name}" for alias in node.names]]
        else:
            continue
        for module in modules:
            ours = ROOT.joinpath(*module.split(".")).with_suffix(".py")
            if module.startswith("tests.") and ours.exists():
                if ours not in seen:
                    missing |= missing_imports(ours, seen)
            elif not installed(module.partition(".")[0]):
                missing.add(module.partition(".")[0])
    return missing


def run(stage: Stage, device: str, dry: bool) -> Outcome:
    """Run one stage, its output shown as it comes."""
    absent = [package for package in stage.needs if not installed(package)]
    if absent:
        return Outcome(stage, NOT_RUN, f"not installed: {', '.join(absent)}", 0.0)
    if stage.name == "suite" and subprocess.run(suite(device, True), cwd=ROOT).returncode:
        return Outcome(stage, NOT_RUN, "the suite array-api-tests was not found", 0.0)
    print(f"\n=== {stage.name}: {stage.what}, at most {stage.limit} s", flush=True)
    start = time.perf_counter()
    process = subprocess.Popen(
        stage.command(device, dry),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lines, in_time = followed(process, start + stage.limit)
    seconds = time.perf_counter() - start
    detail = last_words(lines)
    if not in_time:
        return Outcome(stage, FAILED, f"stopped after {stage.limit} s; {detail}", seconds)
    left_out = skipped_files() if stage.name == "tests" else ""
    status = PASSED if process.returncode == 0 else FAILED
    return Outcome(stage, status, detail + left_out, seconds, "".join(lines[-40:]))


def followed(process: subprocess.Popen[str], deadline: float) -> tuple[list[str], bool]:
    """Echo and return the lines of a process, and whether it ended before the deadline."""
    import threading

    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(max(0.0, deadline - time.perf_counter()), stop)
    timer.start()
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)
    process.wait()
    timer.cancel()
    return lines, not late.is_set()


def skipped_files() -> str:
    """The test files that were left out because a package is missing."""
    absent = {f.name: missing_imports(f) for f in test_files()}
    names = sorted(name for name, packages in absent.items() if packages)
    if not names:
        return ""
    packages = sorted(set().union(*absent.values()))
    return f"; {len(names)} files left out, which need {', '.join(packages)}"


def last_words(lines: list[str]) -> str:
    """The last line with content, without colours and rules."""
    measured = [i for i, line in enumerate(lines) if "geometric mean" in line and "bound" in line]
    if measured:  # the verdict of the benchmark takes two lines
        return " ".join("".join(lines[measured[-1] :]).split())
    for line in reversed(lines):
        text = re.sub(r"\x1b\[[0-9;]*m", "", line).strip(" =\n")
        if text and not set(text) <= set("─━═│┃┗┛└┘╰╯-+"):
            return text
    return "no output"


def report(outcomes: list[Outcome], device: str, dry: bool) -> None:
    """Print the table, with rich if it is installed."""
    rows = [(o.stage.name, o.stage.what, o.status, f"{o.seconds:.0f}", o.detail) for o in outcomes]
    headings = ("stage", "what", "status", "s", "detail")
    title = f"xp_torch on {device}" + (
        " (dry run: nothing on CUDA was run)" if not device.startswith("cuda") else ""
    )
    if installed("rich"):
        from rich.console import Console
        from rich.table import Table

        colours = {PASSED: "green", FAILED: "red", NOT_RUN: "yellow"}
        table = Table(title=title)
        for heading in headings:
            table.add_column(heading, justify="right" if heading == "s" else "left")
        for row in rows:
            table.add_row(*row, style=colours[row[2]])
        console = Console(width=None if sys.stdout.isatty() else 120, markup=False)
        console.print(table)
        return
    widths = [max(len(r[i]) for r in [headings, *rows]) for i in range(len(headings))]
    print(f"\n{title}")
    for row in [headings, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="gpu_check.py", description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dry-run", action="store_true", help="run without CUDA, and say so")
    parser.add_argument("--only", nargs="+", choices=[s.name for s in STAGES], help="stages")
    parser.add_argument("--json", type=Path, help="also write the outcomes to this file")
    options = parser.parse_args()

    import torch

    if options.device.startswith("cuda") and not torch.cuda.is_available():
        print(
            f"torch {torch.__version__} finds no CUDA device here; nothing was run. To try the "
            "script itself: python tools/gpu_check.py --device cpu --dry-run"
        )
        return 2
    if not options.device.startswith("cuda") and not options.dry_run:
        print("this is the check of a CUDA device; on another one it needs --dry-run")
        return 2

    chosen = [s for s in STAGES if not options.only or s.name in options.only]
    outcomes = [run(stage, options.device, options.dry_run) for stage in chosen]
    for outcome in outcomes:
        if outcome.status == FAILED:
            print(f"\n--- end of the output of {outcome.stage.name}\n{outcome.tail}")
    report(outcomes, options.device, options.dry_run)
    if options.json:
        card = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "none"
        made = {
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "card": card,
            "torch": torch.__version__,
            "python": platform.python_version(),
            "device": options.device,
            "stages": [
                {"name": o.stage.name, "status": o.status, "seconds": o.seconds, "detail": o.detail}
                for o in outcomes
            ],
        }
        options.json.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    if any(o.status == FAILED for o in outcomes):
        return 1
    return 0 if any(o.status == PASSED for o in outcomes) else 2


if __name__ == "__main__":
    sys.exit(main())
