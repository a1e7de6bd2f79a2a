"""The log of changes of records: one entry a record and transaction, whatever its chunks do."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.storage import Storage
from memory.storage.portable.noted_changes import NotedChanges
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.record_changes import write_changes
from tests.memory.storage.engine_errors import CONSTRAINT_ERRORS
from tests.memory.storage.old_database import old_database
from tests.memory.storage.oracle import GENERATION, SPACE, add_file, new_chunk


def put(storage: Storage, owner: str, *texts: str, generation: str = GENERATION) -> None:
    with storage.database.transaction() as tx:
        storage.replace_chunks(
            tx,
            "file",
            owner,
            generation=generation,
            chunks=[new_chunk(text, owner_id=owner) for text in texts],
        )


def remove(storage: Storage, owner: str) -> None:
    with storage.database.transaction() as tx:
        storage.remove_owner(tx, "file", owner)


def remove_and_fail(storage: Storage, owner: str) -> None:
    with storage.database.transaction() as tx:
        storage.remove_owner(tx, "file", owner)
        tx.run("UPDATE files SET state = 'no state'")


def told(storage: Storage, *, after: int = 0, limit: int = 100) -> list[tuple[int, str, str]]:
    page = storage.record_changes(after=after, limit=limit)
    return [(each.seq, each.event, each.owner_id) for each in page.changes]


@pytest.fixture
def files(storage: Storage) -> Storage:
    for owner in ("a", "b"):
        add_file(storage, owner, f"/{owner}.md")
    return storage


def test_a_record_comes_changes_and_goes(files: Storage) -> None:
    put(files, "a", "one", "two", "three")
    put(files, "a", "one", "two", "three")  # nothing changed
    put(files, "a", "three", "one")  # in another order, too
    put(files, "a", "four")
    put(files, "b", "one")
    put(files, "b")
    remove(files, "a")
    remove(files, "a")  # it was gone already
    assert told(files) == [
        *[(1, "added", "a"), (2, "changed", "a"), (3, "changed", "a"), (4, "added", "b")],
        *[(5, "removed", "b"), (6, "removed", "a")],
    ]
    assert told(files, after=4) == told(files)[4:]
    assert told(files, after=2, limit=1) == [(3, "changed", "a")]
    page = files.record_changes(after=0, limit=2)
    assert (page.newest, page.missing) == (6, False)
    assert page.changes[0].source == "file"
    assert page.changes[0].at <= page.changes[1].at


def test_several_changes_of_one_transaction_are_one(files: Storage) -> None:
    with files.database.transaction() as tx:
        for texts in (["one"], ["two"], [], ["three"]):
            chunks = [new_chunk(text, owner_id="a") for text in texts]
            files.replace_chunks(tx, "file", "a", generation=GENERATION, chunks=chunks)
        put_b = [new_chunk("b", owner_id="b")]
        files.replace_chunks(tx, "file", "b", generation=GENERATION, chunks=put_b)
        files.remove_owner(tx, "file", "b")
    assert told(files) == [(1, "added", "a")]
    with files.database.transaction() as tx:
        files.remove_owner(tx, "file", "a")
        again = [new_chunk("four", owner_id="a")]
        files.replace_chunks(tx, "file", "a", generation=GENERATION, chunks=again)
    assert told(files, after=1) == [(2, "changed", "a")]


def test_what_is_rolled_back_was_never_logged(files: Storage) -> None:
    put(files, "a", "one")
    with pytest.raises(CONSTRAINT_ERRORS, match=r"(?i)check"):
        remove_and_fail(files, "a")
    put(files, "b", "two")
    assert told(files) == [(1, "added", "a"), (2, "added", "b")]


def test_another_generation_changes_no_record(files: Storage) -> None:
    with files.database.transaction() as tx:
        files.create_space(tx, SPACE)
    put(files, "a", "one two")
    with files.database.transaction() as tx:
        other = SPACE._replace(generation="finer", state="filling")
        other = files.spaces().fill(tx, other)
    put(files, "a", "one", "two", generation="finer")
    assert told(files) == [(1, "added", "a")]
    with files.database.transaction() as tx:
        files.spaces().activate(tx, other)
    with files.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE generation = :old", {"old": GENERATION})
    assert told(files) == [(1, "added", "a")]
    put(files, "a", "one", "three", generation="finer")
    assert told(files, after=1) == [(2, "changed", "a")]


def write(storage: Storage, owner: str, *, keep: int) -> None:
    noted = NotedChanges()
    noted.note("file", owner, "added")
    if isinstance(storage, SqliteStorage):
        with storage.database.transaction(), storage.database.connection() as connection:
            write_changes(connection, noted, keep=keep)
        return
    from memory.storage.postgres.writing import record_changes
    from memory.storage.postgres.writing.transaction import own_transaction

    with storage.database.transaction() as tx:
        record_changes.write_changes(own_transaction(tx).connection, noted, keep=keep)


def test_the_oldest_are_dropped_and_that_is_told(files: Storage) -> None:
    for number in range(5):
        write(files, f"f{number}", keep=3)
    assert [seq for seq, *_ in told(files)] == [3, 4, 5]
    missing = {after: files.record_changes(after=after, limit=9).missing for after in range(8)}
    assert missing == {0: True, 1: True, 2: False, 3: False, 4: False, 5: False, 6: True, 7: True}
    with files.database.transaction() as tx:
        tx.run("DELETE FROM record_changes")
    assert files.record_changes(after=4, limit=9).missing
    assert not files.record_changes(after=5, limit=9).missing
    put(files, "a", "one")
    assert told(files, after=5) == [(6, "added", "a")]


def test_an_older_database_says_that_its_log_begins_later(tmp_path: Path) -> None:
    storage = SqliteStorage.open(old_database(13, tmp_path), create=False)
    page = storage.record_changes(after=0, limit=9)
    assert (page.changes, page.missing) == ([], True)
    assert not storage.record_changes(after=page.newest, limit=9).missing
    storage.close()


EVENTS = st.sampled_from(["put", "drop"])


@given(st.lists(st.lists(st.tuples(st.sampled_from("abc"), EVENTS), max_size=5), max_size=8))
def test_a_follower_of_the_events_knows_what_is_there(
    transactions: list[list[tuple[str, str]]],
) -> None:
    """Events applied in turn give the records that exist, and never say what is not so."""
    storage = SqliteStorage.in_memory()
    for owner in "abc":
        add_file(storage, owner, f"/{owner}.md")
    for number, steps in enumerate(transactions):
        with storage.database.transaction() as tx:
            for place, (owner, step) in enumerate(steps):
                chunks = [new_chunk(f"{number} {place}", owner_id=owner)] if step == "put" else []
                storage.replace_chunks(tx, "file", owner, generation=GENERATION, chunks=chunks)
    known: set[str] = set()
    for _, event, owner in told(storage):
        assert (owner in known) == (event != "added")
        known = known - {owner} if event == "removed" else known | {owner}
    there = storage.database.read("SELECT DISTINCT owner_id FROM chunks")
    assert known == {row[0] for row in there}
    storage.close()
