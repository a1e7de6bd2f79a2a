"""From the first person to the third: verbs, pronouns, dates.

A memory is read long after it was said, by somebody else: "my wife" is "User's wife", "last week"
is "in the week of 2026-05-04".
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from ingest.extractor.own_words import COVER
from ingest.temporal import Moment, resolve

_IRREGULAR = {
    "be": "is",
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "was": "was",
}
_BASE = {
    **{"is": "am", "are": "am", "was": "was", "were": "was", "has": "have", "does": "do"},
    **{"goes": "go", "dies": "die", "lies": "lie", "ties": "tie", "loves": "love"},
}
_NO_VERB_IN_S = frozenset(
    ["was", "always", "perhaps", "this", "his", "its", "ours", "yes", "has", "is", "does"]
)
_MANY_TIMES = re.compile(r"(?:[^aeiou]y)$")
_HISSES = ("s", "x", "z", "ch", "sh", "o")

_PREPOSITION = re.compile(
    r"\b(on|in|at|this|during|around|back in|back on|about|by|until|till|since|before|after|from|"
    r"for)\s+$",
    re.IGNORECASE,
)
_KEPT = frozenset({"by", "until", "till", "since", "before", "after", "from"})
_SINCE = re.compile(r"^(since|by|until|till|before|after|from)\b", re.IGNORECASE)

_CUT = re.compile(
    r"(?:\s+|\s*,\s*)(?:because|since (?=(?:i|my|we|it|they|he|she|the|that|there)\b)|cause "
    r"(?=(?:i|it|we|my|he|she|they|that|the|this|there)\b)|cuz|"
    r"coz|bc|but|although|though|when|whenever|while|whereas|which|who|whom|whose|ever since|so "
    r"that|so (?=(?:i|we|my|it|that)\b)|as soon as|even (?:if|though|when)|except|unless|until "
    r"(?=(?:i|we|my|they)\b)|as (?=(?:i|it|they|we)\b)|in order to|hence|therefore|thanks to|due "
    r"to|despite|after (?=(?:i|we|my|it|all|\w+ing\b)\b)|before (?=(?:i|we|it)\b)|and (?=(?:i|my|"
    r"we|it|they|he|she|that|this|you|there|then|now|so|am|have|can|want|need|would|will|looking|"
    r"wondering|was|is)\b)\b|so|where (?=(?:i|we)\b)|if|btw|and hence|and therefore|than|and "
    r"counting)\b.*$|\s+and (?:the |my |a )?\w+(?: \w+)? (?:is|are|was|were|has|will|would|"
    r"dropped|went|came|fell|rose|keeps?|makes?|made)\b.*$|"
    r"\s+and [a-z]{3,} (?:me|him|her|us|them|it|poor \w+)(?: .*)?$|"
    r"\s*(?:[(;]|:(?!\d\d)).*$|\s+-+\s.*$|\s*[—–].*$|,\s*(?:so|and so|which|right|you|he|she|"
    r"they|it|we|i|"
    r"please|any|too|the|everyone|everybody|her|his|their|there|all|just|already|then|now|not|"
    r"always|been|found|was|were|is|thanks|help|grill|what|how|where|commute)\b.*$|\x00.*$",
    re.IGNORECASE | re.DOTALL,
)
_EDGES = " \t\r\n,.!;:-–—…~()\"“”«»'•·`"
_YOU = re.compile(r"\b(?:you|your|yours|yourself|u|ur|y'all)\b", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|us)\b", re.IGNORECASE)

POINTING = re.compile(
    r"\b(?:this|that|these|those|it|them|here|there|above|below|something|someone|stuff|things "
    r"like)\b",
    re.I,
)

BETWEEN = re.compile(r"\s*,\s*(?:and|or|&)?\s*|\s+(?:and|or|&|as well as|plus)\s+")


_DANGLING = re.compile(r"[\s,]+(?:and|or|but|not|with|even|especially|for)$", re.IGNORECASE)
_AHEAD, _BEHIND = "will ", "was "


TECHNICAL = re.compile(
    r"\b(?:data ?frames?|datasets?|functions?|arrays?|strings?|regex|scripts?|apis?|endpoints?|"
    r"components?|quer(?:y|ies)|sql|"
    r"json|csv|xml|html|css|docker|kubernetes|repos?|branch(?:es)?|commits?|variables?|methods?|"
    r"loops?|modules?|librar(?:y|ies)|"
    r"frameworks?|compilers?|bugs?|errors?|exceptions?|unit tests?|pull requests?|spreadsheets?|"
    r"columns?|rows?|templates?|"
    r"configs?|folders?|director(?:y|ies)|files?|warnings?|logs?|servers?|pipelines?|tokens?)\b",
    re.IGNORECASE,
)
"""What programmers speak of at work: where it stands for a place or an employer, it is none."""


class Told(NamedTuple):
    """Who speaks, and when: what pronouns and "yesterday" mean."""

    subject: str
    said_at: datetime


class Dated(NamedTuple):
    """A text whose dates stand in ISO form, and the first and last day that it names."""

    text: str
    first: date | None
    last: date | None


def third_person(verb: str) -> str:
    """Give the verb as it follows "User": like, likes; try, tries; am, is."""
    verb = verb.lower()
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if _MANY_TIMES.search(verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(_HISSES) else f"{verb}s"


def base_form(verb: str) -> str:
    """Give the verb as it follows "I": likes, like; tries, try; is, am. What is no such verb "
    "stays.
    """
    lower = verb.lower()
    if lower in _BASE:
        return _BASE[lower]
    if lower in _NO_VERB_IN_S or not lower.endswith("s") or lower.endswith("ss"):
        return verb
    if lower.endswith("ies"):
        return f"{lower[:-3]}y"
    if lower.endswith(("ches", "shes", "xes", "zzes", "sses", "oes")):
        return lower[:-2]
    return lower[:-1]


def cut(text: str) -> str:
    """Give the phrase without the reasons, conditions and asides that follow it."""
    return _DANGLING.sub("", _CUT.sub("", text).strip(_EDGES)).strip(_EDGES)


def uncut(text: str) -> str:
    """Leave out what follows, and keep the edges as they are."""
    return _CUT.sub("", text)


def shorter(text: str) -> Iterator[str]:
    """Give what is left when more and more of the end is left out: reasons, asides, a second "
    "deed.
    """
    said = text
    for shorten in (cut, _before_a_comma, _before_and):
        less = _LATELY.sub("", shorten(said))
        if less != said and " " in less:
            yield less
            said = less


def _before_a_comma(text: str) -> str:
    return cut(text.partition(", ")[0])


def _before_and(text: str) -> str:
    return cut(_AND.split(text, maxsplit=1)[0])


_AND = re.compile(r",? (?:and|or|but|then) ", re.IGNORECASE)
_LATELY = re.compile(r"[\s,]+(?:now|too|lately|already|recently|again|currently|btw|though)$", re.I)


def is_addressed(text: str) -> bool:
    """Tell whether it speaks of the one who is spoken to, or is not the speaker's own."""
    return COVER in text or _YOU.search(text) is not None


