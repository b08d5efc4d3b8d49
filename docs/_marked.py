"""Parts of a page that are written by a script, between two comments that name them."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))  # the scripts are also run from a checkout not installed


def replaced(text: str, part: str, content: str) -> str:
    """The page with what stands between the marks of ``part`` exchanged for ``content``."""
    opening, closing = f"<!-- generated: {part} -->", f"<!-- end: {part} -->"
    pattern = re.compile(f"(?<={re.escape(opening)}\n).*?(?={re.escape(closing)})", re.DOTALL)
    made, count = pattern.subn(lambda _: f"\n{content.strip()}\n\n", text)
    if count != 1:
        raise SystemExit(f"{opening} and {closing} stand {count} times in the page, not once")
    return made


def table(headings: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def linked(text: str) -> str:
    """The text with its bare addresses as Markdown links."""
    return re.sub(r"https://[^\s,;)]*[^\s,;).]", r"<\g<0>>", text)


def main(page: str, parts: dict[str, str], doc: str) -> int:
    """Write the parts into the page, or with ``--check`` say whether they are current."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when stale")
    check = parser.parse_args().check
    path = DOCS / page
    old = path.read_text(encoding="utf-8")
    new = old
    for part, content in parts.items():
        new = replaced(new, part, content)
    if new == old:
        print(f"docs/{page} is current")
        return 0
    if check:
        print(f"docs/{page} is stale: run {Path(sys.argv[0]).name}", file=sys.stderr)
        return 1
    path.write_text(new, encoding="utf-8")
    print(f"docs/{page} is written anew")
    return 0
