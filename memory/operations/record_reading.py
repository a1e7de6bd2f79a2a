"""Reading of records by citation, several at once, within a budget of bytes."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Final

from contracts import InputError, MemError, NotFoundError
from memory.conversations.memories.why import Why
from memory.conversations.turns.showing import DisplayTurn, TurnContent
from memory.index.record_hooks import hooks_of
from memory.operations import manage
from memory.values.citations import cite_path
from memory.values.reports import FileContent
from memory.values.text_checks import NAME_LIMIT, checked_text, shortened
from memory.values.user_folders import working_folder
from memory.workspace import Workspace
from search import parse_sources
from search.options import is_pattern

MOST_MATCHES: Final = 200
"""The most files of one pattern."""

_MOST_PATHS: Final = 100_000


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record that was read; `next` cites what the byte budget left out of it.

    `content` has the same lines of a document, None for records of other kinds.
    """

    citation: str
    text: str
    stale: bool = False
    next: str | None = None
    content: FileContent | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A citation that could not be read, and the reason."""

    citation: str
    reason: str


@dataclass(slots=True)
class RecordsRead:
    """The records read so far, in order; `left_out` are the citations beyond the byte budget."""

    records: list[ReadRecord] = field(default_factory=list)
    size_bytes: int = 0
    left_out: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


class Reader:
    """Reads one record after another until the budget is spent."""

    def __init__(
        self, workspace: Workspace, *, max_bytes: int | None = None, around: int = 0
    ) -> None:
        """`max_bytes` are those of all texts together, in UTF-8; `around` is for `manage.show`."""
        self._workspace = workspace
        self._around = around
        self._left = sys.maxsize if max_bytes is None else max_bytes
        self._read = RecordsRead()

    def expand(self, citations: Sequence[str]) -> list[str]:
        """Return the citations with each pattern replaced by the files that match it."""
        return list(dict.fromkeys(one for each in citations for one in self._matches(each)))

    def read(self, citation: str) -> ReadRecord | None:
        """Read a record, as far as the budget reaches; note why one cannot be read."""
        if self._left <= 0:
            self._read.left_out.append(citation)
            return None
        try:
            record = self._record(citation)
        except MemError as error:
            self._note(citation, shortened(error.message))
            return None
        if record is None:
            self._left = 0
            self._read.left_out.append(citation)
            return None
        size = len(record.text.encode())
        self._read.size_bytes += size
        self._left = 0 if record.next else self._left - size
        self._read.records.append(record)
        return record

    def answer(self) -> RecordsRead:
        """Return what was read. Raises NotFoundError where no citation could be read."""
        if self._read.unread and not self._read.records:
            raise NotFoundError(
                "; ".join(one.reason for one in self._read.unread),
                hint="copy citations from search",
            )
        return self._read

    def _record(self, citation: str) -> ReadRecord | None:
        """Return one record, cut at the end of a line; None where not even one line has room."""
        name = checked_text(citation, "the citation", most=NAME_LIMIT)
        shown = manage.show(self._workspace, name, around=self._around)
        if isinstance(shown, FileContent):
            return _passage(shown, self._left)
        text = _text_of(self._workspace, shown, citation)
        return ReadRecord(citation, text) if len(text.encode()) <= self._left else None

    def _note(self, citation: str, reason: str) -> None:
        self._read.unread.append(Unread(shortened(citation), reason))

    def _matches(self, citation: str) -> Iterator[str]:
        if not is_pattern(citation) or manage.is_record(self._workspace, citation):
            yield citation
            return
        try:
            found = _files_like(self._workspace, citation)
        except MemError as error:
            self._note(citation, error.message)
            return
        if not found:
            self._note(citation, f"no indexed file matches {shortened(citation)!r}")
        if len(found) > MOST_MATCHES:
            reason = f"it matches {len(found):,} files, of which {MOST_MATCHES} are read"
            self._note(citation, reason)
        yield from found[:MOST_MATCHES]


def _files_like(workspace: Workspace, pattern: str) -> list[str]:
    """Return the indexed files that match a glob, as `sources` of a search reads it."""
    cwd = working_folder()
    checked_text(pattern, "the pattern", most=NAME_LIMIT)
    globs = parse_sources([pattern], cwd=cwd).globs
    start = min(re.split(r"[*?\[]", glob, maxsplit=1)[0] for glob in globs)
    paths = manage.paths_beginning_with(workspace, start, limit=_MOST_PATHS)
    return [
        cite_path(path, cwd=cwd) for path in paths if any(fnmatchcase(path, glob) for glob in globs)
    ]


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
            manage.citation_of(content), content.text, stale=content.stale, content=content
        )
    if count == 0:
        return None
    cut = content.start_line + count - 1
    rest = replace(content, start_line=cut + 1)
    part = replace(content, text="".join(lines[:count]), end_line=cut)
    return ReadRecord(
        manage.citation_of(part),
        part.text,
        stale=content.stale,
        next=manage.citation_of(rest),
        content=part,
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
