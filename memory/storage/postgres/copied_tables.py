"""The tables that a copy of a memory consists of, whichever backend keeps it.

What is derived is left out: keyword entries, vectors and spaces, which each backend writes itself,
and the logs of changes of chunks, which belong to one database.
"""

import re
from typing import Final

from memory.storage.postgres.tables import tables_sql
from memory.storage.values import CopiedTable

_DERIVED: Final = frozenset(
    {
        *("changes", "keyword_entries", "keyword_totals", "keywords_beside", "log_ends"),
        *("posting_blocks", "removed_entries", "spaces"),
    }
)
_TABLE: Final = re.compile(r"CREATE TABLE (\w+) \((.*?)\);", re.DOTALL)
_COLUMN: Final = re.compile(
    r"(?:^|,)\s*(\w+) (?:text|bigint|integer|double|bytea|boolean|jsonb)\b(?P<rest>[^,]*)",
    re.IGNORECASE,
)
_KEY: Final = re.compile(r"PRIMARY KEY \(([\w, ]+)\)")


def tables_to_copy() -> list[CopiedTable]:
    """Return them so that each comes after those to which its rows refer."""
    found = []
    for name, body in _TABLE.findall(tables_sql().replace(' COLLATE "C"', "")):
        if name in _DERIVED:
            continue
        columns = {one[1]: one["rest"] for one in _COLUMN.finditer(body)}
        whole = _KEY.search(body)
        key = (
            tuple(whole[1].split(", "))
            if whole
            else tuple(column for column, rest in columns.items() if "PRIMARY KEY" in rest)
        )
        found.append(
            CopiedTable(
                name,
                tuple(one for one, rest in columns.items() if "ALWAYS AS" not in rest.upper()),
                key,
                tuple(one for one, rest in columns.items() if f"REFERENCES {name} " in rest),
            )
        )
    return found
