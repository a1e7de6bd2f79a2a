"""Facts: one present value for each category and key, and the values before it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from contracts import InputError, NotFoundError
from memory.conversations.memories.slots.current_values import current_values
from memory.index.record_chunks import remove_record
from memory.records.checking import (
    checked_body,
    checked_confidence,
    checked_expiry,
    identifier,
)
from memory.records.decay import effective_confidence, is_archived_by_hand, standing
from memory.records.forms import FACTS
from memory.records.store import FORMER, History, RecordStore, former_value
from memory.records.values import (
    DISTILLATION,
    USER,
    Fact,
    FactAction,
    ShownFact,
    WrittenFact,
)
from memory.records.writing import (
    Stated,
    Statement,
    add_evidence,
    as_stated_by,
    complete_record,
    labels_of_both,
    shown_as,
    stated,
    write_record,
)
from memory.storage import Database, Transaction, utc_text
from memory.storage.action_log import IS_CERTAIN, calling_agent, is_others
from memory.values.inserted_values import text_of
from memory.values.results import Superseded
from memory.workspace import Workspace

_LISTED_SQL: Final = "category = :category ORDER BY category, key"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact(Statement):
    """A statement of a fact.

    Category and key are stored in lower case with `_` for blanks. `confidence` is in [0, 1], by
    default .9 from the source `user`, .6 from `api`, .5 from `distillation`. `expires_at` is ISO
    8601; a date alone means the end of that day.
    """

    category: str
    key: str
    value: str
    confidence: float | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """The change that a statement makes to the fact that is there.

    One that is `dated` counts as of its time, which may be before that of the fact.
    """

    workspace: Workspace
    fact: Fact
    stated: Stated
    has_confidence: bool
    now: datetime
    is_dated: bool = False

    def action(self, old: Fact | None) -> FactAction:
        if old is None:
            return "created"
        if self._is_anothers(old):
            return "kept"
        if old.value == self.fact.value:
            return "reinforced"
        return "kept" if self._counts_less_than(old) else "replaced"

    def row(self, old: Fact | None) -> Fact:
        """Return the row after the statement."""
        if old is None:
            return self._stated(None, self.fact)
        new = replace(
            self.fact,
            id=old.id,
            created_at=old.created_at,
            tags=old.tags if self.stated.tags is None else self.stated.tags,
            metadata=old.metadata if self.stated.metadata is None else self.stated.metadata,
        )
        action = self.action(old)
        if action == "kept":
            return old
        return self._stated(old, self._reinforced(old, new) if action == "reinforced" else new)

    def _stated(self, old: Fact | None, new: Fact) -> Fact:
        """Return a fact as the caller states it: an agent's replaces nothing that is certain."""
        made = as_stated_by(self.stated.source, old, new)
        if calling_agent() is None:
            return made
        return replace(made, metadata={**made.metadata, IS_CERTAIN: False})

    def _is_anothers(self, old: Fact) -> bool:
        """Return whether an agent states a fact of others that holds."""
        config = self.workspace.config.records
        return is_others(old.metadata) and standing(old, self.now, config) == "current"

    def _reinforced(self, old: Fact, new: Fact) -> Fact:
        """Return a fact that is stated again: it keeps an expiry that is to come, the user as its
        source, any source where distillation finds it too, and the higher confidence unless one is
        given, by more than distillation.
        """
        is_to_come = old.expires_at is not None and old.expires_at > new.updated_at
        is_distilled = new.source == DISTILLATION and old.source == USER
        may_fall = self.has_confidence and not is_distilled and not self._is_older_than(old)
        confidence = new.confidence if may_fall else max(old.confidence, new.confidence)
        return replace(
            new,
            updated_at=max(old.updated_at, new.updated_at),
            confidence=confidence,
            source=old.source if old.source == USER or new.source == DISTILLATION else new.source,
            expires_at=new.expires_at or (old.expires_at if is_to_come else None),
        )

    def _is_older_than(self, old: Fact) -> bool:
        is_older = self.is_dated and self.fact.updated_at < old.updated_at
        return is_older and not is_archived_by_hand(old)

    def _counts_less_than(self, old: Fact) -> bool:
        """Return whether the value was over before, or is distilled and may not replace the user's
        own.
        """
        if self._is_older_than(old):
            return True
        config = self.workspace.config.records
        present = effective_confidence(old.confidence, old.updated_at, self.now, config)
        return (
            self.stated.source == DISTILLATION
            and old.source == USER
            and standing(old, self.now, config) != "expired"
            and present > self.fact.confidence
        )

    def _stands_without(
        self, store: RecordStore[Fact], old: Fact | None, action: FactAction
    ) -> bool:
        """Return whether somebody stated the fact and named no turn: with one in which distillation
        finds it, the fact would go.
        """
        is_found_again = action == "reinforced" and self.stated.source == DISTILLATION
        if old is None or not is_found_again or old.source in (USER, DISTILLATION):
            return False
        return not store.links([old.id])

    def beside(self, tx: Transaction, old: Fact | None, after: Fact) -> None:
        """Keep the value that does not count, and the evidence of each."""
        database = self.workspace.storage.database
        store, history = RecordStore(database, FACTS), History(database)
        action = self.action(old)
        if action == "replaced" and old is not None:
            if is_archived_by_hand(old):  # its memory is archived: nobody says that it was so
                store.unlink(tx, old.id)
                history.give_back(tx, old.id, after.value)
            else:
                number = history.add(tx, old.id, former_value(old, after.updated_at))
                history.take_links(tx, old.id, number)
        if action == "kept" and self.fact.value == after.value:
            return
        if action == "kept":
            over_at = after.updated_at if self._is_older_than(after) else self.fact.updated_at
            former = former_value(self._stated(None, self.fact), over_at)
            number = history.kept(after.id, former) or history.add(tx, after.id, former)
            add_evidence(store, tx, number, self.stated.turn_ids, source=FORMER)
        elif not self._stands_without(store, old, action):
            add_evidence(store, tx, after.id, self.stated.turn_ids)


