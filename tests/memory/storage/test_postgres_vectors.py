"""The index of vectors in PostgreSQL: recall, narrow scopes, and when a scan answers instead."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass

import pytest

from benchmarks.inputs.writing import Writer
from contracts import BusyError, QueryVector, Scope, Scored
from memory.storage import Space
from memory.storage.database import WorkLockLostError
from memory.storage.vectors import cosines, normalised, stored_vectors
from providers.static_model import StaticProvider
from tests.memory.storage.oracle import EVERYTHING, GENERATION, SPACE, new_chunk
from tests.postgres_server import PostgresServer, missing_packages, open_postgres
from tests.waiting import wait_until

if not missing_packages():
    from memory.storage.postgres import PostgresStorage
    from memory.storage.postgres.vector_index import VectorIndex, index_of
    from memory.storage.postgres.vectors import Search
    from memory.storage.postgres.work_locks import lock_number
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow

CHUNKS, QUESTIONS, NEAREST = 1_500, 60, 10
LARGE_FROM = 1_000
NARROW = Scope(sources=("text",))
"""Twenty chunks."""


@dataclass(frozen=True)
class Memory:
    """A memory of generated text whose space is large, and the vectors of some questions."""

    storage: PostgresStorage
    space: Space
    questions: list[QueryVector]

    def has_index(self) -> bool:
        return index_of(self.storage.database, self.space) is not None

    def nearest(self, vector: QueryVector, scope: Scope) -> list[Scored]:
        """The nearest chunks of a scan of all."""
        with self.storage.database.snapshot():
            rows = Search(self.storage.database, self.space, scope, vector, NEAREST).by_scan()
        scores = cosines(vector, [stored for _, stored in rows])
        found = [Scored(row[0], score) for row, score in zip(rows, scores, strict=True)]
        return sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))[:NEAREST]


@pytest.fixture(scope="module")
def memory(postgres_server: PostgresServer) -> Iterator[Memory]:
    with closing(open_postgres(postgres_server)) as opened:
        assert isinstance(opened, PostgresStorage)
        storage = PostgresStorage(opened.database, indexed_from=LARGE_FROM)
        writer, provider = Writer(5), StaticProvider()
        texts = [writer.sentence(writer.topic()) for _ in range(CHUNKS)]
        asked = [writer.question(writer.paragraph(writer.topic())) for _ in range(QUESTIONS)]
        space = fill(storage, texts, provider)
        rows = provider.embed(asked, kind="query")
        questions = [vector for row in rows if (vector := normalised(list(map(float, row))))]
        assert len(questions) > QUESTIONS * 0.9
        yield Memory(storage, space, questions)


def fill(storage: PostgresStorage, texts: list[str], provider: StaticProvider) -> Space:
    """Store the texts, the first twenty as another source, with their vectors."""
    vectors = stored_vectors(provider.embed(texts, kind="document"))
    with storage.database.transaction() as tx:
        made = SPACE._replace(dimensions=256, embedder="static")
        space = storage.create_space(tx, made)
        for source, some in (("text", range(20)), ("file", range(20, CHUNKS))):
            chunks = [new_chunk(texts[n], source, n=n, source=source) for n in some]
            added = storage.replace_chunks(
                tx, source, source, generation=GENERATION, chunks=chunks
            ).added
            rows = {key: vectors[n] for key, n in zip(added, some, strict=True)}
            storage.put_vectors(tx, space, {key: row for key, row in rows.items() if row})
    return space


def recall(memory: Memory, scope: Scope) -> float:
    """The share of the nearest that the storage with an index finds."""
    shares = []
    for vector in memory.questions:
        true = memory.nearest(vector, scope)
        found = memory.storage.vector_candidates(vector, scope, limit=NEAREST)
        assert len(found) == len(true)
        shares.append(len({*true} & {*found}) / len(true))
    return sum(shares) / len(shares)


def test_a_space_is_indexed_once_it_is_large(memory: Memory) -> None:
    assert not memory.has_index()
    larger = PostgresStorage(memory.storage.database, indexed_from=CHUNKS + 1)
    larger.index_vectors()
    assert not memory.has_index()
    memory.storage.index_vectors()
    assert memory.has_index()
    assert memory.storage.health.integrity().indexes == []
    assert memory.storage.health.schema_differences() == ([], [], [])
    memory.storage.index_vectors()


def test_the_index_finds_nearly_all_of_the_nearest(memory: Memory) -> None:
    memory.storage.index_vectors()
    assert recall(memory, EVERYTHING) >= 0.99


def test_a_search_of_a_large_scope_uses_the_index_and_of_a_narrow_one_scans(
    memory: Memory,
) -> None:
    memory.storage.index_vectors()
    database, (vector, *_) = memory.storage.database, memory.questions
    wide = Search(database, memory.space, EVERYTHING, vector, NEAREST)
    narrow = Search(database, memory.space, NARROW, vector, NEAREST)
    assert wide.holds_as_many_as(LARGE_FROM)
    assert not narrow.holds_as_many_as(LARGE_FROM)
    with database.snapshot():
        database.read("SELECT set_config('enable_seqscan', 'off', true)")
        assert "vectors_1_near" in wide.explained(by_index=True)
        assert "vectors_1_near" not in wide.explained(by_index=False)
        assert "vectors_1_near" not in narrow.explained(by_index=False)


@pytest.mark.parametrize("large_from", [1, LARGE_FROM])
def test_a_narrow_scope_never_comes_back_empty(memory: Memory, large_from: int) -> None:
    """Also where it counts as large, so that the index is asked first."""
    memory.storage.index_vectors()
    storage = PostgresStorage(memory.storage.database, indexed_from=large_from)
    for vector in memory.questions:
        found = storage.vector_candidates(vector, NARROW, limit=NEAREST)
        assert found == memory.nearest(vector, NARROW)


def test_an_index_that_brings_too_few_is_not_believed(memory: Memory) -> None:
    """As in pgvector 0.7, which looks no further than the vectors that it follows."""
    memory.storage.index_vectors()
    database, vector = memory.storage.database, memory.questions[0]
    older = VectorIndex("0.7.4", CHUNKS)
    search = Search(database, memory.space, NARROW, vector, NEAREST)
    with database.snapshot():
        for name in ("enable_seqscan", "enable_sort"):
            database.read(f"SELECT set_config('{name}', 'off', true)")
        few = search.by_index(older)
        rows = search.nearest(older)
    assert len(few) < NEAREST
    assert len(rows) == 20


@pytest.mark.parametrize(
    "version, knows_more", [("0.7.4", False), ("0.8.0", True), ("0.10.1", True)]
)
def test_older_extensions_get_no_setting_that_they_do_not_know(
    version: str, knows_more: bool
) -> None:
    sql = VectorIndex(version, CHUNKS).search_settings_sql(200)
    assert ("iterative_scan" in sql) is knows_more


@pytest.mark.parametrize(
    "vectors, refined, followed",
    [
        (-1, 10, 400),  # not counted yet
        (100_000, 10, 400),
        (250_000, 10, 577),
        (1_000_000, 10, 1_000),
        (100_000_000, 10, 1_000),
        (100_000, 300, 600),
        (100_000, 9_000, 1_000),
    ],
)
def test_more_vectors_are_followed_in_a_larger_index(
    vectors: int, refined: int, followed: int
) -> None:
    sql = VectorIndex("0.8.5", vectors).search_settings_sql(refined)
    assert f"'hnsw.ef_search', '{followed}'" in sql


def test_the_number_of_indexed_vectors_is_known(memory: Memory) -> None:
    memory.storage.index_vectors()
    index = index_of(memory.storage.database, memory.space)
    assert index is not None
    assert index.vectors == CHUNKS


END_HOLDER_SQL = """
SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND (classid::bigint << 32 | objid::bigint) = %s
"""
WAITING_SQL = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"


def half_built(memory: Memory) -> None:
    """Leave the index as a process does that ends while it builds it."""
    memory.storage.index_vectors()
    database = memory.storage.database
    with database.connect() as connection:
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass",
            (f"{database.quoted_schema}.vectors_1_near",),
        )


@contextmanager
def building(memory: Memory, *, waits_for: str, at: str) -> Iterator[Future[None]]:
    """An index is being built, and waits for a transaction that began with a statement.

    The server has ended the connection that holds the lock of the work. The transaction ends with
    the block.
    """
    database = memory.storage.database
    number = lock_number(database.schema, "index of vectors")
    with (
        ThreadPoolExecutor(1) as threads,
        database.connect() as other,
        database.connect() as looking,
    ):
        looking.execute("RESET ROLE")  # a memory's own role sees nobody else's statements
        other.execute(f"BEGIN; SET search_path = {database.quoted_schema}; {waits_for}")
        built = threads.submit(memory.storage.index_vectors)
        own = (f"{at}{database.quoted_schema}%",)
        wait_until(lambda: looking.execute(WAITING_SQL, own).fetchone() is not None)
        assert looking.execute(END_HOLDER_SQL, (number,)).fetchone() == (True,)
        try:
            yield built
        finally:
            other.execute("COMMIT")


@contextmanager
def acting_as_a_role_of_its_own(memory: Memory) -> Iterator[None]:
    """The memory belongs to a role, as a tenant's may, as which all statements run."""
    database = memory.storage.database
    schema, role = database.quoted_schema, '"builder of an index"'
    with database.connect() as connection:
        connection.execute(
            f"CREATE ROLE {role}; GRANT ALL ON SCHEMA {schema} TO {role}; "
            f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {role}; "
            f"ALTER TABLE {schema}.vectors_1 OWNER TO {role}"
        )
        database.act_as("builder of an index")
        try:
            yield
        finally:
            database.act_as(None)
            connection.execute(
                f"REASSIGN OWNED BY {role} TO CURRENT_USER; DROP OWNED BY {role}; DROP ROLE {role}"
            )


