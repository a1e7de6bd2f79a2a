"""Version 5: texts that a provider will not embed."""

import apsw

_REFUSED = """
CREATE TABLE refused_texts (
    hash BLOB NOT NULL,
    embedder TEXT NOT NULL,
    reason TEXT NOT NULL,
    refused_at TEXT NOT NULL,
    PRIMARY KEY (hash, embedder)
) WITHOUT ROWID;
CREATE TRIGGER refused_text_gone AFTER DELETE ON chunks BEGIN
    DELETE FROM refused_texts
    WHERE hash = old.hash AND NOT EXISTS (SELECT 1 FROM chunks WHERE hash = old.hash);
END;
"""
"""Texts that a provider will not embed; its reason may quote them, so they go with the text."""


def remember_refusals(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_REFUSED).fetchall()
