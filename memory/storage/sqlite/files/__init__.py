"""SQLite databases as files: copying, replacing, searching for bytes, salvage."""
