"""Consolidation of the facts found in a turn: create, merge or archive memories.

A known fact makes its memory stronger. A fact that contradicts a memory, or says that it is over,
archives it with a reference to the new memory: a fact of the same slot, a denial in the same words,
or one that names what it ends; similar words archive nothing. An earlier statement never replaces a
later one, in whatever order they arrive. An uncertain fact replaces nothing, and what an agent
remembers changes no memory of others that says the same. Decisions are made
within the write transaction, so that two processes cannot create two memories of one thing, and
processing the same turn twice changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from ingest import Candidate
from ingest.pii import grants_rights, secrets_in
from memory.conversations.memories.comparison.endings import (
    endings_in,
    with_ends,
)
from memory.conversations.memories.comparison.facts import (
    Fact,
    confirmed,
    fact_of,
    is_agents,
    is_certain,
    memory_of,
    unconfirmed,
)
from memory.conversations.memories.related_memories import RelatedMemories
from memory.conversations.memories.values import (
    UNCONFIRMED,
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
from memory.storage.action_log import AGENT, IS_CERTAIN, ActionLog, Actor
from memory.workspace import Workspace

Then: TypeAlias = Callable[[Transaction], None]

ACTORS: Final[Mapping[Origin, Actor]] = {
    "rules": "extractor",
    "llm": "llm",
    "user": "user",
    "import": "import",
}


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
            if candidate.content.strip() or candidate.ends
        ]
        for turn, candidates in found
    ]
    return consolidate(workspace, facts, origin=origin, then=then)


def _harmless(turn: Turn | None, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that quote no secret and give nobody rights: only a person may write a
    password or a consent as a memory, and what only ends one may name it.

    A secret is recognised by the words around it, which a candidate may lack.
    """
    secrets = secrets_in(turn.text) if turn and candidates else []
    return [
        candidate
        for candidate in candidates
        for said in ["\n".join((candidate.content, *candidate.ends))]
        if (candidate.action == "archive" and not candidate.ends)
        or (
            not any(secret in said for secret in secrets)
            and not secrets_in(said)
            and not grants_rights(candidate.content)
        )
    ]


def consolidate(
    workspace: Workspace,
    found: Sequence[Sequence[Fact]],
    *,
    origin: Origin,
    then: Then | None = None,
) -> list[list[ExtractedMemory]]:
    """Decide about facts in their order, and write the decisions, in one transaction.

    Nothing is stored for a turn that was removed meanwhile, nor what a language model found in one
    whose memory was forgotten meanwhile.
    """
    if not any(found) and then is None:
        return [[] for _ in found]
    fresh = [
        memory_of(fact, origin=origin, now="")
        for facts in found
        for fact in facts
        if fact.is_stored
    ]
    known = vectors_of(workspace, fresh)
    turn_ids = {fact.turn_id for facts in found for fact in facts if fact.turn_id is not None}
    database = workspace.storage.database
    # Replaced memories leave the index; `forget` must not find their words in free space later.
    with database.erasing(), database.transaction() as tx:
        turns = TurnStore(database).many(turn_ids) if turn_ids else ()
        is_late = origin == "llm"
        existing = {None, *(t.id for t in turns if not (is_late and t.extraction == "off"))}
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


