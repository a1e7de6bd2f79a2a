"""The move of a whole memory to another backend, by `migrating`; see docs/postgresql.md."""
