"""Warnings where a database and its configuration differ, with the command that helps."""

from collections.abc import Mapping
from typing import Any

from memory.index.embedding.model_choice import disagreement
from memory.storage import Space
from memory.storage.meta import BEGUN_BY_FALLBACK, CHOSEN_BY_HAND, KEYWORDS, read_meta
from memory.storage.values import read_object
from memory.workspace import Workspace
from search import KEYWORD_FORM


def configuration_warnings(workspace: Workspace) -> list[str]:
    """Return the warnings about this database as it is now."""
    return warnings_for(workspace, workspace.storage.active_space())


def warnings_for(workspace: Workspace, active: Space | None) -> list[str]:
    """Return the warnings about a database with this active space."""
    found = []
    other = other_model(workspace, active)
    database = workspace.storage.database
    begun = read_meta(database, BEGUN_BY_FALLBACK) if other else None
    if other and active and begun and begun["provider"] == active.provider:
        found.append(
            f"this database was created with {active.provider}, the fallback, because "
            f"{begun['instead_of']} could not be used: {begun['reason']}; once it can be: "
            "mem reindex"
        )
    elif other and active:
        found.append(
            f"the configuration names the embedding provider {other}, and this database "
            f"answers with {active.provider} {active.model}, which filled it; to change it: "
            "mem reindex"
        )
    if active is not None and read_meta(database, KEYWORDS) != KEYWORD_FORM:
        found.append(
            "the keyword entries are from an older version, which finds fewer forms of words: "
            "sync to rebuild them"
        )
    if not workspace.config.fts.enabled:
        found.append(
            "the keyword index is off (memory.fts.enabled): words are compared with every text "
            "as they are written, which is slower and finds no other forms of them"
        )
    wanted = _configured(workspace)
    chunking = wanted if active is None else wanted | read_object(active.chunking)
    if chunking != wanted:
        found.append(
            f"the configuration asks for {_described(wanted)}, and this database has "
            f"{_described(chunking)}; to chunk it again: mem reindex"
        )
    if not workspace.loaded.trusts_database:
        from memory.index.database_trust import trust_warnings  # few databases need it

        found += trust_warnings(workspace)
    return found


def other_model(workspace: Workspace, active: Space | None) -> str | None:
    """Return the model that the configuration names if another one answers.

    A model that was chosen by hand over the one configured then is not a disagreement.
    """
    other = disagreement(active, workspace.config.embeddings)
    if other and active:
        by_hand = read_meta(workspace.storage.database, CHOSEN_BY_HAND)
        if by_hand == {"embedder": active.embedder, "over": other}:
            return None
    return other


def _configured(workspace: Workspace) -> dict[str, Any]:
    """Return the fields of ChunkSettings by name; a search does not load the chunker for them."""
    chunking = workspace.config.chunking
    return {
        "size_chars": chunking.chunk_size_chars,
        "overlap_chars": chunking.chunk_overlap_chars,
        "preserve_structure": chunking.preserve_structure,
    }


def _described(chunking: Mapping[str, Any]) -> str:
    structure = "kept" if chunking["preserve_structure"] else "not kept"
    return (
        f"chunks of {chunking['size_chars']} characters "
        f"(overlap {chunking['overlap_chars']}, structure {structure})"
    )
