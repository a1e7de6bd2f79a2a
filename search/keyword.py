"""The words of the keyword index: what a chunk gives it, and which of a query's it is asked for."""

from collections.abc import Mapping

from contracts.values import KeywordFields, KeywordQuery
from search.identifiers import identifier_field
from search.segment import index_words

COMMON_SHARE = 0.2
"""Words in a larger share of the chunks tell chunks apart too little for the time they cost."""

FEW_CHUNKS = 1000
"""With fewer chunks every word is looked up: it costs nothing there."""


def keyword_fields(
    body: str, title: str = "", *, neighbours: str = "", name: str = ""
) -> KeywordFields:
    """A chunk's text as the keyword index should receive it.

    `title` is its title and heading path, `neighbours` what was said before a turn, `name` the
    name of the file it stands in, which is found whole and by its parts.
    """
    return KeywordFields(
        text=index_words(body),
        title=index_words(title),
        neighbours=index_words(neighbours),
        identifiers=identifier_field(f"{title}\n{body}", name=name),
    )


def select_words(
    query: KeywordQuery, frequencies: Mapping[str, int], n_chunks: int
) -> KeywordQuery:
    """`query` without the words that stand in too many chunks, if two others remain.

    `frequencies` gives the number of chunks a word stands in; a word it does not name is rare.
    """
    if n_chunks < FEW_CHUNKS or len(query.words) < 3:
        return query
    limit = COMMON_SHARE * n_chunks
    rare = tuple(word for word in query.words if frequencies.get(word, 0) <= limit)
    if len(rare) < 2 or len(rare) == len(query.words):
        return query
    return KeywordQuery(
        words=rare,
        prefixes=query.prefixes,
        phrases=query.phrases,
        required=query.required,
        excluded=query.excluded,
    )
