"""A badge of a run: the JSON of a shields endpoint, and an SVG that needs no service.

The fields of the JSON are those of https://shields.io/badges/endpoint-badge.
"""

from __future__ import annotations

import json
from html import escape

from ._results import Run

COLOURS = {"brightgreen": "#2e7d4f", "yellow": "#a4690b", "red": "#b3261e"}
# The width of a character of 11 px in Verdana, as badges assume it.
CHARACTER = 6.6


def _message(run: Run) -> tuple[str, str]:
    """What the badge says, and its colour."""
    counts = run.counts()
    ran = counts["passed"] + counts["failed"] + counts["xfailed"]
    if not ran:
        return "no tests ran", "red"
    text = f"{counts['passed']} of {ran} passed"
    if counts["failed"] or run.problems:
        return text, "red"
    return text, "yellow" if counts["xfailed"] else "brightgreen"


def endpoint(run: Run, label: str) -> str:
    """The JSON of a shields endpoint."""
    message, colour = _message(run)
    data = {"schemaVersion": 1, "label": label, "message": message, "color": colour}
    return json.dumps({**data, "isError": not run.ok}) + "\n"


def svg(run: Run, label: str) -> str:
    """The badge as a picture; screen readers get its text."""
    message, colour = _message(run)
    left, right = (round(CHARACTER * len(text)) + 12 for text in (label, message))
    text = escape(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{text}"><title>{text}</title>\n'
        f'<clipPath id="c"><rect width="{left + right}" height="20" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#c)"><rect width="{left}" height="20" fill="#4a4f54"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{COLOURS[colour]}"/></g>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        'text-anchor="middle">\n'
        f'<text x="{left / 2:g}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2:g}" y="14">{escape(message)}</text></g></svg>\n'
    )
