"""A small database of Symbiosis-Memory, as its program leaves it."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

SCHEMA = """
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  ts DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
  role TEXT NOT NULL CHECK (role IN ('user','assistant')), text TEXT NOT NULL);
CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, layer TEXT NOT NULL,
  content TEXT NOT NULL, created_at DATETIME NOT NULL, last_seen_at DATETIME,
  hits INTEGER NOT NULL DEFAULT 0, score REAL NOT NULL DEFAULT 0.0,
  importance INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL DEFAULT 'active', tags_json TEXT);
CREATE TABLE memory_links (memory_id INTEGER NOT NULL, turn_id INTEGER NOT NULL, reason TEXT,
  PRIMARY KEY (memory_id, turn_id));
CREATE TABLE meta (key TEXT PRIMARY KEY, value_json TEXT);
CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories', content_rowid='id');
"""
TURNS = [
    (1, "s1", "2024-05-01 10:00:00.123", "user", "I live in Oslo and I like JRPGs."),
    (2, "s1", "2024-05-01 10:00:01.000", "assistant", "Noted."),
    (3, "s1", "2024-06-01 10:00:00.000", "user", "I moved to Bergen."),
]
MEMORIES = [
    (1, "long", "User likes JRPGs", "2024-05-01 10:00:00.123", "2024-05-20 08:00:00.000",
     5, 3.25, 1, "active", '["interests"]'),
    (2, "mid", "User lives in Oslo", "2024-05-01 10:00:00.123", None, 1, 0.5, 0, "archived", None),
    (3, "mid", "User lives in Bergen", "2024-06-01 10:00:00.000", None, 0, 1.5, 0, "active", "[]"),
    (4, "mid", "User hates rain", "2024-06-01 10:00:00.000", None, 0, 1.5, 0, "deleted", "[]"),
]  # fmt: skip
LINKS = [(1, 1, "source"), (2, 1, "source"), (3, 3, "conflict"), (9, 9, "source")]


def database(
    path: Path,
    *,
    turns: Sequence[Any] = TURNS,
    memories: Sequence[Any] = MEMORIES,
    links: Sequence[Any] = LINKS,
) -> Path:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(SCHEMA)
        for table, rows in (("turns", turns), ("memories", memories), ("memory_links", links)):
            for row in rows:
                places = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({places})", row)
    return path
