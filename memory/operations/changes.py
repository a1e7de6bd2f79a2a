"""Changes of records for programs that follow them: ids and citations, no text.

A change is one of a record, whatever its kind, and is written with it in one transaction: who
reads on from the last number misses nothing and gets nothing twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts import InputError
from memory.index.record_hooks import hooks_of
from memory.storage.values import RecordChange
from memory.values.record_fields import check_limit
from memory.workspace import Workspace

MOST_CHANGES: Final = 1000
"""The most changes on one page."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a record.

    seq       the number of the change; a later one has a larger number
    at        when it was written, ISO 8601 UTC
    event     `added`: it can be found from now on; `changed`: its text, place, tags or metadata;
              `removed`: it cannot be found any more
    source    the kind of the record
    id        its id, as `/memory/manage/{record_id}` takes it
    citation  its citation as of now; None for one that does not exist any more
    """

    seq: int
    at: str
    event: str
    source: str
    id: str
    citation: str | None


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes in the order of their numbers.

    `next_since` continues after them, and `more` of them are there already. `missed`: some after
    `since` are no longer kept, so that what is known from before has to be read again.
    """

    changes: list[Change]
    next_since: int
    more: bool
    missed: bool = False
    warnings: list[str] = field(default_factory=list)


def read_changes(workspace: Workspace, *, since: int | None = None, limit: int = 100) -> ChangePage:
    """Return the first changes after the number `since`, the last change that is known.

    With None there are none: `next_since` is the number to begin with. Raises InputError for
    numbers out of their range.
    """
    check_limit(limit, MOST_CHANGES)
    if since is not None and (type(since) is not int or not 0 <= since < 1 << 63):
        raise InputError(f"since is {since!r}", hint="give a page's next_since")
    storage = workspace.storage
    with storage.database.snapshot():
        if since is None:
            newest = storage.record_changes(after=0, limit=1).newest
            return ChangePage([], newest, more=False)
        found = storage.record_changes(after=since, limit=limit)
        if since > found.newest:  # of a state of the database that is gone
            found = storage.record_changes(after=0, limit=limit)._replace(missing=True)
        changes = _cited(workspace, found.changes)
    next_since = changes[-1].seq if changes else found.newest
    return ChangePage(
        changes,
        next_since,
        more=next_since < found.newest,
        missed=found.missing,
        warnings=[_MISSED] if found.missing else [],
    )


_MISSED: Final = (
    "changes after `since` are missing here: they are no longer kept, or the database was set back;"
    " read again what you know, then continue with next_since"
)


def _cited(workspace: Workspace, changes: Sequence[RecordChange]) -> list[Change]:
    citations: dict[str, Mapping[str, str]] = {}
    for source in {each.source for each in changes}:
        if source in workspace.kinds:
            ids = {each.owner_id for each in changes if each.source == source}
            citations[source] = hooks_of(workspace, source).cited(ids)
    return [
        Change(
            each.seq,
            each.at,
            each.event,
            each.source,
            _public_id(workspace, each),
            citations.get(each.source, {}).get(each.owner_id),
        )
        for each in changes
    ]


def _public_id(workspace: Workspace, change: RecordChange) -> str:
    source = change.source
    is_document = source in workspace.kinds and workspace.kinds[source].is_document
    return change.owner_id if is_document else f"{source}:{change.owner_id}"
