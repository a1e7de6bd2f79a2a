"""The step of the schema for named tokens: their table, and the token's name in the action log."""

STATEMENTS = (
    """
CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    is_owner INTEGER NOT NULL CHECK (is_owner IN (0, 1)),
    created_at TEXT NOT NULL,
    expires_at TEXT,
    last_used_on TEXT
) WITHOUT ROWID""",
    "ALTER TABLE actions ADD COLUMN token TEXT",
)
