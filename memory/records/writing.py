"""Writing of records with their chunk, in one transaction; and of records as they are shown."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from ingest.pii import PII, privacy_tags
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.store import TurnStore
from memory.index.record_chunks import put_records, record_vectors, remove_record
from memory.records.checking import checked_source, evidence_turns, require_turns
from memory.records.forms import RecordForm
from memory.records.store import RecordLink, RecordStore
from memory.records.values import Evidence, LinkReason, R
from memory.storage import Transaction, utc_now
from memory.storage.action_log import AGENT, IS_CERTAIN, calling_agent, is_others, marked
from memory.values.record_fields import checked_metadata, checked_tags
from memory.workspace import Workspace

S = TypeVar("S")
Beside: TypeAlias = Callable[[Transaction, R | None, R], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The fields that may be given with a record of any kind.

    `source` is who states it, `api` unless given; `evidence` names turns: `turn:42`, or numbers.
    """

    source: str | None = None
    evidence: Sequence[str | int] = ()
    tags: Sequence[str] | None = None
    metadata: dict[str, Any] | None = None
    now: datetime = field(default_factory=lambda: datetime.now(UTC))


class Stated(NamedTuple):
    """The checked form of a `Statement`; None leaves a field of a known record as it is."""

    source: str
    turn_ids: list[int]
    tags: tuple[str, ...] | None
    metadata: dict[str, Any] | None


class Change(NamedTuple, Generic[R]):
    """A record before and after a write."""

    before: R | None
    after: R


def stated(workspace: Workspace, given: Statement) -> Stated:
    """Return a checked statement. Raises InputError, NotFoundError for unknown evidence."""
    return Stated(
        checked_source(given.source),
        evidence_turns(workspace, given.evidence),
        None if given.tags is None else checked_tags(given.tags),
        None if given.metadata is None else checked_metadata(given.metadata),
    )


def as_stated_by(source: str, old: R | None, new: R) -> R:
    """Return a record as it is after a statement: an agent's has its mark, and an agent's record
    that anybody else states is no longer an agent's.
    """
    if calling_agent() is not None:
        about = marked(new.metadata)
    elif old is None or AGENT not in old.metadata:
        return new
    else:
        about = unmarked(new.metadata)
    return replace(new, source=source, metadata=about)  # type: ignore[type-var]  # R


