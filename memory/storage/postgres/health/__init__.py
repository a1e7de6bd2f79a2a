"""Health checks and repairs of a schema of PostgreSQL, for `mem doctor` and proofs."""
