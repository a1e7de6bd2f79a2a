"""The words that a chunk gives to the keyword index."""

from contracts.values import KeywordFields
from search.analysis.inflection import is_inflected
from search.analysis.segmentation import index_stems, index_words
from search.identifiers.variants import identifier_field

KEYWORD_FORM = 2
"""Rises whenever the same text gives other words, so that stored entries are made anew."""


def keyword_fields(
    body: str, title: str = "", *, neighbours: str = "", name: str = ""
) -> KeywordFields:
    """A chunk's text as the keyword index should receive it.

    `title` is its title and heading path, `neighbours` what was said before a turn, `name` the
    name of the file it stands in, which is found whole and by its parts. The stems of another
    language than English stand beside the neighbours, where they count little: in a collection that
    has few of them, each would seem a rare word and outdo what was asked for.
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
