"""The terms of a keyword query, for ranking in memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from contracts import KeywordQuery
from memory.storage.keyword_statistics import Term, Terms


def query_terms(query: KeywordQuery, tokens: Callable[[str], list[str]]) -> Terms | None:
    """See `KeywordStatistics.terms`."""
    try:
        return Terms(
            any_of=(
                *_terms(((word,) for word in (*query.words, *query.stems)), tokens),
                *_terms(((prefix,) for prefix in query.prefixes), tokens, is_prefix=True),
                *_terms(query.phrases, tokens),
            ),
            all_of=tuple(_terms(query.required, tokens)),
            none_of=tuple(_terms(query.excluded, tokens)),
        )
    except _SeveralTokensError:
        return None


class _SeveralTokensError(ValueError):
    """A part of a query that consists of several terms."""


def _terms(
    phrases: Iterable[Sequence[str]], tokens: Callable[[str], list[str]], *, is_prefix: bool = False
) -> Iterator[Term]:
    for words in phrases:
        text = " ".join(words)
        found = tokens(text)
        if len(found) > 1:
            raise _SeveralTokensError(text)
        if any(found):
            yield Term(found[0], is_prefix, text)
