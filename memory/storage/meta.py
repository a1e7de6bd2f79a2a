"""Facts about a database: the keys of its `meta` table, the remembered roots, and the number of
unindexed documents.
"""

import json
from typing import Any, Final

from memory.storage import Database, Transaction
from memory.storage.values import read_json

LAST_SYNC: Final = "last_sync"
"""The end of the last complete sync, ISO 8601 UTC."""

FILE_SYSTEMS: Final = "file_systems"
"""The mounts below the roots, as `mounts` saw them at the last complete sync."""

FILE_SYSTEMS_AT: Final = "file_systems_at"
"""For each root the time of the last complete sync that missed no mount there, ISO 8601 UTC."""

KEYWORDS: Final = "keyword_form"
"""The form of the keyword entries, a number of `keyword_fields`; missing: older than the number."""

RENEWED: Final = "keywords_renewed"
"""The progress of rewriting entries, while it runs: `{"form", "path"}` of the last document."""

SYNC_HOLDER: Final = "sync_holder"
"""The holder of the sync lock: a process of `process_names` and `since`; null or an ended process
when nobody holds it. The lock itself is a file lock.
"""

REINDEX_HOLDER: Final = "reindex_holder"
"""The holder of the reindex lock, in the same form."""

WATCH_HOLDER: Final = "watch_holder"
"""The holder of the watcher's lock, in the same form."""

READING_HOLDER: Final = "reading_holder"
"""The holder of the lock on extraction by a language model, in the same form."""

WATCHER: Final = "watcher"
"""The last state that the watcher reported, see `state`; null: it ended normally."""

REINDEX_WANTED: Final = "reindex_wanted"
"""The reindex that a server was asked for and has not finished: `{"provider", "model"}`."""

LAST_GC: Final = "last_gc"
"""The last garbage collection of memories that was not a dry run: `{"at", "seconds", "counts",
"until"}`, where `until` is the end of its count of created memories.
"""

RESTORED: Final = "restored"
"""The time a backup replaced the content of this database, ISO 8601 UTC; a running watcher then
checks all files again.
"""

PURGE_PENDING: Final = "purge_owed"
"""True while words of removed records may remain in the files, see `pending_purge`."""

CACHE_LIMITS: Final = "embedding_cache_limits"
"""The embedders whose vectors of removed chunks are kept, each with the most bytes of the cache."""

VECTORS_MISSING: Final = "vectors_missing"
"""True while chunks were stored without a vector because the provider could not be reached."""

BEGUN_BY_FALLBACK: Final = "begun_by_fallback"
"""The provider that began the database instead of the configured one, and the reason: `{"provider",
"instead_of", "reason"}`.
"""

CHOSEN_BY_HAND: Final = "chosen_by_hand"
"""The embedder that somebody chose for this database, and the configured model it overrides, if it
does: `{"embedder", "over"}`.
"""

UPGRADED: Final = "upgraded"
"""The last upgrade: `{"at", "embedder"}`, the latter of the space it replaced; null: removed."""

UPGRADE_OFFERED: Final = "upgrade_offered"
"""True once a command has offered the upgrade."""

UPGRADE_RATE: Final = "job:upgrade:rate"
"""The chunks a second that the upgrade embeds while it does not pause."""

FUSION_WEIGHTS: Final = "fusion_weights"
"""The results of `calibration`, by embedder: `{"weight", "questions", "chunks"}`."""


def read_meta(database: Database, key: str) -> Any:
    """Return the value of that name, or None."""
    values: dict[str, str | None] = dict(database.read_once("SELECT key, value_json FROM meta"))
    text = values.get(key)
    return None if text is None else read_json(text)


def unindexed(database: Database) -> dict[str, int]:
    """Return the number of documents in each state but `indexed`; cheap for any number."""
    sql = "SELECT state, count(*) FROM files WHERE state <> 'indexed' GROUP BY state"
    return dict(database.read_once(sql))


def remembered_roots(database: Database) -> list[str]:
    """Return the folders and files that were synced by name, in alphabetical order."""
    return [row[0] for row in database.read_once("SELECT path FROM roots ORDER BY path")]


def remember_root(tx: Transaction, path: str, added_at: str) -> bool:
    """Remember a folder or file since that time; return whether it is new."""
    sql = """INSERT INTO roots (path, added_at) VALUES (:path, :added_at)
        ON CONFLICT (path) DO NOTHING RETURNING path"""
    return bool(tx.run(sql, {"path": path, "added_at": added_at}))


def forget_root(tx: Transaction, path: str) -> bool:
    """Forget a remembered folder or file; return whether it was one."""
    return bool(tx.run("DELETE FROM roots WHERE path = :path RETURNING path", {"path": path}))


def write_meta(tx: Transaction, key: str, value: Any) -> None:
    """Set a value, replacing any of that name."""
    sql = """INSERT INTO meta (key, value_json) VALUES (:key, :value)
        ON CONFLICT (key) DO UPDATE SET value_json = :value"""
    tx.run(sql, {"key": key, "value": json.dumps(value)})
