"""Turns that state one thing of one person, so that all of the turn may prove a claim."""

from typing import Final

from contracts.lazy_regex import deferred
from ingest.extractor.llm.clauses import sentences
from ingest.extractor.llm.languages import Language

_LONGEST: Final = 300
_PLAIN: Final = deferred(r"[\w' -]+[.!。！]?")
"""One line of words: no pause, sign or emoji, at which something else might begin."""

_WORD: Final = deferred(r"\W*\w+")
_NAMED: Final = deferred(r"(?<=\s)[^\W\d_a-zß-ÿ][\w'-]*")
"""A word in capitals that does not begin the turn."""


def is_single_statement(text: str, content: str, language: Language) -> bool:
    """Whether a turn is one clause about the speaker or theirs, which names nobody but the claim does.

    It begins with the first person and has no other subject: "I live in Oslo", "my sister sings".
    """
    said = text.strip()
    if len(said) > _LONGEST or not _PLAIN.fullmatch(said):
        return False
    found = sentences(said, language)
    if [len(sentence.clauses) for sentence in found] != [1]:
        return False
    own, is_subject = _first_person(said, language)
    if not own or language.find("third").search(said):
        return False
    if is_subject and _has_second_verb(said.rstrip(".!。！"), own, language):
        return False
    people = [*_NAMED.finditer(said, own), *language.find("person").finditer(said)]
    return all(one[0].casefold() in content.casefold() for one in people)


def _has_second_verb(said: str, after: int, language: Language) -> bool:
    """Whether a verb of the third person is neither the first word nor the last: "nuts" may be one."""
    first = _WORD.match(said, after)
    verbs = language.find("verb").finditer(said, first.end() if first else after)
    return any(verb.end() < len(said) for verb in verbs)


def _first_person(said: str, language: Language) -> tuple[int, bool]:
    """The end of the first person that begins a text, if no other follows, and whether it acts."""
    cells = [language.find(cell) for cell in ("speaker", "me", "own")]
    ends = [found.end() for cell in cells if (found := cell.match(said))]
    end = max(ends, default=0)
    if any(cell.search(said, end) for cell in cells):
        return 0, False
    return end, bool(cells[0].match(said))
