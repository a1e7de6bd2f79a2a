"""Values of triples: rows, their state, and a fact as it is shown."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memory.values.results import Superseded

State: TypeAlias = Literal["current", "unconfirmed", "superseded", "ended", "archived"]
"""The state of the memory that was said last among those of a fact.

`current`: it is active, or there is none, for a fact that another program inserted. Archived ones
are `unconfirmed` (one that may be true in place of another), `superseded` (another took its place),
`ended` (a turn ended it), or else `archived`. An active one is `superseded` too if a records fact
has the current value of its slot.
"""


@dataclass(frozen=True, slots=True)
class Triple:
    """A row of `semantic_memory`: a fact, (entity, relation, target).

    confidence         in [0, 1], see `memory.episodes.triples.confidence`
    source_episodic_ids  the important episodes in which it was said, by id
    access_count       how often it was reinforced, the last time at `last_accessed_at`, which is
                       `occurred_at` before the first time
    occurred_at        when it was said last
    stability, difficulty, retrievability  as those of an episode

    Times are ISO 8601 UTC. A fact that was forgotten has an empty `entity`.
    """

    id: int
    entity: str
    relation: str
    target: str
    confidence: float
    source_episodic_ids: tuple[int, ...]
    access_count: int
    last_accessed_at: str
    created_at: str
    updated_at: str
    occurred_at: str
    stability: float
    difficulty: float
    retrievability: float

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return f"{self.entity} {self.relation} {self.target}".strip()


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """A memory that says a fact."""

    memory_id: int
    citation: str
    content: str
    status: str
    occurred_at: str


@dataclass(frozen=True, slots=True)
class TripleContent:
    """A fact with its state, the memories that say it, the latest first, and its episodes.

    `retrievability` is the present one. `superseded` tells which records fact has the current value
    in its place.
    """

    triple: Triple
    citation: str
    text: str
    state: State
    retrievability: float
    memories: list[SourceMemory]
    episodes: list[str]
    superseded: Superseded | None = None
