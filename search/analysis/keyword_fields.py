"""The words of a chunk for the keyword index."""

from contracts.values import KeywordFields
from search.analysis.inflection import is_inflected
from search.analysis.segmentation import index_stems, index_words
from search.identifiers.variants import identifier_field

KEYWORD_FORM = 5
"""Raise it whenever the same text gives other words or other names of definitions, so that what is
stored is rebuilt.
"""


def keyword_fields(
    body: str, title: str = "", *, neighbours: str = "", name: str = ""
) -> KeywordFields:
    """A chunk's text prepared for the keyword index.

    `title` is its title and heading path, `neighbours` the turns before a turn, `name` the name of
    its file, which can be found whole and by its parts. Stems of other languages go into the
    neighbours column, where they count little: in a collection with few of them, each would seem
    rare and outweigh the query's own words.
    """
    around = index_words(neighbours)
    if is_inflected(body):
        around = f"{around} {index_stems(f'{title} {body}')}".strip()
    return KeywordFields(
        text=index_words(body),
        title=index_words(title),
        neighbours=around,
        identifiers=identifier_field(f"{title}\n{body}", name=name),
    )
