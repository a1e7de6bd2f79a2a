"""The slot of a sentence, if what it tells can have one value only: name, home, employer, age.

Two memories with one slot and different values contradict each other; with the same value they say
the same. Whatever is not certain to have one value at a time has no slot, for a wrong one would
archive a memory that is true: two sisters, two jobs, two allergies live side by side.
"""

import re
from functools import cache

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.values import Slot
from ingest.extractor.words.boundaries import NO_FIRMS, NO_TOWNS, OF_LIKING, PARTS_OF_FIRMS
from ingest.extractor.words.lexicon import BARE_VERBS, ONE_OF_A_KIND
from ingest.extractor.words.patterns import any_of

_LONGEST = 300
"""Characters; a longer sentence is a story and no single fact."""

_SOMETHING = frozenset({"somewhere", "something", "someone", "somebody", "someplace"})
_NOT_NOW = deferred(r"\b(?:no longer|used to|any ?more|asks|also|formerly|never|will)\b")
"""What is over, to come, or true beside other things has no slot."""

_DATE_TAIL = deferred(
    r"(?i)\s+(?:(?:since|from|until|starting|in)\s+\d{4}|"
    r"(?:(?:since|as of|from|until|starting|on|in)\s+)?"
    r"(?:\d{4}-\d\d(?:-\d\d)?|now|currently|right now|at the moment|these days|nowadays|today))$"
)
_ARTICLE = deferred(r"(?i)^(?:the|a|an|some|any|all|my|user's|their|his|her)\s+")
_ADVERB = rf"(?:{any_of(OF_LIKING)})\s+"
_EDGE = " \t\r\n.,;:!?\"'“”‘’«»()[]…~*_"


class _Shape(NamedTuple):
    """A form of sentence: `slot` may name groups of the pattern; so may `value`.

    The group `more` is what it tells besides.
    """

    pattern: str
    slot: str
    value: str = "{v}"


_S = r"(?P<s>.+?)"
_V = r"(?P<v>.+)"
_NAMED = r"(?:the )?(?-i:[^a-z\s]).*"
_PLACE = rf"(?P<v>{_NAMED}|(?!(?:{any_of(NO_TOWNS)})$)[^\W\d]+)"
"""A place with a name: who lives in Berlin may live in a small flat and near a river besides."""
_FIRM = rf"(?P<v>(?!a living$|.*\b(?:{any_of(PARTS_OF_FIRMS)})$)(?:{_NAMED}|(?!(?:{any_of(NO_FIRMS)})\b).+))"
"""An employer, and not when, where or what for somebody works."""
_IN = r"(?:(?:back|out|over) )?(?:in|near|outside(?: of)?)"
_LIVES = r"(?:lives|live|resides|is living|is based)"
_AGE = r"(?P<v>(?:1[01])?\d{1,2})"

