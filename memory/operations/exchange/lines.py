"""The lines of an export: one JSON object each, of a `type`.

    {"type": "export", ...}     first: the format, the number of lines of each type, the space of
                                the vectors, measurements
    {"type": "root", ...}       a remembered folder
    {"type": "refusal", ...}    a text that the space's model would not embed
    {"type": "document", ...}   a file or text, followed by its chunks:
    {"type": "chunk", ...}

Equal databases give equal lines: no line depends on the time of writing.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from contracts import InputError
from ingest import NoteProperties, reloaded
from ingest.chunking.values import ChunkSettings
from memory.index.documents import Document, embedded_text, file_fields, file_name
from memory.index.notes.links import NoteWords, joined_names
from memory.storage import NewChunk, Space, chunk_uid, content_hash
from memory.storage.meta import BEGUN_BY_FALLBACK, CHOSEN_BY_HAND, FUSION_WEIGHTS
from memory.values.line_values import LineError, checked, checked_moment, row_of

FORMAT: Final = 1
"""The format version, raised when another version's program could misread a line."""

LONGEST_LINE: Final = 1 << 27
"""The most characters of a line after the first: a text of the largest size, and as much again."""

NAME_ONE: Final = "name a file that mem export has written, or give its format with --format"

SPACE_FIELDS: Final = (
    *("provider", "model", "revision", "dimensions", "embedder", "generation", "chunking"),
    "request",
)
CHUNK_FIELDS: Final = (
    *("text", "heading", "body_offset", "gap", "start_char", "end_char", "start_line"),
    *("end_line", "place", "occurred_at", "recorded_at", "defines"),
)
DOCUMENT_FIELDS: Final = tuple(field.name for field in fields(Document))


def line_of(kind: str, values: Mapping[str, Any]) -> str:
    """Return one line of an export with its line end."""
    return json.dumps({"type": kind, **values}, ensure_ascii=False, separators=(",", ":")) + "\n"


def document_values(document: Document, chunks: int) -> dict[str, Any]:
    """Return the fields of a document's line; `chunks` is the number of its chunk lines."""
    values = {name: getattr(document, name) for name in DOCUMENT_FIELDS}
    return {**values, "tags": list(document.tags), "metadata": document.metadata, "chunks": chunks}


def space_of(values: Any) -> Space | None:
    """Return the space of an export's first line, not yet stored. Raises LineError."""
    if values is None:
        return None
    if not isinstance(values, dict):
        raise LineError("its space is not an object")
    try:
        ChunkSettings(**json.loads(checked(values, "chunking", str)))
    except (ValueError, TypeError) as error:
        raise LineError(f"its chunking is {values['chunking']!r:.80}") from error
    given = {name: checked(values, name, str) for name in SPACE_FIELDS if name not in _NO_TEXT}
    dimensions = checked(values, "dimensions", int)
    request = None if values.get("request") is None else _request_of(values)
    if dimensions < 1:
        raise LineError(f"its dimensions are {dimensions}")
    return Space(id=0, state="active", dimensions=dimensions, request=request, **given)


def _request_of(values: Mapping[str, Any]) -> str:
    """Return what makes the model again: JSON with its name and its options."""
    text = checked(values, "request", str)
    try:
        asked = json.loads(text)
        is_request = isinstance(asked["model"], str | None) and isinstance(asked["options"], dict)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LineError(f"its request is {text!r:.80}") from error
    if not is_request:
        raise LineError(f"its request is {text!r:.80}")
    return text


_NO_TEXT: Final = frozenset({"dimensions", "request"})


def counts_of(header: Mapping[str, Any]) -> Counter[str]:
    """Return how many lines of each type follow, as far as the first line says. Raises LineError.

    An export of an earlier version counts its documents alone.
    """
    given = header.get("lines", {})
    if not isinstance(given, dict):
        raise LineError(f"its lines are {given!r:.80}")
    counts = {kind: checked(given, kind, int) for kind in given}
    return Counter({"document": checked(header, "documents", int), **counts})