def unmarked(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata of a record that is no longer an agent's."""
    if AGENT not in metadata:
        return metadata
    return {name: one for name, one in metadata.items() if name not in (AGENT, IS_CERTAIN)}


def write_record(
    workspace: Workspace,
    form: RecordForm[R],
    *,
    find: Callable[[RecordStore[R]], R | None],
    plan: Callable[[R | None], R],
    turn_ids: Sequence[int] = (),
    beside: Beside[R] | None = None,
) -> Change[R]:
    """Store what `plan` makes of the record that `find` returns, or of None.

    Both are called twice: to embed the text before the transaction, and in it. The record rests on
    the turns, unless an agent asks and it is still of others. `beside` writes what else belongs to
    the change, in the same transaction.
    """
    store = RecordStore(workspace.storage.database, form)
    config = workspace.config.records
    first = labelled(form, plan(find(store)))
    known = record_vectors(workspace, [form.searchable(first, config)])
    database = workspace.storage.database
    with database.erasing(), database.transaction() as tx:
        before = find(store)
        after = labelled(form, plan(before))
        if before is None:
            after = store.insert(tx, after)
        elif after != before:
            store.update(tx, after)
            if form.body(after) != form.body(before):  # a later `forget` does not know the old text
                remove_record(workspace, tx, form.kind.name, str(after.id))
        if after != before:
            put_records(workspace, tx, [form.searchable(after, config)], known)
        if beside is not None:
            beside(tx, before, after)
        if turn_ids and not is_others(after.metadata):
            add_evidence(store, tx, after.id, turn_ids)
    return Change(before, after)


def complete_record(
    workspace: Workspace,
    form: RecordForm[R],
    whole: R,
    merged: Callable[[R], R],
    *,
    find: Callable[[RecordStore[R]], R | None] | None = None,
) -> None:
    """Store the whole form of a row that another program inserted without its key, or renamed.

    Where `find` returns another row, it is another statement of that record: that one becomes what
    `merged` makes of it, as when it is stated by the other doors, and gets the evidence of the row,
    which goes.
    """
    if RecordStore(workspace.storage.database, form).get(whole.id) == whole:
        return

    def plan(old: R | None) -> R:
        if old is None:  # somebody has removed the row meanwhile
            raise NotFoundError(f"there is no {form.kind.name} {whole.id}", hint="try again")
        return whole if old.id == whole.id else merged(old)

    def same(store: RecordStore[R]) -> R | None:
        return store.same(whole)

    def found(store: RecordStore[R]) -> R | None:
        row = store.get(whole.id)
        return None if row is None else (find or same)(store) or row

    def beside(tx: Transaction, _before: R | None, after: R) -> None:
        if after.id != whole.id:
            store = RecordStore(workspace.storage.database, form)
            store.link(tx, after.id, store.links([whole.id]).get(whole.id, ()))
            remove_record(workspace, tx, form.kind.name, str(whole.id))
            store.delete(tx, [whole.id])

    with suppress(NotFoundError):
        write_record(workspace, form, find=found, plan=plan, beside=beside)


def stated_again(old: Any, row: Any) -> dict[str, Any]:
    """Return the fields of a record that another statement of it changes whatever its kind."""
    return {
        "updated_at": max(old.updated_at, row.updated_at),
        "tags": row.tags or old.tags,
        "metadata": row.metadata or old.metadata,
    }


def labels_of_both(kept: R, gone: R) -> dict[str, Any]:
    """Return the labels of two rows that become one, which is an agent's only if both are."""
    about = {**gone.metadata, **kept.metadata}
    if AGENT not in kept.metadata or AGENT not in gone.metadata:
        about = {name: value for name, value in about.items() if name not in (AGENT, IS_CERTAIN)}
    return {"tags": tuple(dict.fromkeys((*kept.tags, *gone.tags))), "metadata": about}


def labelled(form: RecordForm[R], row: R) -> R:
    """Return a row with the tags for personal data and secrets that its text has.

    That of a secret stays until other tags are given: it may be the writer's own.
    """
    own = [tag for tag in row.tags if tag != PII]
    tags = tuple(dict.fromkeys((*own, *privacy_tags(form.body(row)))))
    return replace(row, tags=tags)  # type: ignore[type-var]  # every row is a dataclass


def add_evidence(
    store: RecordStore[R],
    tx: Transaction,
    record_id: int,
    turn_ids: Sequence[int],
    *,
    reason: LinkReason = "source",
    source: str = "",
) -> None:
    """Link a record to the turns that it rests on. Raises NotFoundError for one that has gone."""
    require_turns(store.database, turn_ids)
    now = utc_now()
    links = [RecordLink(turn_id, reason, now) for turn_id in turn_ids]
    store.link(tx, record_id, links, source=source)


def evidence_of(
    workspace: Workspace, form: RecordForm[R], rows: Sequence[R]
) -> dict[int, list[Evidence]]:
    """Return the turns that records rest on, by record."""
    database = workspace.storage.database
    links = RecordStore(database, form).links([row.id for row in rows])
    ids = {link.turn_id for each in links.values() for link in each}
    turns = {turn.id: turn for turn in TurnStore(database).many(ids)} if ids else {}
    return {
        record_id: [
            Evidence(turn.id, cite_turn(turn.session_id, turn.id, turn.ts), link.reason)
            for link in each
            if (turn := turns.get(link.turn_id)) is not None
        ]
        for record_id, each in links.items()
    }


def shown_as(
    workspace: Workspace,
    form: RecordForm[R],
    rows: Sequence[R],
    kind: Callable[..., S],
    more: Callable[[R], dict[str, Any]] = lambda _: {},
) -> list[S]:
    """Return rows as they are shown: with their citation and evidence, and `more` fields."""
    evidence = evidence_of(workspace, form, rows)
    return [
        kind(
            **{name: getattr(row, name) for name in form.row.__dataclass_fields__},  # type: ignore[attr-defined]  # R
            citation=form.cite(row),
            evidence=evidence.get(row.id, []),
            **more(row),
        )
        for row in rows
    ]
