"""Words compared with texts by LIKE, in PostgreSQL."""

from collections.abc import Sequence
from typing import Any, Final

from contracts import Scope
from memory.storage.portable.like import LikeIndex
from memory.storage.postgres.scope import scope_sql
from memory.storage.postgres.statements import json_sql
from memory.storage.values import Parameters, Row

_SPEAKER: Final = f"coalesce({json_sql('c.metadata')} ->> 'speaker', '')"
_HELD_SQL: Final = f"""(
    SELECT count(DISTINCT p.n)
    FROM unnest(:{{name}}_n::integer[], :{{name}}::text[]) AS p (n, pattern)
    WHERE (c.heading || chr(10) || c.text || chr(10) || {_SPEAKER})
        LIKE p.pattern ESCAPE '\\'
)"""


class PostgresLike(LikeIndex):
    """`LikeIndex` over a schema of PostgreSQL."""

    def _held_sql(self, name: str) -> str:
        return _HELD_SQL.format(name=name)

    def _phrases(self, name: str, patterns: Sequence[tuple[int, str]]) -> dict[str, Any]:
        numbers = [number for number, _ in patterns]
        return {f"{name}_n": numbers, name: [pattern for _, pattern in patterns]}

    def _scope_sql(self, scope: Scope, generation: str | None) -> tuple[list[str], dict[str, Any]]:
        return scope_sql(scope, generation)

    def _read(self, sql: str, values: Parameters) -> list[Row]:
        return self._database.read(sql, values)
