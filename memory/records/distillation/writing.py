"""Writing of what a turn proves as records, each with the turn as its evidence and once only."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, cast

from contracts import NotFoundError
from ingest.distillation import (
    Acquaintance,
    Commitment,
    Findings,
    Habit,
    State,
    StatedFact,
)
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.values import Turn
from memory.records.checking import same_words
from memory.records.decay import is_archived_by_hand
from memory.records.distillation.loop_book import Entry, LoopBook
from memory.records.distillation.slot_facts import facts_of_memories
from memory.records.distillation.values import Action, Distilled
from memory.records.facts import NewFact, get_fact, write_fact
from memory.records.forms import PATTERNS, PEOPLE
from memory.records.open_loops import (
    NewOpenLoop,
    Resolution,
    get_open_loop,
    resolve_open_loop,
    write_open_loop,
)
from memory.records.patterns import NewPattern, write_pattern
from memory.records.people import NewPerson, named, write_person
from memory.records.signals import NewSignal, write_signal
from memory.records.store import RecordStore
from memory.records.values import DISTILLATION, PatternType
from memory.workspace import Workspace

_HEALTH: Final = frozenset({"sleep", "energy"})
_MOST_NOTE: Final = 300


class Writer:
    """Writes the findings of turns; with `is_dry` it only says what it would write."""

    def __init__(self, workspace: Workspace, *, is_dry: bool) -> None:
        self._workspace = workspace
        self._is_dry = is_dry
        self._book = LoopBook(workspace)
        self._told: set[tuple[str, str]] = set()

    def write(self, turn: Turn, found: Findings, before: Sequence[Turn]) -> list[Distilled]:
        """Write what a turn proves; return what is new."""
        config = self._workspace.config.distillation
        made = [
            self._closed(turn, self._book.closed(one, turn, before), (one.start, one.end))
            for one in found.closings
        ]
        made += [
            self._closed(turn, self._book.named(one.topic, turn), (one.start, one.end))
            for one in found.done
        ]
        made += [
            self._opened(turn, one)
            for one in found.commitments
            if found.by == "rules" or not self._book.is_opened_by(turn, one.topic)
        ]
        made += [self._person(turn, one) for one in found.people]
        made += [
            self._signal(turn, one)
            for one in found.states
            if (config.health if one.series in _HEALTH else config.mood)
        ]
        made += [self._fact(turn, one) for one in found.facts]
        made += [self._pattern(turn, one) for one in found.habits]
        return [replace(one, by=found.by) for one in made if one is not None]

    def open_topics(self) -> list[str]:
        """Return the topics of the open loops, the last opened first."""
        return self._book.open_topics()

    def _opened(self, turn: Turn, found: Commitment) -> Distilled | None:
        topic = f"{turn.speaker}: {found.topic}" if turn.speaker else found.topic
        known = self._book.same(topic, found.to)
        if known is not None and turn.id in known.turn_ids:
            return None
        topic = known.topic if known is not None else topic
        about = {"binding": found.binding, "to": found.to, "due": found.due and str(found.due)}
        entry = Entry(
            known.number if known else None,
            topic,
            found.to or (known.to if known else ""),
            (known.turn_ids if known else frozenset()) | {turn.id},
        )
        record = ""
        if not self._is_dry:
            number = known.number if known else None
            old = get_open_loop(self._workspace, number).metadata if number is not None else {}
            loop = write_open_loop(
                self._workspace,
                NewOpenLoop(
                    topic=topic,
                    mentioned_at=turn.ts,
                    metadata={**old, **{name: value for name, value in about.items() if value}},
                    **_stated(turn),
                ),
            )
            entry, record = replace(entry, number=loop.id), loop.citation
        self._book.note(entry)
        more = [f"to {found.to}"] * bool(found.to) + [f"by {found.due}"] * bool(found.due)
        return _distilled("open", " ".join((f"{topic}", *_bracketed(more))), turn, record)

    def _closed(self, turn: Turn, entry: Entry | None, place: tuple[int, int]) -> Distilled | None:
        if entry is None or turn.id in entry.closed_by or not _same_speaker(entry, turn):
            return None
        self._book.close(entry, turn)
        record = ""
        if not self._is_dry and entry.number is not None:
            note = turn.text[slice(*place)].strip()[:_MOST_NOTE]
            loop = resolve_open_loop(
                self._workspace,
                entry.number,
                Resolution(note=note, resolved_at=turn.ts, source=DISTILLATION, evidence=[turn.id]),
            )
            record = loop.citation
        return _distilled("close", entry.topic, turn, record)

    def _person(self, turn: Turn, found: Acquaintance) -> Distilled | None:
        relation = f"{turn.speaker}'s {found.relation}" if turn.speaker else found.relation
        store = RecordStore(self._workspace.storage.database, PEOPLE)
        known = named(store, found.name)
        if known is not None:
            links = store.links([known.id]).get(known.id, [])
            if any(link.turn_id == turn.id for link in links):
                return None
        is_new = known is None or not known.relationship
        text = f"{found.name}, {relation}"
        if self._is_dry and (("person", text) in self._told or (known and not is_new)):
            return None
        self._told.add(("person", text))
        record = ""
        if not self._is_dry:
            # What the user or a program stated of a person stays; distillation only adds to it.
            may_change = known is None or is_new or known.source == DISTILLATION
            person = write_person(
                self._workspace,
                NewPerson(
                    name=found.name,
                    relationship=relation if may_change else None,
                    now=datetime.fromisoformat(turn.ts),
                    **_stated(turn),
                ),
            )
            record = person.citation
        return _distilled("person", text, turn, record)

    def _signal(self, turn: Turn, found: State) -> Distilled | None:
        series = f"{found.series} of {turn.speaker}" if turn.speaker else found.series
        if self._is_told("signal", f"{series} {turn.id}"):  # the rules and a model may agree
            return None
        record = ""
        if not self._is_dry:
            metadata = {} if found.score is None else {"score": found.score}
            signal = write_signal(
                self._workspace,
                NewSignal(
                    signal_type=series,
                    value=found.value,
                    observed_at=turn.ts,
                    metadata=metadata,
                    **_stated(turn),
                ),
            )
            record = signal.citation
        return _distilled("signal", f"{series}: {found.value}", turn, record)

    def _fact(self, turn: Turn, found: StatedFact) -> Distilled | None:
        """Write a fact, unless what is known of it was stated after the turn.

        One that is archived with its memory is not known where a memory of the turn states it.
        """
        key = f"{found.key} of {turn.speaker}" if turn.speaker else found.key
        said_at = datetime.fromisoformat(turn.ts)
        text = f"{found.category}/{key}: {found.value}"
        try:
            known = get_fact(self._workspace, f"{found.category}/{key}")
        except NotFoundError:
            known = None
        if known is not None and is_archived_by_hand(known) and self._is_remembered(turn, found):
            known = None
        if known is not None and datetime.fromisoformat(known.updated_at) >= said_at:
            return None
        if self._is_dry:
            return _distilled("fact", text, turn, "")
        new = NewFact(
            category=found.category, key=key, value=found.value, now=said_at, **_stated(turn)
        )
        return _distilled("fact", text, turn, write_fact(self._workspace, new).citation)

    def _is_remembered(self, turn: Turn, found: StatedFact) -> bool:
        said = facts_of_memories(self._workspace.storage.database, turn)
        name = found.category, found.key
        return name in ((one.category, one.key) for one in said)

    def _pattern(self, turn: Turn, found: Habit) -> Distilled | None:
        name = f"{turn.speaker} {found.description}" if turn.speaker else found.description
        text = f"{found.kind}: {name}"
        store = RecordStore(self._workspace.storage.database, PATTERNS)
        rows = store.where("description_key = :key", key=same_words(name))
        links = store.links([row.id for row in rows])
        if any(link.turn_id == turn.id for each in links.values() for link in each):
            return None
        if self._is_dry:
            return _distilled("pattern", text, turn, "")
        new = NewPattern(
            pattern_type=cast(PatternType, found.kind),
            description=name,
            observed_at=turn.ts,
            **_stated(turn),
        )
        return _distilled("pattern", text, turn, write_pattern(self._workspace, new).citation)

    def _is_told(self, kind: str, key: str) -> bool:
        """Return whether this run wrote that already, and note that it does."""
        is_told = (kind, key) in self._told
        self._told.add((kind, key))
        return is_told


def _same_speaker(entry: Entry, turn: Turn) -> bool:
    """Return whether a loop is of the speaker of a turn: in a group each has their own."""
    return not turn.speaker or entry.topic.startswith(f"{turn.speaker}: ")


def _stated(turn: Turn) -> dict[str, Any]:
    return {"source": DISTILLATION, "evidence": [turn.id]}


def _bracketed(parts: Sequence[str]) -> list[str]:
    return [f"({', '.join(parts)})"] if parts else []


def _distilled(action: Action, text: str, turn: Turn, record: str) -> Distilled:
    return Distilled(action, text, cite_turn(turn.session_id, turn.id, turn.ts), record=record)
