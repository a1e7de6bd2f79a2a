"""The keyword leg of a search: the best chunks by BM25, with pruning where that is quicker."""

import apsw

from contracts import KeywordQuery, Scope, Scored
from memory.storage.portable.tokens import tokenizer
from memory.storage.sqlite.keywords.fts import keyword_sql, match_expression, totals
from memory.storage.sqlite.scope import has_files_sql
from memory.storage.values import Row

FEWEST_PRUNED = 10_000
"""The number of chunks from which pruning saves time."""


def keyword_candidates(
    connection: apsw.Connection,
    query: KeywordQuery,
    scope: Scope,
    *,
    generation: str | None,
    limit: int,
) -> list[Scored]:
    """Return the best chunks by BM25, ties by id; of one generation, or of all for None."""
    tokens = tokenizer(connection)
    match = match_expression(query, lambda text: any(tokens(text)))
    # The files are looked through in a tenth of the time that the chunks with frequent words take,
    # and most patterns are of a module that a query may mean and that is not indexed.
    if not match or (scope.globs and not connection.execute(*has_files_sql(scope)).get):
        return []
    rows: list[Row] | None = None
    is_wide = generation is None and scope.is_open
    if is_wide and is_of_words(query) and totals(connection)[0] >= FEWEST_PRUNED:
        from memory.storage.sqlite.keywords.score_bounds import (
            pruned_rows,  # not needed for a small database
        )

        words = (*query.words, *query.stems)
        rows = pruned_rows(connection, words, match=match, scope=scope, limit=limit)
    if rows is None:
        sql, parameters = keyword_sql(scope, generation)
        parameters |= {"match": match, "limit": limit}
        rows = connection.execute(sql, parameters).fetchall()
    return [Scored(chunk_id, score) for chunk_id, score in sorted(rows, key=_best_first)]


def is_of_words(query: KeywordQuery) -> bool:
    """Return whether the query consists of single words."""
    return query == KeywordQuery(words=query.words, stems=query.stems)


def _best_first(row: Row) -> tuple[float, int]:
    return -row[1], row[0]
