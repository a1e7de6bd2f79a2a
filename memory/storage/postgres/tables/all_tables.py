"""The tables and indexes of a new schema, as the newest version has them.

They are those of a SQLite database of the version in `SAME_AS`, except what PostgreSQL's own index
of words, change log and vectors need. Every TEXT is compared byte by byte: `COLLATE "C"`. Values
that may be long have indexes of their hashes, since a B-tree takes no more than some 2,700 bytes.
"""

import re
from typing import Final

from memory.storage.postgres.column_defaults import ANY_KEY, NOW
from memory.storage.postgres.definitions import LAST_NAMES
from memory.storage.postgres.statements import tags_sql
from memory.storage.postgres.tables.bookkeeping import BOOKKEEPING_SQL
from memory.storage.postgres.tables.conversations import CONVERSATIONS_SQL
from memory.storage.postgres.tables.documents import DOCUMENTS_SQL
from memory.storage.postgres.tables.records import RECORDS_SQL
from memory.storage.postgres.tables.words_and_changes import WORDS_AND_CHANGES_SQL

SAME_AS: Final = 24
"""The version of SQLite's tables that have the same columns."""

_ALL: Final = (
    BOOKKEEPING_SQL + DOCUMENTS_SQL + CONVERSATIONS_SQL + RECORDS_SQL + WORDS_AND_CHANGES_SQL
)


def tables_sql() -> str:
    """Return the statements that create them in the schema of the search path."""
    text = _ALL.replace("{NOW}", NOW).replace("{ANY_KEY}", ANY_KEY)
    text = text.replace("{LAST_NAMES}", LAST_NAMES.replace("c.defines", "defines"))
    text = text.replace("{TAGS}", tags_sql("tags"))
    return re.sub(r"\bTEXT\b", 'text COLLATE "C"', text)
