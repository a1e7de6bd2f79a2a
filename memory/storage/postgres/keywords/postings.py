"""The keyword index in PostgreSQL: one posting for each word and chunk.

Words are the tokens of FTS5's tokenizer, and scores the BM25 of FTS5, so that answers are those of
SQLite. A place is the number of a column times `COLUMN` plus the number of a word in it.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final

import apsw
import psycopg

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.portable.tokens import tokenizer
from memory.storage.postgres.connection import own_transaction
from memory.storage.postgres.logged_statements import remove_entries

COLUMN: Final = 1 << 28
WEIGHTS: Final = (1.0, 2.0, 0.3, 0.5)
"""Column weights of text, title, neighbours, identifiers; those of the SQLite backend."""

LONGEST_TERM: Final = 400
"""The characters of a word that are kept; of a longer one the rest is a digest."""

BEYOND: Final = "\U0010ffff"
"""Sorts after every character of a word."""

_local = threading.local()

_PRESENT_SQL = "SELECT id FROM chunks WHERE id IN (:ids)"
_INDEXED_SQL = "SELECT chunk_id FROM keyword_entries WHERE chunk_id IN (:ids)"
_TOTALS_SQL = "UPDATE keyword_totals SET entries = entries + :entries, words = words + :words"
_COPY_ENTRIES_SQL = "COPY keyword_entries (chunk_id, counts) FROM STDIN"
_COPY_POSTINGS_SQL = "COPY postings (term, chunk_id, frequency, places) FROM STDIN"


def tokens_of(text: str) -> list[str]:
    """Return the words of a text as the index stores them."""
    split: Callable[[str], list[str]] | None = getattr(_local, "split", None)
    if split is None:
        _local.connection = apsw.Connection(":memory:")
        split = _local.split = tokenizer(_local.connection)
    return [_kept(token) for token in split(text)]


def _kept(token: str) -> str:
    if len(token) <= LONGEST_TERM:
        return token
    rest = blake2b(token[LONGEST_TERM:].encode(), digest_size=16).hexdigest()
    return f"{token[:LONGEST_TERM]} {rest}"


def write_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write or replace the keyword entries of these chunks; those deleted meanwhile get none."""
    connection = own_transaction(tx).connection
    present = [row[0] for row in tx.run(_PRESENT_SQL, {"ids": list(fields)})]
    if not present:
        return
    remove_entries(connection, present)
    rows = [(chunk_id, _entry(fields[chunk_id])) for chunk_id in present]
    cursor = psycopg.Cursor(connection)
    with cursor.copy(_COPY_ENTRIES_SQL) as copy:
        for chunk_id, columns in rows:
            copy.write_row((chunk_id, [len(tokens) for tokens in columns]))
    with cursor.copy(_COPY_POSTINGS_SQL) as copy:
        for chunk_id, columns in rows:
            for term, (frequency, places) in _postings(columns).items():
                copy.write_row((term, chunk_id, frequency, places))
    words = sum(len(tokens) for _, columns in rows for tokens in columns)
    tx.run(_TOTALS_SQL, {"entries": len(rows), "words": words})


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
    remove_entries(own_transaction(tx).connection, chunk_ids)
    own_transaction(tx).log_chunks(chunk_ids)


def word_counts(fields: KeywordFields) -> list[int]:
    """Return the word counts per column that an entry of these texts has."""
    return [len(tokens) for tokens in _entry(fields)]


def _entry(fields: KeywordFields) -> list[list[str]]:
    texts = (fields.text, fields.title, fields.neighbours, fields.identifiers)
    return [tokens_of(text) for text in texts]


def _postings(columns: Sequence[Sequence[str]]) -> dict[str, tuple[float, list[int]]]:
    """Return the weighted frequency and the places of each word."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for column, tokens in enumerate(columns):
        for place, token in enumerate(tokens):
            places[token].append(column * COLUMN + place)
    return {
        term: (sum(WEIGHTS[place // COLUMN] for place in found), found)
        for term, found in places.items()
    }


def phrases_of(
    phrases: Iterable[Sequence[str]], *, is_prefix: bool = False
) -> Iterator[tuple[list[str], bool]]:
    """Return the words of each phrase that has one, and whether the last one is a beginning."""
    for words in phrases:
        found = tokens_of(" ".join(words))
        if any(found):
            yield found, is_prefix
