"""Small facts about a database itself: those in its `meta` table, and how far it is behind."""

import json
from typing import Any, Final

from memory.storage import Database, Transaction

LAST_SYNC: Final = "last_sync"
"""When the last sync ended that ran to its end, ISO 8601 UTC."""

FILE_SYSTEMS: Final = "file_systems"
"""What was mounted where the roots lie, as `mounts` saw it at the last complete sync."""

KEYWORDS: Final = "keyword_form"
"""The form of the keyword entries, a number of `keyword_fields`; none: older than the number."""

RENEWED: Final = "keywords_renewed"
"""How far entries are renewed, while they are: `{"form", "path"}` of the last document."""

SYNC_HOLDER: Final = "sync_holder"
"""Who has the sync lock: a process of `process_names` and `since`; null or one that has
ended when nobody does. The lock itself is a file lock."""

REINDEX_HOLDER: Final = "reindex_holder"
"""The same of the reindex lock."""

WATCH_HOLDER: Final = "watch_holder"
"""The same of the watcher's lock."""

READING_HOLDER: Final = "reading_holder"
"""The same of the lock of whoever has a language model read turns."""

WATCHER: Final = "watcher"
"""What the watcher last said of itself, see `state`; null: it has ended as told."""

REINDEX_WANTED: Final = "reindex_wanted"
"""What a server was asked to reindex to and has not ended: `{"provider", "model"}`."""

LAST_GC: Final = "last_gc"
"""The last collection of memories that was no dry run: `{"at", "seconds", "counts", "until"}`, the
last when it has counted what was created."""

RESTORED: Final = "restored"
"""When a backup was put in the place of what this database held, ISO 8601 UTC; a watcher
that was at work looks at all files again."""

PURGE_OWED: Final = "purge_owed"
"""True while words of removed records may stand in the files, see `pending_purge`."""

VECTORS_MISSING: Final = "vectors_missing"
"""True while chunks were stored without a vector because the provider could not be reached."""

BEGUN_BY_FALLBACK: Final = "begun_by_fallback"
"""Which provider began the database in place of the configured one, and why:
`{"provider", "instead_of", "reason"}`."""

CHOSEN_BY_HAND: Final = "chosen_by_hand"
"""The embedder that a reindex was told to use, and over which configured model:
`{"embedder", "over"}`."""

FUSION_WEIGHTS: Final = "fusion_weights"
"""What `calibration` measured, by embedder: `{"weight", "questions", "chunks"}`."""


def read_meta(database: Database, key: str) -> Any:
    """The value of that name, or None."""
    values: dict[str, str] = dict(database.read_once("SELECT key, value_json FROM meta"))
    return json.loads(values[key]) if key in values else None


def unindexed(database: Database) -> dict[str, int]:
    """How many documents are in each state but `indexed`; cheap however many are."""
    sql = "SELECT state, count(*) FROM files WHERE state <> 'indexed' GROUP BY state"
    return dict(database.read(sql))


def write_meta(tx: Transaction, key: str, value: Any) -> None:
    """Set a value, replacing the one of that name."""
    sql = """INSERT INTO meta (key, value_json) VALUES (:key, :value)
        ON CONFLICT (key) DO UPDATE SET value_json = :value"""
    tx.run(sql, {"key": key, "value": json.dumps(value)})
