"""Health checks and repairs of a SQLite database, for `mem doctor` and proofs."""
