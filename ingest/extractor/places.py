"""Names of places: "in Berlin" is one, "in a hurry" is none."""

import re

from ingest.extractor.wording import TECHNICAL, Told, cut, dated, is_addressed, turned

_TAIL_OF_PLACE = re.compile(
    r"(?:,|\s)+(?:with|since|for|because|right now|now|at the moment|these days|currently|where|"
    r"which|that|and|but|as|"
    r"when|while|on my own|alone|by myself|during|until|after|before|last|this|next|but|most|"
    r"full|part|to|anymore|all|so|is|was|"
    r"about|around|almost|over|these|temporarily|permanently|too|right|if|too|again|together|"
    r"now)\b.*$|,\s*\w+ing\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_PLACE = re.compile(
    r"^(?:(?:an? |the |my )?(?:rock|shoebox|cave|box|hole|fridge|freezer|blanket|swamp|dumpster|"
    r"spaceship|ship|walls?|sewers?|shadows?)\b|fear|denial|hope|peace|poverty|hell|love|sin|"
    r"luxury|debt|pain|misery|harmony|silence|"
    r"exile|here|there|"
    r"town\b$|(?:an?|the) (?:world|society|simulation|bubble|moment|past|future|present|matrix|"
    r"dream|lie|bug|class|team|field|"
    r"industry|rush|hurry|file|function|list|database|table|context|middle\b(?! of nowhere)|"
    r"process|same|way|end|code|case|meeting|"
    r"mood|call|clouds|other|next|following|new (?:function|file|version|chapter)|first|second|"
    r"right|wrong|left|back|fence)|"
    r"my (?:head|mind|dreams?|own world|car|opinion|case|view|heart|life)|this|that|it|these|"
    r"those|what|which|where|how|me|you|him|her|them|us|"
    r"your|his|their|google|github|\d+\s*$|on\b|step|line|page|question|section|chapter|option|"
    r"plan|mars|narnia|hogwarts|"
    r"the moon|heaven|constant|someone|something|nowhere|everywhere|anywhere|home|bed|work|"
    r"school|outer space|the future|"
    r"bigger|better|other|new job|production|general|particular|short|fact|addition|order|charge|"
    r"trouble|touch|"
    r"python|java|javascript|rust|excel|sql|english|react|c\+\+)\b",
    re.IGNORECASE,
)
_SMALL_IN_PLACES = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "at",
        "near",
        "and",
        "de",
        "la",
        "le",
        "del",
        "da",
        "do",
        "van",
        "der",
        "upon",
        "outside",
        "just",
        "my",
    ]
)


def place(text: str, told: Told) -> list[str]:
    """A town, country, region or kind of home."""
    text = cut(re.sub(r"\s+(?:back|again)$", "", text))
    text = dated(_TAIL_OF_PLACE.sub("", text), told).text
    text = re.sub(
        r"\s+(?:in|on|since|from) (?:the week of |the weekend of )?\d{4}.*$", "", text
    ).strip(" ,.")
    words = text.split()
    if TECHNICAL.search(text):
        return []
    if not words or len(words) > 7 or _NO_PLACE.match(text) or is_addressed(text):
        return []
    if text.islower() and words[0] not in _SMALL_IN_PLACES and len(words) <= 3:
        text = " ".join(word if word in _SMALL_IN_PLACES else word.capitalize() for word in words)
    return [turned(text, told)]


def named_place(text: str, told: Told) -> list[str]:
    """A place with a name of its own, or written small as a single word."""
    found = place(text, told)
    if not found or re.match(r"(?:an?|the|my|user's) [a-z]", found[0], re.IGNORECASE):
        return []
    return found
