"""What a rule's groups must be to be believed: a name, a place, things that one can like.

The name of a group in a rule's pattern is the name of a reading here. A reading gives the texts
that go into the memory, several when a list was said, none when the words are something else.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ingest.extractor.callings import illness, job, langs, nationality, org, role
from ingest.extractor.lexicon import NATIONALITIES
from ingest.extractor.naming import bare_name, first_name, name
from ingest.extractor.places import named_place, place
from ingest.extractor.wording import (
    BETWEEN,
    POINTING,
    TECHNICAL,
    Told,
    cut,
    dated,
    is_addressed,
    turned,
)
from ingest.temporal import resolve

Reading: TypeAlias = Callable[[str, Told], list[str]]

_MOST_WORDS = 16
_MOST_ITEM_WORDS = 10
_NO_THING = re.compile(
    r"^(?:(?:theme|it|'?em|this|that|these|those|them|him|her|his|their|its|me|us|one|ones|both|all|"
    r"how|when|"
    r"what|whatever|"
    r"if|where|why|who|which|"
    r"everything|everyone|everybody|nothing|something|someone|anything(?! (?:with|containing|"
    r"made with))|anyone|people like)\b|to "
    r"(?:be (?!addressed|called|contacted|out|in|on|outdoors|"
    r"near|alone|around)|hear|know|see (?:it|that|how|what|if)|ask|say|think|believe|get|help|"
    r"understand|thank|point|discuss|"
    r"add|use|make sure|create (?:an?|the)|keep (?:it|things|this|that)|have (?:an?|the|it|some|"
    r"more)|do (?:it|this|that|so)|add|avoid|"
    r"start by|go (?:for|with|ahead|back)|try|change|improve|implement|build (?:an?|the)|write "
    r"(?:an?|the)|order (?:an?|the)|book (?:an?|the)|"
    r"meet|join|come|find|request|schedule|return|cancel|check|confirm|apply|thank|share|let|"
    r"mention|inform|report|see)\b|"
    r"(?:the|an?|some|any) (?:way|idea|fact|sound|thought|look|looks|part|vibe|one|ones|first|"
    r"second|other|others|"
    r"result|results|answer|answers|concept|approach|suggestions?|version|option|options|"
    r"solution|colors?|colours?|ending|"
    r"change|changes|feature|layout|wording|tone|design|code|function|file|error|example|list|"
    r"table|output|response|email|style of (?:this|that)|"
    r"lot|bit|little|whole|most|same|previous|last|next|former|latter|above|following|photo|pic|"
    r"picture|summary|explanation|plan)\b|"
    r"having (?:such|an? (?:great|good))\b|(?:being (?:able|asked|told|treated|honest|ignored|"
    r"lied))\b|so\b|an? (?:copy|refund|"
    r"hand|favor|favour)\b|out\b|off\b|up\b|down\b|not\b|"
    r"(?:option|version|answer|choice|number|plan|variant|draft|design|#)\s?[a-z0-9]{1,2}\b|to$|"
    r"there\b|here\b|having to\b|(?:mondays|today|tomorrow|yesterday)\b|\d+\b|my (?:life|day|"
    r"self)\b|as\b|like\b|of\b|for\b|with\b(?! my)|about\b|on\b|in\b|at\b|"
    r"more\b|less\b|much\b|too\b|very\b|(?:these|those|this|that) |(?:the )?(?:thing|things) "
    r"(?:i|that)\b|(?:some|any) of (?:it|these|those|them)\b)",
    re.IGNORECASE,
)
_ONE_THING = frozenset(
    [
        "fish and chips",
        "rock and roll",
        "rock and metal",
        "mac and cheese",
        "salt and pepper",
        "peanut butter and jelly",
        "arts and crafts",
        "bed and breakfast",
        "black and white",
        "dungeons and dragons",
        "law and order",
        "r and b",
        "rhythm and blues",
        "pen and paper",
        "pride and prejudice",
        "war and peace",
        "rick and morty",
        "cookies and cream",
        "sweet and sour",
        "peace and quiet",
        "friends and family",
        "family and friends",
        "drum and bass",
        "country and western",
        "science and technology",
        "bread and butter",
        "bacon and eggs",
    ]
)
_BOUND = re.compile(
    r"\b(?:about|of|with|in|at|from|on|for|to|between|by|during|near|under|over|after|before)\b"
)
_GERUND = re.compile(r"^(?:\w+ing|to \w+)\b", re.IGNORECASE)
_NEG_TAIL = re.compile(
    r",? (?:but )?(?:not|never|rather than|more than|instead of|over)\b.*$", re.IGNORECASE
)
_NO_VALUE = re.compile(
    r"^(?:not|so|very|too|really|killing|the same|going|getting|that|this|it|what|how|when|here|"
    r"there|broken|wrong|dead|"
    r"full|empty|over|up|down|out|on fire|on track|good|great|bad|fine|ok|okay|terrible|awful|"
    r"crazy|packed|a mess|a joke|"
    r"pretty|quite|insane|hectic|in progress|below|above|attached|as follows|hacked|gone|a lot|a "
    r"bit|ruined|clear|done|"
    r"returning|throwing|failing|showing|not working|locked|blocked|limited|tight|horrible|"
    r"boring|a disaster|hell)\b",
    re.IGNORECASE,
)


def things(text: str, told: Told) -> list[str]:
    """What one can like, each of a list for itself: "tea, coffee and cake" are three."""
    text = re.sub(r"^both ", "", cut(text))
    for part in (whole := _items(_NEG_TAIL.sub("", text))):
        if not part or _NO_THING.match(part) or len(part.split()) > _MOST_ITEM_WORDS:
            return []
    if (
        is_addressed(text)
        or len(text.split()) > _MOST_WORDS
        or re.search(r"\b(?:it|this|that|these|those|them|him|each other|is|are|was|were)\b", text)
    ):
        return []
    return [turned(dated(part, told).text, told) for part in whole]


def thing(text: str, told: Told) -> list[str]:
    """One thing, a list unbroken."""
    text = _NEG_TAIL.sub("", cut(text))
    if re.search(r"\b(?:it|them|this|these|those)\b", text):
        return []
    if not text or _NO_THING.match(text) or is_addressed(text) or len(text.split()) > _MOST_WORDS:
        return []
    return [turned(dated(text, told).text, told)]


_COMMON = re.compile(
    r"^(?:\w+ing|dance|music|yoga|art|nature|meditation|exercise|poetry|photography|basketball|"
    r"football|soccer|tennis|chess|garlic|coffee|tea|pasta|pizza|chocolate|animals|books|movies|games|"
    r"pottery|ceramics|the|an?|my|our)\b|\w+ (?-i:[a-z])",
    re.IGNORECASE,
)


def pastime(text: str, told: Told) -> list[str]:
    """A thing that begins the sentence: its capital says nothing."""
    common = _COMMON.match(text) and text.split()[0].casefold() not in NATIONALITIES
    small = text[0].lower() + text[1:] if common else text
    return thing(small, told)


_EXAMPLES = re.compile(
    r",? (?:mostly|especially|mainly|particularly|including|such as|preferably|in particular)\b.*$",
    re.I,
)


_SHARED = re.compile(
    r"\b(?:movies|films|music|games|books|novels|shows|food|cuisine|stories|songs|dishes|sports|"
    r"classes|fiction|literature|scenes|projects|activities)$",
    re.IGNORECASE,
)
"""What "action and sci-fi movies" have in common."""
_HALF = re.compile(r"\w+ing an? \w+$")
"""As "creating a safe, welcoming place" begins."""


def _items(text: str) -> list[str]:
    text = _EXAMPLES.sub("", text)
    parts = [part.strip() for part in BETWEEN.split(text) if part.strip()]
    if len(parts) < 2 or text.casefold() in _ONE_THING:
        return [text]
    gerunds = [bool(_GERUND.match(part)) for part in parts]
    plain = [not _BOUND.search(part) and len(part.split()) <= 3 for part in parts]
    if not (all(gerunds) or (all(plain) and not any(gerunds)) or (all(plain) and gerunds[-1])):
        return [text]
    shared = (
        len(parts[-1].split()) > 1
        and not all(gerunds)
        and (parts[0].casefold() in NATIONALITIES or _SHARED.search(parts[-1]) is not None)
    )
    shared = shared or any(_HALF.search(part) for part in parts[:-1])
    return [text] if shared or any(part.split()[0] in ("to",) for part in parts[1:]) else parts


def rest(text: str, told: Told) -> list[str]:
    """Whatever follows, if it can be understood without what was said before."""
    return _understood(dated(cut(text), told).text, told)


def _understood(said: str, told: Told) -> list[str]:
    if not said or len(said.split()) > _MOST_WORDS or is_addressed(said):
        return []
    if POINTING.search(said) or _SOMEBODY.match(said):
        return []
    return [turned(said, told)]


_SOMEBODY = re.compile(
    r"^(?:her|him|them|us|he|she|they)\b|.*\b(?:near|with|to|for) (?:me|us)$", re.IGNORECASE
)
_ONLY_DAY = re.compile(
    r"^(?:(?:in|on|by|from|until|since|after|before|to|the week of|the weekend of|at|"
    r"\d{1,2}(?:am|pm)|again|late|early|"
    r"soon|back|home|some) ?)*[\d-]+(?: to [\d-]+)?$"
)


def where(text: str, told: Told) -> list[str]:
    """Where somebody went to live, with when and what for."""
    return [
        said[0].upper() + said[1:] if said.islower() and not _COMMON_PLACE.match(said) else said
        for said in done(text, told)
    ]


_COMMON_PLACE = re.compile(r"^(?:an?|the|my|our|user|another|live|be|some)\b", re.IGNORECASE)


def over(text: str, told: Told) -> list[str]:
    """The rest of what is over; when it ended is no part of what it was."""
    text = cut(text)
    if TECHNICAL.search(text):
        return []
    for moment in reversed(resolve(text, told.said_at)):
        text = f"{text[: moment.start]} {text[moment.end :]}"
    text = " ".join(re.sub(r"\b(?:in|on|since|back in|about)\s*$", "", text.strip()).split())
    return rest(text, told) if text else [""]


def tail(text: str, told: Told) -> list[str]:
    """What may follow or not: left out when it cannot be understood."""
    return [f" {said}" for said in done(text, told)] or [""]


def done(text: str, told: Told) -> list[str]:
    """The rest of what has happened: "on Monday" is the last one."""
    said = cut(text)
    return _understood(dated(said, told, behind=True).text, told) if said else [""]


def ahead(text: str, told: Told) -> list[str]:
    """The rest of what is to come: "in September" is the next one."""
    return _understood(dated(cut(text), told, ahead=True).text, told)


def employer(text: str, told: Told) -> list[str]:
    """The employer of a job that is over; whichever it was when none is named."""
    for moment in reversed(resolve(text, told.said_at)):
        text = f"{text[: moment.start]}{text[moment.end :]}".strip()
    return [f"at {said}" for said in org(text, told)] or ["somewhere"]


_SEASON = re.compile(r"\bin the (?:spring|summer|autumn|fall|winter) of \d{4}")
_FEAST = re.compile(
    r"\b(?:(?:for|at|by|until|before|after|over|on|in) (?:easter|christmas|xmas|thanksgiving|new "
    r"year\S*|halloween|ramadan|"
    r"the (?:fall|spring|summer|autumn|winter)|next (?:fall|spring|summer|autumn|winter)|eid|"
    r"diwali|hanukkah|passover|my birthday|spring break)|on the \d{1,2}(?:st|nd|rd|th)|"
    r"(?:from|until|till) .{0,20}\d{1,2} \w+|in \d+ (?:days|weeks|months|years))\b",
    re.IGNORECASE,
)
"""Days that have a name and no date of their own."""


_DOING = re.compile(r",\s*\w+ing\b.*$", re.DOTALL)


def past(text: str, told: Told) -> list[str]:
    """The rest of a sentence about what happened on an earlier day that it names."""
    found = dated(cut(_DOING.sub("", text)), told, behind=True)
    if _ONLY_DAY.match(found.text) or not (
        found.first or _FEAST.search(text) or _SEASON.search(found.text)
    ):
        return []
    today = told.said_at.date()
    if found.first is not None and (found.first > today or found.first == found.last == today):
        return []
    return _understood(found.text, told)


def happened(text: str, told: Told) -> list[str]:
    """The same of any deed: those at a computer are everyday."""
    return [] if TECHNICAL.search(text) else past(text, told)


def future(text: str, told: Told) -> list[str]:
    """The rest of a sentence about what is to happen on a later day that it names."""
    return [said for said in plan(text, told) if not _ONLY_DAY.match(said)]


def plan(text: str, told: Told) -> list[str]:
    """The same, when the day alone is enough: I retire in May."""
    found = dated(cut(text), told, ahead=True)
    if found.last is None:
        return rest(text, told) if _FEAST.search(text) else []
    return _understood(found.text, told) if found.last > told.said_at.date() else []


def attribute(text: str, told: Told) -> list[str]:
    """The value of something of mine: short, and no opinion on how it is going."""
    text = cut(text)
    if not text or len(text.split()) > 12 or is_addressed(text) or _NO_VALUE.match(text):
        return []
    return [turned(dated(text, told).text, told)]


def low(text: str, told: Told) -> list[str]:
    """What begins a sentence and is no name: its first letter is written small."""
    if TECHNICAL.search(text):
        return []
    return [
        f"{text[0].lower()}{text[1:]}" if text[1:].islower() else text for text in rest(text, told)
    ]


def any_day(text: str, told: Told) -> list[str]:
    """What holds a date."""
    return ahead(text, told) if dated(cut(text), told, ahead=True).first else []


def birthday(text: str, told: Told) -> list[str]:
    """A day of the year, with the year only when it was said."""
    text = re.sub(r",? not .*$", "", cut(text))
    found = resolve(text, told.said_at) or resolve(f"in {text.title()}", told.said_at)
    if len(found) != 1 or found[0].granularity not in ("day", "month"):
        return []
    moment = found[0]
    said = text[moment.start : moment.end]
    if re.search(r"(?:19|20)\d\d", said):
        return [moment.begin.isoformat()]
    if re.search(r"\d", said):
        return [f"{moment.begin:%B} {moment.begin.day}"]
    return [
        f"in {moment.begin:%B}"
        if moment.granularity == "month"
        else f"{moment.begin:%B} {moment.begin.day}"
    ]


def birthday_now(text: str, told: Told) -> list[str]:
    """The day that "it's my birthday" speaks of."""
    return birthday(text.strip() or "today", told)


READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "things": things,
        "thing": thing,
        "pastime": pastime,
        "place": place,
        "town": named_place,
        "name": name,
        "bare": bare_name,
        "first": first_name,
        "role": role,
        "job": job,
        "org": org,
        "langs": langs,
        "nation": nationality,
        "rest": rest,
        "tail": tail,
        "done": done,
        "ahead": ahead,
        "employer": employer,
        "over": over,
        "where": where,
        "plan": plan,
        "past": past,
        "happened": happened,
        "future": future,
        "illness": illness,
        "attribute": attribute,
        "low": low,
        "dated": any_day,
        "birthday": birthday,
        "birthday_now": birthday_now,
    }
)
