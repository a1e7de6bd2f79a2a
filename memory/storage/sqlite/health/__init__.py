"""The state of a SQLite database, and how its parts are made again; for `mem doctor` and proofs."""
