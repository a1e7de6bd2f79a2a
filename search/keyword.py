"""The words that a chunk gives to the keyword index."""

from contracts.values import KeywordFields
from search.segment import index_words
from search.spelling import identifier_field


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
