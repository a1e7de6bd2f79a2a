"""The grammatical words of a language, by which a model's claims are checked.

Each cell is a regular expression over whole words (over any place in Chinese and Japanese). The
words say who, whether and when, and are few in any language: pronouns, endings, auxiliaries,
conjunctions, kinship. No topic of talk is among them.
"""

import re
from functools import cache

from contracts.named_tuple import NamedTuple


class Language(NamedTuple):
    """The words by which one language says who, whether and when.

    known     frequent words that tell the language of a text
    letters   frequent groups of letters, for the same
    speaker   first person as the subject, with the verbs that need no pronoun
    me        first person as an object or an owner
    own       possessives of the first person
    others    words that begin a clause about somebody or something else
    third     pronouns that stand for somebody named before
    verb      verbs of the third person, for a name before them
    joint     words that begin a clause
    that      words that begin a clause within a clause
    person    nouns for people and pets around the speaker
    asked     first words of a question
    supposed  condition, pretence, doubt
    told      somebody else's report or belief
    wished    wish, intent, possibility
    offered   an offer to somebody else
    feared    fear
    coming    a future
    past      a state that is over
    denied    denial and dislike
    ended     an end
    gone      what may be an end, where a claim says so
    now       a state of the present, in a claim
    has       possession
    """

    known: str
    letters: str
    speaker: str
    me: str
    own: str
    others: str
    third: str
    verb: str
    joint: str
    that: str
    person: str
    asked: str
    supposed: str
    told: str
    wished: str
    offered: str
    feared: str
    coming: str
    past: str
    denied: str
    ended: str
    gone: str
    now: str
    has: str
    is_spaced: bool = True
    topic: str = ""

    def find(self, cell: str) -> re.Pattern[str]:
        """The pattern of a cell, by its name."""
        return _compiled(getattr(self, cell), self.is_spaced)

    def is_grammatical(self, word: str) -> bool:
        """Whether a word that begins a clause is not part of a name."""
        cells = ("known", "has", "ended", "wished", "denied", "asked", "feared")
        return any(self.find(cell).fullmatch(word) for cell in cells)


@cache
def _compiled(words: str, is_spaced: bool) -> re.Pattern[str]:
    whole = rf"(?<!\w)(?:{words})(?!\w)" if is_spaced else f"(?:{words})"
    return re.compile(whole, re.IGNORECASE)
