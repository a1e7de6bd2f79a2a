"""The keyword leg in SQLite: FTS5 with BM25, LIKE where FTS5 is off, and ranking statistics."""
