"""Statements that the check accepts and refuses; and a test that fails by it."""

import pytest

from memory.storage.opening import IN_MEMORY, open_storage
from memory.storage.pending_purge import mark_purge_pending
from tests.portable_sql import faults

PORTABLE = (
    "SELECT id, count(*) FROM turns WHERE id IN (:ids) GROUP BY id ORDER BY id DESC LIMIT :most",
    "SELECT coalesce(max(a), 0) FROM t LEFT JOIN u ON u.id = t.id WHERE t.b IS NOT NULL LIMIT 4",
    "SELECT 1 FROM t WHERE list_holds(tags, :tag) AND NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
    "INSERT INTO t (a) VALUES (:a) ON CONFLICT (a) DO UPDATE SET a = excluded.a RETURNING a",
    "UPDATE t SET a = CASE WHEN b = 'x' THEN :a ELSE a END WHERE (a, b) < (:a, :b)",
    "DELETE FROM t WHERE lower(a) LIKE lower(:like) ESCAPE '!' OR substr(a, 1, 3) = 'abc'",
    "SELECT id FROM chunks ORDER BY coalesce(start_line, 0), occurred_at, id",
    "SELECT DISTINCT episode_id FROM turns WHERE episode_id IS NOT NULL ORDER BY episode_id",
    "SELECT a, row_number() OVER (ORDER BY a) FROM (SELECT a FROM t UNION ALL SELECT 1) AS v",
)
REFUSED = (
    "SELECT 1 FROM t WHERE id IN (SELECT value FROM json_each(:ids))",
    "SELECT json_extract(a, '$.b') FROM t",
    "SELECT rowid FROM t",
    "SELECT t.rowid FROM t",
    "SELECT a FROM t LIMIT -1",
    "SELECT a FROM t WHERE instr(a, :word) > 0",
    "SELECT a FROM t WHERE a GLOB 'x*'",
    "SELECT CAST(a AS BLOB) FROM t",
    "SELECT CAST(a AS REAL) FROM t",
    "INSERT OR REPLACE INTO t (a) VALUES (:a)",
    "INSERT OR IGNORE INTO t (a) VALUES (:a)",
    "REPLACE INTO t (a) VALUES (:a)",
    "PRAGMA user_version",
    "SELECT seq FROM sqlite_sequence",
    "SELECT name FROM pragma_table_info('t')",
    "SELECT count(*) FROM chunks_fts_docsize",
    "SELECT chunk_id FROM vector_codes_1",
    'SELECT a FROM t WHERE b = "text"',
    "SELECT total(a), group_concat(b) FROM t",
    "SELECT max(a, b) FROM t",
    "SELECT round(a, 2) FROM t",
    "SELECT sum(a = 1) FROM t",
    "SELECT strftime('%Y', a), datetime(b) FROM t",
    "SELECT ifnull(a, 0) FROM t",
    "SELECT iif(a, 1, 0) FROM t",
    "SELECT unhex(a) FROM t",
    "SELECT id FROM chunks ORDER BY start_line, id",
    "SELECT id FROM memories ORDER BY last_seen_at DESC, id DESC",
    "SELECT a FROM t WHERE a IS :a",
    "SELECT a FROM t WHERE a IS NOT :a",
    "SELECT a FROM t WHERE b",
    "SELECT a FROM t WHERE b = 1 AND c",
    "SELECT a FROM t WHERE t MATCH :words",
    "SELECT 1 << 62 FROM t",
    "SELECT a FROM (SELECT a FROM t)",
    "SELECT typeof(a) FROM t",
    "SELECT main.t.a FROM main.t",
    "SELECT a FROM t; SELECT b FROM t",
    "SELECT list_holds(tags) FROM t",
    "REINDEX",
    "DROP TABLE t",
    "SELECT a FROM",
)


@pytest.mark.parametrize("sql", PORTABLE)
def test_what_both_engines_have_passes(sql: str) -> None:
    assert faults(sql) == []


@pytest.mark.parametrize("sql", REFUSED)
def test_what_one_engine_lacks_is_refused(sql: str) -> None:
    assert faults(sql) != []


def test_statements_of_the_program_are_looked_at(statements_at_fault: list[str]) -> None:
    """A stranger's statement is let pass; the same one fails a test when a store runs it."""
    storage = open_storage(IN_MEMORY)
    storage.database.read("SELECT count(*) FROM json_each('[]')")
    assert statements_at_fault == []
    run_by_store = compile("run(sql)", mark_purge_pending.__code__.co_filename, "eval")
    sql = "SELECT count(*) FROM json_each('[]')"
    eval(run_by_store, {"run": storage.database.read, "sql": sql})
    assert [told for told in statements_at_fault if told.endswith(sql)]
    statements_at_fault.clear()
    storage.close()
