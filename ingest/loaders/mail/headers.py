"""The headers of a message in readable form, whatever program wrote them."""

from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from ingest.loaders.draft import clean
from ingest.loaders.encodings.charsets import decode_labelled
from ingest.loaders.encodings.decoding import Undecodable


def headers_of(message: Message) -> dict[str, str]:
    """The first value of each header, by its name in lower case."""
    found: dict[str, str] = {}
    for name, value in message.raw_items():
        found.setdefault(name.lower(), unfolded(str(value)))
    return found


def unfolded(value: str) -> str:
    """A value in one line, its encoded words decoded, its raw bytes by detection."""
    try:
        parts = decode_header(value.encode("utf-8", "surrogateescape").decode("latin-1"))
    except (HeaderParseError, ValueError):
        return " ".join(clean(value).split())
    words = (_word(part, charset) for part, charset in parts)
    return " ".join(clean("".join(words)).split())


def _word(part: bytes | str, charset: str | None) -> str:
    data = part.encode("latin-1", "replace") if isinstance(part, str) else part
    decoded = decode_labelled(data, None if charset == "unknown-8bit" else charset)
    return data.decode("latin-1") if isinstance(decoded, Undecodable) else decoded[0]
