"""The changes of records in one transaction, which a backend writes to its log for followers.

The change log of chunks serves derived indexes: a sync trims it to its newest entries, and a new
vector or another chunker is a change there. A follower wants records, whatever their chunks do.
"""

from collections.abc import Mapping

from memory.storage.values import RecordEvent, utc_now

CHANGES_OF_RECORDS_KEPT = 100_000
"""Entries kept, some 60 bytes each."""

_TOGETHER: Mapping[tuple[RecordEvent, RecordEvent], RecordEvent | None] = {
    ("added", "changed"): "added",
    ("added", "removed"): None,
    ("changed", "removed"): "removed",
    ("removed", "added"): "changed",
}
"""The event that two of one transaction are together; None: nothing happened."""


class NotedChanges:
    """The changes of records in one transaction, each record once."""

    def __init__(self) -> None:
        self._events: dict[tuple[str, str], RecordEvent] = {}

    def note(self, source: str, owner_id: str, event: RecordEvent) -> None:
        """Note what happened to a record, together with what happened to it before."""
        record = source, owner_id
        before = self._events.get(record)
        together = event if before is None else _TOGETHER.get((before, event), event)
        if together is None:
            del self._events[record]
        else:
            self._events[record] = together

    def entries(self) -> list[dict[str, str]]:
        """Return the columns of the entries to write, all of this moment."""
        now = utc_now()
        return [
            {"at": now, "event": event, "source": source, "owner_id": owner_id}
            for (source, owner_id), event in self._events.items()
        ]
