"""Shows a picture in the terminal: python tools/show_picture.py picture.png

A character stands for two pixels, one above the other, in colour; where the output is no terminal
with colours, for their brightness. It reads the PNG that ``docs/examples/pictures.py`` writes.
"""

from __future__ import annotations

import argparse
import struct
import sys
import zlib
from pathlib import Path

from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

Pixel = tuple[int, int, int]
DARK_TO_LIGHT = " .:-=+*#%@"


def read_png(path: Path) -> list[list[Pixel]]:
    """The rows of pixels of a PNG of 8 bits whose rows are not filtered."""
    data = path.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    start = data.find(b"IDAT")
    if data[:4] != b"\x89PNG" or depth != 8 or kind not in (0, 2) or start < 0:
        raise ValueError(f"{path} is no PNG of 8 bits in grey or in colour")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    raw = zlib.decompress(data[start + 4 : start + 4 + length])
    channels = 3 if kind == 2 else 1
    stride = 1 + width * channels
    if any(raw[row * stride] for row in range(height)):
        raise ValueError(f"{path} has filtered rows: only unfiltered ones are read")
    rows = []
    for row in range(height):
        line = raw[row * stride + 1 : (row + 1) * stride]
        pixels = [line[i : i + channels] for i in range(0, len(line), channels)]
        rows.append([(p[0], p[channels // 2], p[-1]) for p in pixels])
    return rows


def show(rows: list[list[Pixel]], width: int, coloured: bool) -> Text:
    """The picture at most ``width`` characters wide."""
    return half_blocks(rows, width) if coloured else characters(rows, width)


def half_blocks(rows: list[list[Pixel]], width: int) -> Text:
    """The picture in upper half blocks: the colour is the upper pixel, the background the lower."""
    text = Text()
    for upper, lower in pairs(rows, width):
        for a, b in zip(upper, lower, strict=True):
            style = Style(color=Color.from_rgb(*a), bgcolor=Color.from_rgb(*b))
            text.append("▀", style)
        text.append("\n")
    return text


def characters(rows: list[list[Pixel]], width: int) -> Text:
    """The picture in characters, from a blank for black to @ for white."""
    lines = [
        "".join(
            DARK_TO_LIGHT[(sum(a) + sum(b)) * (len(DARK_TO_LIGHT) - 1) // (6 * 255)]
            for a, b in zip(upper, lower, strict=True)
        )
        for upper, lower in pairs(rows, width)
    ]
    return Text("\n".join(lines))


def pairs(rows: list[list[Pixel]], width: int) -> list[tuple[list[Pixel], list[Pixel]]]:
    """Rows above one another, thinned out to at most ``width`` pixels across."""
    step = max(1, -(-len(rows[0]) // width))
    thin = [row[::step] for row in rows[::step]]
    return list(zip(thin[::2], thin[1::2], strict=False))


def main() -> int:
    parser = argparse.ArgumentParser(description="show a picture in the terminal")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--width", type=int, default=96, help="characters across, at most")
    options = parser.parse_args()
    console = Console()
    try:
        rows = read_png(options.picture)
    except (OSError, ValueError, struct.error) as error:
        print(f"show_picture: {error}", file=sys.stderr)
        return 1
    width = min(options.width, console.width)
    coloured = console.color_system in ("truecolor", "256")
    console.print(show(rows, width, coloured))
    console.print(f"picture: {options.picture.resolve()}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
