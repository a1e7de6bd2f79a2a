"""Open documents that are zip archives (office files, e-books) without trusting their declared
sizes.

Their unpacked size is bounded before anything is unpacked: `zipfile` never gives more bytes of a
member than its entry announces. XML that declares entities is refused, so none is ever expanded or
fetched, whichever parser reads it; no office format allows a document type.
"""

import zipfile
from io import BytesIO
from typing import Final

from ingest.loaders.base import TEXT_LIMIT
from ingest.loaders.draft import DocumentError

_MAX_MEMBERS: Final = 50_000
_UNPACKED_PER_TEXT: Final = 4
"""Allowance for markup and pictures around the text; an archive that announces more is a bomb."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_ENCRYPTED_FLAG: Final = 0x1
_DECLARATIONS: Final = tuple(
    "<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be")
)
DECLARES_TYPE: Final = "its XML declares a document type"
_XML_SUFFIXES: Final = (".xml", ".rels", ".vml")


def open_archive(data: bytes) -> zipfile.ZipFile:
    """The archive, after a check of its size. Raises `DocumentError` for an invalid one."""
    if data.startswith(_OLE):
        if _OLE_PACKAGE in data:
            raise DocumentError("encrypted", "wants a password")
        raise DocumentError("broken", "an office file of the formats before 2007")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise DocumentError("broken", "not a readable zip archive") from error
    members = archive.infolist()
    limit = TEXT_LIMIT.get() * _UNPACKED_PER_TEXT
    if len(members) > _MAX_MEMBERS:
        raise DocumentError("over-limit", f"{len(members)} parts, the limit is {_MAX_MEMBERS}")
    if sum(member.file_size for member in members) > limit:
        raise DocumentError("over-limit", f"unpacks to more than {limit} bytes")
    if any(member.flag_bits & _ENCRYPTED_FLAG for member in members):
        raise DocumentError("encrypted", "wants a password")
    return archive


def check_office_file(data: bytes) -> None:
    """Raise a `DocumentError` for an office file that must not be passed to a library."""
    with open_archive(data) as archive:
        for member in archive.infolist():
            if member.filename.lower().endswith(_XML_SUFFIXES):
                refuse_declarations(archive.read(member))


def refuse_declarations(xml: bytes) -> None:
    """Raise a `DocumentError` for XML with a document type, the only place for entities."""
    if any(declaration in xml for declaration in _DECLARATIONS):
        raise DocumentError("broken", DECLARES_TYPE)
