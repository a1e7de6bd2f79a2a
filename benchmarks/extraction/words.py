"""Compare sentences by their words, without framing words."""

import re
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
_DATE = re.compile(r"\b(?:19|20)\d{2}(?:-\d{2}(?:-\d{2})?)?\b")
_NOT = re.compile(r"\b(ca|wo|could|would|should|do|does|did|is|are|was|were|has|have|had)n'?t\b")
_AM = re.compile(r"\bim\b")
_CANNOT_STAND = re.compile(r"\bcan ?not (?:stand|bear)\b")
_SUFFIXES = ("ing", "ed", "es", "s", "e")
_DOUBLING = ("ing", "ed")
_SHORTEST_STEM = 3

_FRAME_WORDS = """
    a an the is are was were be been being am do does did has have had having got get will would
    to of in at on for with by and as that which who his her hers their theirs its it this there
    from into about user users very really now currently just still also own old years year s t
    going some any so he she they them him used"""
FRAME = frozenset(_FRAME_WORDS.split())
"""Words that a memory may contain whether or not they were said, and that tell nothing alone."""

_TIME_WORDS = """
    yesterday today tomorrow tonight last next week weeks weekend month months ago day days
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday night recently"""
_TIMES = frozenset(_TIME_WORDS.split())

_ALIKE = {
    "like": "love enjoy adore fan into luv fond prefer hate dislike detest loathe despise",
    "name": "call goes",
    "mother": "mum mom mama",
    "father": "dad papa",
    "child": "kid children",
    "grandmother": "grandma",
    "grandfather": "grandpa",
    "favourite": "favorite fav",
    "colour": "color",
    "live": "reside",
    "work": "job employed",
    **{"go": "went", "buy": "bought", "break": "broke", "lose": "lost", "run": "ran"},
    **{"take": "took", "sell": "sold", "give": "gave", "leave": "left", "die": "died dying"},
    **{"win": "won", "teach": "taught", "drive": "drove", "fly": "flew", "meet": "met"},
    **{"build": "built", "swim": "swam", "drink": "drank", "eat": "ate", "write": "wrote"},
}
"""Words treated as synonyms here, whether or not they deny."""

_AGAINST_WORDS = """
    not no never without hate hates hated dislike dislikes disliked detest detests loathe
    loathes stopped stops stop quit quits former formerly nor neither none"""
_AGAINST = frozenset(_AGAINST_WORDS.split())
_FRAMING_WORDS = "plan name like live work birthday age speak nationality favourite past"
_KIN_WORDS = """
    wife husband partner girlfriend boyfriend fiance fiancée spouse ex
    mother father parent
    parents brother brothers sister sisters son sons daughter daughters child aunt uncle cousin
    niece nephew grandmother grandfather friend friends boss manager colleague colleagues roommate
    flatmate neighbour neighbours neighbor neighbors landlord teacher dog dogs cat cats horse
    parrot baby twin company team law"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement for comparison: its subject, its words, and whether it is denied."""

    whose: tuple[str, frozenset[str]]
    words: frozenset[str]
    denies: bool
    dates: frozenset[str]

    @classmethod
    def of(cls, text: str, *, speaker: str) -> "Sentence":
        plain = written_out(text)
        words = _WORD.findall(_DATE.sub(" ", plain))
        names = set(_WORD.findall(speaker.casefold()))
        return cls(
            _whose(plain, speaker.casefold()),
            frozenset(root(word) for word in words if word not in FRAME | _TIMES | names | _AGAINST)
            | frozenset(root(word) for word in words if word in _AGAINST and _stem(word) in _SAME),
            (sum(word in _AGAINST for word in words) + ("used to" in plain)) % 2 == 1,
            frozenset(_DATE.findall(plain)),
        )


def _whose(plain: str, speaker: str) -> tuple[str, frozenset[str]]:
    """The subject of the sentence: the speaker or another, and which relation of theirs."""
    if not plain.startswith(speaker):
        return plain.partition(" ")[0], frozenset()
    rest = plain[len(speaker) :]
    if not rest.startswith(("'s ", "' ")):
        return speaker, frozenset()
    following = _WORD.findall(rest.partition(" ")[2])[:4]
    return speaker, frozenset(map(root, following)) & KIN


def written_out(text: str) -> str:
    """Lower case, straight apostrophes, and "not" written out."""
    plain = text.casefold().replace("’", "'").strip()
    plain = _NOT.sub(r"\1 not", _AM.sub("i am", plain)).replace("ca not", "can not")
    return _CANNOT_STAND.sub("hate", plain)


def words_of(text: str) -> frozenset[str]:
    """The roots of all words of a text."""
    return frozenset(root(word) for word in _WORD.findall(written_out(text)))


def root(word: str) -> str:
    """One form for the inflections of a word, and for words treated as synonyms here."""
    stem = _stem(word)
    return _SAME.get(stem, stem)


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            doubled = suffix in _DOUBLING and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if doubled else stem
    return word


_SAME = {_stem(word): _stem(key) for key, words in _ALIKE.items() for word in words.split()}

KIN = frozenset(map(root, _KIN_WORDS.split()))

FRAMING = frozenset(map(root, _FRAMING_WORDS.split()))
"""Roots of words that a memory may contain though they were not said."""
