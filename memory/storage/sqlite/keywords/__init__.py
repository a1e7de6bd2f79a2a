"""The keyword leg in SQLite: FTS5 with BM25, LIKE where that is off, and ranking statistics."""
