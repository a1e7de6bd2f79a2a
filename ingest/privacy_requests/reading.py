"""Privacy requests in a turn: that nothing is made of it, and that something said is forgotten.

It is an order to the memory, at the beginning of a clause, about what this person told it. A wrong
one ends what is true, so talk about forgetting, documents and files counts for nothing.
"""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.frames import is_framed
from ingest.extractor.quoted_spans import COVER, own_words
from ingest.extractor.values import MOST_CHARS, Utterance
from ingest.extractor.words.patterns import any_of
from ingest.privacy_requests import words

Kind: TypeAlias = Literal["turn", "before", "said", "topic", "thing"]


class PrivacyRequest(NamedTuple):
    """A request at `text[start:end]`. Nothing is made of a turn that has one, but what it says beside
    a request to forget.

    A "turn" asks for that alone. What is to be forgotten is what the same person said "before", the
    statement `of` ("said"), all about a "topic", or one "thing" of theirs, such as an address.
    """

    kind: Kind
    of: str = ""
    start: int = 0
    end: int = 0


_CUE = deferred(r"(?i)\b(?:forget|remember|memori[sz]e|record|store|save|keep|log|note|write|put|add|retain|commit|make|take|delete|erase|remove|wipe|scrub|purge|onthoud\w*|sla|bewaar|ricord\w+|memori\w+|salv\w+|registr\w+|guard\w+|lembr\w+|recuerd\w+)\b")  # fmt: skip
"""A word that every request has."""

_BEGIN = rf"(?:^|(?<=[.!?:;,(\n–—{COVER}-])|(?<=\band)|(?<=\bbut)|(?<=\bso)|(?<=\balso)|(?<=\bthen))[ \t\"']{{0,9}}(?=[a-z])(?:(?:{any_of(words.POLITE)})[\s,]{{1,9}}){{0,8}}"
_NOT = rf"(?:{any_of(words.NOT)})(?: (?:ever|please|just))?"
_KEEP = f"(?:{any_of(words.KEEP)})"
_FORGET = f"(?:{any_of(words.FORGET)})"
_ITS = f"(?:{any_of(words.ITS)})"
_SAID = f"(?:{any_of(words.SAID)})"
_PLACE = rf"(?:(?:in|into|to|from|on|off|out of) (?:{any_of(words.PLACES)}))"
_TAIL = rf"(?:,? (?:please|pls|thanks|thank you|either|anywhere|again|at all|any ?more|now|for me|forever|completely|for good|ok|okay|{_PLACE})){{0,8}}"
_STOP = rf"(?=\s*(?:$|[.,;:!?)\n–—{COVER}])|\s+(?:-|(?:but|and|because|since|so)\b))"
_END = rf"(?=\s*(?:$|[.!?;)\n{COVER}]))"
_MINE = r"(?:i|i'm|im|i've|ive|my|we|we're|we've|our)\b"
_UNRECORDED = deferred(
    rf"(?im){_BEGIN}(?:{_NOT} (?:{_KEEP} (?P<what>{_ITS}|{_SAID})(?: down)?|(?:{any_of(words.REMEMBER)}) (?P<it>it)|(?:put|add|commit|write) (?P<put>{_ITS}|{_SAID}) (?:down|{_PLACE})|"
    rf"(?:make|keep|take) (?:a |any )?(?:note|record|notes|records) (?:of|about) (?P<note>{_ITS}|{_SAID})){_TAIL}{_STOP}|"
    rf"(?:let's |let us )?(?:keep|leave) {_ITS} (?:strictly )?off the record|(?:(?:this|that|it|what i say|all this) ?(?:is|'s|was|stays|must stay|has to stay|should stay)?,? )?(?:strictly |completely |just between us and |between us and |and )?off the record{_TAIL}{_STOP}|(?:{any_of(words.ABROAD)}){_TAIL}{_STOP})"
)
"""Nothing is to be made of this turn, or of what it points at."""

_TAKEN_OUT = deferred(
    rf"(?im){_BEGIN}(?:{_FORGET} (?:{_ITS}|it) (?:from|out of) (?:{any_of(words.PLACES)})|(?!forget){_FORGET} {_SAID}){_TAIL}{_END}"
)
"""The turn before is to be forgotten; "forget that" takes it back, which is a correction."""

