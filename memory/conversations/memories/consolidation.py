"""Consolidation of the facts found in a turn: create, merge or archive memories.

A known fact makes its memory stronger. A fact that contradicts a memory replaces it: the old memory
is archived with a reference to the new one. An earlier statement never replaces a later one, in
whatever order they arrive. Decisions are made within the write transaction, so that two processes
cannot create two memories of one thing, and processing the same turn twice changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from ingest import Candidate, Slot, slot_of
from ingest.pii import privacy_tags, secrets_in
from memory.conversations.memories.comparison.sentence_similarity import (
    Sentence,
    is_ended_by,
    is_negation_of,
    may_say_the_same,
    say_the_same,
    sentence,
)
from memory.conversations.memories.comparison.slot_conflict import contradicts, is_within, repeats
from memory.conversations.memories.comparison.word_similarity import nearness
from memory.conversations.memories.store import SimilarMemory
from memory.conversations.memories.values import (
    ExtractedMemory,
    LinkReason,
    Memory,
    MemoryAction,
    MemoryLink,
    Origin,
)
from memory.conversations.memories.writing import MemoryWriter, vectors_of
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage import Transaction, utc_now
from memory.storage.action_log import ActionLog, Actor
from memory.values.record_fields import clean
from memory.workspace import Workspace

Then: TypeAlias = Callable[[Transaction], None]

ACTORS: Final[Mapping[Origin, Actor]] = {
    "rules": "extractor",
    "llm": "llm",
    "user": "user",
    "import": "import",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A candidate with everything that decides its outcome. `turn_id` is its source."""

    candidate: Candidate
    words: Sentence
    slot: Slot | None
    said_at: str
    turn_id: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def consolidate_turns(
    workspace: Workspace,
    found: Sequence[tuple[Turn | None, Sequence[Candidate]]],
    *,
    origin: Origin,
    then: Then | None = None,
) -> list[list[ExtractedMemory]]:
    """Consolidate the facts found in turns, in one transaction; return the outcomes of each turn.

    The answer includes replaced memories, with the action `archive`. `then` is called at the end of
    the transaction, even if nothing was found.
    """
    now = utc_now()
    facts = [
        [
            fact_of(
                candidate._replace(content=" ".join(candidate.content.split())),
                said_at=turn.ts if turn else now,
                turn_id=turn.id if turn else None,
            )
            for candidate in (candidates if origin == "user" else _harmless(turn, candidates))
            if candidate.content.strip()
        ]
        for turn, candidates in found
    ]
    return consolidate(workspace, facts, origin=origin, then=then)


