"""Memories that may have replaced another one: nobody has said so clearly."""

from collections.abc import Iterator
from typing import Final

from memory.conversations.memories.values import UNCONFIRMED
from memory.operations.audit.values import AuditFinding, excerpt, forget
from memory.storage import Database
from memory.values.inserted_values import text_of

_PAIRS_SQL: Final = """
SELECT doubted.id, doubted.content, held.id, held.content
FROM memories AS doubted
LEFT JOIN memories AS held ON held.slot = doubted.slot AND held.status = 'active'
WHERE doubted.status = 'archived' AND doubted.tags_json LIKE :tag
ORDER BY doubted.id, held.occurred_at DESC, held.id DESC
"""


def unconfirmed(database: Database) -> Iterator[AuditFinding]:
    """Find each unconfirmed memory, with the present one that it may have replaced."""
    last = None
    for doubted, content, held, present in database.read(_PAIRS_SQL, {"tag": f'%"{UNCONFIRMED}"%'}):
        if doubted == last:  # a slot may hold a value in several words
            continue
        last = doubted
        why = "nobody has confirmed it"
        if held is not None:
            why = f"it may have replaced memory {held}: {excerpt(text_of(present))}"
        citation = f"memory {doubted}"
        why = f"{why}; if it is not so: {forget(citation)}"
        yield AuditFinding(
            kind="unconfirmed",
            ids=[f"memory:{one}" for one in (doubted, held) if one is not None],
            citation=citation,
            excerpt=text_of(content),
            why=why,
            commands=[f"mem memories confirm {doubted}"],
        )