class _Consolidation:
    """Decisions about facts, one after the other, within one transaction."""

    def __init__(
        self, workspace: Workspace, tx: Transaction, writer: MemoryWriter, *, origin: Origin
    ) -> None:
        self._tx = tx
        self._writer = writer
        self._store = writer.store
        self._related = RelatedMemories(writer.store, workspace.config.extractor)
        self._origin = origin
        self._log = ActionLog(tx, ACTORS[origin])

    def finish(self) -> None:
        self._writer.finish()

    def consolidate(self, fact: Fact) -> list[ExtractedMemory]:
        if not fact.is_stored:
            return self._end(fact, by=None)
        known = self._related.known_by_turn(fact)
        if known is not None:
            action: MemoryAction = "merge" if known.status == "active" else "archive"
            return [_outcome(known, action), *self._end(fact, by=known)]
        alike = self._store.similar(fact.words.telling)
        same = self._related.same(fact, alike)
        if same is not None:
            merged = self._merge(same, fact)
            outcomes = [_outcome(merged, "merge")]
        else:
            merged, outcomes = self._create(fact, self._related.rivals(fact, alike))
        if merged.status == "active":
            self._refute(fact, merged)
        return [*outcomes, *self._end(fact, by=merged)]

    def _merge(self, memory: Memory, fact: Fact) -> Memory:
        """Count a repetition of a memory; its content keeps its first wording."""
        candidate = fact.candidate
        if AGENT in fact.metadata and not is_agents(memory):
            self._log.note(memory.id, "merged", hits=memory.hits)
            return memory
        said = {name: value for name, value in fact.metadata.items() if name != AGENT}
        about = with_ends({**memory.metadata, **said}, endings_in(memory.metadata))
        if candidate.certain or is_certain(memory):
            about = {name: value for name, value in about.items() if name != IS_CERTAIN}
        stronger = replace(
            memory,
            importance=max(memory.importance, candidate.importance),
            tags=tuple(dict.fromkeys((*memory.tags, *candidate.tags))),
            metadata=about,
            occurred_at=_last_said(memory, fact),
        )
        is_new = fact.turn_id is None or fact.turn_id not in self._related.turns_of(memory)
        if is_new and AGENT not in fact.metadata:  # or it would become permanent by repetition
            stronger = replace(stronger, hits=memory.hits + 1, last_seen_at=self._writer.now)
            self._log.note(memory.id, "merged", turn=fact.turn_id, hits=stronger.hits)
        if stronger == memory:
            return memory
        self._link(memory.id, fact, "merge")
        return self._writer.update(stronger, same_text=about == memory.metadata)

    def _create(self, fact: Fact, rivals: Sequence[Memory]) -> tuple[Memory, list[ExtractedMemory]]:
        """Store a new memory in place of those that it contradicts.

        It is archived at once if something newer contradicts or has ended it, or if it is uncertain
        and has a rival.
        """
        firm = [rival for rival in rivals if is_certain(rival)]
        newer = [rival for rival in firm if rival.occurred_at > fact.said_at]
        newer += self._related.enders(fact)
        is_doubted = not fact.candidate.certain and any(
            AGENT in fact.metadata or is_certain(rival) or rival.occurred_at <= fact.said_at
            for rival in rivals
        )
        made = memory_of(fact, origin=self._origin, now=self._writer.now)
        if newer:
            made = replace(made, status="archived", superseded_by=newer[0].id)
        elif is_doubted:
            made = unconfirmed(made)
        made = self._writer.insert(made)
        self._link(made.id, fact, "conflict" if rivals or newer else "source")
        self._log.note(made.id, "created", turn=fact.turn_id)
        if newer:
            code = "conflict" if newer[0] in firm else "ended"
            self._log.note(made.id, "archived", code, by=newer[0].id)
        elif is_doubted:
            self._log.note(made.id, "archived", UNCONFIRMED, by=rivals[0].id)
        if made.status != "active":
            return made, [_outcome(made, "archive")]
        for rival in rivals:
            self._give_way(rival, fact, made)
        gone = [_outcome(rival, "archive") for rival in rivals]
        return made, [_outcome(made, "create"), *gone]

    def _give_way(self, rival: Memory, fact: Fact, made: Memory) -> None:
        """Archive what a new memory contradicts; an uncertain one that is newer may still hold."""
        is_newer = rival.occurred_at > fact.said_at
        over = replace(rival, status="archived", superseded_by=made.id)
        if is_newer:
            self._writer.update(unconfirmed(rival), same_text=False, former=rival.content)
        else:
            self._writer.update(over, same_text=False)
        code = UNCONFIRMED if is_newer else "conflict"
        self._log.note(rival.id, "archived", code, by=made.id, turn=fact.turn_id)

    def _refute(self, fact: Fact, memory: Memory) -> None:
        """Let a certain statement settle what was unconfirmed of its slot until then."""
        if fact.slot is None or not fact.candidate.certain:
            return
        for doubted in self._store.unconfirmed(fact.slot.name):
            if doubted.id != memory.id and doubted.occurred_at <= fact.said_at:
                self._writer.update(replace(confirmed(doubted), superseded_by=memory.id))

    def _end(self, fact: Fact, *, by: Memory | None) -> list[ExtractedMemory]:
        """Archive the memories that a fact ends; its own memory, if any, takes their place."""
        over = self._related.ended(fact, by=by)
        for memory in over:
            archived = replace(memory, status="archived", superseded_by=by.id if by else None)
            former = memory.content if by is None else None
            self._writer.update(archived, same_text=False, former=former)
            if by is None:
                self._link(memory.id, fact, "conflict")
            note = {"turn": fact.turn_id, "by": by.id if by else None}
            self._log.note(memory.id, "archived", "ended", **note)
        if fact.only_takes_back:
            self._restore(over)
        return [_outcome(memory, "archive") for memory in over]

    def _restore(self, taken_back: Iterable[Memory]) -> None:
        """Restore what had given way to memories that were taken back."""
        for memory in taken_back:
            for old in self._store.superseded_by(memory.id):
                restored = replace(old, status="active", superseded_by=None)
                self._writer.update(restored, same_text=False, former=old.content)
                self._log.note(old.id, "restored", "taken back", of=memory.id)

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


def _last_said(memory: Memory, fact: Fact) -> str:
    """Return when a memory was last said clearly, or first said if it never was."""
    if fact.candidate.certain != is_certain(memory):
        return fact.said_at if fact.candidate.certain else memory.occurred_at
    latest = max if fact.candidate.certain else min
    return latest(memory.occurred_at, fact.said_at)


def _outcome(memory: Memory, action: MemoryAction) -> ExtractedMemory:
    return ExtractedMemory(memory.id, memory.content, action)
