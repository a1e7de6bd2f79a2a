"""What somebody likes or must not eat: a short phrase that needs nothing said before it."""

import re

from ingest.extractor.readings.occupations import POINTING
from ingest.extractor.wording import LIST, Told, cut, listed
from ingest.extractor.words.lexicon import ADJECTIVES, NATIONALITIES

_MOST_WORDS = 9
_NO_LIKE = re.compile(
    r"(?:it|'?em|me|us|he|she|they|him|one|ones|both|all|any|some|no|not|none|more|less|much|too|very|so|as|how|when|if|"
    r"where|why|who|everybody|everyone|everything|nothing|someone|anything|anyone|other|another|such|each|every|either|"
    r"also|two|three|out|off|up|down|of|for|with|about|on|in|at|\d+|again|or|and|is|are|never|only|"
    r"to (?:be|hear|know|see|ask|say|think|believe|get|help|understand|thank|point|discuss|add|use|create|keep|have|avoid|"
    r"start|change|improve|implement|order|meet|join|come|find|request|schedule|return|cancel|check|confirm|apply|share|let|"
    r"mention|inform|report|tell|talk|show|go (?:for|with|ahead|back))|"
    r"(?:seeing|hearing|knowing|having|getting|feeling|finding|thinking|looking)|watching (?:how|my)|"
    r"being(?! (?:outdoors|outside|challenged|alone|near|in|a|around)\b))\b",
    re.IGNORECASE,
)
_THE = re.compile(
    r"(?:the|a|an|my|our|your|that|this) (?!(?:[A-Z][\w'-]*|beach|sea|ocean|mountains?|outdoors|rain|snow|cold|heat|city|"
    r"countryside|piano|guitar|violin|theat(?:er|re)|woods|forest|sun|summer|winter|autumn|fall|desert|opera|gym|"
    r"colou?r (?:\w+)$|zoo|cinema|movies|internet|80s|90s|70s|60s|night (?:sky)|dentist|smell of|taste of|sound of|"
    r"great outdoors|arts)\b)",
)
_VAGUE = re.compile(
    r"\b(?:idea|fact|way|sound|thought|look|looks|vibes?|feeling|concept|approach|suggestions?|version|option|"
    r"options|itself|example|projects?|solution|ending|feature|layout|wording|tone|photo|photos of|pic|pics|picture|summary|explanation|plan|plans|"
    r"advice|question|answer|result|emphasis|passion|energy|enthusiasm|attitude|perspective|creativity|"
    r"different|kinds?|sorts?|things?|stuff|lots?|bit|part|same|way|ways|new (?:ones?)|everyday|occasionally|"
    r"better|best|most|opportunit\w+|challenges?|"
    r"his|her|hers|their|its|someone|somebody|people's|each other|one another|compliments?|support|progress|"
    r"memories|message|moments?|story|journey|details?|choices?|chance|is|are|was|were|has|makes?|made|keeps?|"
    r"been|will|can|going to|gets?|does|did|him|themselves|yourself|himself|herself|ones?)\b",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"\b(?:then|too|once|while|doing|playing|watching|trying|having|just|only|sometimes|often|always|after|"
    r"more|before|since|around|together|about|of|with|in|at|on|from|for|to|between|by|near|under|over|like|the|an?|"
    r"my|very|so|really|who|whom|what)$",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"\b(?:movies|films|music|games|books|novels|shows|food|cuisine|stories|songs|dishes|sports|"
    r"classes|fiction|literature|scenes|projects|activities|jokes|tv|style|rooms|weather)$",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:to|over) (?:save|avoid|ensure|reduce|increase|make|improve|keep|get|help|be|have)\b"
)
_JOKES = re.compile(
    r"(?:mondays?|work|people|drama|bullshit|exercise|stupidity|nonsense|failure|adulting|fun|mornings?|losing|"
    r"feelings|meetings|responsibilit\w+|small talk|commitment|homework|money|idiots|cardio|everything|nothing|"
    r"effort|it|that|this|them|something|anything|some\b(?! )|certain|many|most$|love|happiness|kids|children|math|much|enough|at|in|on|with|out|late|alone|before|more|"
    r"breakfast|lunch|dinner|there|here|well|right|like|as|for|more|less|too|that|what)\b",
    re.IGNORECASE,
)


def liked(text: str, told: Told) -> list[str]:
    """What one can like for years; each of a list of single words for itself."""
    text = _phrase(text)
    is_bad = (
        not text
        or len(text.split()) > _MOST_WORDS
        or any(pattern.match(text) for pattern in (_NO_LIKE, _THE))
        or any(pattern.search(text) for pattern in (POINTING, _VAGUE, _LOOSE_END, _PURPOSE))
    )
    if is_bad or ("," in text and not re.search(r"\b(?:and|or|&) ", text)):
        return []
    del told
    text = text.removeprefix("both ")
    parts = [part for part in LIST.split(text) if part]
    apart = len(parts) > 1 and all(len(part.split()) <= 2 for part in parts)
    shared = len(parts[-1].split()) > 1 and (
        parts[0].casefold() in NATIONALITIES
        or _SHARED.search(parts[-1])
        or len(parts[0].split()) == 1
    )
    if text.casefold() in _ONE_THING or not apart or shared or text.startswith("to "):
        return [text]
    return parts


_ONE_THING = frozenset(
    "fish and chips,rock and roll,mac and cheese,salt and pepper,arts and crafts,bed and breakfast,black and "
    "white,dungeons and dragons,law and order,rhythm and blues,pride and prejudice,war and peace,rick and morty,"
    "cookies and cream,sweet and sour,peace and quiet,friends and family,family and friends,drum and bass".split(
        ","
    )
)


def favourite(text: str, told: Told) -> list[str]:
    """The value of a favourite: a name, or a few words."""
    del told
    text = re.sub(r", (?!(?:\w+ ){0,3}(?:and|or)\b).*$", "", _phrase(text))
    is_bad = not text or len(text.split()) > 7 or POINTING.search(text) or _LOOSE_END.search(text)
    if is_bad or re.match(
        r"(?:on|in|at|of|for|with|about|when|to|how|if|definitely|probably|because|not|one|all|so|hard|also)\b",
        text,
        re.I,
    ):
        return []
    return [] if re.search(r"\b(?:is|are|was|were|has)\b", text) else [text]


_SHORT = re.compile(r"(?:all |most |any )?[\w'-]+(?: [\w'-]+){0,2}")


def avoided(text: str, told: Told) -> list[str]:
    """What somebody is allergic to or does not eat, as a list that stays whole."""
    del told
    text = _phrase(text)
    parts = [part for part in LIST.split(text) if part]
    if not all(map(_SHORT.fullmatch, parts)):
        text = text.partition(", ")[0]
        parts = [part for part in LIST.split(text) if part]
    if not parts or not all(map(_SHORT.fullmatch, parts)):
        return []
    if any(
        _JOKES.match(part) or POINTING.search(part) or _LOOSE_END.search(part) for part in parts
    ):
        return []
    return [listed(text)]


def _phrase(text: str) -> str:
    """Return the phrase up to the first aside; of a list, all items."""
    text = cut(text)
    parts = text.split(", ")
    if len(parts) > 1 and (
        re.search(r"\b(?:an?|the) [\w-]+$", parts[0]) or parts[0].lower() in ADJECTIVES
    ):
        return ""
    if (
        len(parts) > 1
        and not re.match(r"(?:and|or|&) ", parts[-1])
        and not re.search(r"^[\w'-]+(?: [\w'-]+){0,2} (?:and|or|&) ", parts[-1])
    ):
        return parts[0]
    return text
