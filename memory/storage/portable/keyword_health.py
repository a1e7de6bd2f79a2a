"""The rules for keyword entries that both backends check."""

from typing import Final

from memory.storage.database import Database, Transaction

ANSWERS: Final = """(
    NOT EXISTS (SELECT 1 FROM spaces WHERE state = 'active')
    OR c.generation IN (SELECT generation FROM spaces WHERE state = 'active')
    OR c.generation NOT IN (SELECT generation FROM spaces)
)"""
"""The condition that a chunk `c` is searchable."""

_STRAY: Final = "FROM keywords_beside WHERE generation NOT IN (SELECT generation FROM spaces)"


class PortableKeywordHealth:
    """The part of `KeywordHealth` that needs no entries; see there for each method."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def strays(self) -> list[str]:
        return [row[0] for row in self._database.read(f"SELECT generation {_STRAY}")]

    def forget_strays(self, tx: Transaction) -> None:
        tx.run(f"DELETE {_STRAY}")