SHAPES: tuple[_Shape, ...] = (
    _Shape(rf"{_S}(?:'s (?:first |full |real |given )?name is| is (?:called|named)) {_V}", "{s}/name"),
    _Shape(rf"{_S}'s (?:last |family |sur)name is {_V}", "{s}/last name"),
    _Shape(rf"{_S} (?:goes by|(?:wants|likes|prefers) to be called|is nicknamed) {_V}", "{s}/nickname" ),
    _Shape(rf"{_S}'s (?P<k>e-?mail|phone|mobile|time ?zone|blood type|shoe size|address|gender|height|pronouns|" rf"weight|religion)(?: address| number)? (?:is|are) {_V}", "{s}/{k}"),
    _Shape(rf"{_S}(?: (?:is|turned|has turned)|'s age is) {_AGE}(?: years?(?: old| of age)?)?", "{s}/age"),
    _Shape(rf"{_S}'s (?:birthday|date of birth|birth date) is (?:on )?{_V}", "{s}/birthday"),
    _Shape(rf"{_S} was born in (?P<v>\d{{4}})", "{s}/year of birth"),
    _Shape(rf"{_S} was born (?:on|in) (?P<v>(?:.* )?(?:\d{{4}}|\d{{4}}-\d\d-\d\d))", "{s}/birthday" ),
    _Shape(rf"{_S} {_LIVES} {_IN} {_PLACE}", "{s}/home"),
    _Shape(rf"{_S} (?:has )?(?:moved|relocated) (?:(?:back|out|over) )?(?:to|from .+? to) {_PLACE}", "{s}/home"),
    _Shape(rf"{_S} (?:{_LIVES} in|moved to) (?P<more>an? (?:[\w-]+ ){{0,2}}" rf"(?:flat|apartment|house|room|studio|condo|loft|village|town|suburb|part)) (?:in|of|near) {_PLACE}", "{s}/home"),
    _Shape(rf"{_S} {_LIVES} (?P<more>(?:on|in|with) (?:an?|their) (?:[\w'-]+ ){{1,4}}?)in {_PLACE}", "{s}/home"),
    _Shape(rf"{_S} {_LIVES} at (?P<v>.*\d.*)", "{s}/address"),
    _Shape(rf"{_S} lives (?P<v>somewhere|abroad)", "{s}/home"),
    _Shape(rf"{_S}'s (?:home|home ?town|city|place of residence) is (?:in )?{_PLACE}", "{s}/home"),
    _Shape(rf"{_S}'s (?:nationality|citizenship) is {_V}", "{s}/nationality"),
    _Shape(rf"{_S}'s (?:native language|mother tongue|first language) is {_V}", "{s}/mother tongue" ),
    _Shape(rf"{_S} (?:works|is working|is employed) as (?!(?:an? )?volunteer\b)(?:an? |the )?(?P<v>.+?)" r"(?P<more> (?:at|for|in|with|since) .+)?", "{s}/job/role"),
    _Shape(rf"{_S}'s (?:job|profession|occupation|job title)(?: (?:now|currently))? is" rf" (?:to be |as |being )?{_V}", "{s}/job/role"),
    _Shape(rf"{_S} (?:(?:works|is working|started working)(?= at| for)|is employed|got a job|started a new job) (?:at|for|by|with) {_FIRM}", "{s}/job/employer"),
    _Shape(rf"{_S} works (?P<v>somewhere)", "{s}/job/employer"),
    _Shape(rf"{_S}'s (?:employer|company) is {_V}", "{s}/job/employer"),
    _Shape(rf"{_S} (?:studies|is studying) (?:.+ )?at (?P<v>{_NAMED}|.*(?:university|college|school).*)", "{s}/school"),
    _Shape(rf"{_S} is (?P<v>vegan|vegetarian|pescatarian|an? vegan|an? vegetarian)", "{s}/diet"),
    _Shape(rf"{_S} (?:is|got|has been|just got)(?: \w+ly)? (?P<v>married|engaged|divorced|widowed" r"|single|separated)(?P<more> .+)?", "{s}/relationship"),
    _Shape(rf"{_S} is in a (?:.+ )?(?P<v>relationship)(?: .+)?", "{s}/relationship"),
    _Shape(rf"{_S} has (?P<v>no|an?|one|two|three|four|five|six|\d+) (?:kids?|child|children)", "{s}/children"),
    _Shape(rf"{_S}'s (?:all-time |absolute |current )?(?:favou?rite|fav) (?P<k>.+?) (?:is|are) {_V}", "{s}/favourite/{k}"),
    _Shape(rf"{_S} is (?:\w+ly )?not (?:allergic|intolerant) to {_V}", "{s}/allergy/{v}", "-"),
    _Shape(rf"{_S} is (?:\w+ly )?(?:allergic|intolerant) to {_V}", "{s}/allergy/{v}", "+"),
    _Shape(rf"{_S} prefers (?P<v>.+?) (?:to|over|rather than) (?P<k>.+)", "{s}/preference/{pair}"),
    _Shape(rf"{_S} (?:likes|loves|enjoys) (?P<v>.+?) (?:more|better) than (?P<k>.+)", "{s}/preference/{pair}"),
    _Shape(rf"{_S} (?:does not|doesn't|do not|don't|did not|cannot|can't) (?:{_ADVERB})*" rf"(?:like|love|enjoy|stand|bear|care for) {_V}", "{s}/opinion/{v}", "-"),
    _Shape(rf"{_S} (?:{_ADVERB})*(?:dislikes|hates|detests|despises|loathes|cannot stand|can't stand|" rf"is not (?:a (?:big )?fan of|fond of|keen on|into)) {_V}", "{s}/opinion/{v}", "-"),
    _Shape(rf"{_S} (?:{_ADVERB})*(?:likes|loves|enjoys|adores|prefers|" rf"is (?:a (?:big |huge |massive )?fan of|fond of|into|crazy about|keen on|obsessed with)) {_V}", "{s}/opinion/{v}", "+"),
)  # fmt: skip

