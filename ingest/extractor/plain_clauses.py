"""One plain way to write a clause: contractions in full, no greetings, no adverbs before the verb.

Rules then need one form of each sentence: "well, im rly allergic lol" is "I am allergic".
"""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.words.boundaries import MONTHS
from ingest.extractor.words.lexicon import DIETS, HEALTH_STATES, MARITAL, NATIONALITIES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import ADVERBS, FILLERS, OWN_LABELS, TAILS
from ingest.extractor.words.short_forms import NUMBERS, SHORT_FORMS
from ingest.extractor.words.statements import GOT, UNSAID

_QUALITIES = "|".join(
    word for word in sorted(NATIONALITIES | DIETS | HEALTH_STATES | MARITAL) if word.isalpha()
)
_ARTICLES = "an?|the|called|named|from|allergic|in|on|not|turning|getting|moving|due|" + "\\d+"

_HAS_GOT = deferred(r"(?<=[a-z])'s got (?=(?:an?|two|three|four|no|his|her)\b)", re.IGNORECASE)
_SHORT = deferred(rf"\b(?:{any_of(SHORT_FORMS)})\b", re.IGNORECASE)
_LONGER = tuple(
    (deferred(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (rf"(?<=\w)(?<!master)(?<!bachelor)'s (?=(?:{_QUALITIES}|{_ARTICLES})\b)", " is "),
        (rf"\b(have|has) got (?!(?:{any_of(GOT)})\b)", r"\1 "),
        (r"\bw/? (?=(?:my|a|the|two|our|his|her)\b)", "with "),
        (r"\bloo*ve+\b", "love"),
        (r"^((?:my|our)(?: [a-z-]+){1,2}),? (?:s?he|it) (?=(?:is|has|lives?|works?)\b)", r"\1 "),
        (r"(?<=\d)[ -]?(?:yrs?|y\.?o\.?|y/o)(?: old)?(?=\W|$)", " years old"),
        (r"\s{2,}", " "),
    )
)
_HEAD = deferred(
    rf"(?i)(?:(?:{any_of(FILLERS)}|@\w+|(?:(?!please\b)[a-z]+ ){{0,3}}?(?:{any_of(OWN_LABELS)})(?=:)|"
    r"you (?:should|must) (?:also )?know(?: that)?|(?:the|my) (?!.*\b(?:fear|worry|rumou?r|idea|plan|hope|dream|joke|premise|claim|lie)\b)[^.?!,]{3,60}? is that(?= I\b))"
    r"(?=[\s,.!:;…~-]|$)[\s,.!:;…~-]*)"
)
_MONTH = f"(?:{any_of(MONTHS)})"
_UNIT = r"(?:week|month|year|night|summer|winter|spring|fall|autumn|weekend|\w+day)"
_FIRST_THE_DATE = deferred(
    rf"(?i)^((?:today|yesterday|tomorrow|tonight|(?:last|next|this) (?:{_UNIT}|{_MONTH})|\w+ (?:days?|weeks?|months?|years?) ago|"
    r"(?:on|in|at|by|since|for|from|starting|back in|early in|late in) (?:[^\s,]+ ){0,3}?"
    rf"(?:\d{{4}}(?:-\d\d(?:-\d\d)?)?|\w+day|{_MONTH}(?: \d+\w*)?|\d+(?:st|nd|rd|th)?|weeks?|months?|years?|days?)"
    r"(?: (?:morning|evening|night|afternoon))?)),? (?=(?:i|we|my|our)\b)"
)
_ADVERBS = rf"(?:{any_of(ADVERBS)}|do(?= (?:like|love|enjoy|have|hate|prefer|live|work|own)))"
_BEFORE_VERB = deferred(rf"(?i)^(I|we)((?: (?:am|are|was|were|have|will|do not|cannot))?)(?: {_ADVERBS}(?=\s))+(?! not\b)")  # fmt: skip
_AFTER_BE = deferred(rf"(?i)^((?:I am|we are|my [\w-]+ (?:is|has|does|lives|works))(?: not)?)(?: {_ADVERBS}(?=\s))+")  # fmt: skip
_NO_SUBJECT = deferred(
    rf"(?i)^(?:(?P<verb>{any_of(UNSAID[''])}|turned(?= \d)|ran (?=my|the|a)|love(?! [a-z]+s to\b))|"
    rf"(?P<state>{any_of(UNSAID['am'])}|not(?= .+ any ?(?:more|longer)\b)|\d\d ?[mf](?= here| from|$))|"
    rf"(?P<born>{any_of(UNSAID['was'])}))(?= |$)"
)
"""The beginning of a sentence whose "I" goes without saying."""

_TAIL = deferred(rf"(?i)(?:[\s,]+(?:{any_of(TAILS)})|, (?:dude|man|bro|mate|everyone|guys)|\s*[:;=]-?[)(DPp]+|\s*<3)+$")  # fmt: skip
_EMOJI = deferred("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d\U000e0020-\U000e007f]+")  # fmt: skip
_EDGES = " \t\r\n,.!;:-–—…*_~()\"“”«»'•·#\x00"


_AGE = deferred(rf"(?i)\b(turned|am|are|is) ({any_of(NUMBERS)})(?=$|[,.!]| years| last| this)")
"""An age in words."""


def plain(clause: str) -> str:
    """Return the clause as the rules expect it: "Well, I'm rly into it!" is "I am into it"."""
    text = _EMOJI.sub(" ", clause).strip(_EDGES)
    text = _AGE.sub(lambda match: f"{match[1]} {NUMBERS[match[2].lower()]}", text)
    text = _SHORT.sub(lambda match: SHORT_FORMS[match[0].lower()], _HAS_GOT.sub(" has ", text))
    for pattern, full in _LONGER:
        text = pattern.sub(full, text)
    text = _without_head(text)
    text = _NO_SUBJECT.sub(_with_subject, text)
    text = _AFTER_BE.sub(r"\1", _BEFORE_VERB.sub(r"\1\2", text))
    shorter = _TAIL.sub("", text.rstrip(_EDGES))
    return (shorter if shorter.strip() else text).strip(_EDGES)


def lacks_subject(clause: str) -> str:
    """Return what the "I" of a clause goes without saying before: a verb, a state; empty if it is said."""
    text = _without_head(_EMOJI.sub(" ", clause).strip(_EDGES))
    match = _NO_SUBJECT.match(text)
    return "" if match is None else match.lastgroup or ""


def _with_subject(match: re.Match[str]) -> str:
    said = match[0][0].lower() + match[0][1:]
    return f"I {'am ' if match['state'] else 'was ' if match['born'] else ''}{said}"


def _without_head(text: str) -> str:
    """Return the text without greetings, and with a date that stood first at its end."""
    when = ""
    for _ in range(6):
        first = _FIRST_THE_DATE.match(text)
        match = None if first else _HEAD.match(text)
        if first:
            when = first[1]
        elif match is None or match.end() == len(text):
            break
        text = text[(first or match).end() :]  # type: ignore[union-attr]  # one of them matched
    main, comma, aside = text.partition(", ")
    return f"{main} {when[0].lower()}{when[1:]}{comma}{aside}".strip() if when else text
