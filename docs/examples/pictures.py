"""Writes an array as a picture, as PNG, PPM or PGM, with nothing but NumPy and zlib."""

import struct
import zlib
from pathlib import Path

import numpy as np

# Red, green and blue at equal distances along the scale from 0 to 1.
FIRE = np.array([[0, 0, 10], [90, 10, 90], [200, 60, 50], [250, 160, 30], [255, 255, 200]])
WATER = np.array([[255, 255, 255], [150, 200, 230], [60, 120, 190], [10, 40, 110], [0, 0, 30]])


def colour(values, scale=FIRE):
    """The RGB picture, uint8, of a 2-D array of numbers: its minimum to its maximum."""
    low, high = values.min(), values.max()
    position = (values - low) / max(high - low, 1e-12)
    stops = np.linspace(0, 1, len(scale))
    channels = [np.interp(position, stops, scale[:, c]) for c in range(3)]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def save(path, picture):
    """Write a picture, uint8 of shape (h, w) or (h, w, 3), in the format of the path's suffix."""
    path = Path(path)
    height, width = picture.shape[:2]
    grey = picture.ndim == 2
    if path.suffix in (".pgm", ".ppm"):
        if grey != (path.suffix == ".pgm"):
            picture = picture.mean(axis=2).astype(np.uint8) if not grey else np.dstack([picture] * 3)
        kind = b"P5" if path.suffix == ".pgm" else b"P6"
        path.write_bytes(b"%s %d %d 255\n" % (kind, width, height) + picture.tobytes())
    elif path.suffix == ".png":
        # Each row of a PNG begins with the number of its filter, here none.
        rows = picture.reshape(height, -1)
        rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), rows], axis=1)
        header = struct.pack(">2I5B", width, height, 8, 0 if grey else 2, 0, 0, 0)
        path.write_bytes(
            b"\x89PNG\r\n\x1a\n"
            + _chunk(b"IHDR", header)
            + _chunk(b"IDAT", zlib.compress(rows.tobytes()))
            + _chunk(b"IEND", b"")
        )
    else:
        raise ValueError(f"save: {path.name!r} ends neither in .png nor in .ppm or .pgm")
    print(f"picture written to {path}")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
