"""Statements that a later turn takes back: no record is made of them, and what an earlier run made
of them goes, or is closed.

A taking back is about the turn that the same person said just before it in the session; where it
names something ("forget what I said about Bruno"), about all of theirs within reach.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, cast

from contracts.named_tuple import NamedTuple
from ingest.distillation import (
    Acquaintance,
    Commitment,
    Finding,
    Habit,
    Retraction,
    Series,
    State,
    StatedFact,
    findings,
    retraction_in,
)
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import REACH, in_session, said_by
from memory.conversations.turns.values import Turn
from memory.index.record_chunks import remove_record
from memory.records.distillation.restoring import archive_facts
from memory.records.distillation.slot_facts import facts_of_memories
from memory.records.distillation.values import Action, Distilled
from memory.records.forms import FACTS, OPEN_LOOPS, PATTERNS, PEOPLE, SIGNALS, RecordForm
from memory.records.open_loops import Resolution, get_open_loop, resolve_open_loop
from memory.records.store import RecordStore
from memory.records.values import DISTILLATION, OpenLoop, R
from memory.records.writing import write_record
from memory.storage import Transaction, utc_now
from memory.workspace import Workspace

_MADE_OF: Final = """id IN
    (SELECT record_id FROM record_links WHERE source = :kind AND turn_id = :turn AND reason = :why)
    AND NOT EXISTS (SELECT 1 FROM record_links AS other WHERE other.source = :kind
        AND other.record_id = {table}.id AND other.reason = :why AND other.turn_id <> :turn)
    AND {untouched} ORDER BY id"""
"""The records that rest on one turn and no other."""
_OF_ITS_TIME: Final = "source = 'distillation' AND updated_at = :ts"
_UNLINK_SQL: Final = """
DELETE FROM record_links
WHERE source = 'open_loop' AND record_id = :id AND turn_id = :turn AND reason = 'resolution'
"""

_FURTHEST: Final = 40
"""Turns that are looked at on each side of a turn for what is taken back by its name."""

_MOST_NOTE: Final = 300
_AS_MADE: Final = "source = 'distillation' AND updated_at = created_at"


class _Made(NamedTuple):
    """A record of a turn, as the finding that it was made of; `action` tells what becomes of it."""

    form: RecordForm[Any]
    row: Any
    action: Action
    finding: Finding


class TakingBack:
    """Reads what turns take back of others, and undoes the records of that."""

    def __init__(self, workspace: Workspace, *, is_dry: bool) -> None:
        self._workspace = workspace
        self._is_dry = is_dry
        self._turns = TurnStore(workspace.storage.database)

    def of(self, turn: Turn) -> list[Retraction]:
        """Return how later turns of the session take back what a turn says."""
        later = self._turns.after(turn.session_id, turn.ts, turn.id, limit=_FURTHEST)
        found, is_next = list[Retraction](), True
        for number, one in enumerate(later):
            if said_by(one) != said_by(turn):
                continue
            back = self._retraction(one)
            if back is not None and (back.has_topic or (is_next and number < REACH)):
                found.append(back)
            is_next = False
        return found

    def undone_by(self, turn: Turn) -> list[Distilled]:
        """Undo the records of what a turn takes back, and return them: loops are closed, and those
        that were closed are open again; others are removed, former values of facts excepted.
        """
        back = self._retraction(turn)
        if back is None:
            return []
        turns = self._turns.before(turn.session_id, turn.ts, turn.id, limit=_FURTHEST)
        said = [one for one in turns if said_by(one) == said_by(turn)]
        if not back.has_topic:
            said = [one for one in said[-1:] if one in turns[-REACH:]]
        return [made for one in said for made in self._undone(one, back, turn)]

    def _retraction(self, turn: Turn) -> Retraction | None:
        if turn.role != "user" or turn.extraction == "off":
            return None
        return retraction_in(turn.body, lambda: findings(in_session(self._turns, turn)))

    def _undone(self, turn: Turn, back: Retraction, by: Turn) -> Iterator[Distilled]:
        made = list(self._made_of(turn))
        over = back.over([one.finding for one in made], turn.text)
        for one in made:
            if one.finding in over and (self._is_dry or self._undo(one, turn, by)):
                yield _undone_by(by, one)

    def _made_of(self, turn: Turn) -> Iterator[_Made]:
        """Yield what distillation made of a turn alone, and nobody has changed."""
        for loop in self._rows(turn, OPEN_LOOPS, f"resolved = 0 AND {_AS_MADE}"):
            yield _Made(OPEN_LOOPS, loop, "close", _of_loop(loop, turn))
        for loop in self._rows(turn, OPEN_LOOPS, "resolved_at = :ts", why="resolution", ts=turn.ts):
            yield _Made(OPEN_LOOPS, loop, "open", _of_loop(loop, turn))
        for one in self._rows(turn, PEOPLE, _AS_MADE):
            person = Acquaintance(one.name, one.relationship, 0, len(turn.text))
            yield _Made(PEOPLE, one, "person", person)
        for each in self._rows(turn, SIGNALS, _AS_MADE):
            series = cast(Series, each.signal_type)
            yield _Made(SIGNALS, each, "signal", State(series, each.value, None, 0, len(turn.text)))
        for row in self._rows(turn, PATTERNS, _AS_MADE):
            habit = Habit(row.pattern_type, row.description, 0, len(turn.text))
            yield _Made(PATTERNS, row, "pattern", habit)
        told = facts_of_memories(self._workspace.storage.database, turn)
        kept = {(one.category, one.key) for one in told}  # each goes with its memory
        for fact in self._rows(turn, FACTS, _OF_ITS_TIME, ts=turn.ts):
            if (fact.category, fact.key) not in kept and fact.confidence:
                said = StatedFact(fact.category, fact.key, fact.value, 0, len(turn.text))
                yield _Made(FACTS, fact, "fact", said)

    def _rows(
        self, turn: Turn, form: RecordForm[R], untouched: str, *, why: str = "source", **more: Any
    ) -> list[R]:
        sql = _MADE_OF.format(table=form.table, untouched=untouched)
        store = RecordStore(self._workspace.storage.database, form)
        return store.where(sql, kind=form.kind.name, turn=turn.id, why=why, **more)

    def _undo(self, made: _Made, turn: Turn, by: Turn) -> bool:
        """Undo a record and return whether it was still there."""
        if made.action == "close":
            note = by.text.strip()[:_MOST_NOTE]
            closing = Resolution(
                note=note, resolved_at=by.ts, source=DISTILLATION, evidence=[by.id]
            )
            resolve_open_loop(self._workspace, made.row.id, closing)
        elif made.action == "open":
            self._reopen(made.row, turn)
        else:
            return self._remove(made)
        return True

    def _reopen(self, loop: OpenLoop, closed_by: Turn) -> None:
        def open_again(known: OpenLoop | None) -> OpenLoop:
            known = known or get_open_loop(self._workspace, loop.id)
            return replace(known, resolved=0, resolved_at=None, resolution="", updated_at=utc_now())

        def beside(tx: Transaction, _before: OpenLoop | None, after: OpenLoop) -> None:
            tx.run(_UNLINK_SQL, {"id": after.id, "turn": closed_by.id})

        write_record(
            self._workspace,
            OPEN_LOOPS,
            find=lambda store: store.get(loop.id),
            plan=open_again,
            beside=beside,
        )

    def _remove(self, made: _Made) -> bool:
        database, kind = self._workspace.storage.database, made.form.kind.name
        store, ids = RecordStore(database, made.form), [made.row.id]
        with database.erasing(), database.transaction() as tx:
            if store.get(made.row.id) != made.row:
                return False
            gone = archive_facts(self._workspace, tx, ids) if made.form is FACTS else ids
            for key in gone:
                remove_record(self._workspace, tx, kind, str(key))
            store.delete(tx, gone)
        return True


def _of_loop(loop: OpenLoop, turn: Turn) -> Commitment:
    return Commitment(
        loop.topic, "task", str(loop.metadata.get("to") or ""), None, 0, len(turn.text)
    )


def _undone_by(turn: Turn, made: _Made) -> Distilled:
    parts = made.form.title(made.row), made.form.body(made.row).partition("\n")[0]
    text = ": ".join(filter(None, parts))
    citation = cite_turn(turn.session_id, turn.id, turn.ts)
    return Distilled(made.action, text, citation, record=made.form.cite(made.row))
