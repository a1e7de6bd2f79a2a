"""The step of the schema for conversations with agents that are captured while they go on.

`chat_sources` are the watched places. `transcripts` has how far each transcript was read (`cursor`,
a place with marks of the text before it) and why it could not be. `removed_messages` has digests
of the ids of messages whose turns were removed: they are not captured again. A message has the same
id in every session, so turns are found by it alone.
"""

STATEMENTS = (
    """
CREATE TABLE chat_sources (
    agent TEXT NOT NULL,
    path TEXT NOT NULL,
    tool_output INTEGER NOT NULL CHECK (tool_output IN (0, 1)),
    added_at TEXT NOT NULL,
    PRIMARY KEY (agent, path)
) WITHOUT ROWID""",
    """
CREATE TABLE transcripts (
    path TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    cursor TEXT NOT NULL,
    turns INTEGER NOT NULL,
    read_at TEXT NOT NULL,
    trouble TEXT
) WITHOUT ROWID""",
    "CREATE TABLE removed_messages (digest BLOB PRIMARY KEY) WITHOUT ROWID",
    "CREATE INDEX turns_message ON turns (client_id) WHERE client_id IS NOT NULL",
)
