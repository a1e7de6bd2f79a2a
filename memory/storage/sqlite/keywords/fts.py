"""The keyword leg in SQLite: FTS5 with BM25 over four columns.

User text reaches MATCH only as quoted strings, in which FTS5 knows no operator.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import apsw

from contracts import KeywordFields, KeywordQuery, Scope
from memory.storage.database import Database, Transaction
from memory.storage.portable.tokens import as_utf8, tokenizer
from memory.storage.sqlite.scope import scope_sql
from memory.storage.values import Parameters, Row

BM25_SQL = "bm25(chunks_fts, 1.0, 2.0, 0.3, 0.5)"
"""Column weights of text, title, neighbours, identifiers; measured on held-out questions."""

MERGED_PAGES = 500
"""Pages of the keyword index that one step of a merge writes."""

VOCABULARY_SQL = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_vocabulary
USING fts5vocab(main, chunks_fts, row)
"""
_FREQUENCIES_SQL = """
SELECT term, doc FROM json_each(?) CROSS JOIN temp.chunks_vocabulary ON term = value
"""
_COUNTED_SQL = """
SELECT count(*) FROM (SELECT 1 FROM chunks_fts {join} WHERE chunks_fts MATCH :match LIMIT :most)
"""
_OF_GENERATION = """CROSS JOIN chunks AS c
    ON c.id = chunks_fts.rowid AND c.generation IN (:generation, '')"""
_REACHING_SQL = (
    "+chunks_fts.rowid IN (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH :reaching)"
)
"""The plus keeps SQLite from looking up one row at a time with a separate query for each."""

_HOLDING_SQL = """
SELECT chunks_fts.rowid FROM json_each(:ids) AS wanted
CROSS JOIN chunks_fts ON chunks_fts.rowid = wanted.value WHERE chunks_fts MATCH :match
"""
_INSERT_SQL = """
INSERT OR REPLACE INTO chunks_fts (rowid, text, title, neighbours, identifiers)
SELECT id, :text, :title, :neighbours, :identifiers FROM chunks WHERE id = :id
"""
_TOTALS_SQL = "SELECT block FROM chunks_fts_data WHERE id = 1"
_WRITE_OUT_SQL = "SELECT 1 FROM temp.chunks_vocabulary WHERE term = ''"
"""Before reading its vocabulary, FTS5 writes out the pending entries of an open transaction."""

_MERGE_SQL = "INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', :pages)"
_REMOVE_SQL = "DELETE FROM chunks_fts WHERE rowid = :id"
_PRESENT_SQL = """
SELECT id FROM chunks_fts_docsize WHERE id IN (SELECT value FROM json_each(:ids))
"""
_LOG_SQL = "INSERT INTO changes (chunk_id) SELECT id FROM chunks WHERE id = :id"


def match_expression(query: KeywordQuery, holds_word: Callable[[str], bool]) -> str:
    """Return the MATCH expression of a query, empty when nothing in it could be found.

    A part in which the tokenizer finds no word is not a condition: FTS5 would treat it as one that
    no chunk meets. Chains of AND and OR are flat in FTS5, at any length; nested ones are limited.
    """

    def spelled(phrases: Iterable[Sequence[str]], ending: str = "") -> list[str]:
        texts = (" ".join(words) for words in phrases)
        return [quoted(text) + ending for text in texts if holds_word(text)]

    any_of = spelled((word,) for word in (*query.words, *query.stems))
    any_of += spelled(((prefix,) for prefix in query.prefixes), " *")
    any_of += spelled(query.phrases)
    none_of = " OR ".join(spelled(query.excluded))
    all_of = [f"({' OR '.join(any_of)})"] if any_of else []
    expression = " AND ".join(all_of + spelled(query.required))
    return f"({expression}) NOT ({none_of})" if expression and none_of else expression


def quoted(text: str) -> str:
    """Return a text as a string of FTS5's syntax, in which nothing is an operator."""
    # FTS5 reads the expression up to the first NUL, which separates words like any other symbol.
    return '"' + as_utf8(text).decode().replace('"', '""').replace("\0", " ") + '"'


def keyword_sql(
    scope: Scope, generation: str | None, *, pruned: bool = False
) -> tuple[str, dict[str, object]]:
    """Return the statement for the best chunks of a MATCH within a scope, and its parameters.

    With `pruned`, only chunks that also match a second expression, `:reaching`.
    """
    conditions, parameters = scope_sql(scope, generation)
    join = "CROSS JOIN chunks AS c ON c.id = chunks_fts.rowid" if conditions else ""
    if pruned:
        conditions = [_REACHING_SQL, *conditions]
    where = " AND ".join(["chunks_fts MATCH :match", *conditions])
    # The alias in ORDER BY lets SQLite keep a heap of the best rows: ordering by the hidden column
    # rank sorts all matches and takes twice as long.
    sql = (
        f"SELECT chunks_fts.rowid, -{BM25_SQL} AS score FROM chunks_fts {join} "
        f"WHERE {where} ORDER BY score DESC LIMIT :limit"
    )
    return sql, dict(parameters)


