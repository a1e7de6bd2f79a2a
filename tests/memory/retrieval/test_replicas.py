"""Searches from a streaming replica: never less than was acknowledged, and how far behind it is."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest

from contracts import ForbiddenError, StorageError
from memory.config.loading import FILE_NAME, load_config
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.memories.editing import remember
from memory.files.ingestion import ingest_text
from memory.operations.status import read_status
from memory.retrieval.replica_reads import read_from_any
from memory.retrieval.searching import search
from memory.storage.database import DatabaseUnavailableError, StatementStoppedError
from memory.storage.values import read_json
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.postgres_replica import ReplicaServer, replica_of
from tests.postgres_server import OwnServer, missing_packages
from tests.waiting import wait_until

if not missing_packages():
    import psycopg

    from memory.storage.postgres import backend
    from memory.storage.postgres.connections.errors import translate
    from memory.storage.postgres.replicas.choosing import may_lag
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow
WORDS = SearchOptions(mode="keyword")


@pytest.fixture(scope="module")
def replica(own_server: OwnServer) -> Iterator[ReplicaServer]:
    with replica_of(own_server) as following:
        yield following


@pytest.fixture
def open_memory(
    own_server: OwnServer, replica: ReplicaServer, new_folder: Callable[[str], Path]
) -> Iterator[Callable[..., Workspace]]:
    made: list[Workspace] = []

    def open_one(**settings: Any) -> Workspace:
        place = {"backend": "postgres", "dsn": own_server.dsn, "schema": "followed"}
        memory = opened(new_folder("replica"), **{**place, "replicas": (replica.dsn,), **settings})
        made.append(memory)
        return memory

    yield open_one
    for memory in made:
        memory.close()


def level(own_server: OwnServer, replica: ReplicaServer) -> None:
    """Wait until the replica has replayed all that is written."""
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        row = connection.execute("SELECT pg_current_wal_flush_lsn()").fetchone()
    assert row is not None
    wait_until(lambda: replica.has_replayed(str(row[0])))


def found(memory: Workspace, word: str) -> SearchResponse:
    return search(memory, word, WORDS)


def test_a_replica_that_is_level_answers(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory = open_memory()
    ingest_text(memory, "The okapi sleeps by the river.")
    level(own_server, replica)
    answer = found(memory, "okapi")
    assert len(answer.results) == 1
    fresh = answer.freshness
    assert (fresh.replica, fresh.behind_s, fresh.behind_changes) == (1, 0.0, 0)
    status = read_status(memory).server
    assert status is not None
    assert [(one.number, one.state, one.behind_changes) for one in status.replicas] == [
        (1, "level", 0)
    ]


def test_what_was_acknowledged_is_found_while_the_replica_is_held(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory, other = open_memory(), open_memory()
    ingest_text(memory, "The okapi sleeps by the river.")
    level(own_server, replica)
    replica.hold()
    wait_until(replica.is_held)
    try:
        for number in range(3):
            remember(other, f"Heron number {number} stands in the reeds")
        for reader in (memory, other):  # one of them wrote nothing
            answer = found(reader, "heron")
            assert len(answer.results) == 3
            assert answer.freshness.replica is None
            assert (answer.freshness.behind_s, answer.freshness.behind_changes) == (0.0, 0)
        status = read_status(memory).server
        assert status is not None
        (held,) = status.replicas
        assert (held.state, held.behind_changes) == ("behind", 3)
        assert held.behind_s is not None
        assert held.behind_s > 0
    finally:
        replica.go_on()
    level(own_server, replica)
    assert found(memory, "heron").freshness.replica == 1


def test_a_context_is_a_replicas_too_and_lacks_nothing(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory, lagging = open_memory(), open_memory(replica_lag_s=3600.0)
    ingest_text(memory, "The egret wades.")
    level(own_server, replica)
    asked = ContextRequest("s1", "bittern booms")
    replica.hold()
    wait_until(replica.is_held)
    try:
        remember(memory, "A bittern booms at the old mill")
        context = build_context(memory, asked)
        assert ("old mill" in context.markdown, context.warnings) == (True, [])
        behind = build_context(lagging, asked)
        assert "old mill" not in behind.markdown
        assert "the answer is that of replica 1, which lacks" in behind.warnings[-1]
    finally:
        replica.go_on()
    level(own_server, replica)
    context = build_context(lagging, asked)
    assert ("old mill" in context.markdown, context.warnings) == (True, [])


def test_a_replica_may_be_behind_for_as_long_as_is_allowed(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory = open_memory(replica_lag_s=3600.0)
    ingest_text(memory, "The ibex climbs.")
    level(own_server, replica)
    replica.hold()
    wait_until(replica.is_held)
    try:
        remember(memory, "The ibex has a bell")
        remember(memory, "The ibex has a kid")
        answer = found(memory, "ibex")
        assert [one.text for one in answer.results] == ["The ibex climbs."]
        assert answer.freshness.replica == 1
        assert answer.freshness.behind_changes == 2
        assert 0 < answer.freshness.behind_s < 3600
        assert "the answer is that of replica 1, which lacks" in answer.warnings[-1]
        strict = open_memory()
        assert len(found(strict, "ibex").results) == 3
    finally:
        replica.go_on()
    level(own_server, replica)
    assert len(found(memory, "ibex").results) == 3


def test_a_stopped_replica_is_passed_over_and_told_of(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory = open_memory()
    ingest_text(memory, "The tapir swims.")
    level(own_server, replica)
    assert found(memory, "tapir").freshness.replica == 1
    replica.stop()
    try:
        answer = found(memory, "tapir")
        assert (len(answer.results), answer.freshness.replica) == (1, None)
        status = read_status(memory).server
        assert status is not None
        assert [one.state for one in status.replicas] == ["away"]
        assert status.replicas[0].failure
        assert replica.dsn not in str(status)
    finally:
        replica.start()
    level(own_server, replica)
    wait_until(lambda: found(memory, "tapir").freshness.replica == 1)


def test_a_server_that_follows_nobody_is_no_replica(
    open_memory: Callable[..., Workspace], own_server: OwnServer
) -> None:
    """Not even the primary itself: a server that was promoted goes on with the same numbers."""
    memory = open_memory(replicas=(own_server.dsn,), replica_lag_s=3600.0)
    ingest_text(memory, "The lynx listens.")
    answer = found(memory, "lynx")
    assert (len(answer.results), answer.freshness.replica) == (1, None)
    status = read_status(memory).server
    assert status is not None
    assert [one.state for one in status.replicas] == ["foreign"]


def test_an_address_where_nobody_answers_costs_no_search(
    open_memory: Callable[..., Workspace],
) -> None:
    memory = open_memory(replicas=("postgresql://nobody:hunter2@127.0.0.1:1/none",))
    ingest_text(memory, "The vole digs.")
    for _ in range(3):
        answer = found(memory, "vole")
        assert (len(answer.results), answer.freshness.replica) == (1, None)
    status = read_status(memory).server
    assert status is not None
    assert [one.state for one in status.replicas] == ["away"]
    assert "hunter2" not in str(status)


def test_a_replica_lost_during_a_search_leaves_it_to_the_primary(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory = open_memory()
    ingest_text(memory, "The stoat runs.")
    level(own_server, replica)

    def read_while_it_stops() -> None:
        with memory.storage.from_replica() as lag:
            assert lag is not None
            replica.stop()
            memory.storage.count_chunks()

    with pytest.raises(DatabaseUnavailableError, match="PostgreSQL cannot be used"):
        read_while_it_stops()
    try:
        answer = found(memory, "stoat")
        assert (len(answer.results), answer.freshness.replica) == (1, None)
    finally:
        replica.start()


def test_a_file_that_was_found_may_not_name_replicas(new_folder: Callable[[str], Path]) -> None:
    folder = new_folder("found")
    memory = {"replicas": ["postgresql://me:hunter2@db.example.org/memory"]}
    (folder / FILE_NAME).write_text(json.dumps({"memory": memory}), "utf-8")
    with pytest.raises(ForbiddenError, match=r"is not trusted, and memory\.replicas") as refused:
        load_config(cwd=folder, environ={})
    assert "hunter2" not in str(refused.value)
    loaded = load_config(folder / FILE_NAME, environ={})
    assert "hunter2" not in repr(loaded)


def test_what_is_read_meanwhile_is_read_from_the_same_replica(
    open_memory: Callable[..., Workspace],
    own_server: OwnServer,
    replica: ReplicaServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backend, "FEWEST_READ_IN_PARALLEL", 0)
    memory = open_memory()
    ingest_text(memory, "The marten climbs.")
    level(own_server, replica)

    def place() -> tuple[str, bool]:
        row = memory.storage.database.read("SELECT pg_is_in_recovery()")[0]
        return current_thread().name, bool(row[0])

    places: list[tuple[AbstractContextManager[object], bool]] = [
        (memory.storage.from_replica(), True),
        (nullcontext(), False),
    ]
    for place_of, is_replica in places:
        with place_of, memory.storage.database.snapshot():
            assert memory.storage.start_read(place)() == ("read-ahead", is_replica)


def test_a_read_that_a_replica_stops_is_tried_elsewhere() -> None:
    error = translate(psycopg.errors.SerializationFailure("conflict with recovery"))
    assert isinstance(error, StatementStoppedError)
    assert isinstance(error, DatabaseUnavailableError)


def test_a_slow_search_keeps_no_other_from_the_replica(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    hurried = psycopg.conninfo.make_conninfo(replica.dsn, options="-cstatement_timeout=3000")
    memory = open_memory(replicas=(hurried,))
    ingest_text(memory, "The numbat digs.")
    level(own_server, replica)

    def read_slowly() -> None:
        with memory.storage.from_replica() as lag:
            assert lag is not None
            memory.storage.database.read("SELECT pg_sleep(60)")

    with pytest.raises(StatementStoppedError, match="longer than its statement_timeout"):
        read_slowly()
    assert found(memory, "numbat").freshness.replica == 1


REFUSE_SQL = """
CREATE OR REPLACE FUNCTION followed.refuse(code text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    IF pg_is_in_recovery() THEN RAISE EXCEPTION 'refused here' USING ERRCODE = code; END IF;
    RETURN 'answered';
END $$
"""


@pytest.mark.parametrize(
    "code, is_of_this_read",
    [
        ("53200", False),
        ("53100", False),
        ("XX001", False),
        ("XX002", False),
        ("40P01", True),
        ("42501", True),
        ("53400", True),
    ],
    ids=[
        *("no-memory", "no-disk", "damaged-table", "damaged-index", "deadlock", "no-right"),
        "temp_file_limit",
    ],
)
def test_a_replica_that_cannot_answer_leaves_it_to_the_primary(
    open_memory: Callable[..., Workspace],
    own_server: OwnServer,
    replica: ReplicaServer,
    code: str,
    is_of_this_read: bool,
) -> None:
    memory = open_memory()
    storage = memory.storage
    ingest_text(memory, "The kinkajou climbs.")
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        connection.execute(REFUSE_SQL)
    level(own_server, replica)

    def read() -> str:
        return str(storage.database.read("SELECT refuse(:code)", {"code": code})[0][0])

    assert found(memory, "kinkajou").freshness.replica == 1
    assert read_from_any(storage, read) == ("answered", None)
    assert found(memory, "kinkajou").freshness.replica == (1 if is_of_this_read else None)


def test_a_damaged_value_keeps_no_other_search_from_the_replica(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    memory = open_memory()
    ingest_text(memory, "The genet leaps.")
    level(own_server, replica)

    def read() -> object:
        return read_json(str(memory.storage.database.read("SELECT '{'")[0][0]))

    with pytest.raises(StorageError, match="a damaged value"):
        read_from_any(memory.storage, read)
    assert found(memory, "genet").freshness.replica == 1


def test_a_read_that_is_stopped_between_two_statements_is_of_no_other(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    """The replica ends the connection, to follow a VACUUM of rows that the read could still see."""
    hurried = "max_standby_streaming_delay"
    with psycopg.connect(replica.dsn, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET {hurried} = 0")
        connection.execute("SELECT pg_reload_conf()")
    memory = open_memory()
    database = memory.storage.database
    ingest_text(memory, "The potto waits.")
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE followed.spare AS SELECT generate_series(1, 999)")
    level(own_server, replica)

    def read() -> int:
        with database.snapshot():
            database.read("SELECT count(*) FROM spare")
            with psycopg.connect(own_server.dsn, autocommit=True) as connection:
                connection.execute("DELETE FROM followed.spare")
                connection.execute("VACUUM followed.spare")
            level(own_server, replica)
            return int(database.read("SELECT count(*) FROM spare")[0][0])

    try:
        assert read_from_any(memory.storage, read) == (0, None)
        assert found(memory, "potto").freshness.replica == 1
    finally:
        with psycopg.connect(replica.dsn, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM RESET {hurried}")
            connection.execute("SELECT pg_reload_conf()")
        with psycopg.connect(own_server.dsn, autocommit=True) as connection:
            connection.execute("DROP TABLE followed.spare")


def test_every_write_is_found_at_once(
    open_memory: Callable[..., Workspace], own_server: OwnServer, replica: ReplicaServer
) -> None:
    """A search after a write finds it, wherever it is answered from."""
    memory = open_memory()
    places = set()
    for number in range(100):
        text = f"Entry xq{number}z of the log"
        ingest_text(memory, text)
        answer = found(memory, f"xq{number}z")
        assert [one.text for one in answer.results] == [text]
        places.add(answer.freshness.replica)
        if number == 50:
            level(own_server, replica)
            places.add(found(memory, f"xq{number}z").freshness.replica)
    assert 1 in places


@pytest.mark.parametrize(
    "replayed_s, allowed_s, may",
    [
        (-0.004, 0.0, False),
        (0.0, 0.0, False),
        (-0.004, 5.0, False),
        (4.9, 5.0, True),
        (5.1, 5.0, False),
        (None, 5.0, False),
    ],
)
def test_a_lag_is_allowed_by_the_settings_alone(
    replayed_s: float | None, allowed_s: float, may: bool
) -> None:
    assert may_lag(replayed_s, allowed_s=allowed_s) is may