@pytest.mark.parametrize("role", [nullcontext, acting_as_a_role_of_its_own], ids=["own", "tenant"])
def test_an_index_that_is_being_built_is_left_alone(
    memory: Memory, role: Callable[[Memory], AbstractContextManager[object]]
) -> None:
    """By another process that got the lock of the work; searches go on meanwhile."""
    database = memory.storage.database
    with database.connect() as connection:
        connection.execute(f"DROP INDEX IF EXISTS {database.quoted_schema}.vectors_1_near")
    writer = "LOCK TABLE vectors_1 IN ROW EXCLUSIVE MODE"
    with (
        role(memory),
        ThreadPoolExecutor(1) as threads,
        building(memory, waits_for=writer, at="CREATE INDEX%") as built,
    ):
        threads.submit(memory.storage.index_vectors).result(30)
        assert not built.done()
        assert not memory.has_index()
        assert memory.storage.vector_candidates(memory.questions[0], EVERYTHING, limit=1)
    built.result(30)
    assert memory.has_index()


def test_a_build_that_lost_its_lock_does_not_begin(memory: Memory) -> None:
    half_built(memory)
    with building(memory, waits_for="SELECT count(*) FROM vectors_1", at="DROP INDEX%") as built:
        pass
    with pytest.raises(WorkLockLostError, match="of this index of vectors was lost"):
        built.result(30)
    assert not memory.has_index()


def test_a_table_that_is_in_use_for_long_is_told_of(memory: Memory) -> None:
    """As by a backup, which only reads: the half-built index is replaced once it has ended."""
    half_built(memory)
    with memory.storage.database.connect() as other:
        other.execute(f"SET search_path = {memory.storage.database.quoted_schema}")
        with other.transaction():
            other.execute("SELECT count(*) FROM vectors_1")
            with pytest.raises(BusyError, match="the vectors have been in use for over 2 s"):
                memory.storage.index_vectors()
    assert not memory.has_index()
    memory.storage.index_vectors()
    assert memory.has_index()


def test_an_index_goes_with_its_space_and_a_half_built_one_is_replaced(memory: Memory) -> None:
    database = memory.storage.database
    half_built(memory)
    assert not memory.has_index()
    memory.storage.index_vectors()
    assert memory.has_index()
    with database.transaction() as tx:
        memory.storage.spaces().drop(tx, memory.space)
    sql = "SELECT to_regclass(:name)::text"
    name = f"{database.quoted_schema}.vectors_1_near"
    assert database.read(sql, {"name": name}) == [(None,)]
