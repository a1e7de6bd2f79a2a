"""What is said of embedding spaces and of filling them."""

from dataclasses import dataclass, field

from memory.storage import SpaceState


@dataclass(frozen=True, slots=True)
class SpaceStatus:
    """An embedding space: the model, how its chunks were cut, and how far it is filled.

    `state` is `active` (it answers), `filling` (a reindex fills it, or will go on to) or `retired`
    (it answered before, and is kept to go back to). Of `chunks` cut for it `vectors` are embedded.
    """

    provider: str
    model: str
    revision: str
    dimensions: int
    state: SpaceState
    chunk_size_chars: int
    chunk_overlap_chars: int
    preserve_structure: bool
    chunks: int
    vectors: int


@dataclass(frozen=True, slots=True)
class ReindexProgress:
    """How far a reindex is: first documents are cut anew where need be, then chunks embedded.

    `embedded` were computed in this run, whose rate is `chunks_per_s` (0.0 before the first);
    `seconds_left` is reckoned from it, None as long as it cannot be. `catching_up` says that
    all was done once, and others had written meanwhile: it ends once the model embeds faster.
    """

    documents_done: int
    documents_total: int
    chunks_done: int
    chunks_total: int
    embedded: int
    chunks_per_s: float
    seconds_left: float | None
    catching_up: bool = False


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """What a reindex did; `space` is the one that answers now.

    `swapped` is false when it answered already; `kept` says that another one answered before, and
    can be gone back to. `documents` were cut anew; of its vectors `embedded` were computed and
    `cached` known. `unembedded` chunks have no vector, since the model
    finds nothing in them or refuses them: their words find them.
    """

    space: SpaceStatus
    swapped: bool
    kept: bool
    documents: int
    embedded: int
    cached: int
    unembedded: int
    seconds: float
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReindexStatus:
    """The spaces of a database, and who is reindexing it: `running` is None when nobody is.

    `wanted` is what the configuration names and does not answer, `progress` that of a reindex of
    this process, `last_error` why its last one ended before its time.
    """

    spaces: list[SpaceStatus]
    running: str | None
    wanted: str | None
    progress: ReindexProgress | None = None
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class PruneReport:
    """The spaces that were removed, with the chunks that were cut for them alone."""

    removed: list[SpaceStatus]
    chunks: int
    freed_bytes: int
