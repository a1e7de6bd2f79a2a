"""Reports on embedding spaces and on reindexing."""

from dataclasses import dataclass, field
from typing import Literal

from memory.storage import SpaceState


@dataclass(frozen=True, slots=True)
class SpaceStatus:
    """An embedding space: the model, the chunk settings, and how far it is filled.

    `state` is `active` (it answers), `filling` (a reindex fills it, or will continue to) or
    `retired` (it answered before, and is kept to go back to). `vectors` of its `chunks` are
    embedded.
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
    """The progress of a reindex: documents are chunked again if need be, then chunks embedded.

    `embedded` were computed in this run, whose rate is `chunks_per_s` (0.0 before the first);
    `seconds_left` is estimated from it, None as long as it cannot be. `catching_up` says that all
    was done once, but other processes wrote during that time: it ends once the model embeds faster.
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
    """The result of a reindex; `space` is the one that answers now.

    `swapped` is false when it answered already; `kept` says that another one answered before and
    was kept to go back to. `documents` were chunked again; of its vectors `embedded` were computed
    and `cached` known. `unembedded` chunks have no vector, since the model finds nothing in them or
    refuses them: keyword search finds them.
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
    """The spaces of a database, and the process that reindexes it: `running` is None without one.

    `wanted` is the configured model if another one answers, `progress` that of a reindex of this
    process, `last_error` why its last one ended early.
    """

    spaces: list[SpaceStatus]
    running: str | None
    wanted: str | None
    progress: ReindexProgress | None = None
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class PruneReport:
    """The spaces that were removed, with the chunks that only they used."""

    removed: list[SpaceStatus]
    chunks: int
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class UpgradeStatus:
    """The change of a database from the static model to `provider`, in the background.

    `waiting` for a server or a watcher to begin or to continue; `filling`, by the process `holder`;
    `unavailable`, for the `reason` given; `done`, and the static vectors are removed at
    `removal_at` (ISO 8601 UTC). `chunks_done` of `chunks_total` are embedded, `chunks_per_s` while
    it does not pause, which gives `seconds_left`; None before the first step.
    """

    provider: str
    state: Literal["waiting", "filling", "unavailable", "done"]
    chunks_done: int
    chunks_total: int
    chunks_per_s: float | None = None
    seconds_left: float | None = None
    holder: str | None = None
    reason: str | None = None
    removal_at: str | None = None


def about_minutes(seconds: float) -> str:
    """`about 3 minutes`, at least one."""
    minutes = max(1, round(seconds / 60))
    return f"about {minutes:,} minute{'s' if minutes > 1 else ''}"
