"""Storage in one SQLite file, through APSW, FTS5 and sqlite-vec."""

from memory.storage.sqlite.backend import SqliteStorage

__all__ = ["SqliteStorage"]
