"""Writing of facts with their chunks, so that each is what its memories say, in one transaction.

A fact is made of every memory that states it in an important episode. Nothing of it is decided
here: what a memory says, whether it still holds, and where it was said is read again each time.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest import topic_of
from ingest.extractor.values import MODEL
from ingest.pii import privacy_tags
from memory.conversations.memories.comparison.facts import is_certain
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.episodes.retention import first_review
from memory.episodes.triples.confidence import Statement, confidence
from memory.episodes.triples.entities import Entities
from memory.episodes.triples.statements import Fact, fact_of
from memory.episodes.triples.store import Said, Source, TripleStore
from memory.episodes.triples.values import Triple
from memory.index.record_chunks import (
    RecordText,
    RecordVectors,
    put_records,
    record_vectors,
    remove_record,
)
from memory.storage import Transaction, utc_now
from memory.workspace import Workspace

_SUBJECT: Final = "User "


class Removed(NamedTuple):
    """The records that are about to be removed: nothing rests on them any more."""

    turns: Collection[int] = ()
    memories: Collection[int] = ()
    episodes: Collection[int] = ()

    def has(self, said: Said) -> bool:
        return (
            said.turn_id in self.turns
            or said.memory_id in self.memories
            or said.episode_id in self.episodes
        )


NOTHING: Final = Removed()


class TripleWriter:
    """Brings facts in step with their memories, in an open transaction."""

    def __init__(
        self,
        workspace: Workspace,
        tx: Transaction,
        *,
        removed: Removed = NOTHING,
        known: RecordVectors | None = None,
    ) -> None:
        self._workspace = workspace
        self._tx = tx
        self._removed = removed
        self._known = known or RecordVectors()
        self._config = workspace.config.semantic
        self._memories = MemoryStore(workspace.storage)
        self._entities = Entities(self._memories, removed.memories)
        self.store = TripleStore(workspace.storage.database)

    def renew(self, memory_ids: Collection[int]) -> None:
        """Bring the facts of changed memories in step, and those whose entity they name.

        The episodes of memories that are not facts yet are read again later.
        """
        sources = self.store.sources(memory_ids)
        self.store.mark_unread(self._tx, [key for key in memory_ids if key not in sources])
        self.derive({*sources, *self._named_by(memory_ids)})

    def withdraw(self, memory_ids: Collection[int]) -> int:
        """Take out of the facts of memories what is about to be removed; return the number of
        facts.
        """
        named = self._named_by(self._removed.memories) if self._removed.memories else ()
        sources = self.store.sources({*memory_ids, *named})
        self.derive({*sources})
        return len({source.triple_id for source in sources.values()})

    def _named_by(self, memory_ids: Collection[int]) -> set[int]:
        """Return the memories of facts whose entity may have its name from these."""
        memories = self._memories.get_many(memory_ids).values()
        roles = self._entities.roles_in(memories)
        return {*self.store.named_by(memory_ids), *self.store.of_entities(roles)}

    def derive(self, memory_ids: Collection[int]) -> None:
        """Make the facts of memories, or remove those that they no longer state."""
        if not memory_ids:
            return
        before = self.store.sources(memory_ids)
        memories = self._memories.get_many(memory_ids)
        stated = self._stated(memory_ids)
        forgotten = self._forgotten(before.values())
        changed = {source.triple_id for source in before.values()}
        for memory_id in sorted(memory_ids):
            if memory_id in before and before[memory_id].triple_id in forgotten:
                continue
            memory = memories.get(memory_id)
            fact = self._fact(memory) if memory and memory_id in stated else None
            if memory is not None and fact is not None:
                changed.add(self._state(memory, fact))
            elif memory_id in before:
                self.store.drop_source(self._tx, memory_id)
        self._settle(changed)

    def dismiss(self, triple: Triple) -> None:
        """Remove a fact so that its memories do not become it again."""
        sources = self.store.sources_of([triple.id])
        self._remove(triple.id)
        if sources:
            silent = replace(triple, entity="", relation="", target="", updated_at=utc_now())
            silent = replace(silent, source_episodic_ids=())
            triple_id = self.store.insert(self._tx, silent, None)
            for source in sources:
                self.store.put_source(self._tx, Source(source.memory_id, triple_id, "", None))

    def _stated(self, memory_ids: Iterable[int]) -> dict[int, list[Said]]:
        """Return where memories were said in important episodes, by memory."""
        found: dict[int, list[Said]] = {}
        for said in self.store.said(memory_ids, least=self._config.min_importance):
            if not self._removed.has(said):
                found.setdefault(said.memory_id, []).append(said)
        return found

    def _forgotten(self, sources: Iterable[Source]) -> set[int]:
        triples = self.store.many({source.triple_id for source in sources})
        return {triple.id for triple in triples if not triple.entity}

    def _fact(self, memory: Memory) -> Fact | None:
        if memory.status == "deleted":
            return None
        return fact_of(memory.content, slot=memory.slot, value=memory.value, tags=memory.tags)

    def _state(self, memory: Memory, fact: Fact) -> int:
        """Make a memory a source of its fact; return the fact's id."""
        entity = self._entities.named(fact.entity)
        named = fact._replace(entity=entity.name)
        known = self.store.with_key(named.key)
        triple_id = (
            known.id if known else self.store.insert(self._tx, _new(named, memory), named.key)
        )
        self.store.put_source(self._tx, Source(memory.id, triple_id, fact.entity, entity.named_by))
        return triple_id

    def _settle(self, triple_ids: Collection[int]) -> None:
        """Write facts as all of their memories state them; remove those without one."""
        sources: dict[int, list[int]] = {}
        for source in self.store.sources_of(triple_ids):
            sources.setdefault(source.triple_id, []).append(source.memory_id)
        members = [memory_id for ids in sources.values() for memory_id in ids]
        memories, stated = self._memories.get_many(members), self._stated(members)
        records = []
        for triple in self.store.many(triple_ids):
            ids = sources.get(triple.id, [])
            if not triple.entity:
                if not ids:
                    self._remove(triple.id)
                continue
            for key in (key for key in ids if key not in stated):
                self.store.drop_source(self._tx, key)
            present = [memories[key] for key in ids if key in stated]
            if not present:
                self._remove(triple.id)
                continue
            said = [one for memory in present for one in stated[memory.id]]
            settled = self._settled(triple, said, present)
            if settled != triple:
                self.store.update(self._tx, settled)
            is_current = max(present, key=_when).status == "active"
            if not is_current or settled.text != triple.text:
                remove_record(self._workspace, self._tx, "triple", str(triple.id))
            if is_current:
                records.append(record_text(settled, present))
        put_records(self._workspace, self._tx, records, self._known)

    def _settled(self, triple: Triple, said: Sequence[Said], present: Sequence[Memory]) -> Triple:
        memories = {memory.id: memory for memory in present}
        last = max(present, key=_when)
        fact = self._fact(last)
        if fact is not None:  # spelled as it was said last
            entity = self._entities.named(fact.entity).name
            triple = replace(triple, entity=entity, relation=fact.relation, target=fact.target)
        new = replace(
            triple,
            confidence=confidence(
                (
                    Statement(
                        one.episode_id,
                        is_by_model=one.rule == MODEL,
                        is_certain=is_certain(memories[one.memory_id]),
                        is_edited=memories[one.memory_id].origin == "user",
                    )
                    for one in said
                ),
                self._config,
            ),
            source_episodic_ids=tuple(sorted({one.episode_id for one in said})),
            occurred_at=last.occurred_at,
            last_accessed_at=triple.last_accessed_at if triple.access_count else last.occurred_at,
        )
        return new if new == triple else replace(new, updated_at=utc_now())

    def _remove(self, triple_id: int) -> None:
        remove_record(self._workspace, self._tx, "triple", str(triple_id))
        self.store.delete(self._tx, triple_id)