_STATEMENT = deferred(
    rf"(?im){_BEGIN}(?:(?:{_NOT} {_KEEP}|forget|{_FORGET} {_PLACE})(?: (?:{_PLACE}|the fact))?,? (?:that (?:i (?:ever |just )?(?:told you|said)(?: that)? )?|i (?:ever |just )?(?:told you|said)(?: that)? |(?!my\b|our\b)))(?P<said>(?!i (?:ever |just )?(?:said|told)\b){_MINE}[^.!?;\n{COVER}]{{2,160}}?){_TAIL}(?:{_END}|(?=,? (?:because|since)\b))"
)
_ABOUT = deferred(
    rf"(?im){_BEGIN}{_FORGET}(?: {_PLACE})? (?:(?:{any_of(words.ALL)}) (?:(?P<told>i)(?: ever| just)? ?(?:{any_of(words.SAYING)})|you (?:{any_of(words.KNOWING)}))(?: (?:earlier|before|to you|yesterday|last time))*|"
    rf"(?:{any_of(words.RECORDS)})|(?P<all>everything|anything|all)) (?:about|regarding|concerning|on) (?P<topic>[^.!?;,:\n{COVER}]{{2,60}}?)(?P<tail>{_TAIL}){_STOP}"
)
_ANY_THING = any_of({name for names in words.THINGS.values() for name in names})
_THING = deferred(
    rf"(?im){_BEGIN}{_FORGET} my (?:(?P<thing>{_ANY_THING})|(?P<other>[\w'-]+(?: [\w'-]+){{0,3}}?))(?P<tail>{_TAIL}){_END}"
)
_IN_PLACE = deferred(rf"(?i)\b{_PLACE}\b")
_ASIDE = deferred(
    rf"(?i) (?:{any_of(words.MOMENTS)})\b|,(?! (?-i:(?!I\b)[A-Z]))|\b(?:and|then|so|just|but) (?:please |just )?(?:{any_of(words.TASKS)})\b"
)
_ASKED = deferred(r"(?i)\b(?:please|pls|plz|you)\b|\b(?:don't|dont|do not|not|never)\b")
_THE = deferred(r"(?i)(?:the|this|that|these|those|an?)\b")
_MY = deferred(r"(?i)(?:my|our|me|us)\b")
_DONE = deferred(rf"\s*(?:$|[.!?)\n{COVER}])")
_OWNED = deferred(r"(?i)^(?:my|our|the|a|an|his|her|their)\s+")
_OF_THIS = deferred(r"(?i)this|these|.* this|anything")
_TO_KEEP = deferred(rf"(?i)\b(?:{any_of(words.KEEP)})\b")
_TO_MEMORY = deferred(rf"(?i)\b(?:{any_of(words.REMEMBER)})\b")
_GLANCE = 2_000
"""Characters of an earlier message in which it is looked for what was to be kept."""

_FILLED = deferred(rf"[\w{COVER}]")


def privacy_requests_in(utterance: Utterance) -> list[PrivacyRequest]:
    """Return the requests of a user's turn, in the order of the text. It never raises."""
    text = utterance.text
    if utterance.role != "user" or len(text) > MOST_CHARS:
        return []
    plain = text.translate(_STRAIGHT)
    if not _CUE.search(plain) or not any(_found(plain, utterance)):
        return []
    found = list(_found(own_words(text, utterance.speaker), utterance))
    if not found and (opening := _UNRECORDED.match(plain)):  # "Don't log this: ..." looks quoted
        return [_request("turn", opening)]
    if is_framed(utterance):
        found = [one for one in found if one.kind == "turn"]
    return sorted(found, key=lambda one: one.start)


_STRAIGHT = str.maketrans(dict.fromkeys("’ʼ‛＇´′", "'"))


def _found(text: str, utterance: Utterance) -> Iterator[PrivacyRequest]:
    for match in _UNRECORDED.finditer(text):
        yield _request(_pointing(match, text, utterance.before), match)
    for match in _TAKEN_OUT.finditer(text):
        yield _request("before", match)
    for match in _STATEMENT.finditer(text):
        if not _is_set_aside(match, text):
            yield _request("said", match, match["said"])
    for match in _ABOUT.finditer(text):
        if _is_of_memory(match, text):
            yield _request("topic", match, _OWNED.sub("", match["topic"]))
    for match in _THING.finditer(text):
        is_named = match["thing"] and _was_to_be_kept(match["thing"], utterance)
        if is_named or _IN_PLACE.search(match[0]):
            yield _request("thing", match, match["thing"] or match["other"])


def _request(kind: Kind, match: re.Match[str], of: str = "") -> PrivacyRequest:
    return PrivacyRequest(kind, of.strip(), match.start(), match.end())


def _pointing(match: re.Match[str], text: str, before: str) -> Kind:
    """Return whether "that" is what was said before: nothing but the request opens or is the turn."""
    said = match["what"] or match["it"] or match["put"] or match["note"]
    rest = f"{text[: match.start()]}{text[match.end() :]}"
    is_alone = not _FILLED.search(rest)
    opens = not _FILLED.search(text[: match.start()]) and text[match.end() :][:1] != ":"
    is_back = is_alone or (opens and not _OF_THIS.match(said or "this"))
    names_memory = _TO_MEMORY.search(match[0]) or _IN_PLACE.search(match[0])
    is_of_memory = names_memory is not None or (said or "").lower() in words.SAID
    # What is not of the memory may be a file that the assistant has saved.
    return "before" if before and said and is_back and is_of_memory else "turn"


def _is_set_aside(match: re.Match[str], text: str) -> bool:
    """Return whether a statement is put aside for a task: "forget that I'm a doctor and explain"."""
    if _ASIDE.search(match["said"]):
        return True
    return _FILLED.search(text, match.end()) is not None and not (
        _ASKED.search(match[0]) or _IN_PLACE.search(match[0])
    )


def _is_of_memory(match: re.Match[str], text: str) -> bool:
    """Return whether a topic is what the person told: not all that is known of physics, nor "the
    colour, make it blue".
    """
    if _IN_PLACE.search(match[0]) or "memor" in match[0].lower():
        return True
    if match["told"]:
        return not _THE.match(match["topic"]) or _DONE.match(text, match.end()) is not None
    return _MY.match(match["topic"]) is not None and not (
        match["all"] and "forget" not in match[0].lower()
    )


def _was_to_be_kept(thing: str, utterance: Utterance) -> bool:
    """Return whether a thing was to be kept, or nothing was said before; else it may have to go
    from a form or a letter that an assistant has written.
    """
    earlier = [one[:_GLANCE] for one in (utterance.before, *utterance.earlier) if one]
    kept = (_TO_KEEP.search(one) and thing.lower() in one.lower() for one in earlier)
    return not earlier or any(kept)
