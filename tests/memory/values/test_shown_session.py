"""Ids of sessions that are whole numbers are numbers in answers, as in the view `messages`."""

import pytest

from memory.storage.sqlite import SqliteStorage
from memory.values.citations import shown_session


@pytest.mark.parametrize(
    "session_id",
    ["7", "-3", "0", "012", "1e3", "1_0", "-0", "+1", " 7", "１", "s1", "", "9" * 17, "9" * 30],
)
def test_it_is_shown_as_the_view_shows_it(session_id: str) -> None:
    storage = SqliteStorage.in_memory()
    with storage.database.transaction() as tx:
        tx.run(
            """INSERT INTO sessions (session_id, long_term_opt_in, created_at)
            VALUES (:id, 1, '2026-03-04T10:00:00.000Z')""",
            {"id": session_id},
        )
        tx.run(
            "INSERT INTO turns (session_id, role, text) VALUES (:id, 'user', 'Hi')",
            {"id": session_id},
        )
    ((shown,),) = storage.database.read("SELECT session_id FROM messages")
    storage.close()
    assert shown_session(session_id) == shown
    assert type(shown_session(session_id)) is type(shown)
