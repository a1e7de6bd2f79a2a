"""The step of the schema for notes: their names, their links, and the names whose links changed."""

STATEMENTS = (
    """
CREATE TABLE note_names (
    name TEXT NOT NULL,
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    words TEXT NOT NULL,
    PRIMARY KEY (name, file_id)
) WITHOUT ROWID""",
    "CREATE INDEX note_names_file ON note_names (file_id)",
    """
CREATE TABLE note_links (
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    target TEXT NOT NULL,
    words TEXT NOT NULL,
    line INTEGER NOT NULL,
    is_path INTEGER NOT NULL CHECK (is_path IN (0, 1)),
    PRIMARY KEY (file_id, ordinal)
) WITHOUT ROWID""",
    "CREATE INDEX note_links_name ON note_links (name)",
    "CREATE TABLE stale_note_names (name TEXT PRIMARY KEY) WITHOUT ROWID",
)
