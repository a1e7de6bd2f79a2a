"""The facts that an answer shows whatever its hits are: warnings, freshness, collections."""

from collections.abc import Sequence

from contracts.named_tuple import NamedTuple
from memory.index.collections.reading import collections_of
from memory.index.configuration_warnings import warnings_for
from memory.storage import Space
from memory.storage.meta import LAST_SYNC, VECTORS_MISSING, read_meta, unindexed
from memory.values.results import Collection, Freshness
from memory.workspace import Workspace
from search.options import Mode


class Caveats(NamedTuple):
    """The caveats of an answer, as of the moment that it was read."""

    warnings: list[str]
    freshness: Freshness
    collections: Sequence[Collection]


def caveats_of(workspace: Workspace, active: Space | None, mode: Mode) -> Caveats:
    """Return the caveats of an answer; to be called in the snapshot that answers."""
    database = workspace.storage.database
    warnings = warnings_for(workspace, active)
    if mode != "keyword" and read_meta(database, VECTORS_MISSING):
        warnings.append(
            "some chunks have no vectors yet and are found by keywords only: "
            "mem maintain vectors, unless a server is running, which embeds them"
        )
    return Caveats(warnings, freshness(workspace), collections_of(database))


def freshness(workspace: Workspace) -> Freshness:
    """Return how fresh the index is."""
    counts = unindexed(workspace.storage.database)
    return Freshness(
        indexed_at=read_meta(workspace.storage.database, LAST_SYNC),
        pending=counts.get("pending", 0),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0),
    )
