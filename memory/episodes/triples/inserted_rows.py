"""Completion of facts that another program inserted: they have an entity and no key.

`INSERT INTO semantic_memory (entity, relation, target, confidence)` is enough. No memory says such
a fact. It stays until it is forgotten, or until a memory says it: then it is that memory's.
"""

from dataclasses import replace
from typing import Any, Final

from memory.config.sections.conversations import SemanticConfig
from memory.episodes.triples.statements import Fact
from memory.episodes.triples.store import TripleStore
from memory.episodes.triples.values import Triple
from memory.episodes.triples.writing import record_text
from memory.index.record_chunks import put_records, record_vectors, remove_record
from memory.storage import Transaction
from memory.values.inserted_values import UNKNOWN_TIME, text_of, time_of
from memory.workspace import Workspace

_TIMES: Final = ("last_accessed_at", "created_at", "updated_at", "occurred_at")


def complete_triple(workspace: Workspace, row: Triple) -> None:
    """Give a fact its key, or what it says to the same fact that is here."""
    database = workspace.storage.database
    triple, store = _whole(row, workspace.config.semantic), TripleStore(database)
    key = Fact(triple.entity, triple.relation, triple.target).key
    known = record_vectors(workspace, [record_text(triple, [])])
    with database.erasing(), database.transaction() as tx:
        if store.get(row.id) is None:  # somebody has removed it meanwhile
            return
        same = store.with_key(key)
        if same is not None:
            _merge(workspace, tx, triple, same)
        else:
            store.update(tx, triple)
            store.put_key(tx, triple.id, key)
            put_records(workspace, tx, [record_text(triple, [])], known)


def _whole(row: Triple, config: SemanticConfig) -> Triple:
    """Return a fact with what the program adds; equal times come from the columns' defaults."""
    times: dict[str, Any] = {
        name: time_of(getattr(row, name), otherwise=UNKNOWN_TIME) for name in _TIMES
    }
    was_defaulted = row.occurred_at == row.updated_at
    occurred_at = times["created_at"] if was_defaulted else times["occurred_at"]
    parts: dict[str, Any] = {
        name: " ".join(text_of(getattr(row, name)).split()) or text_of(getattr(row, name))
        for name in ("entity", "relation", "target")
    }
    times["occurred_at"] = occurred_at
    if not row.access_count:
        times["last_accessed_at"] = occurred_at
    return replace(
        row,
        **parts,
        **times,
        confidence=min(config.most_confidence, max(0.0, row.confidence)),
    )


def _merge(workspace: Workspace, tx: Transaction, triple: Triple, same: Triple) -> None:
    store = TripleStore(workspace.storage.database)
    episodes = {*same.source_episodic_ids, *triple.source_episodic_ids}
    merged = replace(
        same,
        confidence=max(same.confidence, triple.confidence),
        source_episodic_ids=tuple(sorted(episodes)),
        occurred_at=max(same.occurred_at, triple.occurred_at),
        updated_at=max(same.updated_at, triple.updated_at),
    )
    store.update(tx, merged)
    remove_record(workspace, tx, "triple", str(triple.id))
    store.delete(tx, triple.id)
