"""A page of a PDF as a picture, drawn by pypdfium2."""

import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

from ingest.loaders.draft import DocumentError
from ingest.loaders.failure_containment import damage_of
from ingest.loaders.pdf.pdf import PDFIUM, opened
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile

_TALLEST: Final = 4
"""The most that a picture is taller than wide; a longer page is drawn smaller."""

_GREY, _RGB = 0, 2
"""The colour types of PNG, both with 8 bits a channel."""


def draw_page(data: bytes, name: str, *, number: int, width: int) -> bytes | SkippedFile:
    """Return page `number` (from 1) as PNG, `width` pixels wide, or a refusal for a damaged or
    encrypted file, and for one without that page.
    """
    try:
        with damage_of("PDF"), PDFIUM, opened(data) as document:
            if not 1 <= number <= len(document):
                raise DocumentError("empty", f"no page {number}, of {len(document)}")
            page = document[number - 1]
            scale = min(width / page.get_width(), _TALLEST * width / page.get_height())
            pixels = page.render(scale=scale, rev_byteorder=True, no_smoothpath=False).to_numpy()
            return png_of(pixels)
    except DocumentError as error:
        return refuse(name, error.reason, error.detail)


def png_of(pixels: Any) -> bytes:
    """Return `pixels`, (height, width, 3 or 4) uint8 in the order RGB, as a PNG file; without
    colours as a grey one.
    """
    import numpy as np

    height, width = pixels.shape[:2]
    rgb = pixels[:, :, :3]
    is_grey = bool((rgb[:, :, 0] == rgb[:, :, 1]).all() and (rgb[:, :, 1] == rgb[:, :, 2]).all())
    channels = rgb[:, :, :1] if is_grey else rgb
    rows = np.zeros((height, 1 + width * channels.shape[2]), np.uint8)  # each row has filter 0
    rows[:, 1:] = channels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, _GREY if is_grey else _RGB, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_written(chunks))


def _written(chunks: tuple[tuple[bytes, bytes], ...]) -> Iterator[bytes]:
    for kind, data in chunks:
        yield struct.pack(">I", len(data)) + kind + data
        yield struct.pack(">I", zlib.crc32(kind + data))
