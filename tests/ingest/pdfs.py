"""PDF files made from lines of text, as small as the format allows."""

import zlib
from collections.abc import Sequence
from hashlib import md5
from typing import NamedTuple

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


class Bookmark(NamedTuple):
    """An entry of the outline: its title, the page it leads to (from 1), its depth from 0, and the
    line on the page (from 0) that it leads to; None leads to the page.
    """

    title: str
    page: int
    level: int = 0
    line: int | None = None


def pdf(
    pages: Sequence[Sequence[str]],
    *,
    bookmarks: Sequence[Bookmark] = (),
    password: str | None = None,
    title: str | None = None,
) -> bytes:
    """A PDF with one text line for each of the lines of each page, 14 points apart.

    A page without lines shows a grey box. `password` encrypts it (RC4, 40 bits); an empty one opens
    without being asked for. Lines and titles are Latin-1.
    """
    bodies: list[bytes] = []
    first_page = 4
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(pages)))
    outline = first_page + 2 * len(pages)
    bodies.append(f"<< /Type /Catalog /Pages 2 0 R /Outlines {outline} 0 R >>".encode())
    bodies.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    bodies.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    key = _key(password) if password is not None else None
    for index, lines in enumerate(pages):
        number = first_page + 2 * index
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        content = _content(lines)
        if key is not None:
            content = _rc4(_object_key(key, number + 1), content)
        bodies.append(b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream")
    bodies += _outline(bookmarks, at=outline, first_page=first_page)
    trailer = "/Root 1 0 R"
    if title is not None:
        bodies.append(b"<< /Title (" + _escaped(title) + b") >>")
        trailer += f" /Info {len(bodies)} 0 R"
    if password is not None:
        bodies.append(
            b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>"
            % (_owner(password).hex().encode(), _rc4(_key(password), _PADDING).hex().encode())
        )
        trailer += f" /Encrypt {len(bodies)} 0 R /ID [<00><00>]"
    return _assembled(bodies, trailer)


def bomb(megabytes: int) -> bytes:
    """A PDF whose one page unpacks to that much."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(b"(a) Tj " * 150_000) for _ in range(megabytes)]
    stream = b"".join([packer.compress(b"BT /F1 1 Tf 9 9 Td "), *parts, packer.compress(b"ET")])
    stream += packer.flush()
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 900] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times >> >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    return _assembled(bodies, "/Root 1 0 R")


def _content(lines: Sequence[str]) -> bytes:
    if not lines:
        return b"0.5 g 100 100 300 300 re f"
    shown = [b"(" + _escaped(line) + b") Tj T*" for line in lines]
    return b"BT /F1 11 Tf 14 TL 72 720 Td " + b" ".join(shown) + b" ET"


def _escaped(text: str) -> bytes:
    for sign in "\\()":
        text = text.replace(sign, f"\\{sign}")
    return text.encode("latin-1")


def _outline(bookmarks: Sequence[Bookmark], *, at: int, first_page: int) -> list[bytes]:
    """The outline's root and its entries; entry n is object `at + 1 + n`."""
    numbers = range(at + 1, at + 1 + len(bookmarks))
    parents: list[int] = []
    path: list[int] = []
    for number, bookmark in zip(numbers, bookmarks, strict=True):
        del path[bookmark.level :]
        parents.append(path[-1] if path else at)
        path.append(number)
    bodies = [_links(at, parents, numbers, extra="/Type /Outlines")]
    for index, (number, bookmark) in enumerate(zip(numbers, bookmarks, strict=True)):
        siblings = _children(parents[index], parents, numbers)
        place = siblings.index(number)
        extra = b"/Parent %d 0 R /Title (%s)" % (parents[index], _escaped(bookmark.title))
        page = first_page + 2 * (bookmark.page - 1)
        view = "Fit" if bookmark.line is None else f"XYZ 0 {732 - 14 * bookmark.line} 0"
        extra += f" /Dest [{page} 0 R /{view}]".encode()
        if place:
            extra += f" /Prev {siblings[place - 1]} 0 R".encode()
        if place + 1 < len(siblings):
            extra += f" /Next {siblings[place + 1]} 0 R".encode()
        bodies.append(_links(number, parents, numbers, extra=extra.decode("latin-1")))
    return bodies


def _children(number: int, parents: Sequence[int], numbers: Sequence[int]) -> list[int]:
    return [other for other, parent in zip(numbers, parents, strict=True) if parent == number]


def _links(number: int, parents: Sequence[int], numbers: Sequence[int], *, extra: str) -> bytes:
    children = _children(number, parents, numbers)
    below = (
        f" /First {children[0]} 0 R /Last {children[-1]} 0 R /Count {len(children)}"
        if children
        else ""
    )
    return f"<< {extra}{below} >>".encode("latin-1")


def _assembled(bodies: Sequence[bytes], trailer: str) -> bytes:
    whole = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(whole))
        whole += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(whole)
    whole += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    for offset in offsets:
        whole += b"%010d 00000 n \n" % offset

    whole += (
        f"trailer\n<< {trailer} /Size {len(bodies) + 1} >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return bytes(whole)


def _owner(password: str) -> bytes:
    padded = (password.encode("latin-1") + _PADDING)[:32]
    return _rc4(md5(padded).digest()[:5], padded)


def _key(password: str) -> bytes:
    """The file's key, of the standard security handler, revision 2 (ISO 32000-1, 7.6.3.3)."""
    padded = (password.encode("latin-1") + _PADDING)[:32]
    permissions = (-4).to_bytes(4, "little", signed=True)
    return md5(padded + _owner(password) + permissions + b"\0").digest()[:5]


def _object_key(key: bytes, number: int) -> bytes:
    return md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
