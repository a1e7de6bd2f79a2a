"""Facts: candidates with everything that decides what becomes of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ingest import Candidate, Slot, slot_of
from ingest.pii import privacy_tags
from memory.conversations.memories.comparison.endings import Ending, ended_by, ending_of, with_ends
from memory.conversations.memories.comparison.sentence_similarity import Sentence, sentence
from memory.conversations.memories.values import UNCONFIRMED, Memory, Origin
from memory.storage import utc_now
from memory.storage.action_log import AGENT, IS_CERTAIN
from memory.values.record_fields import clean


@dataclass(frozen=True, slots=True)
class Fact:
    """A candidate with everything that decides its outcome. `turn_id` is its source.

    `ends` are the statements that it ends; a fact without content only takes back.
    """

    candidate: Candidate
    words: Sentence
    slot: Slot | None
    said_at: str
    turn_id: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    ends: tuple[Ending, ...] = ()

    @property
    def is_stored(self) -> bool:
        """Return whether the fact becomes a memory, and does not only end others."""
        return self.candidate.action == "create" and self.candidate.content != ""

    @property
    def only_takes_back(self) -> bool:
        """Return whether it says nothing itself: a joke is over, and was never true."""
        return self.candidate.content == ""


def fact_of(
    candidate: Candidate,
    *,
    said_at: str,
    turn_id: int | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Fact:
    """Prepare a candidate: as it will be stored, with the words to compare.

    Personal data gets the tag `pii`, and a secret also the tag `secret`. Future times count as now,
    or a statement with a wrong clock could never be replaced. What is not certain ends nothing.
    """
    content = clean(candidate.content).strip()
    ends = tuple(stripped for said in candidate.ends if (stripped := clean(said).strip()))
    tags = tuple(dict.fromkeys((*candidate.tags, *privacy_tags(content))))
    stored = candidate._replace(content=content, tags=tags, ends=ends)
    ends = (*ends, *ended_by(content)) if candidate.certain else ()
    about = with_ends(metadata or {}, ends)
    if not candidate.certain:
        about = {**about, IS_CERTAIN: False}
    over = (content, *ends) if candidate.certain and candidate.action == "archive" else ends
    return Fact(
        stored,
        sentence(content),
        slot_of(content),
        min(said_at, utc_now()),
        turn_id,
        about,
        tuple(ending_of(said) for said in over),
    )


def memory_of(fact: Fact, *, origin: Origin, now: str) -> Memory:
    """Return the new memory of a fact, not stored yet."""
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


def slot_held(memory: Memory) -> Slot | None:
    """Return the slot that a memory holds, with its value."""
    return None if memory.slot is None else Slot(memory.slot, memory.value or "")


def is_certain(memory: Memory) -> bool:
    """Return whether a memory was stated clearly, at least once."""
    return memory.metadata.get(IS_CERTAIN) is not False


def is_agents(memory: Memory) -> bool:
    """Return whether an agent remembered it, and nobody else has stated it clearly since."""
    return AGENT in memory.metadata and not is_certain(memory)


def unconfirmed(memory: Memory) -> Memory:
    """Return a memory as one that may be true in place of another: archived and tagged."""
    tags = tuple(dict.fromkeys((*memory.tags, UNCONFIRMED)))
    return replace(memory, status="archived", superseded_by=None, tags=tags)


def confirmed(memory: Memory) -> Memory:
    """Return a memory without the marks of an uncertain one."""
    about = {name: value for name, value in memory.metadata.items() if name != IS_CERTAIN}
    tags = tuple(tag for tag in memory.tags if tag != UNCONFIRMED)
    return replace(memory, tags=tags, metadata=about)
