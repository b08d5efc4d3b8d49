"""MkDocs hooks: texts that stand at the top of the repository are parts of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
FIRST_SCREEN = "<!-- the first screen of README.md -->\n"


def top(name: str) -> str:
    """A file at the top of the repository, with links that are relative to docs/."""
    return (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")


def first_screen() -> str:
    """What the README says before its figures, without its title and the sentence below it."""
    return top("README.md").partition("\n## Measured")[0].split("\n\n", 2)[2].strip() + "\n"


def on_page_markdown(markdown: str, /, *, page: Any, **_: Any) -> str:
    """The text of a page; of some it stands at the top of the repository."""
    source = PAGES.get(page.file.src_uri)
    if source is not None:
        return top(source)
    return markdown.replace(FIRST_SCREEN, first_screen())
