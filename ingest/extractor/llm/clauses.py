"""The clauses of a text, and whose each one is."""

import re
from typing import Final, Literal, TypeAlias

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.languages import ENGLISH, Language
from ingest.temporal.words import WEEKDAYS

Whose: TypeAlias = Literal["speaker", "own", "third", "other", "nobody"]
"""The subject of a clause: who speaks, somebody of theirs ("my sister"), somebody named before
("she"), somebody else, or nobody said ("Nurse here.")."""

_WORDS: Final = "[^.!?。！？\\n…]"
_INSIDE: Final = r"[.!?…]+(?!\s|$)"
_SENTENCE: Final = deferred(rf"{_WORDS}+(?:(?:{_INSIDE}|(?<=\d)\.){_WORDS}*)*[.!?。！？…]*")
_ENGLISH_SENTENCE: Final = deferred(rf"{_WORDS}+(?:{_INSIDE}{_WORDS}*)*[.!?。！？…]*")
"""Where "3." is no ordinal: "I'm 30. My brother is 27."."""
_PAUSE: Final = deferred(r"[,;:()–—，、；：「」]+(?!\d)\s*|\s-\s")
_NAME: Final = deferred(r"[A-ZÀ-Ý][\w'-]+(?: [A-ZÀ-Ý][\w'-]+)?,? ")


KIN: Final = deferred(
    r"(?:mum|mom|mommy|dad|daddy|grandma|grandpa|granny|nan|mama|mami|papa|papi|oma|opa|maman|mamie|papy"
    r"|mamá|papá|mamma|papà|babbo|mamãe|papai)\b",
    re.IGNORECASE,
)
"""People who are one's own without a word for it."""

_TIME: Final = deferred(
    rf"\s+(?:\d|{'|'.join(WEEKDAYS)}|\w{{2,7}}(?:days|tags?)|mañanas?|tardes?|noches?|semanas?|fines?|verano"
    r"|invierno|mattin\w+|ser[ae]|nott[ei]|settiman\w+|sabat\w+|domenic\w+|estate|inverno|matins?|soirs?"
    r"|week-?ends?|manhãs?|noites?|fins?|morgens?|abends?|ochtend\w*|avond\w*|weekend\w*|domingos?)\b",
    re.IGNORECASE,
)
"""A time that begins a clause as a subject does: "los sábados"."""

_VERB: Final = deferred(r"[a-zà-ÿ]\w+(?:[aet]|ó|ò|ou|am|em|an|en|ed|[^s]s)\b")
_COPULA: Final = deferred(
    r"(?:[\w'-]+ ){1,4}(?:is|are|was|were|ist|sind|est|sont|zijn)\b", re.IGNORECASE
)


class Clause(NamedTuple):
    """`text[start:end]`; `is_inner` where it completes the clause before ("I think [she ...]")."""

    start: int
    end: int
    is_inner: bool


class Sentence(NamedTuple):
    """A sentence with its clauses, in order."""

    start: int
    end: int
    clauses: tuple[Clause, ...]


def sentences(text: str, language: Language) -> list[Sentence]:
    """The sentences of a text."""
    return [
        Sentence(found.start(), found.end(), tuple(_clauses(text, found.span(), language)))
        for found in (_ENGLISH_SENTENCE if language is ENGLISH else _SENTENCE).finditer(text)
        if found[0].strip()
    ]


def _clauses(text: str, span: tuple[int, int], language: Language) -> list[Clause]:
    """Cut at pauses and before words that begin a clause."""
    start, end = span
    cuts = {start: False}
    for pause in _PAUSE.finditer(text, start, end):
        cuts[pause.end()] = False
    for joint in language.find("joint").finditer(text, start, end):
        cuts[joint.start()] = False
    for inner in language.find("that").finditer(text, start, end):
        if inner.start() in cuts:
            cuts[inner.start()] = inner.start() > start
        cuts.setdefault(inner.end(), True)
    places = sorted(place for place in cuts if place < end)
    return [
        Clause(place, after, cuts[place])
        for place, after in zip(places, [*places[1:], end], strict=True)
        if text[place:after].strip()
    ]


def whose(text: str, clause: Clause, language: Language, *, is_first: bool) -> Whose:
    """The subject of a clause by its own words."""
    said = text[clause.start : clause.end]
    joint = language.find("joint").match(said)
    if joint and language.find("third").match(said):
        return "third"  # "somebody who ..."
    said = (said[joint.end() :] if joint else said).lstrip(" \"'“„«-*•")
    if not language.is_spaced:
        return _unspaced(said, language)
    if KIN.match(said):
        return "own"
    others = re.sub(owned_person(language), "", said, flags=re.IGNORECASE)
    has_object = language.find("me").search(others)
    if language.find("own").match(said):
        return _of_own(said, language, has_object=bool(has_object))
    if language.find("third").match(said):
        return "third"
    if has_object or language.find("speaker").search(said):
        return "speaker"
    if is_named(said, language) or _is_other(said, language, is_first=is_first):
        return "other"
    if language.find("own").search(said):
        return "own"
    return "third" if language.find("third").search(said) else "nobody"


def _of_own(said: str, language: Language, *, has_object: bool) -> Whose:
    """Of "my sister", of "my sister's friend", and of "my sister's flat was left to me"."""
    genitive = re.match(rf"{owned_person(language)}(?:'s|s'|')\s+", said, re.IGNORECASE)
    if not genitive:
        return "own"
    person = re.compile(rf"(?:\w{{1,30}}\s+)?(?:{language.person})\b", re.IGNORECASE)
    if person.match(said, genitive.end()):
        return "other"
    return "speaker" if has_object else "own"


def owned_person(language: Language) -> str:
    """The pattern of "my sister", "unsere kleine Tochter"."""
    return rf"\b(?:{language.own})\W+(?:[\w'-]{{1,30}}\s+){{0,2}}?(?:{language.person})\b"


def _is_other(said: str, language: Language, *, is_first: bool) -> bool:
    """Whether something else heads a clause; a list goes on without a verb ("and a dog")."""
    head = language.find("others").match(said)
    if head and (is_first or language.find("verb").search(said, head.end())):
        return not _TIME.match(said, head.end())
    return bool(_COPULA.match(said))


def is_named(said: str, language: Language) -> bool:
    """Whether a name with a verb heads a clause: "Ana me contó"."""
    name = _NAME.match(said)
    if not name or language.is_grammatical(name[0].split()[0]):
        return False
    if language.find("verb").match(said, name.end()):
        return True
    after = _VERB.match(said, name.end())
    return bool(after and not language.is_grammatical(after[0]))


def _unspaced(said: str, language: Language) -> Whose:
    """The first person named."""
    found: list[tuple[int, int, Whose]] = []
    person = rf"(?:{language.own})(?=.{{0,4}}?(?:{language.person}){language.topic})"
    own = re.search(person, said)
    chain = re.search(rf".{{0,4}}?(?:{language.person})[的の].{{0,3}}?(?:{language.person})", said)
    kinds: tuple[tuple[re.Match[str] | None, Whose], ...] = (
        (chain, "other"),
        (own, "own"),
        (language.find("third").search(said), "third"),
        (language.find("others").search(said), "other"),
        (language.find("speaker").search(said), "speaker"),
    )
    for order, (match, kind) in enumerate(kinds):
        if match:
            found.append((match.start(), order, kind))
    return min(found)[2] if found else "nobody"