_SPELT = {"favorite": "favourite", "color": "colour", "email": "e-mail", "timezone": "time zone"}
_DENYING = deferred(r"(?i)\b(?:no longer|not|never|no)\b")
"""A denial between a subject and its verb: the sentence holds no value."""

_BARE_VERB = deferred(rf"(?i)^(?:{any_of(BARE_VERBS)})\s")
_BARE_NOUN = deferred(r"(?i)^(?:their|his|her|my|the user's|users)\s+(?=\w)")
_USER = deferred(r"(?i)^(?:the\s+)?(?:user|he|she|they|i)(?='s\s|\s)")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def slot_of(content: str) -> Slot | None:
    """Tell the slot of a sentence such as "User lives in Berlin", whoever wrote it.

    Also of near forms, "The user lives in Berlin." and "Lives in Berlin". None: what it says can be
    true beside any number of others.
    """
    sentence = _canonical(content)
    if not sentence or len(sentence) > _LONGEST or _NOT_NOW.search(sentence):
        return None
    for shape in SHAPES:
        match = _compiled(shape.pattern).fullmatch(sentence)
        if match:
            return _slot(shape, match.groupdict())
    return None


def normalised(value: str) -> str:
    """Give what two spellings of one value share: no case, no article, no edges, single spaces."""
    text = " ".join(value.replace("’", "'").split()).strip(_EDGE).casefold()
    while True:
        shorter = _DATE_TAIL.sub("", _ARTICLE.sub("", text)).strip(_EDGE)
        if shorter == text or not shorter:
            return text
        text = shorter


def _canonical(content: str) -> str:
    """Begin with "User" what speaks of the user in another form."""
    text = " ".join(content[: 2 * _LONGEST].replace("’", "'").split()).strip(_EDGE)
    if _BARE_VERB.match(text):
        return f"User {text}"
    text = _BARE_NOUN.sub("User's ", text)
    return _USER.sub("User", text)


def _slot(shape: _Shape, groups: dict[str, str | None]) -> Slot | None:
    subject = _subject(groups.get("s") or "")
    if subject is None:
        return None
    value = normalised(groups.get("v") or "")
    key = " ".join(_SPELT.get(word, word) for word in normalised(groups.get("k") or "").split())
    pair = "|".join(sorted((value, key)))
    if not value or (" and " in f" {value} " and "{v}" in shape.slot):
        return None
    name = shape.slot.format(s=subject, k=key, v=value, pair=pair)
    said = shape.value.format(v=value)
    return Slot(name, "" if said in _SOMETHING else said, (groups.get("more") or "").strip())


def _subject(text: str) -> str | None:
    """Give the path of a subject: "User's wife" is `user/wife`; None when there may be several."""
    owner, *owned = re.split(r"'s\s+", text.strip())
    parts = [normalised(owner), *(normalised(part) for part in owned)]
    if not all(parts) or len(owner.split()) > 3 or _DENYING.search(text):
        return None
    for part in parts[1:]:
        if part not in ONE_OF_A_KIND and len(part.split()) == 1:
            return None
    return "/".join(parts)
