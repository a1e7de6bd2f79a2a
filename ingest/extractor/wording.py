"""From the first person to the third: verbs, pronouns, dates.

A memory is read long after it was said, by somebody else: "my wife" is "their wife", "last week"
is "in the week of 2026-05-04".
"""

import re
from datetime import date, datetime

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.words.boundaries import ASIDES, BEFORE_DATES, CUTS, LATELY
from ingest.extractor.words.patterns import any_of
from ingest.temporal import Moment, resolve

_THIRD = {"be": "is", "am": "is", "are": "is", "have": "has", "do": "does", "go": "goes"}
_BASE = {"is": "am", "are": "am", "were": "was", "has": "have", "does": "do", "goes": "go"}
_BASE |= {"dies": "die", "lies": "lie", "was": "was"}
_PLURAL = {"is": "are", "has": "have", "does": "do", "was": "were", "goes": "go"}
_NO_VERB_IN_S = frozenset(["always", "perhaps", "this", "his", "its", "ours", "yes"])
_INVARIABLE = deferred(r"(?i)(?:was|had|got|used|went|quit|will|can|cannot|[a-z]{2,}ed)\b")


class Told(NamedTuple):
    """The person who speaks, and the time: the meaning of pronouns and of "yesterday"."""

    subject: str
    said_at: datetime


class Dated(NamedTuple):
    """A text whose dates are in ISO form, and the first and last day that it names."""

    text: str
    first: date | None
    last: date | None


def third_person(verb: str) -> str:
    """Return the verb as it follows "User": like, likes; try, tries; am, is."""
    verb = verb.lower()
    if verb in _THIRD:
        return _THIRD[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def base_form(verb: str) -> str:
    """Return the verb as it follows "I": likes, like; is, am. What is no such verb stays."""
    lower = verb.lower()
    if lower in _BASE:
        return _BASE[lower]
    if lower in _NO_VERB_IN_S or not lower.endswith("s") or lower.endswith("ss"):
        return verb
    if lower.endswith("ies"):
        return f"{lower[:-3]}y"
    return lower[:-2] if lower.endswith(("ches", "shes", "xes", "zzes", "oes")) else lower[:-1]


def from_gerund(word: str) -> str:
    """Return the verb of a gerund: smoking, smoke; running, run; eating, eat."""
    stem = word.lower().removesuffix("ing")
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] in "bdgmnprt":
        return stem[:-1]
    if re.search(r"(?:[vcuz]|[^aeo][aeiou]k|(?<![eo])at|[nrd]g|[^e]ad)$", stem) and stem != "speak":
        return f"{stem}e"
    return stem


def sentence(subject: str, predicate: str, told: Told, *, plural: bool = False) -> str:
    """Return the sentence of a predicate in the third person singular: "has two cats".

    A predicate that begins with `'s` belongs to the subject. What is the speaker's own is "their".
    """
    if plural and not predicate.startswith("'s"):
        verb, _, rest = predicate.partition(" ")
        many = _PLURAL.get(verb) or (verb if _INVARIABLE.match(verb) else base_form(verb))
        predicate = f"{many} {rest}".strip()
    me = "them" if subject == told.subject else told.subject
    for pattern, word in _PRONOUNS:
        predicate = pattern.sub(word or me, predicate)
    return f"{subject}{'' if predicate.startswith(chr(39)) else ' '}{predicate}"


_PRONOUNS = tuple(
    (deferred(rf"\b(?:{pattern})\b(?![.-])", 0 if pattern == "us" else re.IGNORECASE), word)
    for pattern, word in (
        ("my|our", "their"),
        ("mine|ours", "theirs"),
        ("myself|ourselves", "themselves"),
        ("I am|we are", "they are"),
        ("I have|we have", "they have"),
        ("I|we", "they"),
        ("us", "them"),
        ("me", ""),
        ("(?-i:a)(?= (?!eu|one?\\b|once|uni|us[ei]|uti)[aeiou])", "an"),
    )
)