def write_fact(workspace: Workspace, new: NewFact) -> WrittenFact:
    """State a fact: it is created, reinforced when it has that value, or its value is replaced.

    A stated fact is `updated_at` now, and its decay begins again. A former value stays in its
    history. A value from distillation does not replace one of the user's whose present confidence
    is higher, and an agent's none that others stated. Raises InputError for invalid values,
    NotFoundError for unknown evidence.
    """
    plan = _plan(workspace, new)
    change = write_record(
        workspace,
        FACTS,
        find=lambda store: store.same(plan.fact),
        plan=plan.row,
        beside=plan.beside,
    )
    (shown,) = show_facts(workspace, [change.after], now=new.now)
    values = {name: getattr(shown, name) for name in ShownFact.__dataclass_fields__}
    return WrittenFact(**values, action=plan.action(change.before))


def _plan(workspace: Workspace, new: NewFact, *, is_dated: bool = False) -> _Plan:
    """Return the plan of a checked statement. Raises InputError, NotFoundError."""
    given = stated(workspace, new)
    at = utc_text(new.now)
    fact = Fact(
        id=0,
        category=category_of(new.category),
        key=identifier(new.key, "key"),
        value=checked_body(new.value, "value"),
        confidence=checked_confidence(new.confidence, given.source),
        expires_at=checked_expiry(new.expires_at),
        source=given.source,
        created_at=at,
        updated_at=at,
        tags=given.tags or (),
        metadata=given.metadata or {},
    )
    return _Plan(workspace, fact, given, new.confidence is not None, new.now, is_dated)


def complete_fact(workspace: Workspace, row: Fact) -> None:
    """Give a fact of another program the spelling of its category and key that is used here.

    Where another fact has that name, it is what that one is stated to be as of the row's time, and
    takes its evidence and former values.
    """
    store: RecordStore[Fact] = RecordStore(workspace.storage.database, FACTS)
    with suppress(InputError, NotFoundError):  # a name that cannot be one stays as it is
        names = category_of(text_of(row.category)), identifier(text_of(row.key), "key")
        whole = replace(row, category=names[0], key=names[1])
        known = store.same(whole)
        if known is None:
            complete_record(workspace, FACTS, whole, lambda old: old)
        elif known.id != row.id:
            _join(workspace, row, _plan(workspace, _stated_by(row, whole, store), is_dated=True))