def turned(text: str, told: Told) -> str:
    """Turn the first person into the subject: my dog, User's dog; me, User."""
    who = told.subject
    for pattern, plain in (
        (r"\b(?:my|our)\b(?! own\b)", f"{who}'s"),
        (r"\b(?:my|our)(?= own\b)", "their"),
        (r"\bmine\b", f"{who}'s"),
        (r"\b(?:myself|ourselves)\b", "themselves"),
        (r"\bme\b", who),
        (r"\bus\b(?-i:(?<!US))", "them"),
        (r"\bI am\b", f"{who} is"),
        (r"\bI have\b", f"{who} has"),
        (r"\bI\b", who),
        (r"\bwe\b", "they"),
    ):
        text = re.sub(pattern, plain, text, flags=re.IGNORECASE)
    return text


def dated(text: str, told: Told, *, ahead: bool = False, behind: bool = False) -> Dated:
    """Put the dates that the text names in ISO form: "last week" is "in the week of 2026-05-04".

    `ahead` takes a date without its year for the next such day, `behind` for the last.
    """
    text = _SEASON.sub(lambda match: _season(match, told), text)
    if ahead or behind:
        text = _OF_THE_MONTH.sub(lambda match: _of_the_month(match, told, ahead=ahead), text)
    lead = _AHEAD if ahead else _BEHIND if behind else ""
    moments = [
        moment._replace(start=moment.start - len(lead), end=moment.end - len(lead))
        for moment in resolve(f"{lead}{text}", told.said_at)
        if not f"{lead}{text}"[moment.end : moment.end + 1].isalpha()
    ]
    for moment in reversed(moments):
        head, tail = text[: moment.start], text[moment.end :]
        said = text[moment.start : moment.end]
        before = _PREPOSITION.search(head)
        inside = _SINCE.match(said)
        word = inside[1].lower() if inside else ""
        if before:
            head = head[: before.start()]
            word = before[1].lower() if before[1].lower() in _KEPT else word
        clock = _CLOCK.search(said)
        when = f"{_written(moment, word)} {clock[0].strip()}" if clock else _written(moment, word)
        text = f"{head.rstrip()} {when}{tail}".strip()
    if not moments:
        return Dated(text, None, None)
    return Dated(
        text,
        min(moment.begin for moment in moments),
        max(moment.until or moment.begin for moment in moments),
    )


_CLOCK = re.compile(r"\bat \d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b)?", re.IGNORECASE)
_SEASON = re.compile(
    r"\b(?:in |during |over )?last (spring|summer|autumn|fall|winter)\b", re.IGNORECASE
)
_SEASON_ENDS = {"spring": 5, "summer": 8, "autumn": 11, "fall": 11, "winter": 13}


def _season(match: re.Match[str], told: Told) -> str:
    season = match[1].lower()
    year = told.said_at.year - (told.said_at.month <= _SEASON_ENDS[season])
    return f"in the {season} of {year}"


_OF_THE_MONTH = re.compile(
    r"\b(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?the (\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:$|[,.;]|at|in|with|for|and|from)(?:\s|$))",
    re.IGNORECASE,
)


def _of_the_month(match: re.Match[str], told: Told, *, ahead: bool) -> str:
    """Give the next or the last "the 9th"; as it was said where no month near has such a day."""
    today = told.said_at.date()
    month = today.year * 12 + today.month - 1
    if (int(match[1]) < today.day) == ahead and int(match[1]) != today.day:
        month += 1 if ahead else -1
    try:
        day = date(month // 12, month % 12 + 1, int(match[1]))
    except ValueError:
        return match[0]
    return f"on {day.isoformat()}"


def _written(moment: Moment, preposition: str) -> str:
    day = moment.begin.isoformat()
    if moment.granularity == "month":
        return f"{preposition or 'in'} {day[:7]}"
    if moment.granularity == "year":
        return f"{preposition or 'in'} {day[:4]}"
    if moment.granularity == "week":
        return f"{preposition or 'in'} the week of {day}"
    if moment.granularity == "weekend":
        return f"{preposition or 'on'} the weekend of {day}"
    if moment.granularity == "quarter":
        return f"{preposition or 'in'} {day[:4]}-Q{(moment.begin.month + 2) // 3}"
    if moment.until:
        return f"{preposition or 'from'} {day} to {moment.until.isoformat()}"
    return f"{preposition or 'on'} {day}"
