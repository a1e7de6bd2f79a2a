"""The indexing settings of a database: its chunk settings and its model."""

import json
from dataclasses import asdict
from typing import Any

from contracts.named_tuple import NamedTuple
from ingest import ChunkSettings, fingerprint
from memory.index.embedding.active_model import active_model, model_for
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.fallback import model_for_new_database
from memory.index.embedding.model_choice import ChosenModel
from memory.storage import Space
from memory.storage.values import read_object
from memory.workspace import Workspace

QUICK_PROVIDERS = frozenset({"static", "fake"})
"""Models that embed faster than changes are found, and are always available."""


class IndexingSettings(NamedTuple):
    """The means of a database to make chunks and vectors; `space` is None before the first
    vector.
    """

    space: Space | None
    chunking: ChunkSettings
    embedder: Embedder

    @property
    def generation(self) -> str:
        """The fingerprint of the chunks.

        A newer version may cut differently under the same settings; one space is one generation.
        """
        return self.space.generation if self.space else fingerprint(self.chunking)

    def first_space(self) -> Space:
        """Return the first space of a database, as it would be stored."""
        return self.embedder.space(
            generation=self.generation, chunking=json.dumps(asdict(self.chunking))
        )


def current_indexing_settings(
    workspace: Workspace, first_model: ChosenModel | None = None
) -> IndexingSettings:
    """Return the settings of this database.

    Files are chunked as when the database was created, else as the configuration says. A database
    without vectors gets the configured model, unless `first_model` is given. Raises what
    `ChosenModel.provider` does.
    """
    active = workspace.storage.active_space()
    chunking = chunking_of(active) if active else configured_chunking(workspace)
    chosen = first_model if first_model and active is None else model_for(workspace, active)
    embedder = Embedder(
        workspace.storage,
        chosen.provider,
        request=chosen.request,
        sends_captured=workspace.config.capture.remote_models,
    )
    return IndexingSettings(active, chunking, embedder)


def indexing_settings_for(workspace: Workspace) -> IndexingSettings:
    """Return the current settings; a new database may be created with the fallback."""
    is_new = workspace.storage.active_space() is None
    return current_indexing_settings(
        workspace, model_for_new_database(workspace) if is_new else None
    )


def configured_chunking(workspace: Workspace) -> ChunkSettings:
    """Return the configured chunk settings."""
    chunking = workspace.config.chunking
    return ChunkSettings(
        size_chars=chunking.chunk_size_chars,
        overlap_chars=chunking.chunk_overlap_chars,
        preserve_structure=chunking.preserve_structure,
    )


def chunking_of(space: Space) -> ChunkSettings:
    """Return the chunk settings of a space."""
    settings: dict[str, Any] = read_object(space.chunking)
    return ChunkSettings(**settings)


def is_quick(workspace: Workspace) -> bool:
    """Return whether the model embeds fast enough to do it while a file is saved."""
    return active_model(workspace).name in QUICK_PROVIDERS
