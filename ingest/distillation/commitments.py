"""Commitments and questions left open, where the speaker plainly binds themselves.

"I'll send you the report by Friday", "remind me to call mum", "I still owe Marc an answer". Wishes,
habits, conditions, other people's duties, and work for the conversation itself do not count.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from ingest.distillation.due_dates import WHEN, due_date
from ingest.distillation.sentences import (
    Segment,
    Sentence,
    is_hedged,
    is_past,
    is_question,
    is_usual,
)
from ingest.distillation.values import Binding, Commitment, Listener
from ingest.distillation.words import ERRANDS, NO_TOPICS, SENT, VAGUE_VERBS
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.words.patterns import any_of

_LEAD: Final = (
    r"^\W*(?:(?:ok|okay|and|also|oh|so|then|yes|yeah|yep|right|well|hey|hi|ugh|shit|damn|btw|anyway|actually|honestly|unrelated|now|"
    r"tomorrow|today|tonight|later|this \w+|next \w+|on \w+day|before that|after that|first|plus|no|nah|sure|alright|cool|"
    r"sorry|thanks|reminder|note to self|todo|just|because|that reminds me|speaking of which|by the way)\b\W*){0,5}"
)
_ADVERBS: Final = r"(?:(?:really|still|do|also|just|now|then|definitely|totally|urgently|finally|desperately|have|probably(?= will\b)) ){0,3}"
_NEED: Final = (
    rf"(?:i )?{_ADVERBS}(?:need to|have to|gotta|got to|must(?! not\b)|have yet to|haven't yet managed to)|i've (?:got|yet) to|i'm (?:still )?supposed to|"
    r"i am supposed to|i (?:must not|mustn't|can't|cannot) forget to|(?:mustn't|must not|can't) forget to|i promised(?: \w+)? to"
)
_SHOULD: Final = r"(?:i )?(?:should|ought to)(?: really| probably)?|i really (?:should|ought to)"
_WILL: Final = r"(?:i'll|ill|i will|i am going to|i'm going to|im going to|i'm gonna|im gonna|i am gonna|gonna|will)(?: (?:definitely|just|also|still|then|now))?"
_TOLD: Final = (
    r"(?:i|(?:and |then |so )?i(?: also| already)?) (?:said|promised|agreed|swore|told (?P<told>(?:my |the )?[^\W\d]+(?: [A-Z]\w+)?)|promised (?P<told2>(?:my |the )?[^\W\d]+))"
    r",? (?:that )?(?:i'd|i would|i'll|i will|id)"
)


def _headed(head: str) -> re.Pattern[str]:
    return re.compile(rf"(?i){_LEAD}(?P<head>{head})\s+(?P<rest>\S.*)$", re.DOTALL)


_HEADS: Final[tuple[tuple[Binding, re.Pattern[str]], ...]] = (
    ("promise", _headed(_TOLD)),
    ("task", _headed(_NEED)),
    ("task", _headed(_SHOULD)),
    ("promise", _headed(_WILL)),
)
_REMIND: Final = re.compile(
    r"(?i)^\W*(?:(?:please|pls|ok|okay|and|also|oh|hey|can you|could you|would you|will you|just|so|btw|then|tomorrow|yes|yeah|thanks)\W+){0,4}"
    r"(?:remind me(?P<when>(?: (?:again|please|tomorrow|tonight|later|(?:on |next |this )\w+(?: \w+)?|in \w+ \w+|at \S+|by \w+))*?)|don'?t let me forget)"
    r" (?P<how>to|about) (?P<rest>\S.*)$",
    re.DOTALL,
)
_OWE: Final = re.compile(
    rf"(?i){_LEAD}i (?:still |also |now )?owe (?P<to>you|him|her|them|(?:my |the )?[^\W\d]\w+(?: [A-Z]\w+)?) "
    r"(?P<what>(?:an? |the |some )?(?:answer|reply|response|call|e-?mail|letter|visit|refund|late|shift|rent|report|draft|invoice|decision)\b.*|"
    r"(?:[£$€]\s?\d|\d+\s?(?:quid|bucks|euros?|pounds|dollars|eur|£|\$|€)|money|rent).*)$",
    re.DOTALL,
)
_BACK: Final = re.compile(
    rf"(?i){_LEAD}(?:(?:i'll|ill|i will|let me|i need to|i have to|i'm gonna|i'm going to) (?:have to )?get back to (?P<to>you|him|her|them|(?:my )?[^\W\d]\w+)(?P<rest>.*)|"
    r"i'?(?:ll| will) let (?P<know>you|him|her|them|(?:my )?[^\W\d]\w+(?: [A-Z]\w+)*) know\b(?P<rest2>.*))$",
    re.DOTALL,
)
_TO_SELF: Final = frozenset({"me", "myself", "us", "everyone", "people"})
_VERB: Final = re.compile(rf"(?i)^(?P<verb>{any_of(ERRANDS)})\b(?!')\s*(?P<object>.*)$", re.DOTALL)
_NEGATED: Final = re.compile(
    r"(?i)^(?:not|never|no longer|n't)\b|\b(?:don't|do not|didn't|won't|not)\b (?:need|have|to)\b"
)
_CUT: Final = re.compile(
    r"(?i)\s+(?:because|but|though|although|so that|in order|before i|before my|before she|before he|before they|until|after i|after work|which|who|"
    r"or (?:i|my|she|he|they|it|else)|and (?:i|then|see|also|that)|as soon as|when|if|while|lol|haha\w*|tbh|though|anyway|please|pls|thanks|somehow|"
    r"too|as well|instead|again|no matter|or something|at some point|asap)\b.*$"
)
_OWN_OBJECT: Final = re.compile(
    r"\b(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|mum|mom|dad|gran\w*)\b|(?<!^)(?<![.!?] )\b(?!I\b|I'|[A-Z]{2,}\b)[A-Z][^\W\d]{2,}\b"
)
_DEFINITE: Final = re.compile(
    r"(?i)\b(?:the|my|his|her|their|our|your|an?|some|\d+|[\w]+'s)\b|\b[A-Z]\w+"
)
_TO_WHOM: Final = re.compile(
    r"(?:\bto|\bfor|\bwith|^) ?(?P<to>(?:(?:my|My) (?:\w+ ){0,2}?)?(?!The\b|I\b|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|"
    r"June|July|August|September|October|November|December)[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
)
_KIN_FIRST: Final = re.compile(
    r"(?i)^(?P<to>(?:my )?(?:mum|mom|dad|gran|grandma|grandpa|nana|sister|brother|wife|husband|boss))\b"
)
_YOU: Final = re.compile(r"(?i)\b(?:you|u|ya|ur|your|yours)\b")
_IDLE: Final = re.compile(
    r"(?i)\b(?:until|till|unless|if|when(?:ever)?|once|the day|forever|my ass|your mom|hell|fuck\w*|eventually|some ?day|one day|"
    r"another time|i guess|maybe|probably|hopefully|to be (?:honest|fair)|in (?:a|this|the) (?:story|game|dream|poem))\b"
)
_HAPPENS_NOW: Final = re.compile(
    r"(?i)\b(?:now|rn|right now|below|above|here|in (?:a|my|the|your) (?:next|following|future|later) \w+|in (?:a )?(?:sec|second|min|minute|moment|bit))\b"
)


class _Task(NamedTuple):
    topic: str
    object: str
    verb: str
    when: str


def commitments(
    text: str, told: Sentence, *, said_at: datetime, listener: Listener
) -> Iterator[Commitment]:
    """Yield the commitments of a sentence of the covered `text`."""
    if told.is_tale or COVER in told.text:
        return
    for number, segment in enumerate(told.segments):
        if told.is_supposed(number) or is_usual(segment.text) or is_hedged(segment.text):
            continue
        found = _of_segment(segment, told, number, said_at=said_at, listener=listener)
        if found is not None:
            yield found


def _of_segment(
    segment: Segment, told: Sentence, number: int, *, said_at: datetime, listener: Listener
) -> Commitment | None:
    said = segment.text
    rest = " ".join(one.text.strip() for one in told.segments[number + 1 : number + 2])
    dated = said if WHEN.search(said) or not WHEN.match(rest) else f"{said}, {rest}"
    if match := _REMIND.match(said):
        return _reminder(match, segment, dated, said_at=said_at)
    is_last = number == len(told.segments) - 1
    if (told.is_asked and is_last) or is_question(said) or is_past(said):
        return None
    if match := _OWE.match(said):
        return _debt(match, segment, dated, said_at=said_at, listener=listener)
    if match := _BACK.match(said):
        return _answer(match, segment, dated, said_at=said_at, listener=listener)
    for binding, pattern in _HEADS:
        if match := pattern.match(said):
            task = _task(match["rest"])
            if task is None or not _binds(binding, match, task, dated, listener):
                return None
            to = _addressee(match, task, listener)
            due = due_date(dated, said_at)
            return Commitment(task.topic, binding, to, due, segment.start, segment.end)
    return None


def _task(rest: str) -> _Task | None:
    """Return what is to be done, from the verb on; None if it is nothing that stands alone."""
    rest = re.sub(
        r"(?i)^(?:also|really|definitely|finally|just|actually|remember to|go and|go|try to|try and)\s+",
        "",
        rest.strip(),
    )
    match = _VERB.match(rest)
    if match is None or _NEGATED.search(rest):
        return None
    kept = _CUT.sub("", rest)
    when = " ".join(found[0] for found in WHEN.finditer(kept))
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", kept)).strip(" ,.!?:;-*\"'")
    topic = re.sub(
        r"(?i)\s+(?:by|before|on|at|in|for|to|and|the|\d{1,2}(?::\d\d)?(?: ?[ap]m)?)$", "", topic
    ).strip(" ,.!-")
    words = topic.split()
    match = _VERB.match(topic)
    if match is None or not 2 <= len(words) <= 16 or len(topic) > 120:
        return None
    return _Task(topic, match["object"].strip(), match["verb"].lower(), when)


def _binds(
    binding: Binding, match: re.Match[str], task: _Task, dated: str, listener: Listener
) -> bool:
    """Return whether these words bind the speaker to something that can be done."""
    head = match["head"].lower()
    if _IDLE.search(dated) or _HAPPENS_NOW.search(task.topic):
        return False
    if not _is_topic(task, listener):
        return False
    has_day = bool(WHEN.search(dated))
    is_own = bool(_OWN_OBJECT.search(task.object))
    if "told" in match.re.groupindex:
        return True
    if head.endswith(("should", "really", "ought to", "probably")):
        is_errand = task.verb in SENT and task.verb not in ("ask", "tell", "let", "finish")
        return (has_day or (is_errand and is_own)) and "probably" not in head
    if binding == "promise":
        return _is_promised(head, task, has_day=has_day, is_own=is_own, listener=listener)
    if task.verb in VAGUE_VERBS:
        return has_day or is_own
    return bool(_DEFINITE.search(task.object)) or has_day


def _is_promised(
    head: str, task: _Task, *, has_day: bool, is_own: bool, listener: Listener
) -> bool:
    """Return whether "I'll" promises: to a person, or for a day."""
    is_bare = head.startswith(("will", "gonna"))
    is_to_you = bool(_YOU.search(task.object))
    if listener.is_model and is_to_you and not has_day:
        return False
    if is_bare and not has_day:
        return False
    if task.verb in SENT and (is_to_you or is_own):
        return True
    return (
        has_day
        and task.when.lower() not in ("soon", "later")
        and bool(_DEFINITE.search(task.object))
    )


def _is_topic(task: _Task, listener: Listener) -> bool:
    """Return whether the object of a task is a thing, and none of the conversation itself."""
    words = re.findall(r"[\w'-]+", task.object.lower())
    if not words:
        return False
    first = next((word for word in words if word not in ("the", "a", "an", "some")), "")
    if first in NO_TOPICS and not (first in ("you", "u", "him", "her") and task.verb in SENT):
        return False
    if not listener.is_model and listener.name:
        return True
    return not NO_TOPICS & (
        set(words)
        - {
            "you",
            "u",
            "him",
            "her",
            "it",
            "them",
            "up",
            "back",
            "off",
            "out",
            "over",
            "on",
            "away",
            "here",
            "there",
            "home",
            "work",
            "good",
            "well",
            "one",
            "any",
            "some",
            "all",
            "both",
            "this",
            "that",
            "what",
            "how",
            "who",
            "which",
            "why",
            "so",
            "more",
            "less",
            "me",
            "us",
            "care",
        }
    )


def _addressee(match: re.Match[str], task: _Task, listener: Listener) -> str:
    """Return who waits for a task."""
    groups = match.groupdict()
    told = groups.get("told") or groups.get("told2") or ""
    if told and told.lower() not in _TO_SELF:
        return _named(told, listener)
    if kin := _KIN_FIRST.match(task.object):
        return kin["to"]
    if whom := _TO_WHOM.search(task.object):
        return whom["to"].removesuffix("'s")
    return _named("you", listener) if _YOU.search(task.object) else ""


def _named(who: str, listener: Listener) -> str:
    small = who.lower()
    if small in ("you", "u"):
        return listener.name
    if small in ("him", "her", "them", "it"):
        return ""
    return who if who.startswith("my ") or who[0].isupper() else who.capitalize()


def _reminder(
    match: re.Match[str], segment: Segment, dated: str, *, said_at: datetime
) -> Commitment | None:
    rest = _CUT.sub("", match["rest"])
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", rest)).strip(" ,.!?:;-*\"'")
    if match["how"] == "about":
        topic = f"remember {topic}"
    words = topic.split()
    if not 2 <= len(words) <= 16 or words[-1].lower() in ("it", "that", "this"):
        return None
    whom = _TO_WHOM.search(topic)
    to = whom["to"] if whom else ""
    return Commitment(topic, "reminder", to, due_date(dated, said_at), segment.start, segment.end)


def _debt(
    match: re.Match[str], segment: Segment, dated: str, *, said_at: datetime, listener: Listener
) -> Commitment | None:
    to, what = match["to"], _CUT.sub("", match["what"])
    if to.lower() in _TO_SELF or (to.lower() == "you" and listener.is_model):
        return None
    what = re.sub(r"\s{2,}", " ", WHEN.sub(" ", what)).strip(" ,.!?")
    to = _named(to, listener)
    topic = f"owe {to} {what}".replace("  ", " ")
    return Commitment(topic, "debt", to, due_date(dated, said_at), segment.start, segment.end)


def _answer(
    match: re.Match[str], segment: Segment, dated: str, *, said_at: datetime, listener: Listener
) -> Commitment | None:
    who = match["to"] or match["know"]
    rest = match["rest"] or match["rest2"] or ""
    if _IDLE.search(rest) or (who.lower() in ("you", "u") and listener.is_model):
        return None
    about = re.search(
        r"(?i)\b(?:about|on|regarding|whether)\b.*", _CUT.sub("", WHEN.sub(" ", rest))
    )
    is_about = about is not None and len(about[0].split()) > 1 and "that" not in about[0].split()
    if match["know"] and not (is_about or WHEN.search(dated)):
        return None
    to = _named(who, listener)
    verb = f"let {to or who} know" if match["know"] else f"get back to {to or who}"
    topic = f"{verb} {about[0].strip(' ,.!?')}" if is_about and about else verb
    return Commitment(topic, "answer", to, due_date(dated, said_at), segment.start, segment.end)
