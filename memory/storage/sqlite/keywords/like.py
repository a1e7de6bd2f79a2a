"""Words compared with texts by LIKE, in SQLite."""

import json
from collections.abc import Sequence
from typing import Any, Final

from contracts import Scope
from memory.storage.portable.like import LikeIndex
from memory.storage.sqlite.scope import scope_sql
from memory.storage.values import Parameters, Row

_HELD_SQL: Final = """(
    SELECT count(DISTINCT p.value ->> 0) FROM json_each(:{name}) AS p
    WHERE (c.heading || char(10) || c.text || char(10) || coalesce(c.metadata ->> 'speaker', ''))
        LIKE (p.value ->> 1) ESCAPE '\\'
)"""


class SqliteLike(LikeIndex):
    """`LikeIndex` over a SQLite database."""

    def _held_sql(self, name: str) -> str:
        return _HELD_SQL.format(name=name)

    def _phrases(self, name: str, patterns: Sequence[tuple[int, str]]) -> dict[str, Any]:
        return {name: json.dumps(patterns)}

    def _scope_sql(self, scope: Scope, generation: str | None) -> tuple[list[str], dict[str, Any]]:
        return scope_sql(scope, generation)

    def _read(self, sql: str, values: Parameters) -> list[Row]:
        return self._database.read(sql, values)
