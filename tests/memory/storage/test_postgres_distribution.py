"""A schema that Citus could put on any node: what its catalogue holds, and what statements name.

Citus itself does not run here. docs/postgresql.md names its limits, and these tests hold a schema
and every statement of a representative run to those that can be seen from outside.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.index.spaces.reindex import reindex
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.manual_runs import maintain_all
from memory.operations.status import read_status
from memory.operations.tokens import create_token, find_token, tokens_of
from memory.records.facts import NewFact, write_fact
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import document, opened, write
from tests.postgres_server import OwnServer, missing_packages

if not missing_packages():
    import psycopg
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow
SCHEMA = "tenant_alone"
VIEWS = ("messages", "embedding_cache_size")


class Statement(NamedTuple):
    """One text that the server got, and the process that ran it."""

    process: str
    sql: str


@pytest.fixture(scope="module")
def statements(own_server: OwnServer, new_folder: Callable[[str], Path]) -> list[Statement]:
    """Everything that the server was told by a run of all that changes or reads a memory."""
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        for name, value in (("log_statement", "all"), ("log_line_prefix", "@%p ")):
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        connection.execute("SELECT pg_reload_conf()")
    base = new_folder("distribution")
    write(base / "docs", {f"{n}.md": document(n, n + 1, n + 2) for n in range(4)})
    with opened(base, backend="postgres", dsn=own_server.dsn, schema=SCHEMA) as workspace:
        use_everything(workspace, base)
    text = own_server.log.read_text("utf-8", "replace")
    return [one for one in logged(text) if own_server.dsn not in one.sql]


def use_everything(workspace: Workspace, base: Path) -> None:
    sync_files(workspace, [base / "docs"])
    (base / "docs/0.md").write_text("# Changed\n\nThe lamp of the lighthouse was changed.\n")
    (base / "docs/1.md").unlink()
    sync_files(workspace, [base / "docs"])
    ingest_text(workspace, "A note about the lighthouse.", tags=["note"])
    said = [NewTurn("s1", "I live in Oslo."), NewTurn("s1", "I moved to Bergen.")]
    process_turns(workspace, said)
    kept = remember(workspace, "User owns a boiler")
    write_fact(workspace, NewFact(category="preference", key="tea", value="Assam"))
    for mode in ("hybrid", "keyword", "vector"):
        search(workspace, "lighthouse lamp", SearchOptions(mode=mode))
    build_context(workspace, ContextRequest("s1", "where do I live"))
    token = create_token(workspace, "agent", scope="read").token
    assert find_token(tokens_of(workspace), token).token
    assert maintain_all(workspace)[1] is None
    collect_garbage(workspace)
    reindex(workspace, provider="static")
    read_status(workspace, statistics=True)
    forget(workspace, ForgetRequest(memory_ids=(kept.id,)), proven=True)
    with workspace.storage.database.transaction() as tx:
        tx.run("DELETE FROM keyword_entries")
    assert checkup(workspace, fix=True).healthy
    read_status(workspace)


def logged(text: str) -> Iterator[Statement]:
    """The statements in a log, whose further lines begin with a tab."""
    for entry in re.split(r"^@", text, flags=re.MULTILINE):
        found = re.match(r"(\d+) LOG:  (?:statement|execute [^:]*): (.*)", entry, re.DOTALL)
        if found:
            yield Statement(found[1], found[2].replace("\n\t", "\n").strip())


def rows(server: OwnServer, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.dsn) as connection:
        return connection.execute(sql, {"schema": SCHEMA}).fetchall()


OF_SCHEMA = "SELECT oid FROM pg_namespace WHERE nspname = %(schema)s"

NOTHING = {
    "a trigger": f"""
        SELECT t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
        WHERE c.relnamespace = ({OF_SCHEMA}) AND NOT t.tgisinternal""",
    "a rule that is no view's": f"""
        SELECT r.rulename FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
        WHERE c.relnamespace = ({OF_SCHEMA}) AND c.relkind <> 'v'""",
    "a function": f"SELECT proname FROM pg_proc WHERE pronamespace = ({OF_SCHEMA})",
    "a type that is no table's": f"""
        SELECT typname FROM pg_type WHERE typnamespace = ({OF_SCHEMA})
            AND typrelid = 0 AND typelem = 0""",
    "a sequence of no column": f"""
        SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = ({OF_SCHEMA})
            AND c.relkind = 'S' AND NOT EXISTS (SELECT 1 FROM pg_depend AS d
                JOIN pg_class AS t ON t.oid = d.refobjid
                WHERE d.objid = c.oid AND d.deptype = 'i' AND t.relnamespace = c.relnamespace)""",
    "an identity of another type than bigint": """
        SELECT table_name FROM information_schema.columns
        WHERE table_schema = %(schema)s AND is_identity = 'YES' AND data_type <> 'bigint'""",
    "a reference to another schema": f"""
        SELECT k.conname FROM pg_constraint AS k JOIN pg_class AS o ON o.oid = k.confrelid
        WHERE k.connamespace = ({OF_SCHEMA}) AND o.relnamespace <> k.connamespace""",
    "a table of another kind": f"""
        SELECT relname FROM pg_class WHERE relnamespace = ({OF_SCHEMA})
            AND (relkind NOT IN ('r', 'i', 'v', 'S') OR relpersistence <> 'p' OR relispartition)""",
    "a table that inherits": f"""
        SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE c.relnamespace = ({OF_SCHEMA})""",
    "a column of a type from elsewhere": f"""
        SELECT c.relname, a.attname, t.typname FROM pg_attribute AS a
        JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE c.relnamespace = ({OF_SCHEMA}) AND c.relkind = 'r' AND t.typname <> 'halfvec'
            AND t.typnamespace <> 'pg_catalog'::regnamespace""",
    "a dependence on another schema": f"""
        SELECT o.relname FROM pg_depend AS d JOIN pg_class AS own ON own.oid = d.objid
        JOIN pg_class AS o ON o.oid = d.refobjid
        WHERE own.relnamespace = ({OF_SCHEMA})
            AND o.relnamespace NOT IN (own.relnamespace, 'pg_catalog'::regnamespace)""",
}
"""What a schema of ours may not hold, and what finds it."""


@pytest.mark.parametrize("sql", NOTHING.values(), ids=NOTHING)
def test_the_schema_holds_none_of_it(
    statements: list[Statement],
    own_server: OwnServer,
    sql: str,
) -> None:
    assert rows(own_server, sql) == []


TABLE = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VACUUM|REINDEX INDEX)\s+(?:ONLY\s+)?"
    r'("[^"]+"|\w+)\.("[^"]+"|\w+)',
    re.IGNORECASE,
)
CATALOGUES = ("pg_catalog", "information_schema")


def plain(sql: str) -> str:
    """A statement without its texts, which may hold anything."""
    return re.sub(r"'(?:[^']|'')*'", "''", sql)


def test_the_log_has_the_whole_run(statements: list[Statement]) -> None:
    text = "\n".join(one.sql for one in statements)
    for part in (
        "CREATE TABLE posting_blocks",
        "INSERT INTO chunks",
        "DELETE FROM",
        "VACUUM",
        "BEGIN",
    ):
        assert part in text
    assert len(statements) > 500


def test_the_log_is_read_as_the_server_writes_it() -> None:
    text = "@7 LOG:  statement: SELECT a\n\tFROM b.c\n@7 DETAIL:  x\n@8 LOG:  execute <unnamed>: D"
    found = list(logged(text))
    assert found == [Statement("7", "SELECT a\nFROM b.c"), Statement("8", "D")]
    assert TABLE.findall(found[0].sql) == [("b", "c")]


def test_no_statement_names_another_schema(statements: list[Statement]) -> None:
    named = {
        found[1].strip('"')
        for one in statements
        for found in TABLE.finditer(plain(one.sql))
        if found[1] not in CATALOGUES
    }
    assert named <= {SCHEMA}  # VACUUM runs outside a transaction, and so without a path
    paths = {
        path for one in statements for path in re.findall(r"search_path\s*=\s*([^;\n]+)", one.sql)
    }
    assert paths == {f'"{SCHEMA}", pg_temp'}


def test_every_table_is_named_inside_a_transaction_with_its_path(
    statements: list[Statement],
    own_server: OwnServer,
) -> None:
    tables = [str(name) for (name,) in rows(own_server, _RELATIONS)]
    ours = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:{'|'.join(tables)}|vectors_\d+)\b", re.I)
    has_path: dict[str, bool] = {}
    without = []
    for one in statements:
        sql = plain(one.sql)
        begins = "search_path" in sql
        if re.match(r"(COMMIT|ROLLBACK)\b", sql, re.IGNORECASE):
            has_path[one.process] = False
        elif sql.startswith("BEGIN"):
            has_path[one.process] = begins
        elif begins and not sql.startswith("SET LOCAL search_path"):
            without.append(one.sql)
        elif begins and sql.rstrip("; ").endswith("RESET ROLE"):
            has_path[one.process] = True  # alone, as the first one in a transaction
        if ours.search(sql) and not (begins or has_path.get(one.process)):
            without.append(one.sql)
    assert without[:3] == []


_RELATIONS = f"SELECT relname FROM pg_class WHERE relnamespace = ({OF_SCHEMA}) AND relkind = 'r'"

REFUSED = {
    "a view is written to": rf"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?:{'|'.join(VIEWS)})\b",
    "a trigger, rule, function or temporary table": (
        r"\bCREATE\s+(?:OR\s+REPLACE\s+)?"
        r"(?:CONSTRAINT\s+)?(?:TRIGGER|RULE|FUNCTION|PROCEDURE|TEMP|TEMPORARY|UNLOGGED)\b"
    ),
    "a table made by a query": r"\bCREATE\s+TABLE\s+\w+\s+AS\b|\bSELECT\b[^;]*\bINTO\s+(?:TABLE)\b",
    "a schema made together with its tables": r"\bCREATE\s+SCHEMA\b[^;]*\bCREATE\s+TABLE\b",
    "a table moved between schemas": r"\bSET\s+SCHEMA\b",
    "a sequence by its name": r"\b(?:nextval|currval|lastval)\s*\(",
    "a column that becomes an identity": r"\bALTER\s+TABLE\b[^;]*\bIDENTITY\b",
    "rows locked one by one": r"\bFOR\s+(?:UPDATE|SHARE|NO\s+KEY)\b",
    "MERGE or TABLESAMPLE": r"\bMERGE\s+INTO\b|\bTABLESAMPLE\b",
    "a subquery among the values of an INSERT": (
        r"\bINSERT\s+INTO\s+\w+\s*(?:\([^()]*\))?\s*VALUES\s*\([^;]*\(\s*SELECT\b"
    ),
    "a volatile function in an UPDATE": (
        r"\bUPDATE\s+\w+\s+SET\b[^;]*\b(?:random|clock_timestamp|gen_random_uuid|setval)\s*\("
    ),
}
"""Statements that Citus refuses, or that would need a second node."""


EXAMPLES = (
    "UPDATE messages SET content = 'x'",
    "CREATE TRIGGER t AFTER INSERT ON chunks",
    "CREATE TABLE copied AS SELECT 1",
    "CREATE SCHEMA tenant_a CREATE TABLE t (x int)",
    "ALTER TABLE chunks SET SCHEMA tenant_b",
    "INSERT INTO chunks (id) VALUES (nextval('numbers'))",
    "ALTER TABLE chunks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY",
    "SELECT 1 FROM meta FOR UPDATE",
    "MERGE INTO chunks USING files ON true",
    "INSERT INTO meta (key, value_json) VALUES ('a', (SELECT max(id) FROM chunks))",
    "UPDATE chunks SET ordinal = random()",
)


@pytest.mark.parametrize(
    "pattern, example", list(zip(REFUSED.values(), EXAMPLES, strict=True)), ids=REFUSED
)
def test_a_refused_statement_is_noticed(pattern: str, example: str) -> None:
    assert re.search(pattern, plain(example), re.IGNORECASE)


@pytest.mark.parametrize("pattern", REFUSED.values(), ids=REFUSED)
def test_no_statement_does_it(statements: list[Statement], pattern: str) -> None:
    wrong = re.compile(pattern, re.IGNORECASE)
    assert [one.sql[:300] for one in statements if wrong.search(plain(one.sql))][:3] == []
