"""The header of a database file, where SQLite cannot read it any more."""

from pathlib import Path
from typing import Final

import apsw

APPLICATION_ID: Final = 0x53594D4D
"""The application id in SQLite's header that marks a file as ours ("SYMM")."""

HEADER_BYTES: Final = 100
_ID_AT: Final = slice(68, 72)
_OUR_ID: Final = APPLICATION_ID.to_bytes(4, "big")
_FORMAT: Final = b"SQLite format 3\0"
_WAL_AND_FRACTIONS: Final = b"\2\2\0\x40\x20\x20"
"""Write-ahead logging, nothing reserved, and the shares of a page that SQLite allows a cell."""

_UNUSED: Final = (slice(28, 40), slice(48, 56), slice(64, 68))
"""The number of pages, the free ones, the size of the cache and the pages that tell where others
belong. With zeros SQLite counts the pages of the file itself; who only reads needs none of the
others.
"""

_VERSION_AT: Final = slice(60, 64)
_VERSIONS_END: Final = 10_000
"""The number from which a version of the tables is taken for damage."""

_UTF_8: Final = (1).to_bytes(4, "big")
_SCHEMA_FORMATS: Final = tuple(number.to_bytes(4, "big") for number in (4, 3, 2, 1))
_PAGE_SIZE: Final = 16_384
_PAGE_SIZES: Final = frozenset({1, *(1 << bits for bits in range(9, 16))})


def is_ours(path: str) -> bool:
    """Return whether the header of a file has this program's id, whatever else is damaged.

    SQLite reads it: once this process itself closed a file of a database, the system would drop the
    locks that SQLite has on it here.
    """
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    try:
        opened = apsw.VFSFile("", str(Path(path).absolute()), flags)
        try:
            return opened.xRead(HEADER_BYTES, 0)[_ID_AT] == _OUR_ID
        finally:
            opened.xClose()
    except apsw.Error:
        return False


def is_version(number: int) -> bool:
    """Return whether a number can be a version of our tables, an older or a newer one too.

    A file of ours with any other number has lost its version.
    """
    return 0 < number < _VERSIONS_END


def readable_header(found: bytes, *, version: int) -> bytes:
    """Return a damaged header with what SQLite needs to read the file, and our id.

    `version` is that of the tables where the header has none that can be.
    """
    header = bytearray(found)
    header[:16] = _FORMAT
    if int.from_bytes(header[16:18], "big") not in _PAGE_SIZES:
        header[16:18] = _PAGE_SIZE.to_bytes(2, "big")
    header[18:24] = _WAL_AND_FRACTIONS
    for unused in _UNUSED:
        header[unused] = bytes(unused.stop - unused.start)
    if header[44:48] not in _SCHEMA_FORMATS:
        header[44:48] = _SCHEMA_FORMATS[0]
    header[56:60] = _UTF_8
    if not is_version(int.from_bytes(header[_VERSION_AT], "big")):
        header[_VERSION_AT] = version.to_bytes(4, "big")
    header[_ID_AT] = _OUR_ID
    return bytes(header)
