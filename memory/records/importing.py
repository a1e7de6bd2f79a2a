"""Import of records, after the turns that are their evidence."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final, Generic

from contracts import InputError
from contracts.named_tuple import NamedTuple
from memory.conversations.memories.slots.fact_keys import slot_of_key
from memory.index.record_chunks import put_records, remove_record
from memory.index.record_exchange import RecordImport
from memory.records.decay import is_archived_by_hand
from memory.records.distillation.slot_facts import forgotten_slots
from memory.records.forms import RecordForm
from memory.records.store import FORMER, History, RecordLink, RecordStore, former_value
from memory.records.values import (
    DISTILLATION,
    LINK_REASONS,
    PATTERN_TYPES,
    SENTIMENTS,
    FormerValue,
    R,
)
from memory.storage import Transaction, utc_now
from memory.storage.action_log import AGENT
from memory.values.line_values import LineError, checked, checked_moment, one_of, texts_of

_MOMENTS: Final = (
    *("created_at", "updated_at", "last_observed", "first_mentioned", "last_mentioned"),
    "observed_at",
)
_MOMENTS_OR_NONE: Final = ("expires_at", "resolved_at")
_LISTS: Final = ("aliases", "tags")
_LEAST_AND_MOST: Final = {
    "id": (1, None),
    "frequency": (1, None),
    "mention_count": (1, None),
    "resolved": (0, 1),
    "priority": (0, 5),
}
_SINGLE: Final = ("relationship", "last_contact", "resolution")
"""Fields that hold one of two texts where two rows become one."""

_CHOICES: Final = {"sentiment": SENTIMENTS, "pattern_type": PATTERN_TYPES}


class TableImporter(Generic[R]):
    """The importer of one kind.

    A record is known here by its identity; the one that was changed later stays. Former values of a
    fact are added where they are missing, and so is a value that was stated before the other. Two
    records of the export that are one here, since their accents are written in two ways, are
    `joined`.
    """

    def __init__(
        self, work: RecordImport, form: RecordForm[R], joined: Callable[[R, R], R]
    ) -> None:
        self.types = (form.kind.name,)
        self._work = work
        self._form = form
        self._joined = joined
        self._times: dict[int, str] = {}
        """When those with accents were changed that are here as the export has them, by number."""
        self._database = work.workspace.storage.database
        self._store = RecordStore(self._database, form)
        self._turns = work.numbers.setdefault("turn", {})
        self._waiting: list[tuple[R, list[RecordLink], list[_Former]]] = []
        self._forgotten = forgotten_slots(self._database) if form.table == "facts" else set()

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number of records kept."""
        row = _row_of_line(self._form, values)
        history = checked(values, "history", list) if self._form.table == "facts" else []
        former = [_former_of_line(each) for each in history]
        self._work.take_vectors(values)
        self._waiting.append((row, _links_of_line(values), former))
        return len(self._waiting)

    def store(self) -> None:
        """Store the waiting records."""
        waiting, self._waiting = self._waiting, []
        config = self._work.workspace.config.records
        known = self._work.known(self._form.searchable(row, config) for row, _, _ in waiting)
        changed = {}
        with self._database.transaction() as tx:
            for row, links, former in waiting:
                before, both = self._here_already(row)
                present = self._put(tx, row, before, both) or before
                if present is None:
                    continue
                if present != before:
                    changed[present.id] = self._form.searchable(present, config)
                self._work.numbers.setdefault(self._form.kind.name, {})[row.id] = present.id
                self._add_history(tx, present.id, former)
                found = _Found(row, before, present, is_twice=both is not None)
                self._add_evidence(tx, found, self._here(links))
            put_records(self._work.workspace, tx, changed.values(), known)

    def finish(self) -> None:
        """Nothing depends on all records."""

    def _here_already(self, row: R) -> tuple[R | None, R | None]:
        """Return the record here that is the same, and, where it is another one of the export with
        its accents written in another way, what both of them make.
        """
        present = self._store.same(row)
        if present is None or self._times.get(present.id) != present.updated_at:
            return present, None
        if self._identity(present) == self._identity(row):
            return present, None
        kept, gone = sorted((present, row), key=_weight, reverse=True)
        try:
            joined: Any = self._joined(kept, gone)
        except InputError:  # with too many aliases they stay apart
            return None, None
        now = "" if self._form.table == "facts" else utc_now()  # a fact decays from that time on
        both = replace(
            joined,
            id=present.id,
            created_at=min(kept.created_at, gone.created_at),
            updated_at=max(kept.updated_at, gone.updated_at, now),
        )
        if both != present:
            self._warn_of_two(both, gone)
        return present, both

    def _identity(self, row: R) -> list[str]:
        return [getattr(row, name) for name in self._form.identity]

    def _warn_of_two(self, both: Any, gone: Any) -> None:
        lost = [
            f"{name.replace('_', ' ')} {getattr(gone, name)!r:.80}"
            for name in _SINGLE
            if getattr(gone, name, None) not in (None, "", getattr(both, name, None))
        ]
        without = f", without the {' and the '.join(lost)}" if lost else ""
        self._work.warnings.append(
            f"{self._form.cite(both)} is in the export twice, with its accents written in two "
            f"ways; it is one record here{without}"
        )

    def _put(self, tx: Transaction, row: R, present: R | None, both: R | None) -> R | None:
        """Store a new or newer record, or what two are together, and return it; None where the one
        here stays.
        """
        stored = self._stored(tx, row, present, both)
        left = stored or present
        is_as_there = left is not None and (stored is not None or left.updated_at == row.updated_at)
        if left is not None and is_as_there and not "".join(self._identity(row)).isascii():
            self._times[left.id] = left.updated_at
        return stored

    def _stored(self, tx: Transaction, row: R, present: R | None, both: R | None) -> R | None:
        if present is None:
            self._work.added[self._form.kind.name] += 1
            self._warn_of_forgotten(row)
            return self._store.insert(tx, row)
        self._work.unchanged += 1
        if both is None and present.updated_at >= row.updated_at:
            return None
        created_at = min(present.created_at, row.created_at)
        newer = both or replace(row, id=present.id, created_at=created_at)  # type: ignore[type-var]  # R
        if newer == present:
            return None
        self._store.update(tx, newer)
        remove_record(self._work.workspace, tx, self._form.kind.name, str(present.id))
        return newer

    def _warn_of_forgotten(self, row: Any) -> None:
        is_fact = self._form.table == "facts"
        if is_fact and slot_of_key(row.category, row.key) in self._forgotten:
            name = self._form.cite(row)
            self._work.warnings.append(
                f"{name} was forgotten here by its name, and the export brings it back; to forget "
                f"it again: mem forget {shlex.quote(name)}"
            )

    def _here(self, links: list[RecordLink]) -> list[RecordLink]:
        """Return links to the turns that are here, by their numbers here."""
        return [
            link._replace(turn_id=self._turns[link.turn_id])
            for link in links
            if link.turn_id in self._turns
        ]

    def _add_evidence(self, tx: Transaction, found: "_Found", links: list[RecordLink]) -> None:
        """Link the record of a line to its turns. Of two values of a fact each keeps its own; the
        one that is not present, mostly since it was stated before the other, is a former value.
        """
        row, before, key = found.row, found.before, found.present.id
        if before is None or self._form.table != "facts" or before.value == row.value:
            self._store.link(tx, key, links)
            return
        is_newer = found.present.value == row.value
        old, at = (before, row.updated_at) if is_newer else (row, before.updated_at)
        former = former_value(old, max(at, old.updated_at) if found.is_twice else at)
        is_over = found.is_twice or former.updated_at < former.replaced_at
        is_former = is_over and not is_archived_by_hand(old)
        number = self._former_number(tx, key, former, is_former=is_former)
        if is_newer:
            owned = self._store.links([key]).get(key, ())
            self._store.unlink(tx, key)
            self._store.link(tx, key, links)
            links = [*owned]
        if number is not None:
            self._store.link(tx, number, links, source=FORMER)

    def _former_number(
        self, tx: Transaction, fact_id: int, former: FormerValue, *, is_former: bool
    ) -> int | None:
        """Return the number of a former value, which is stored if it is not known; None for one
        that was taken back, or corrected: it has the time of what is present.
        """
        history = History(self._database)
        for number, one in history.of([fact_id]).get(fact_id, {}).items():
            if (one.value, one.updated_at) == (former.value, former.updated_at):
                return number
        return history.add(tx, fact_id, former) if is_former else None

    def _add_history(self, tx: Transaction, fact_id: int, former: "list[_Former]") -> None:
        if not former:
            return
        history = History(self._database)
        known = set(history.of([fact_id]).get(fact_id, {}).values())
        for value, links in reversed(former):  # the earliest first, as they were stored
            if value not in known:
                number = history.add(tx, fact_id, value)
                self._store.link(tx, number, self._here(links), source=FORMER)