def facts_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about a space that a line has. Raises LineError for those of another form:
    a search trusts the stored ones.
    """
    found = {name: values[name] for name in FACTS if values.get(name) is not None}
    for name, fact in found.items():
        if not isinstance(fact, dict) or not _IS_FACT[name](fact):
            raise LineError(f"its {name} is {fact!r:.80}")
    return found


def _is_choice(fact: dict[str, Any]) -> bool:
    return isinstance(fact.get("embedder"), str) and isinstance(fact.get("over"), str | None)


def _is_fallback(fact: dict[str, Any]) -> bool:
    return all(isinstance(fact.get(name), str) for name in ("provider", "instead_of", "reason"))


def _are_weights(fact: dict[str, Any]) -> bool:
    return all(isinstance(weight, dict) and _is_weight(weight) for weight in fact.values())


def _is_weight(weight: dict[str, Any]) -> bool:
    try:
        numbers = [checked(weight, name, int) for name in ("questions", "chunks")]
        share = (
            weight["weight"] if weight.get("weight") in (0, 1) else checked(weight, "weight", float)
        )
    except LineError:
        return False
    return min(numbers) >= 0 and 0 <= share <= 1 and len(weight) == len(numbers) + 1


_IS_FACT: Final[Mapping[str, Callable[[dict[str, Any]], bool]]] = {
    FUSION_WEIGHTS: _are_weights,
    CHOSEN_BY_HAND: _is_choice,
    BEGUN_BY_FALLBACK: _is_fallback,
}

FACTS: Final = tuple(_IS_FACT)
"""The facts about the space that are exported with it."""


def document_of_line(values: Mapping[str, Any]) -> tuple[Document, int]:
    """Return the document of a line and the number of chunks that follow. Raises LineError."""
    given: dict[str, Any] = {}
    for name in DOCUMENT_FIELDS:
        value = values.get(name)
        given[name] = tuple(value) if name == "tags" and isinstance(value, list) else value
        if name in _PLAIN:
            checked(values, name, _PLAIN[name])
    if not all(isinstance(tag, str) for tag in given["tags"]):
        raise LineError(f"its tags are {values['tags']!r:.80}")
    if given["reason"] is not None:
        checked(values, "reason", str)
    for name in ("created_at", "updated_at"):
        checked_moment(given, name)
    if given["source"] not in ("file", "text"):
        raise LineError(
            f"its source is {given['source']!r:.80}, and this program knows file and text"
        )
    if given["state"] not in ("indexed", "pending", "failed", "skipped"):
        raise LineError(f"its state is {given['state']!r:.80}")
    try:
        reloaded("", given["path"], given["layout"])
    except (ValueError, TypeError, KeyError) as error:
        raise LineError(f"its layout is {given['layout']!r:.80}") from error
    return Document(**given), checked(values, "chunks", int)


_PLAIN: Final[dict[str, type]] = {
    **dict.fromkeys(
        ("id", "source", "path", "hash", "generation", "tail", "loader", "layout"), str
    ),
    **dict.fromkeys(("created_at", "updated_at", "state"), str),
    **dict.fromkeys(("size", "mtime_ns"), int),
    "tags": list,
    "metadata": dict,
}


def chunk_of_line(values: Mapping[str, Any]) -> tuple[dict[str, Any], bytes | None]:
    """Return the fields of a chunk and its float16 row. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in CHUNK_FIELDS}
    for name in ("text", "heading", "gap"):
        checked(given, name, str)
    for name in ("occurred_at", "recorded_at"):
        checked_moment(given, name)
    if not 0 <= checked(given, "body_offset", int) <= len(given["text"]):
        raise LineError(f"its body_offset is {given['body_offset']}")
    for begin, end in (("start_char", "end_char"), ("start_line", "end_line")):
        if (given[begin], given[end]) != (None, None):
            start, stop = checked(given, begin, int), checked(given, end, int)
            if not 0 <= start <= stop:
                raise LineError(f"its {begin} is {start}, and its {end} {stop}")
    if given["place"] is not None:
        checked(given, "place", str)
    names = given["defines"] or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise LineError(f"its defines are {names!r:.80}")
    given["defines"] = tuple(names)
    return given, row_of(values.get("vector"))


def new_chunk(
    document: Document, given: Mapping[str, Any], occurrence: Callable[[bytes], int]
) -> NewChunk:
    """Return the chunk of a document to store; its ids and hashes are made from its content."""
    body = given["text"][given["body_offset"] :]
    content = content_hash(embedded_text(given["heading"], body))
    own = NoteProperties(document.metadata or {}) if document.is_note else NoteProperties()
    words = NoteWords(joined_names(own.names))
    return NewChunk(
        uid=chunk_uid(document.source, document.id, content, occurrence(content)),
        hash=content,
        fields=file_fields(body, given["heading"], name=file_name(document), words=words),
        tags=document.tags,
        **given,
    )


def read_line(line: str) -> dict[str, Any]:
    """Return the object of a line. Raises LineError."""
    try:
        values = json.loads(line, parse_constant=_refuse)
        if "\\u" in line:  # only an escape can hold half of a pair
            json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise LineError("it holds half of a surrogate pair, which is not text") from error
    except (ValueError, RecursionError) as error:
        raise LineError(f"it is not JSON: {error}") from error
    if not isinstance(values, dict) or not isinstance(values.get("type"), str):
        raise LineError("it is not an object with a type")
    return values


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def check_header(values: Mapping[str, Any]) -> None:
    """Raise InputError for a first line of another format."""
    if values["type"] != "export":
        raise InputError("the first line is not that of an export", hint=NAME_ONE)
    if values.get("format") != FORMAT:
        raise InputError(
            f"the export has the format {values.get('format')}, this program reads {FORMAT}",
            hint="upgrade symbiosis-memory, or export again with this version",
        )
