"""SQLite databases as files: copied, put in another's place, searched for bytes, salvaged."""