_Former = tuple[FormerValue, list[RecordLink]]


class _Found(NamedTuple):
    """A record of a line, the one that was here and the one that is now; whether the first two are
    both of the export.
    """

    row: Any
    before: Any
    present: Any
    is_twice: bool


def _weight(row: Any) -> tuple[bool, bool, str]:
    """Return how much a row counts beside another of the same record: what is stated more than what
    is distilled, the owner's more than an agent's, then the later.
    """
    return row.source != DISTILLATION, AGENT not in row.metadata, row.updated_at


def _row_of_line(form: RecordForm[R], values: Mapping[str, Any]) -> R:
    """Return the row of a line. Raises LineError."""
    names = [item.name for item in fields(form.row)]  # type: ignore[arg-type]  # R
    return form.row(**{name: _checked_field(values, name) for name in names})


def _checked_field(values: Mapping[str, Any], name: str) -> Any:
    if name in _CHOICES:
        one_of({name: values.get(name)}, name, _CHOICES[name])
        return values[name]
    if name in _MOMENTS:
        return checked_moment(values, name)
    if name in _MOMENTS_OR_NONE:
        return None if values.get(name) is None else checked_moment(values, name)
    if name == "last_contact" and values.get(name) is None:
        return None
    if name in _LISTS:
        return texts_of(values, name)
    if name == "metadata":
        return checked(values, name, dict)
    if name == "confidence":
        return _share(values, name)
    return _number(values, name) if name in _LEAST_AND_MOST else checked(values, name, str)


def _number(values: Mapping[str, Any], name: str) -> int:
    number = checked(values, name, int)
    least, most = _LEAST_AND_MOST[name]
    if number < least or (most is not None and number > most):
        raise LineError(f"its {name} is {number}")
    return number


def _share(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise LineError(f"its {name} is {value!r:.40}")
    return float(value)


def _links_of_line(values: Mapping[str, Any]) -> list[RecordLink]:
    found = []
    for link in checked(values, "links", list):
        if not isinstance(link, dict):
            raise LineError(f"one of its links is {link!r:.40}")
        one_of({"reason": link.get("reason")}, "reason", LINK_REASONS)
        turn_id, moment = checked(link, "turn_id", int), checked_moment(link, "created_at")
        found.append(RecordLink(turn_id, link["reason"], moment))
    return found


def _former_of_line(values: object) -> _Former:
    if not isinstance(values, dict):
        raise LineError(f"one of its former values is {values!r:.40}")
    texts = {name: checked(values, name, str) for name in ("value", "source")}
    times = {name: checked_moment(values, name) for name in ("updated_at", "replaced_at")}
    former = FormerValue(**texts, **times, confidence=_share(values, "confidence"))
    return former, _links_of_line(values)
