"""Read web pages (HTML and XHTML) by selectolax."""

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import Draft
from ingest.loaders.encodings.charsets import decode_page
from ingest.loaders.encodings.decoding import Undecodable
from ingest.loaders.reading import refuse
from ingest.loaders.web.hypertext import add_page
from ingest.values import SkippedFile


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of a web page, as Markdown."""
    decoded = decode_page(data)
    if isinstance(decoded, Undecodable):
        return refuse(name, decoded.reason, decoded.detail)
    text, encoding = decoded
    draft = Draft()
    add_page(draft, text, line_of=int)
    return draft.finish(name, encoding=encoding)