def write_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write or replace the keyword entries of these chunks; those deleted meanwhile get none."""
    tx.run_many(_INSERT_SQL, (_parameters(chunk_id, entry) for chunk_id, entry in fields.items()))


def add_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write them as `write_fields` does and log it; for chunks that are not new themselves."""
    write_fields(tx, fields)
    _log(tx, fields)


def rewrite_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Replace the keyword entries of these chunks and log it; chunks without one get none."""
    present = tx.run(_PRESENT_SQL, {"ids": json.dumps(list(fields))})
    add_fields(tx, {chunk_id: fields[chunk_id] for (chunk_id,) in present})


def remove_fields(tx: Transaction, chunk_ids: Sequence[int]) -> None:
    """Remove the keyword entries of these chunks and log it; the chunks stay."""
    tx.run_many(_REMOVE_SQL, ({"id": chunk_id} for chunk_id in chunk_ids))
    _log(tx, chunk_ids)


def _log(tx: Transaction, chunk_ids: Iterable[int]) -> None:
    tx.run_many(_LOG_SQL, ({"id": chunk_id} for chunk_id in chunk_ids))


def _parameters(chunk_id: int, entry: KeywordFields) -> Parameters:
    return {
        "id": chunk_id,
        "text": entry.text,
        "title": entry.title,
        "neighbours": entry.neighbours,
        "identifiers": entry.identifiers,
    }


def merge(database: Database) -> None:
    """Merge the index's segments into one, a few hundred pages in a transaction."""
    pages = -MERGED_PAGES  # negative: begin with all segments, not only those of one size
    while True:
        with database.transaction() as tx:
            before = tx.run("SELECT total_changes()")[0][0]
            tx.run(_MERGE_SQL, {"pages": pages})
            if tx.run("SELECT total_changes()")[0][0] - before < 2:
                return  # FTS5 counts at least two changes while there is something to merge
        pages = MERGED_PAGES


def totals(connection: apsw.Connection) -> tuple[int, int]:
    """Return the number of chunks with an entry and of their words, over all generations.

    FTS5 keeps both for `bm25()`, so nothing is counted.
    """
    if connection.txn_state("main") == apsw.SQLITE_TXN_WRITE:
        connection.execute(VOCABULARY_SQL).fetchall()
        connection.execute(_WRITE_OUT_SQL).fetchall()
    chunks, *words = numbers(connection.execute(_TOTALS_SQL).get) or [0]
    return chunks, sum(words)


def numbers(encoded: bytes) -> list[int]:
    """Decode a run of SQLite's variable-length integers, except those of nine bytes."""
    found, number = [], 0
    for byte in encoded:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(number)
            number = 0
    return found


def document_frequencies(connection: apsw.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return the number of chunks that hold each word's rarest token, over all generations."""
    connection.execute(VOCABULARY_SQL).fetchall()
    tokens = tokenizer(connection)
    tokens_of = {word: list(filter(None, tokens(word))) for word in words}
    every = json.dumps(list(dict.fromkeys(chain.from_iterable(tokens_of.values()))))
    rows: list[Row] = connection.execute(_FREQUENCIES_SQL, (every,)).fetchall()
    counts: dict[str, int] = dict(rows)
    return {
        word: min((counts.get(token, 0) for token in found), default=0)
        for word, found in tokens_of.items()
    }


def counted_frequencies(
    connection: apsw.Connection, words: Iterable[str], *, most: int, generation: str | None
) -> dict[str, int]:
    """Return the number of chunks, of that generation or of all, that hold each word, up to `most`.

    A word of several tokens counts where they are adjacent.
    """
    sql = _COUNTED_SQL.format(join="" if generation is None else _OF_GENERATION)
    values = {"most": most, "generation": generation}
    return {
        word: int(connection.execute(sql, {**values, "match": quoted(word)}).get) for word in words
    }


def words_in(
    connection: apsw.Connection, chunk_ids: Sequence[int], words: Iterable[str]
) -> dict[int, frozenset[str]]:
    """Return those of `words` that the entry of each of these chunks holds in any column."""
    found: dict[int, set[str]] = {chunk_id: set() for chunk_id in chunk_ids}
    ids = json.dumps(list(chunk_ids))
    for word in words:
        for (chunk_id,) in connection.execute(_HOLDING_SQL, {"ids": ids, "match": quoted(word)}):
            found[chunk_id].add(word)
    return {chunk_id: frozenset(held) for chunk_id, held in found.items()}
