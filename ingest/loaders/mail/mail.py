"""E-mail: single messages (EML, and web pages saved as MHTML) and mailboxes (MBOX).

The plain text of a message is preferred to its HTML. Attachments are read by the loaders of their
own formats, messages in messages included, down to a fixed depth; unreadable parts are named.
"""

import email
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft, Lines, clean
from ingest.loaders.encodings.charsets import decode_labelled
from ingest.loaders.encodings.decoding import Undecodable
from ingest.loaders.failure_containment import damage_of, drafted
from ingest.loaders.mail.headers import headers_of, unfolded
from ingest.loaders.mail.part_lines import Part, PartLines
from ingest.loaders.registry import is_known, load_bytes
from ingest.loaders.web.hypertext import add_page
from ingest.loaders.web.page_lines import LineOf
from ingest.values import SkippedFile

_MAX_DEPTH: Final = 3
_DEPTH: Final[ContextVar[int]] = ContextVar("_DEPTH", default=0)
_SEPARATOR: Final = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\d\d:\d\d[^\n]*\n")
_ESCAPED_FROM: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_SHOWN_HEADERS: Final = ("From", "To", "Cc", "Date")


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """One message, or all messages of a mailbox, each a place."""
    return drafted(_fill, data, name, what="e-mail")


def _fill(draft: Draft, data: bytes) -> None:
    starts = [(found.start(), found.end()) for found in _SEPARATOR.finditer(data)]
    if not starts:
        _add(draft, data, "", first_line=1)
        return
    ends = [start for start, _ in starts[1:]] + [len(data)]
    line, counted = 1, 0
    for number, ((_, start), end) in enumerate(zip(starts, ends, strict=True), start=1):
        place = f"message {number}"
        draft.place(place)
        line, counted = line + data.count(b"\n", counted, start), start
        raw = _ESCAPED_FROM.sub(rb"\1", data[start:end])
        try:
            with damage_of("message"):
                _add(draft, raw, place, first_line=line)
        except DocumentError as error:
            if error.reason != "broken":
                raise
            draft.paragraph(f"[The rest of {place} cannot be read.]")


def _add(draft: Draft, data: bytes, place: str, *, first_line: int) -> None:
    message = _parsed(data)
    lines = PartLines(data, message, first_line=first_line)
    _Letter(draft, place, lines=lines).add(message)


def _parsed(data: bytes) -> Message:
    """The message. Raises `DocumentError` for bytes without a single known header."""
    message = email.message_from_bytes(data, Part)
    if not headers_of(message).keys() & {"from", "to", "subject", "date", "content-type"}:
        raise DocumentError("broken", "not an e-mail: it has none of the usual headers")
    return message


@contextmanager
def _deeper() -> Iterator[bool]:
    """Go one level further into attachments; return whether that is allowed."""
    token = _DEPTH.set(_DEPTH.get() + 1)
    try:
        yield _DEPTH.get() <= _MAX_DEPTH
    finally:
        _DEPTH.reset(token)


class _Letter:
    """One message being turned into text; `place` is its place in the surrounding text.

    `lines` finds its parts in the file, None where it is encoded there.
    """

    def __init__(
        self, draft: Draft, place: str, level: int = 1, *, lines: PartLines | None = None
    ) -> None:
        self._draft = draft
        self._place = place
        self._lines = lines
        self._level = level
        self._attachments: list[Message] = []

    def add(self, message: Message) -> None:
        """Add the visible headers, then the text, then the attachments."""
        headers = headers_of(message)
        head = self._lines.head() if self._lines is not None else ()
        self._draft.heading(self._level, headers.get("subject", "") or "(no subject)", head)
        lines = [
            f"{name}: {headers[name.lower()]}" for name in _SHOWN_HEADERS if name.lower() in headers
        ]
        shown = "\n".join(lines) + _iso_date(headers.get("date", ""))
        self._draft.paragraph(shown, lines=head)
        self._body(message)
        for part in self._attachments:
            self._attachment(part)

    def _body(self, part: Message) -> None:
        kind = part.get_content_type()
        parts = part.get_payload()
        if kind == "message/rfc822" or _is_attachment(part):
            self._attachments.append(part)
        elif isinstance(parts, list):
            inner = [item for item in parts if isinstance(item, Message)]
            for item in _best(inner) if kind == "multipart/alternative" else inner:
                self._body(item)
        elif kind == "text/html":
            line_of = _line_of(self._lines_of(part))
            level = self._level + 1
            add_page(self._draft, _text(part), title_level=level, title="", line_of=line_of)
        elif part.get_content_maintype() == "text":
            self._draft.paragraph(_text(part), lines=self._lines_of(part))
        elif kind != "application/pgp-encrypted":
            self._attachments.append(part)

    def _lines_of(self, part: Message) -> Lines:
        return () if self._lines is None else self._lines.of(part)

    def _attachment(self, part: Message) -> None:
        name = _file_name(part)
        label = f"attachment {name}"
        place = f"{self._place}, {label}" if self._place else label
        with _deeper() as is_allowed:
            if not is_allowed:
                self._name(name, "not read, too deep inside of other attachments")
            elif part.get_content_type() == "message/rfc822":
                self._draft.place(place)
                for inner in _inner_messages(part):
                    _Letter(self._draft, place, self._level + 1).add(inner)
            elif is_known(name):
                self._load(part, name, place)
            else:
                self._name(name, "")

    def _load(self, part: Message, name: str, place: str) -> None:
        loaded = load_bytes(_payload(part), name)
        if isinstance(loaded, SkippedFile):
            self._name(name, f"not read, {loaded.detail}")
            return
        self._draft.place(place)
        self._draft.heading(self._level + 1, f"Attachment {name}")
        self._draft.include(loaded, place)

    def _name(self, name: str, remark: str) -> None:
        """Add the name of an attachment without text: people look for it."""
        self._draft.paragraph(f"Attachment: {name}" + (f" ({remark})" if remark else ""))


def _line_of(lines: Lines) -> LineOf | None:
    """The line of the file for a line of a part."""
    if not lines:
        return None
    return lambda number: lines[min(number, len(lines)) - 1][0]


def _best(parts: list[Message]) -> list[Message]:
    """The plain one of several forms of the same text, unless it is empty; else the last."""
    plain = [
        part for part in parts if part.get_content_type() == "text/plain" and _text(part).strip()
    ]
    return plain[:1] or parts[-1:]


def _is_attachment(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or (
        bool(part.get_filename()) and part.get_content_maintype() != "multipart"
    )


def _inner_messages(part: Message) -> list[Message]:
    inner = part.get_payload()
    return [item for item in inner if isinstance(item, Message)] if isinstance(inner, list) else []


def _file_name(part: Message) -> str:
    """The name without any folder."""
    name = unfolded(part.get_filename() or "").replace("\\", "/").rpartition("/")[2]
    if not name and part.get_content_type() == "message/rfc822":
        subjects = [headers_of(inner).get("subject", "") for inner in _inner_messages(part)]
        name = next(iter(subjects), "")
    return name or part.get_content_type()


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _text(part: Message) -> str:
    decoded = decode_labelled(_payload(part), part.get_content_charset())
    if isinstance(decoded, Undecodable):
        return f"[This part cannot be read: {decoded.detail}.]"
    return clean(decoded[0])


def _iso_date(date: str) -> str:
    """The date again, in ISO form, which sorts and which people search for."""
    try:
        return f" ({parsedate_to_datetime(date).date().isoformat()})"
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
