"""What somebody is and belongs to: roles, employers, studies, languages, nations, conditions."""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.readings.places import place
from ingest.extractor.wording import LIST, Told, cut, dated, listed
from ingest.extractor.words import boundaries
from ingest.extractor.words.lexicon import FIRST_NAMES, HEALTH, LANGUAGES, NATIONALITIES, ROLES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import NO_EMPLOYERS, NO_ROLE_WITH
from ingest.extractor.words.place_names import PLACES

POINTING = deferred(rf"(?i)\b(?:{any_of(boundaries.POINTING)})\b")

_HEAD_ENDS = deferred(rf"(?i)\b(?:{any_of(boundaries.AFTER_ROLES)})\b|[,/]")
_KNOWN_TAIL = deferred(
    r"(?:(?:at|for|in|of) (?:the |an? |my )?(?:[A-Z][\w&'.-]*|[a-z][\w-]+)"
    r"(?: (?:(?:of|for|and|in|at) )?(?:the )?[\w&'.-]+){0,4}|specializ\w+ in [\w -]+|by (?:trade|training))$"
)
_COMPOUND = deferred(rf"[a-z-]*(?:{any_of(boundaries.TRADE_ENDINGS)})$")
_NO_ROLE = deferred(rf"(?i)\b(?:{any_of(NO_ROLE_WITH)}|an?|the)\b")
_VOWEL = deferred(
    r"(?i:(?!(?:uni(?!n)|use|usu|eu|one|ux|uk|u\.?s))[aeiou]|(?:hr|mba)\b)|[FHLMNRSX][A-Z]"
)
_NO_ORG = deferred(rf"(?i)(?:{any_of(NO_EMPLOYERS)}|\d+)\b")
_ANY_ORG = deferred(
    r"(?i)^(?:an?|the|my|our) (?:small |big |new )?(?:company|firm|business)$|\b(?:weekend|night)"
)
"""What says nothing without the clause that follows: "I work for a company that ..."."""

_ORG_ENDS = deferred(
    rf"(?is)(?:,|\s)+(?:{any_of(boundaries.AFTER_EMPLOYERS)}|for (?:about |over |almost )?(?:\d+|\w+) (?:years|months|weeks)|in (?:19|20)\d\d|in [A-Z]\w+|"
    r"on (?:mon|tue|wed|thu|fri|sat|sun)\w*|\w+ (?:days|years|months|weeks) (?:ago|a week))\b.*$|,.*$"
)


def role(text: str, told: Told) -> list[str]:
    """What somebody is by trade, with its article; both when joined by "and a"."""
    found: list[str] = []
    if re.match(r"an? \d", text):
        return []
    for part in re.split(r"(?:,| and|,? &|,? but also|/)\s+(?:also )?(?=an? )", cut(text)):
        said = _role(part, told)
        if not said:
            return found
        found.append(said)
    return found


def bare_role(text: str, told: Told) -> list[str]:
    """A role with or without its article: "work as (a) cook"."""
    return role(text if re.match(r"(?:an?|the) ", text) else f"a {text}", told)


def _role(text: str, told: Told) -> str:
    article = re.match(r"(an?|the) ", text)
    noun = text[article.end() :] if article else text
    match = _HEAD_ENDS.search(noun)
    head = noun[: match.start()].strip() if match else noun
    tail = noun[match.start() :] if match else ""
    words = re.split(r" (?:and|&|/) ", head)
    if article is None or not all(_is_role(each) for each in words):
        return ""
    tail = dated(cut(tail), told).text if _KNOWN_TAIL.match(tail) else ""
    if POINTING.search(tail) or re.search(r"\b(?:team|years?|heart|need|search|hurry)\b", tail):
        tail = ""
    if article[1] == "the":
        return f"the {head} {tail}" if tail else ""
    return f"{'an' if _VOWEL.match(head) else 'a'} {head} {tail}".strip()


def _is_role(phrase: str) -> bool:
    words = phrase.split()
    if not 0 < len(words) <= 5 or _NO_ROLE.search(phrase) or POINTING.search(phrase):
        return False
    last = words[-1].casefold().strip(".!'\"")
    is_vague = last in ("partner", "associate", "major", "owner") and len(words) == 1
    is_known = last in ROLES or _COMPOUND.match(last) or " ".join(words[-2:]).casefold() in ROLES
    return bool(is_known) and not is_vague


def org(text: str, told: Told) -> list[str]:
    """An employer: a name, or a kind of place such as "a bakery"."""
    del told
    text = _ORG_ENDS.sub("", cut(text)).strip(" ,.")
    words = text.split()
    if not 0 < len(words) <= 7 or _NO_ORG.match(text) or POINTING.search(text):
        return []
    if words[0].casefold() in ("a", "an", "the", "my", "our"):
        return [] if len(words) == 1 or _ANY_ORG.search(text) else [text]
    return [text] if text[0].isupper() or (len(words) <= 2 and text.isalpha()) else []