def _join(workspace: Workspace, row: Fact, plan: _Plan) -> None:
    """Make a row part of the fact of its name, in one transaction. Raises NotFoundError where one
    of them has gone or changed meanwhile.
    """
    history = History(workspace.storage.database)

    def find(store: RecordStore[Fact]) -> Fact | None:
        return store.same(plan.fact) if store.get(row.id) == row else None

    def joined(old: Fact | None) -> Fact:
        if old is None:
            raise NotFoundError(f"there is no fact {row.id}", hint="try again")
        return plan.row(old)

    def beside(tx: Transaction, before: Fact | None, after: Fact) -> None:
        plan.beside(tx, before, after)
        history.move(tx, row.id, after.id)
        remove_record(workspace, tx, FACTS.kind.name, str(row.id))
        RecordStore(workspace.storage.database, FACTS).delete(tx, [row.id])

    write_record(workspace, FACTS, find=find, plan=joined, beside=beside)


def joined_facts(kept: Fact, gone: Fact) -> Fact:
    """Return a fact with what another record of it adds; another value is not part of it."""
    if gone.value != kept.value or is_archived_by_hand(kept):
        return kept
    confidence = max(kept.confidence, gone.confidence)
    return replace(kept, confidence=confidence, **labels_of_both(kept, gone))


def _stated_by(row: Fact, whole: Fact, store: RecordStore[Fact]) -> NewFact:
    return NewFact(
        category=whole.category,
        key=whole.key,
        value=text_of(row.value),
        confidence=row.confidence,
        expires_at=row.expires_at,
        source=row.source,
        evidence=[link.turn_id for link in store.links([row.id]).get(row.id, ())],
        tags=row.tags or None,
        metadata=dict(row.metadata) or None,
        now=datetime.fromisoformat(row.updated_at),
    )


def category_of(text: str) -> str:
    """Return a category as it is stored. Raises InputError for one with a slash."""
    category = identifier(text, "category")
    if "/" in category:
        raise InputError(
            f"the category is {text!r:.80}", hint="leave out the '/', which ends it in citations"
        )
    return category


def get_fact(workspace: Workspace, name: str) -> Fact:
    """Return a fact by `CATEGORY/KEY`, or by its number. Raises NotFoundError."""
    store = RecordStore(workspace.storage.database, FACTS)
    category, slash, key = name.strip().removeprefix("fact ").partition("/")
    found = None
    if slash and category.strip() and key.strip():
        found = store.with_identity(category=category_of(category), key=identifier(key, "key"))
    elif name.isascii() and name.isdecimal() and len(name) < 19:
        found = store.get(int(name))
    if found is None:
        raise NotFoundError(f"there is no fact {name}", hint="list them: mem fact list")
    return found


def read_fact(workspace: Workspace, name: str, *, now: datetime | None = None) -> ShownFact:
    """Return a fact as it is shown. Raises NotFoundError."""
    return show_facts(workspace, [get_fact(workspace, name)], now=now)[0]


def list_facts(
    workspace: Workspace,
    *,
    category: str | None = None,
    archived: bool = False,
    now: datetime | None = None,
) -> list[ShownFact]:
    """Return facts by category and key; with `archived` also those that no longer hold."""
    store = RecordStore(workspace.storage.database, FACTS)
    if category is None:
        rows = store.where("1 = 1 ORDER BY category, key")
    else:
        rows = store.where(_LISTED_SQL, category=category_of(category))
    found = show_facts(workspace, rows, now=now)
    return [fact for fact in found if archived or fact.state in ("current", "superseded")]


def show_facts(
    workspace: Workspace, rows: Sequence[Fact], *, now: datetime | None = None
) -> list[ShownFact]:
    """Return facts as they are shown."""
    moment, config = now or datetime.now(UTC), workspace.config.records
    database, ids = workspace.storage.database, [row.id for row in rows]
    history = History(database).of(ids)
    replaced = superseded_facts(database, ids)

    def more(row: Fact) -> dict[str, Any]:
        present = standing(row, moment, config)
        return {
            "effective_confidence": round(
                effective_confidence(row.confidence, row.updated_at, moment, config), 6
            ),
            "state": "superseded" if present == "current" and row.id in replaced else present,
            "history": list(history.get(row.id, {}).values()),
            "superseded": replaced.get(row.id),
        }

    return shown_as(workspace, FACTS, rows, ShownFact, more)


def superseded_facts(database: Database, ids: Sequence[int]) -> dict[int, Superseded]:
    """Return what is current in place of those of these facts that a memory or a fact of another
    name has replaced.
    """
    replaced = current_values(database, facts=ids)
    return {int(name.record_id): one.past().shown for name, one in replaced.items()}