def _harmless(turn: Turn | None, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that quote no secret: only a person may store a password as a memory.

    A secret is recognised by the words around it, which a candidate may lack.
    """
    secrets = secrets_in(turn.text) if turn and candidates else []
    return [
        candidate
        for candidate in candidates
        if not any(secret in candidate.content for secret in secrets)
        and not secrets_in(candidate.content)
    ]


def fact_of(
    candidate: Candidate,
    *,
    said_at: str,
    turn_id: int | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Fact:
    """Prepare a candidate: as it will be stored, with the words to compare.

    Personal data gets the tag `pii`, and a secret also the tag `secret`. Future times count as now,
    or a statement with a wrong clock could never be replaced.
    """
    content = clean(candidate.content).strip()
    tags = tuple(dict.fromkeys((*candidate.tags, *privacy_tags(content))))
    stored = candidate._replace(content=content, tags=tags)
    said_at = min(said_at, utc_now())
    return Fact(stored, sentence(content), slot_of(content), said_at, turn_id, metadata or {})


def consolidate(
    workspace: Workspace,
    found: Sequence[Sequence[Fact]],
    *,
    origin: Origin,
    then: Then | None = None,
) -> list[list[ExtractedMemory]]:
    """Decide about facts in their order, and write the decisions, in one transaction.

    Nothing is stored for a turn that was removed meanwhile.
    """
    if not any(found) and then is None:
        return [[] for _ in found]
    fresh = [
        _memory_of(fact, origin=origin, now="")
        for facts in found
        for fact in facts
        if fact.candidate.action == "create"
    ]
    known = vectors_of(workspace, fresh)
    turn_ids = {fact.turn_id for facts in found for fact in facts if fact.turn_id is not None}
    database = workspace.storage.database
    # Replaced memories leave the index; `forget` must not find their words in free space later.
    with database.erasing(), database.transaction() as tx:
        turns = TurnStore(database).many(turn_ids) if turn_ids else ()
        existing = {None, *(turn.id for turn in turns)}
        consolidation = _Consolidation(
            workspace, tx, MemoryWriter(workspace, tx, known), origin=origin
        )
        done = [
            [
                one
                for fact in facts
                if fact.turn_id in existing
                for one in consolidation.consolidate(fact)
            ]
            for facts in found
        ]
        consolidation.finish()
        if then is not None:
            then(tx)
    return done


def _memory_of(fact: Fact, *, origin: Origin, now: str) -> Memory:
    slot = fact.slot if fact.slot and fact.slot.value else None
    return Memory(
        id=0,
        layer="mid",
        content=fact.candidate.content,
        created_at=now,
        last_seen_at=None,
        hits=0,
        score=0.0,
        importance=fact.candidate.importance,
        status="active",
        tags=fact.candidate.tags,
        occurred_at=fact.said_at,
        updated_at=now,
        origin=origin,
        slot=slot.name if slot else None,
        value=slot.value if slot else None,
        metadata=fact.metadata,
    )


class _Consolidation:
    """Decisions about facts, one after the other, within one transaction."""

    def __init__(
        self, workspace: Workspace, tx: Transaction, writer: MemoryWriter, *, origin: Origin
    ) -> None:
        self._config = workspace.config.extractor
        self._tx = tx
        self._writer = writer
        self._store = writer.store
        self._origin = origin
        self._log = ActionLog(tx, ACTORS[origin])

    def finish(self) -> None:
        self._writer.finish()

    def consolidate(self, fact: Fact) -> list[ExtractedMemory]:
        if fact.candidate.action == "archive":
            return self._end(fact)
        known = self._known_by_turn(fact)
        if known is not None:
            return [_outcome(known, "merge" if known.status == "active" else "archive")]
        alike = [] if fact.slot else self._store.similar(fact.words.telling)
        same = self._same(fact, alike)
        if same is not None:
            return [_outcome(self._merge(same, fact), "merge")]
        return self._create(fact, self._rivals(fact, alike))

    def _known_by_turn(self, fact: Fact) -> Memory | None:
        """Return the memory that this turn created or confirmed before, whatever its status."""
        if fact.turn_id is None:
            return None
        for memory in self._store.of_turn(fact.turn_id):
            is_held = fact.slot is not None and repeats(fact.slot, fact.words, memory)
            if is_held or sentence(memory.content).key == fact.words.key:
                return memory
        return None

    def _same(self, fact: Fact, alike: Sequence[SimilarMemory]) -> Memory | None:
        """Return the active memory that says the same; a slot has at most one per value."""
        slot = fact.slot.name if fact.slot and fact.slot.value else None
        for memory in self._store.with_words(fact.words.key):
            if memory.slot == slot:
                return memory
        if fact.slot is not None:
            held = self._store.of_slot(fact.slot.name)
            return next((one for one in held if repeats(fact.slot, fact.words, one)), None)
        return next((self._store.get(one.id) for one in alike if self._says(one, fact.words)), None)

    def _says(self, old: SimilarMemory, new: Sentence) -> bool:
        least, nearest = self._config.merge_jaccard, self._config.merge_cosine
        if not may_say_the_same(old.words, new.words, least=least):
            return False
        return say_the_same(sentence(old.content), new, least=least, near=nearness, nearest=nearest)

    def _merge(self, memory: Memory, fact: Fact) -> Memory:
        """Count a repetition of a memory; its content keeps its first wording."""
        candidate = fact.candidate
        stronger = replace(
            memory,
            importance=max(memory.importance, candidate.importance),
            tags=tuple(dict.fromkeys((*memory.tags, *candidate.tags))),
            metadata={**memory.metadata, **fact.metadata},
            occurred_at=max(memory.occurred_at, fact.said_at),
        )
        if fact.turn_id is None or fact.turn_id not in self._turns_of(memory):
            stronger = replace(stronger, hits=memory.hits + 1, last_seen_at=self._writer.now)
            self._log.note(memory.id, "merged", turn=fact.turn_id, hits=stronger.hits)
        if stronger == memory:
            return memory
        self._link(memory.id, fact, "merge")
        return self._writer.update(stronger)

    def _turns_of(self, memory: Memory) -> set[int]:
        return {link.turn_id for link in self._store.links(memory.id)}

    def _create(self, fact: Fact, rivals: Sequence[Memory]) -> list[ExtractedMemory]:
        """Store a new memory in place of those that it contradicts, unless they are newer."""
        newer = [rival for rival in rivals if rival.occurred_at > fact.said_at]
        made = _memory_of(fact, origin=self._origin, now=self._writer.now)
        if newer:
            made = replace(made, status="archived", superseded_by=newer[0].id)
        made = self._writer.insert(made)
        self._link(made.id, fact, "conflict" if rivals else "source")
        self._log.note(made.id, "created", turn=fact.turn_id)
        if newer:
            self._log.note(made.id, "archived", "conflict", by=newer[0].id)
            return [_outcome(made, "archive")]
        for rival in rivals:
            self._writer.update(
                replace(rival, status="archived", superseded_by=made.id), same_text=False
            )
            self._log.note(rival.id, "archived", "conflict", by=made.id, turn=fact.turn_id)
        gone = [_outcome(rival, "archive") for rival in rivals]
        return [_outcome(made, "create"), *gone]

    def _rivals(self, fact: Fact, alike: Sequence[SimilarMemory]) -> list[Memory]:
        """Return the active memories that cannot be true beside this fact, newest first."""
        if fact.slot is not None:
            held = self._store.of_slot(fact.slot.name) if fact.slot.value else []
            return [memory for memory in held if contradicts(fact.slot, memory)]
        denied = [one.id for one in alike if is_negation_of(Sentence(one.words), fact.words)]
        found = self._store.get_many(denied).values() if denied else ()
        return sorted(found, key=lambda memory: (memory.occurred_at, memory.id), reverse=True)

    def _end(self, fact: Fact) -> list[ExtractedMemory]:
        """Archive the memories that a fact ends: same value or statement, not repeated since."""
        over = [memory for memory in self._ended(fact) if memory.occurred_at <= fact.said_at]
        for memory in over:
            self._writer.update(replace(memory, status="archived"), same_text=False)
            self._link(memory.id, fact, "conflict")
            self._log.note(memory.id, "archived", "ended", turn=fact.turn_id)
        return [_outcome(memory, "archive") for memory in over]

    def _ended(self, fact: Fact) -> list[Memory]:
        if fact.slot is not None:
            held = self._store.of_slot(fact.slot.name)
            return [one for one in held if not fact.slot.value or is_within(fact.slot, one)]
        exact = [memory.id for memory in self._store.with_words(fact.words.key)]
        alike = self._store.similar(fact.words.telling)
        said = [one.id for one in alike if self._is_over(one, fact.words)]
        return list(self._store.get_many([*exact, *said]).values())

    def _is_over(self, memory: SimilarMemory, ended: Sentence) -> bool:
        return is_ended_by(sentence(memory.content), ended) or self._says(memory, ended)

    def _link(self, memory_id: int, fact: Fact, reason: LinkReason) -> None:
        if fact.turn_id is None:
            return
        found = fact.candidate
        has_place = found.end > found.start
        self._store.link(
            self._tx,
            MemoryLink(
                memory_id=memory_id,
                turn_id=fact.turn_id,
                reason=reason,
                rule=found.rule,
                start_char=found.start if has_place else None,
                end_char=found.end if has_place else None,
                created_at=self._writer.now,
            ),
        )


def _outcome(memory: Memory, action: MemoryAction) -> ExtractedMemory:
    return ExtractedMemory(memory.id, memory.content, action)