def _new(fact: Fact, memory: Memory) -> Triple:
    """Return the fact of a memory as it begins, not stored yet."""
    now = utc_now()
    card = first_review(datetime.fromisoformat(memory.occurred_at))
    return Triple(
        id=0,
        entity=fact.entity,
        relation=fact.relation,
        target=fact.target,
        confidence=0.0,
        source_episodic_ids=(),
        access_count=0,
        last_accessed_at=memory.occurred_at,
        created_at=now,
        updated_at=now,
        occurred_at=memory.occurred_at,
        stability=card.stability,
        difficulty=card.difficulty,
        retrievability=1.0,
    )


def record_text(triple: Triple, memories: Sequence[Memory]) -> RecordText:
    """Return the searchable text of a fact; its `id` may still be 0.

    One that another program inserted has no memories.
    """
    last = max(memories, key=_when, default=None)
    tags = tuple(dict.fromkeys(tag for memory in memories for tag in memory.tags))
    return RecordText(
        source="triple",
        owner_id=str(triple.id),
        text=triple.text,
        body_offset=len(_SUBJECT) if triple.text.startswith(_SUBJECT) else 0,
        title=topic_of(last.slot) if last and last.slot else "",
        occurred_at=triple.occurred_at,
        recorded_at=triple.created_at,
        tags=tags if memories else privacy_tags(triple.text),
        metadata={
            "triple_id": triple.id,
            "entity": triple.entity,
            "relation": triple.relation,
            "target": triple.target,
            "confidence": triple.confidence,
            "memory_ids": sorted(memory.id for memory in memories),
            "episode_ids": list(triple.source_episodic_ids),
        },
    )


def _when(memory: Memory) -> tuple[str, int]:
    return memory.occurred_at, memory.id


def vectors_ahead(workspace: Workspace, memories: Iterable[Memory]) -> RecordVectors:
    """Embed the facts of memories before the transaction that writes them."""
    entities, records = Entities(MemoryStore(workspace.storage)), []
    for memory in memories:
        fact = fact_of(memory.content, slot=memory.slot, value=memory.value, tags=memory.tags)
        if fact is not None and memory.status == "active":
            named = fact._replace(entity=entities.named(fact.entity).name)
            records.append(record_text(_new(named, memory), [memory]))
    return record_vectors(workspace, records)
