"""The keyword leg in SQLite: FTS5 with BM25 over four columns.

User text reaches MATCH only as quoted strings, in which FTS5 knows no operator.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from contracts import KeywordFields, KeywordQuery, Scope, Scored
from memory.storage.base import Database, Parameters, Row, Transaction
from memory.storage.sqlite.schema import FTS_TOKENIZER, FTS_TOKENIZER_OPTIONS
from memory.storage.sqlite.scope import scope_sql

BM25_SQL = "bm25(chunks_fts, 1.0, 2.0, 0.3, 0.5)"
"""Column weights of text, title, neighbours, identifiers; measured on held-out questions."""

_VOCABULARY_SQL = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_vocabulary
USING fts5vocab(main, chunks_fts, row)
"""
_FREQUENCY_SQL = "SELECT doc FROM temp.chunks_vocabulary WHERE term = ?"
_INSERT_SQL = """
INSERT OR REPLACE INTO chunks_fts (rowid, text, title, neighbours, identifiers)
VALUES (:id, :text, :title, :neighbours, :identifiers)
"""


def match_expression(query: KeywordQuery) -> str:
    """The MATCH expression of a query: any of its words, all that it requires, none it excludes."""
    any_of = [_quoted(word) for word in query.words]
    any_of += [f"{_quoted(prefix)} *" for prefix in query.prefixes]
    any_of += [_phrase(phrase) for phrase in query.phrases]
    all_of = [_phrase(phrase) for phrase in query.required]
    if any_of:
        any_sql = " OR ".join(any_of)
        # With something required, words only rank: the required part stands beside them as OR's
        # first branch, and AND keeps it binding.
        required = " AND ".join(all_of)
        expression = f"({required}) AND ({required} OR {any_sql})" if all_of else f"({any_sql})"
    else:
        expression = f"({' AND '.join(all_of)})"
    for phrase in query.excluded:
        expression = f"({expression} NOT {_phrase(phrase)})"
    return expression


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _phrase(words: Sequence[str]) -> str:
    return _quoted(" ".join(words))


def keyword_sql(scope: Scope) -> tuple[str, dict[str, object]]:
    """The statement for the best chunks of a MATCH within a scope, and the scope's parameters."""
    conditions, parameters = scope_sql(scope)
    join = "CROSS JOIN chunks AS c ON c.id = chunks_fts.rowid" if conditions else ""
    where = " AND ".join(["chunks_fts MATCH :match", *conditions])
    # The alias in ORDER BY keeps SQLite at a heap of the best rows: ordering by the hidden column
    # rank sorts all matches and takes twice as long.
    sql = (
        f"SELECT chunks_fts.rowid, -{BM25_SQL} AS score FROM chunks_fts {join} "
        f"WHERE {where} ORDER BY score DESC LIMIT :limit"
    )
    return sql, dict(parameters)


def keyword_candidates(
    database: Database, query: KeywordQuery, scope: Scope, *, limit: int
) -> list[Scored]:
    """The best chunks by BM25, ties by id."""
    if not query:
        return []
    sql, parameters = keyword_sql(scope)
    parameters |= {"match": match_expression(query), "limit": limit}
    rows = database.read(sql, parameters)
    return [Scored(chunk_id, score) for chunk_id, score in sorted(rows, key=_best_first)]


def _best_first(row: Row) -> tuple[float, int]:
    return -row[1], row[0]


def write_fields(tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
    """Write or replace the keyword entries of these chunks."""
    tx.run_many(_INSERT_SQL, (_parameters(chunk_id, entry) for chunk_id, entry in fields.items()))


def _parameters(chunk_id: int, entry: KeywordFields) -> Parameters:
    return {
        "id": chunk_id,
        "text": entry.text,
        "title": entry.title,
        "neighbours": entry.neighbours,
        "identifiers": entry.identifiers,
    }


def document_frequencies(connection: apsw.Connection, words: Iterable[str]) -> dict[str, int]:
    """In how many chunks each word's rarest token stands."""
    connection.execute(_VOCABULARY_SQL).fetchall()
    tokenizer = connection.fts5_tokenizer(FTS_TOKENIZER, list(FTS_TOKENIZER_OPTIONS))
    frequencies = {}
    for word in words:
        tokens: Any = tokenizer(
            word.encode("utf-8", "replace"),
            apsw.FTS5_TOKENIZE_QUERY,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        counts = [connection.execute(_FREQUENCY_SQL, (token,)).get or 0 for token in tokens]
        frequencies[word] = int(min(counts, default=0))
    return frequencies
