"""One plain way to write a clause: contractions in full, no greetings, no adverbs before the verb.

Rules then need one form of each sentence: "well, im rly allergic lol" is "I am allergic".
"""

import re

from ingest.extractor.words.lexicon import DIETS, HEALTH_STATES, MARITAL, NATIONALITIES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import ADVERBS, FILLERS, TAILS

_QUALITIES = "|".join(
    word for word in sorted(NATIONALITIES | DIETS | HEALTH_STATES | MARITAL) if word.isalpha()
)
_ARTICLES = "an?|the|called|named|from|allergic|in|on|not|turning|getting|moving|due|" + "\\d+"

_SHORT = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\b(?:i'm|im|i m)\b", "I am"),
        (r"\b(?:i've|ive)\b", "I have"),
        (r"\bi'll\b", "I will"),
        (r"\bi'd\b", "I would"),
        (r"\b(we|they|you)'re\b", r"\1 are"),
        (r"\b(we|they|you)'ve\b", r"\1 have"),
        (r"\b(we|they|you|she|he|it)'ll\b", r"\1 will"),
        (r"\b(we|they|you|she|he)'d\b", r"\1 would"),
        (r"(?<=[a-z])'s got (?=(?:an?|two|three|four|no|his|her)\b)", " has "),
        (r"\b(she|he|it|that|there|here|name|birthday|what|who)'s\b", r"\1 is"),
        (rf"(?<=\w)(?<!master)(?<!bachelor)'s (?=(?:{_QUALITIES}|{_ARTICLES})\b)", " is "),
        (r"\b(?:can't|cant|can not)\b", "cannot"),
        (r"\b(?:won't|wont)\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had)n'?t\b", r"\1 not"),
        (r"\bain'?t\b", "am not"),
        (
            r"\b(have|has) got (?!to\b|married|divorced|engaged|promoted|laid|fired|hired|into|back|used|stuck|lost|rid|over)",
            r"\1 ",
        ),
        (r"\bw/? (?=(?:my|a|the|two|our|his|her)\b)", "with "),
        (r"\bgonna\b", "going to"),
        (r"\b(?:luv|lo+ve{2,}|loo+ve)\b", "love"),
        (r"\bh8\b", "hate"),
        (r"\b(?:favou?rite|fav|fave)s?\b", "favourite"),
        (r"\bu\b", "you"),
        (r"\b(?:bday|b-day)\b", "birthday"),
        (r"(?<=\d)[ -]?(?:yrs?|y\.?o\.?|y/o)(?: old)?(?=\W|$)", " years old"),
        (r"\s{2,}", " "),
    )
)
_SHORTENED = re.compile(
    r"(?i)'|\s\s|\b(?:w|im|i m|ive|\w+nt|cant|can|wont|aint|gonna|lo+ve*|luv|h8|fav\w*|u|bday|b-day|got|"
    r"love|hate)\b|\d[ -]?y"
)
"""The mark of any short form: most clauses have none."""