_CUT = deferred(
    r"(?is)\s*(?:[;()\x00]|:(?!\d\d)|[–—]|\s-+\s|\.\.|\s/\s).*$|"
    rf"[\s,]+(?:{any_of(CUTS)}|(?:until|after|before|where|cause) \w+ing)(?=\W|$).*$|"
    rf",\s*(?:{any_of(ASIDES)}|\w+ing(?![^,]*,? (?:and|or) ))\b.*$"
)
_LATELY = deferred(rf"(?i)[\s,]+(?:{any_of(LATELY)})$")
_DANGLING = deferred(r"(?i)[\s,]+(?:and|or|but|not|with|even|for)$")
EDGES = " \t\r\n,.!;:-–—…~()\"“”«»'•·`\x00"

LIST = deferred(r"\s*,\s*(?:and|or|&)?\s*|\s+(?:and|or|&|as well as|plus)\s+")
"""The places between the items of a list."""


def cut(text: str) -> str:
    """Return the phrase without the reasons, conditions and asides that follow it."""
    text = _CUT.sub("", text).strip(EDGES)
    return _DANGLING.sub("", _LATELY.sub("", text)).strip(EDGES)


def listed(text: str) -> str:
    """Return a list with one "and" (or "or") before its last item."""
    parts = [part for part in LIST.split(text) if part]
    joint = "or" if " or " in text else "and"
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}" if len(parts) > 1 else text


_PREPOSITION = deferred(rf"(?i)\b({any_of(BEFORE_DATES)})\s+$")
_KEPT = deferred(r"(?i)(to|by|until|till|since|before|after|from)\b")
_LEADS = {1: "will ", -1: "was ", 0: ""}


def dated(text: str, told: Told, direction: int = 0) -> Dated:
    """Put the dates that the text names in ISO form: "last week" is "in the week of 2026-05-04".

    A date without its year is the next such day for direction 1, the last for -1.
    """
    lead = _LEADS[direction]
    if match := _SEASON.search(text):
        year = told.said_at.year - (told.said_at.month <= _SEASON_ENDS[match[1].lower()])
        text = f"{text[: match.start()]}in the {match[1].lower()} of {year}{text[match.end() :]}"
        return Dated(text, date(year, 1, 1), date(year, 12, 31))
    moments = [] if direction and "couple" in text else resolve(f"{lead}{text}", told.said_at)
    for moment in reversed(moments):
        head, tail = text[: moment.start - len(lead)], text[moment.end - len(lead) :]
        said = text[moment.start - len(lead) : moment.end - len(lead)]
        before = _PREPOSITION.search(head)
        inside = _KEPT.match(said) or (_KEPT.match(before[1]) if before else None)
        head = head[: before.start()] if before else head
        text = f"{head.rstrip()} {_written(moment, inside[1].lower() if inside else '')}{tail}"
    text = text.strip()
    if not moments:
        return Dated(text, None, None)
    last = max(moment.until or moment.begin for moment in moments)
    return Dated(text, min(moment.begin for moment in moments), last)


_SEASON = deferred(r"(?i)\b(?:in |during |over )?last (spring|summer|autumn|fall|winter)\b")
_SEASON_ENDS = {"spring": 5, "summer": 8, "autumn": 11, "fall": 11, "winter": 13}

_FORMS = {"week": "the week of {}", "weekend": "the weekend of {}", "day": "{}"}


def _written(moment: Moment, preposition: str) -> str:
    day = moment.begin.isoformat()
    if moment.granularity == "day" and moment.until:
        return f"from {day} to {moment.until.isoformat()}"
    if moment.granularity in ("month", "year", "quarter"):
        quarter = f"{day[:4]}-Q{(moment.begin.month + 2) // 3}"
        value = {"month": day[:7], "year": day[:4], "quarter": quarter}[moment.granularity]
        return f"{preposition or 'in'} {value}"
    value = _FORMS[moment.granularity].format(day)
    return f"{preposition or ('in' if moment.granularity == 'week' else 'on')} {value}"