_CLUB = deferred(rf"(?i:\b(?:{any_of(boundaries.CLUBS)})\b)| (?:at|for(?! [A-Z])|before|after|around|with|an?|early|late|station)\b")  # fmt: skip


def company(text: str, told: Told) -> list[str]:
    """An employer by name that is no club, place or person: the one somebody "joined" or "left"."""
    found = [each for each in org(text, told) if each[0].isupper()]
    if not found or found[0].casefold() in PLACES or found[0].split()[0].casefold() in FIRST_NAMES:
        return []
    return [] if _CLUB.search(found[0]) or len(found[0].split()) > 3 else found


_FIELD = deferred(
    rf"(?i)(?P<what>(?!(?:{any_of(boundaries.NO_FIELDS)})\b)[\w&'-]+(?: (?!(?:at|in|for|with|every|on|to|from|emphasis|emphasi[sz]ing|minor|minoring|focus|focus+ing)\b)[\w&'-]+){{0,4}})"
    r"(?: (?P<where>(?:at|in) .+))?"
)


def field(text: str, told: Told) -> list[str]:
    """What somebody studies, with where: "law in Graz"."""
    text = cut(re.sub(r" with an? .*$", "", text))
    match = _FIELD.fullmatch(text)
    if match is None or POINTING.search(text):
        return []
    known = school(match["where"][3:], told) if match["where"] else []
    return [f"{match['what']} {match['where'][:2]} {known[0]}" if known else match["what"]]


_SCHOOL = deferred(rf"(?i)(?:the |my )?(?:[\w'-]+ ){{0,3}}(?:{any_of(boundaries.SCHOOLS)})\b")


def school(text: str, told: Told) -> list[str]:
    """A school or town: a name, or "the University of Graz"."""
    text = cut(re.sub(r" (?:on|with|where|since) .*$", "", text))
    found = place(text, told) or place(_ORG_ENDS.sub("", text), told)
    named = None if found or POINTING.search(text) else _SCHOOL.match(text)
    return [named[0]] if named else found


_COLLEGE = deferred(rf"(?i:\b(?:{any_of(boundaries.COLLEGES)})\b)|\b[A-Z]{{3,5}}\b")


def college(text: str, told: Told) -> list[str]:
    """A school that its name tells to be one: "go to UCLA", and not "go to Paris"."""
    found = school(text, told)
    return found if found and _COLLEGE.search(found[0]) else []


def langs(text: str, told: Told) -> list[str]:
    """Languages; "fluent" and "a bit of" stay with them."""
    del told
    text = _HOW_SPOKEN.sub("", cut(text))
    parts = LIST.split(_HOW_WELL.sub(" ", text))
    words = [" ".join(part.split()).casefold() for part in parts if part.strip()]
    if not words or not all(word in LANGUAGES for word in words):
        return []
    return [listed(_titled(text, LANGUAGES))]


def _titled(text: str, words: frozenset[str]) -> str:
    """Return a text with a capital for each of these words."""
    return _WORD.sub(lambda m: m[0].title() if m[0].casefold() in words else m[0], text)


_WORD = deferred(r"[^\W\d_]+")
_HOW_SPOKEN = deferred(rf"\s+(?:{any_of(boundaries.HOW_SPOKEN)})\b.*$")
_HOW_WELL = deferred(rf"\b(?:{any_of(boundaries.HOW_WELL)})\b")


_OF_NATION = deferred(rf"\b(?:{any_of(boundaries.OF_NATION)})\b|[-,/]")


def nation(text: str, told: Told) -> list[str]:
    """German; half Japanese and half Irish; a German citizen."""
    del told
    text = cut(re.sub(r",? (?:from|living|based|but)\b.*$", "", text).replace(" / ", "/"))
    bare = _OF_NATION.sub(" ", text)
    words = " ".join(bare.split()).casefold()
    if not words or not (words in NATIONALITIES or all(w in NATIONALITIES for w in words.split())):
        return []
    return [_titled(text, NATIONALITIES)]


_KIND_OF_ILLNESS = deferred(rf"^(?:(?:{any_of(boundaries.OF_ILLNESS)}) (?=\w))+")
_DISORDER = deferred(rf"(?:an? )?(?:[\w-]+ ){{1,2}}(?:{any_of(boundaries.DISORDERS)})")
_AFTER_ILLNESS = deferred(rf"\s+(?:{any_of(boundaries.AFTER_ILLNESSES)}|in \d+)\b.*$")


def illness(text: str, told: Told) -> list[str]:
    """A known condition; several with "and"."""
    del told
    text = _AFTER_ILLNESS.sub("", cut(text))
    bare = _KIND_OF_ILLNESS.sub("", text).casefold()
    if bare in HEALTH or _DISORDER.fullmatch(bare):
        return [text]
    return [listed(text)] if bare and HEALTH.issuperset(LIST.split(bare)) else []