_HEAD = re.compile(
    rf"(?i)(?:(?:{any_of(FILLERS)}|(?:some |quick )?(?:context|background|about me|info|note|update|intro)(?=:)|"
    r"you (?:should|must) (?:also )?know(?: that)?|(?:the|my) (?!.*\b(?:fear|worry|rumou?r|idea|plan|hope|dream|joke|premise|claim|lie)\b)[^.?!,]{3,60}? is that(?= I\b))"
    r"(?=[\s,.!:;…~-]|$)[\s,.!:;…~-]*)"
)
_GREETED = re.compile(
    r"(?i)^(?:hey|hi|hello|thanks|yeah|wow|oh|thank you|yes|no|nice to meet you),? "
    r"(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?[,!.]\s*"
)
_UNIT = r"(?:week|month|year|night|summer|winter|spring|fall|autumn|weekend|\w+day)"
_FIRST_THE_DATE = re.compile(
    rf"(?i)^((?:today|yesterday|tomorrow|tonight|(?:last|next|this) (?:{_UNIT}|january|february|march|"
    r"april|may|june|july|august|september|october|november|december)|\w+ (?:days?|weeks?|months?|"
    r"years?) ago|(?:on|in|at|by|since|for|from|starting|back in|early in|late in) (?:[^\s,]+ ){0,3}?"
    r"(?:\d{4}(?:-\d\d(?:-\d\d)?)?|\w+day|(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)(?: \d+\w*)?|\d+(?:st|nd|rd|th)?|weeks?|months?|years?|"
    r"days?)(?: (?:morning|evening|night|afternoon))?)),? (?=(?:i|we|my|our)\b)"
)
_CALENDAR = re.compile(r"(?i)^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_ADVERBS = rf"(?:{any_of(ADVERBS)}|do(?= (?:like|love|enjoy|have|hate|prefer|live|work|own)))"
_BEFORE_VERB = re.compile(
    rf"(?i)^(I|we)((?: (?:am|are|was|were|have|will|do not|cannot))?)(?: {_ADVERBS}(?=\s))+(?! not\b)"
)
_AFTER_BE = re.compile(
    rf"(?i)^((?:I am|we are|my [\w-]+ (?:is|has|does|lives|works))(?: not)?)(?: {_ADVERBS}(?=\s))+"
)
_NO_SUBJECT = re.compile(
    r"(?i)^(?:(?P<verb>(?:just )?(?:moved (?:back )?to|turned(?= \d)|got (?:married|engaged|divorced|fired|laid "
    r"off)|grew up in|graduated|joined|quit|stopped|(?:love|hate|adore)(?! [a-z]+s to\b)|ran (?=my|the|a)|do not (?:eat|like|drink)|"
    r"work (?:at|as|for))|live in|speak)|(?P<state>based in|not(?= .+ any ?(?:more|longer)\b)|living in|working (?:as|at|for)|"
    r"allergic to|married (?:to|with)|single|vegan|vegetarian|diabetic|moving to|flying to|"
    r"retired|(?:originally )?from|\d\d ?[mf](?= here| from|$))|(?P<born>born (?:and raised )?(?:in|on)))(?= |$)"
)
"""The beginning of a sentence whose "I" goes without saying."""

_TAIL = re.compile(
    rf"(?i)(?:[\s,]+(?:{any_of(TAILS)})|, (?:dude|man|bro|mate|everyone|guys)|\s*[:;=]-?[)(DPp]+|\s*<3)+$"
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d\U000e0020-\U000e007f]+"
)
_EDGES = " \t\r\n,.!;:-–—…*_~()\"“”«»'•·#\x00"


_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen".split()
_NUMBERS = {word: number for number, word in enumerate(_ONES, 1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
_AGE = re.compile(rf"(?i)\b(turned|am|are|is) ({any_of(_NUMBERS)})(?=$|[,.!]| years| last| this)")
"""An age in words."""


def plain(clause: str) -> str:
    """Return the clause as the rules expect it: "Well, I'm rly into it!" is "I am into it"."""
    text = _EMOJI.sub(" ", clause).strip(_EDGES)
    text = _AGE.sub(lambda match: f"{match[1]} {_NUMBERS[match[2].lower()]}", text)
    if _SHORTENED.search(text):
        for pattern, full in _SHORT:
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
        text = _GREETED.sub("", text)
        first = _FIRST_THE_DATE.match(text)
        match = None if first else _HEAD.match(text)
        if first:
            when = first[1]
        elif match is None or match.end() == len(text):
            break
        text = text[(first or match).end() :]  # type: ignore[union-attr]  # one of them matched
    if when and not _CALENDAR.match(when):
        when = when[0].lower() + when[1:]
    main, comma, aside = text.partition(", ")
    return f"{main} {when}{comma}{aside}".strip() if when else text
