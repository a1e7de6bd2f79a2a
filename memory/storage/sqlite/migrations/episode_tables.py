"""The step to version 14: episodes of conversations, and turns as messages.

`turns.episode_id` is the cursor of segmentation: a turn belongs to at most one episode, and one
without is yet to be assigned. An episode with an empty summary was forgotten: it keeps its turns
from being summarised again. `messages` is a view; session ids that are whole numbers are numbers in
it.
"""

STATEMENTS = (
    """
CREATE TABLE episodic_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    start_message_id INTEGER NOT NULL,
    end_message_id INTEGER NOT NULL,
    summary TEXT NOT NULL,
    importance_score REAL NOT NULL,
    surprise_score REAL NOT NULL,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    retrievability REAL NOT NULL,
    retrieval_count INTEGER NOT NULL DEFAULT 0,
    last_accessed_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    message_count INTEGER NOT NULL,
    written_by TEXT NOT NULL CHECK (written_by IN ('extract', 'llm')),
    model_tries INTEGER NOT NULL DEFAULT 0
)""",
    "CREATE INDEX episodic_memory_session ON episodic_memory (session_id, started_at)",
    "CREATE INDEX episodic_memory_importance ON episodic_memory (importance_score)",
    "CREATE INDEX episodic_memory_retrievability ON episodic_memory (retrievability)",
    "CREATE INDEX episodic_memory_started ON episodic_memory (started_at, id)",
    """ALTER TABLE turns
    ADD COLUMN episode_id INTEGER REFERENCES episodic_memory (id) ON DELETE SET NULL""",
    "CREATE INDEX turns_without_episode ON turns (session_id, ts, id) WHERE episode_id IS NULL",
    "CREATE INDEX turns_episode ON turns (episode_id) WHERE episode_id IS NOT NULL",
    """
CREATE VIEW messages (id, session_id, role, content, timestamp, image_paths) AS
SELECT id,
    CASE WHEN CAST(CAST(session_id AS INTEGER) AS TEXT) = session_id
        THEN CAST(session_id AS INTEGER) ELSE session_id END,
    role, text, ts, nullif(image_paths, '[]')
FROM turns
""",
)
