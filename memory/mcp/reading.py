"""Reading of records by citation, several at once, within a budget of bytes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from contracts import InputError, MemError, NotFoundError
from memory.conversations.memories.why import Why
from memory.conversations.turns.records import DisplayTurn, TurnContent
from memory.index.record_hooks import hooks_of
from memory.mcp.answers import ReadAnswer, ReadRecord, Unread
from memory.operations import manage
from memory.values.citations import cite_path
from memory.values.reports import FileContent
from memory.values.text_checks import NAME_LIMIT, checked_text, shortened
from memory.workspace import Workspace
from search import parse_sources
from search.options import is_pattern

MOST_MATCHES: Final = 200
"""The most files of one pattern."""

_MOST_PATHS: Final = 100_000


class Reader:
    """Reads one record after another until the budget is spent."""

    def __init__(self, workspace: Workspace, *, max_bytes: int) -> None:
        self._workspace = workspace
        self._left = max_bytes
        self._size = 0
        self._records: list[ReadRecord] = []
        self._left_out: list[str] = []
        self._unread: list[Unread] = []

    def expand(self, citations: Sequence[str]) -> list[str]:
        """Return the citations with each pattern replaced by the files that match it."""
        return list(dict.fromkeys(one for each in citations for one in self._matches(each)))

    def read(self, citation: str) -> None:
        """Read a record, as far as the budget reaches; note why one cannot be read."""
        if self._left <= 0:
            self._left_out.append(citation)
            return
        try:
            record = _read(self._workspace, citation, max_bytes=self._left)
        except MemError as error:
            reason = shortened(error.message)
            self._unread.append(Unread(citation=shortened(citation), reason=reason))
            return
        if record is None:
            self._left = 0
            self._left_out.append(citation)
            return
        size = len(record.text.encode())
        self._size += size
        self._left = 0 if record.next else self._left - size
        self._records.append(record)

    def answer(self) -> ReadAnswer:
        """Return what was read. Raises NotFoundError where no citation could be read."""
        if self._unread and not self._records:
            raise NotFoundError(
                "; ".join(one.reason for one in self._unread),
                hint="copy citations from search",
            )
        return ReadAnswer(
            records=self._records,
            size_bytes=self._size,
            left_out=self._left_out,
            unread=self._unread,
        )

    def _matches(self, citation: str) -> Iterator[str]:
        if not is_pattern(citation) or self._is_there(citation):
            yield citation
            return
        try:
            found = _files_like(self._workspace, citation)
        except MemError as error:
            self._unread.append(Unread(citation=shortened(citation), reason=error.message))
            return
        if not found:
            reason = f"no indexed file matches {shortened(citation)!r}"
            self._unread.append(Unread(citation=shortened(citation), reason=reason))
        if len(found) > MOST_MATCHES:
            reason = f"it matches {len(found):,} files, of which {MOST_MATCHES} are read"
            self._unread.append(Unread(citation=shortened(citation), reason=reason))
        yield from found[:MOST_MATCHES]

    def _is_there(self, citation: str) -> bool:
        try:
            manage.show(self._workspace, citation)
        except MemError:
            return False
        return True


def _files_like(workspace: Workspace, pattern: str) -> list[str]:
    """Return the indexed files that match a glob, as `sources` of a search reads it."""
    cwd = Path.cwd()
    checked_text(pattern, "the pattern", most=NAME_LIMIT)
    globs = parse_sources([pattern], cwd=cwd).globs
    start = min(re.split(r"[*?\[]", glob, maxsplit=1)[0] for glob in globs)
    paths = manage.paths_beginning_with(workspace, start, limit=_MOST_PATHS)
    return [
        cite_path(path, cwd=cwd) for path in paths if any(fnmatchcase(path, glob) for glob in globs)
    ]


def _read(workspace: Workspace, citation: str, *, max_bytes: int) -> ReadRecord | None:
    """Return one record, cut at the end of a line; None where not even one line has room."""
    shown = manage.show(workspace, checked_text(citation, "the citation", most=NAME_LIMIT))
    if isinstance(shown, FileContent):
        return _passage(shown, max_bytes)
    text = _text_of(workspace, shown, citation)
    if len(text.encode()) > max_bytes:
        return None
    return ReadRecord(citation=citation, text=text)


def _passage(content: FileContent, max_bytes: int) -> ReadRecord | None:
    """Return the lines of a document that have room; the rest is `next`."""
    lines = [part for part in re.split(r"(?<=\n)", content.text) if part]
    count = size = 0
    for line in lines:
        size += len(line.encode())
        if size > max_bytes:
            break
        count += 1
    if count == len(lines):
        return ReadRecord(
            citation=manage.citation_of(content), text=content.text, stale=content.stale
        )
    if count == 0:
        return None
    cut = content.start_line + count - 1
    rest = replace(content, start_line=cut + 1)
    return ReadRecord(
        citation=manage.citation_of(replace(content, end_line=cut)),
        text="".join(lines[:count]),
        stale=content.stale,
        next=manage.citation_of(rest),
    )


def _text_of(workspace: Workspace, shown: object, citation: str) -> str:
    """Return a record of another kind as text."""
    if isinstance(shown, TurnContent):
        lines = [*map(_line, shown.before), f"> {_line(shown.turn)}", *map(_line, shown.after)]
        past = [f"no longer so: {one.statement}" for one in shown.superseded]
        return "\n".join([*lines, *past])
    if isinstance(shown, Why):
        memory = shown.memory
        state = "" if memory.status == "active" else f" ({memory.status})"
        said = [f"{one.citation}: {one.quote}" for one in shown.sources]
        over = shown.superseded_by
        now = [f"replaced by memory {over.id}: {over.content}"] if over else []
        return "\n".join([f"{memory.content}{state}, {memory.occurred_at[:10]}", *now, *said])
    name = workspace.kinds.named(citation)
    if name is None:
        raise InputError(f"{citation!r} cannot be read", hint="copy the citation from search")
    hooks = hooks_of(workspace, name.source)
    return "\n".join(hooks.texts([hooks.id_of(name.record_id)]))


def _line(turn: DisplayTurn) -> str:
    return f"{turn.citation}, {turn.speaker or turn.role}: {turn.text}"
