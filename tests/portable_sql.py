"""Holds the SQL of the domain stores to what SQLite and PostgreSQL both have.

Every statement that a test runs from outside the SQLite backend is parsed as PostgreSQL and every
part of it looked up in a list of what is allowed: that it can be parsed proves nothing, since
`json_each`, `rowid` and `LIMIT -1` can be. The test that ran one with something else in it fails.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from memory.storage.sqlite import SqliteStorage, database
from tests.repository import PACKAGES, ROOT

OURS = {"list_holds": 2}
"""Functions that every backend translates, and how many arguments they have."""

NAMES = frozenset(
    (
        *("abs", "avg", "coalesce", "concat_ws", "count", "length", "lower", "ltrim", "max", "min"),
        *("random", "replace", "round", "row_number", "rtrim", "substr", "sum", "trim", "upper"),
        *OURS,
    )
)
"""Functions as both engines write them; the parser takes those of others for the same."""

FUNCTIONS = (
    *(exp.Abs, exp.Anonymous, exp.Avg, exp.Coalesce, exp.ConcatWs, exp.Count, exp.Length),
    *(exp.Lower, exp.Max, exp.Min, exp.Rand, exp.Replace, exp.Round, exp.RowNumber),
    *(exp.Substring, exp.Sum, exp.Trim, exp.Upper),
)
COMPARISONS = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Exists),
    *(exp.Like, exp.Escape),
)
CLAUSES = (
    *(exp.Alias, exp.CTE, exp.Case, exp.Cast, exp.DataType, exp.Distinct, exp.From, exp.Group),
    *(exp.Having, exp.If, exp.Join, exp.Limit, exp.OnConflict, exp.Order, exp.Ordered),
    *(exp.Returning, exp.Schema, exp.Subquery, exp.Table, exp.TableAlias, exp.Tuple, exp.Union),
    *(exp.Values, exp.Var, exp.Where, exp.Window, exp.With),
)
STATEMENTS = (exp.Select, exp.Insert, exp.Update, exp.Delete)
EXPRESSIONS = (
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.DPipe, exp.Paren),
    *(exp.And, exp.Or, exp.Not, exp.Boolean, exp.Null, exp.Literal, exp.Star),
    *(exp.Column, exp.Identifier, exp.Placeholder),
)
ALLOWED = frozenset((*FUNCTIONS, *COMPARISONS, *CLAUSES, *STATEMENTS, *EXPRESSIONS))
TYPES = frozenset((exp.DataType.Type.TEXT, exp.DataType.Type.INT, exp.DataType.Type.BIGINT))
ROW_NUMBERS = frozenset(("rowid", "_rowid_", "oid", "ctid"))
OF_SQLITE = ("sqlite_", "pragma_", "chunks_fts", "vector_codes_")
"""The beginnings of the names of tables that only the SQLite backend has."""

_BACKEND = str(ROOT / "memory" / "storage" / "sqlite")
_OUTSIDE = tuple(f"{ROOT / package}/" for package in PACKAGES)


def faults(sql: str) -> list[str]:
    """Every part of a statement that one of the two engines lacks."""
    text = _with_plain_parameters(sql)
    try:
        parsed = [one for one in sqlglot.parse(text, dialect="postgres") if one is not None]
    except SqlglotError as error:
        return [f"cannot be parsed: {error}"]
    if len(parsed) != 1:
        return [f"holds {len(parsed)} statements"]
    return [
        f"{type(node).__name__}: {node.sql()}"
        for node in parsed[0].walk()
        if _is_foreign(node, text)
    ]


def _with_plain_parameters(sql: str) -> str:
    """The same statement, in which no parameter is called like a word of SQL."""
    return re.sub(r"(?<!:):(?=[a-z_])", ":p_", sql)


def _is_foreign(node: exp.Expression, text: str) -> bool:
    if type(node) not in ALLOWED:
        return True
    if isinstance(node, exp.Func) and "start" in node.meta:
        written = text[node.meta["start"] : node.meta["end"] + 1].lower()
        if written not in NAMES:
            return True
    return any(isinstance(node, kind) and is_foreign(node) for kind, is_foreign in _RULES)


def _is_foreign_limit(node: exp.Expression) -> bool:
    count = node.args["expression"]
    return not isinstance(count, exp.Placeholder | exp.Literal)


@cache
def _nullable() -> frozenset[str]:
    """The columns that may be NULL in every table that has them."""
    with closing(SqliteStorage.in_memory()) as storage:
        sql = """SELECT c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
            GROUP BY c.name HAVING max(c."notnull" OR c.pk > 0) = 0"""
        return frozenset(name for (name,) in storage.database.read(sql))


def _may_be_null(node: exp.Expression) -> bool:
    """SQLite sorts NULL first, PostgreSQL last: an expression has to say what it counts as."""
    if not isinstance(node, exp.Column) or node.name.lower() not in _nullable():
        return False
    excluded = (one.this for one in node.root().find_all(exp.Is) if _excludes_null(one))
    return all(column.name.lower() != node.name.lower() for column in excluded)


def _excludes_null(node: exp.Is) -> bool:
    """`IS NOT NULL`, which older versions of the parser take for a negation of `IS NULL`."""
    is_negated = bool(node.args.get("negate")) or isinstance(node.parent, exp.Not)
    return is_negated and isinstance(node.expression, exp.Null)


def _is_condition(node: exp.Expression | None) -> bool:
    """PostgreSQL takes no number for a truth value. What a parameter is cannot be seen."""
    if isinstance(node, exp.Paren):
        return _is_condition(node.this)
    known = (*COMPARISONS, exp.And, exp.Or, exp.Not, exp.Placeholder, exp.Boolean)
    ours = isinstance(node, exp.Anonymous) and node.name in OURS
    return ours or isinstance(node, known)


_RULES: tuple[tuple[Any, Callable[[Any], bool]], ...] = (
    (exp.Identifier, lambda node: node.args.get("quoted") or node.name.lower() in ROW_NUMBERS),
    (exp.Table, lambda node: not isinstance(node.this, exp.Identifier)),
    (exp.Table, lambda node: node.name.lower().startswith(OF_SQLITE)),
    (exp.Table, lambda node: bool(node.args.get("db"))),
    (exp.Subquery, lambda node: isinstance(node.parent, exp.From | exp.Join) and not node.alias),
    (exp.Anonymous, lambda node: OURS.get(node.name) != len(node.expressions)),
    (exp.Max | exp.Min, lambda node: bool(node.expressions)),
    (exp.Round, lambda node: node.args.get("decimals") is not None),
    (exp.Sum, lambda node: isinstance(node.this, COMPARISONS)),
    (exp.Ordered, lambda node: _may_be_null(node.this)),
    (exp.Limit, _is_foreign_limit),
    (exp.DataType, lambda node: node.this not in TYPES),
    (exp.Insert, lambda node: bool(node.args.get("alternative"))),
    (exp.Join, lambda node: bool(node.args.get("method"))),
    (exp.Group, lambda node: bool(node.args.get("cube") or node.args.get("rollup"))),
    (exp.Where | exp.Having | exp.Not, lambda node: not _is_condition(node.this)),
    (exp.And | exp.Or, lambda node: not (_is_condition(node.left) and _is_condition(node.right))),
    (exp.Is, lambda node: not isinstance(node.expression, exp.Null | exp.Not | exp.Boolean)),
)


class _Verdict(NamedTuple):
    faults: list[str]
    limits: list[str]


@cache
def _verdict(sql: str) -> _Verdict:
    """The faults of a statement, and the parameters that limit its rows."""
    found = faults(sql)
    if found:
        return _Verdict(found, [])
    limits = sqlglot.parse_one(_with_plain_parameters(sql), dialect="postgres").find_all(exp.Limit)
    counts = [limit.args["expression"] for limit in limits]
    names = [one.name for one in counts if isinstance(one, exp.Placeholder)]
    return _Verdict([], [name.removeprefix("p_") for name in names])


def _is_watched() -> bool:
    """Return whether the statement comes from the program, except its SQLite backend."""
    frame = sys._getframe(3)
    while frame.f_back is not None and frame.f_code.co_filename == database.__file__:
        frame = frame.f_back
    caller = frame.f_code.co_filename
    return caller.startswith(_OUTSIDE) and not caller.startswith(_BACKEND)


@pytest.fixture(autouse=True, scope="session")
def statements_at_fault() -> Iterator[list[str]]:
    """The faults of the statements that are run, in their order."""
    told: list[str] = []
    translate = database.in_sqlite

    def watched(sql: str, parameters: Mapping[str, Any] | None = None) -> Any:
        if _is_watched():
            verdict = _verdict(sql)
            told.extend(f"{fault} in {sql}" for fault in verdict.faults)
            limits = [parameters[name] for name in verdict.limits] if parameters else []
            told.extend(f"LIMIT {limit} in {sql}" for limit in limits if limit < 0)
        return translate(sql, parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "in_sqlite", watched)
        yield told


@pytest.fixture(autouse=True)
def portable_sql(statements_at_fault: list[str]) -> Iterator[None]:
    """Fail a test whose statements are not those of both engines."""
    statements_at_fault.clear()
    yield
    assert statements_at_fault == [], "SQL that only one engine has"
