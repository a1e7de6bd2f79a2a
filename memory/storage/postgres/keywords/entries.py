"""The entries of the keyword index in PostgreSQL: the words of a chunk, in four columns.

Words are the tokens of FTS5's tokenizer, and scores the BM25 of FTS5, so that answers are those of
SQLite.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final

import apsw

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.portable.tokens import tokenizer
from memory.storage.postgres.writing.posting_blocks import (
    array_text,
    merge_recent,
    merge_written,
    write_blocks,
)
from memory.storage.postgres.writing.transaction import own_transaction

LONGEST_TERM: Final = 400
"""The characters of a word that are kept; of a longer one the rest is a digest."""

BEYOND: Final = "\U0010ffff"
"""Sorts after every character of a word."""

FEWEST_OF_MANY: Final = 64
"""The entries of a transaction that is probably one of many, as in a sync."""

_local = threading.local()

_PRESENT_SQL = "SELECT id FROM chunks WHERE id IN (:ids)"
_INDEXED_SQL = "SELECT chunk_id FROM keyword_entries WHERE chunk_id IN (:ids)"
_ENTER_SQL = """
WITH entered AS (
    INSERT INTO keyword_entries (chunk_id, counts)
    SELECT c.id, one.counts::integer[]
    FROM unnest(:ids::bigint[], :counts::text[]) WITH ORDINALITY AS one (id, counts, place)
    JOIN chunks AS c ON c.id = one.id ORDER BY one.place
    RETURNING entry_id, chunk_id, counts
), counted AS (
    UPDATE keyword_totals SET entries = entries + (SELECT count(*) FROM entered),
        words = words + (SELECT coalesce(sum(n), 0) FROM entered, unnest(entered.counts) AS n)
)
SELECT entry_id, chunk_id FROM entered
"""


def tokens_of(text: str) -> list[str]:
    """Return the words of a text as the index stores them."""
    split: Callable[[str], list[str]] | None = getattr(_local, "split", None)
    if split is None:
        _local.connection = apsw.Connection(":memory:")
        split = _local.split = tokenizer(_local.connection)
    return [token if len(token) <= LONGEST_TERM else _kept(token) for token in split(text)]


def _kept(token: str) -> str:
    rest = blake2b(token[LONGEST_TERM:].encode(), digest_size=16).hexdigest()
    return f"{token[:LONGEST_TERM]} {rest}"


def index_new(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write the keyword entries of chunks that this transaction has made, before it ends."""
    own_transaction(tx).write_later(_enter, fields)


def _enter(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write the entries of chunks that have none; those deleted meanwhile get none."""
    columns = {chunk_id: _entry(one) for chunk_id, one in fields.items()}
    counts = [array_text(map(len, tokens)) for tokens in columns.values()]
    rows = tx.run(_ENTER_SQL, {"ids": list(columns), "counts": counts})
    if not rows:
        return
    own = own_transaction(tx)
    entries = {entry_id: columns[chunk_id] for entry_id, chunk_id in rows}
    terms = write_blocks(own.connection, entries)
    if len(entries) < FEWEST_OF_MANY:
        merge_recent(own.connection, terms, last=max(entries))
        return
    unmerged = own.unmerged
    unmerged.terms |= terms
    unmerged.entries += len(entries)
    unmerged.first = min(entries) if unmerged.first is None else unmerged.first
    merge_written(own.connection, unmerged)


def write_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write or replace the keyword entries of these chunks; those deleted meanwhile get none."""
    own_transaction(tx).remove_entries(list(fields))
    _enter(tx, fields)


def add_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write them as `write_fields` does and log it; for chunks that are not new themselves."""
    write_fields(tx, fields)
    present = tx.run(f"{_PRESENT_SQL} ORDER BY id", {"ids": list(fields)})
    own_transaction(tx).log_chunks(row[0] for row in present)


def rewrite_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Replace the keyword entries of these chunks and log it; chunks without one get none."""
    indexed = tx.run(_INDEXED_SQL, {"ids": list(fields)})
    add_fields(tx, {chunk_id: fields[chunk_id] for (chunk_id,) in indexed})


def remove_fields(tx: Transaction, chunk_ids: Sequence[int]) -> None:
    """Remove the keyword entries of these chunks and log it; the chunks stay."""
    own_transaction(tx).remove_entries(chunk_ids)
    own_transaction(tx).log_chunks(chunk_ids)


def word_counts(fields: KeywordFields) -> list[int]:
    """Return the word counts per column that an entry of these texts has."""
    return [len(tokens) for tokens in _entry(fields)]


def _entry(fields: KeywordFields) -> list[list[str]]:
    texts = (fields.text, fields.title, fields.neighbours, fields.identifiers)
    return [tokens_of(text) for text in texts]


def phrases_of(
    phrases: Iterable[Sequence[str]], *, is_prefix: bool = False
) -> Iterator[tuple[list[str], bool]]:
    """Return the words of each phrase that has one, and whether the last one is a beginning."""
    for words in phrases:
        found = tokens_of(" ".join(words))
        if any(found):
            yield found, is_prefix
