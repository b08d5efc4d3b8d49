"""MkDocs hooks: the repository's changelog and contributor's page are pages of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


def on_page_markdown(markdown: str, /, *, page: Any, **_: Any) -> str:
    """The text of a file at the top of the repository, with links that are relative to docs/."""
    source = PAGES.get(page.file.src_uri)
    if source is None:
        return markdown
    return (ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
