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
from ingest.distillation.words import (
    ERRANDS,
    NEVER_NAMES,
    NO_ERRANDS,
    NO_TASKS,
    NO_TOPICS,
    SENT,
    VAGUE_VERBS,
)
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.words.patterns import any_of

_LEAD: Final = (
    r"^\W*(?:(?:ok|okay|and|also|oh|so|then|yes|yeah|yep|right|well|hey|hi|ugh|shit|damn|btw|anyway|actually|honestly|unrelated|now|ah|hmm|omg|god|lol|annoyingly|apparently|"
    r"tomorrow|today|tonight|later|this \w+|next \w+|on \w+day|before that|after that|first|plus|no(?=[,.!])|nah|sure|alright|cool|"
    r"sorry|thanks|reminder|note to self|todo|just|because|that reminds me|speaking of which|by the way)\b\W*){0,5}"
)
_ADVERBS: Final = r"(?:(?:really|still|do|also|just|now|then|definitely|totally|urgently|finally|desperately|have|probably(?= will\b)) ){0,3}"
_NEED: Final = (
    rf"(?:we )(?:still )?(?:need to|have to|must)|(?:i )?{_ADVERBS}(?:need to|have to|gotta|must(?! not\b)|have yet to|keep forgetting to|had better|better)|i've (?:still )?(?:got|yet) to|i still have to|i'd better|"
    r"i(?:'m| am)? ?(?:have|got)? ?until [\w ]{2,20} to|it's (?:up to me|my turn|my job|on me) to|(?:note to self|todo|to do|to-do|on my list|reminder)\W+(?:to )?|i(?:'ve| have) been meaning to|"
    r"i(?:'ve| have)? (?:agreed|volunteered|offered|sworn|swore|signed up|committed|undertook|undertaken|vowed) to|i'm (?:still )?supposed to|"
    r"i am supposed to|i (?:must not|mustn't|can't|cannot) forget to|(?:mustn't|must not|can't) forget to|i promised(?: \w+)? to"
)
_SHOULD: Final = r"(?:i )?(?:should|ought to)(?: really| probably)?|i really (?:should|ought to)"
_WILL: Final = r"(?:i'll|ill|i will|i am going to|i'm going to|im going to|i'm gonna|im gonna|i am gonna|gonna|will)(?: (?:definitely|just|also|still|then|now))?"
_TOLD: Final = (
    r"(?:(?:i|and i|then i|so i)(?: also| already| did| have|'ve| do)? |(?<![\w'] ))(?:said|promised?|agreed|swore|told (?P<told>(?:my |the )?[^\W\d]+(?: [^\W\d_]+)?)|promised? (?P<told2>(?:my |the )?[^\W\d]+(?: [^\W\d_]+)?))"
    r",? (?:that )?(?:i'd|i would|i'll|i will|id|ill)"
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
    r" (?P<how>to|about|the|my) (?P<rest>\S.*)$",
    re.DOTALL,
)
_OWE: Final = re.compile(
    rf"(?i){_LEAD}i (?:still |also |now )?owe (?P<to>you|him|her|them|(?:my |the )?[^\W\d]\w+(?: (?-i:[A-Z])\w+)?) "
    r"(?P<what>(?:an? |the |some )?(?:answer|reply|response|call|e-?mail|letter|visit|refund|late|shift|rent|report|draft|invoice|decision)\b.*|"
    r"(?:[£$€]\s?\d|\d+\s?(?:quid|bucks|euros?|pounds|dollars|eur|£|\$|€)|money|rent).*)$",
    re.DOTALL,
)
_BACK: Final = re.compile(
    rf"(?i){_LEAD}(?:(?:i'll|ill|i will|let me|i need to|i have to|i'm gonna|i'm going to) (?:have to )?get back to (?P<to>you|him|her|them|(?:my )?[^\W\d]\w+)(?P<rest>.*)|"
    r"i'?(?:ll| will) let (?P<know>you|him|her|them|(?:my )?[^\W\d]\w+(?: (?-i:[A-Z])\w+)*) know\b(?P<rest2>.*))$",
    re.DOTALL,
)
_UNDONE: Final = {
    "paid": "pay", "booked": "book", "answered": "answer", "replied to": "reply to", "sent": "send", "called": "call", "renewed": "renew", "submitted": "submit",
    "ordered": "order", "returned": "return", "emailed": "email", "signed": "sign", "filed": "file", "posted": "post", "cancelled": "cancel", "phoned": "phone",
    "handed in": "hand in", "registered for": "register for", "written back to": "write back to", "got back to": "get back to", "fixed": "fix", "packed": "pack",
    "decided": "decide", "told": "tell", "bought": "buy", "picked up": "pick up", "finished": "finish", "responded to": "respond to", "written to": "write to",
}  # fmt: skip
_NOT_YET: Final = re.compile(
    rf"(?i){_LEAD}i (?:still )?(?:haven'?t|have not|havent|have still not|still have not) (?:(?P<even>even|yet|still) )?(?P<done>{any_of(_UNDONE)}) (?P<rest>\S.*)$",
    re.DOTALL,
)
_DUE: Final = re.compile(
    rf"(?i){_LEAD}(?P<what>my (?!(?:baby|wife|sister|girlfriend|daughter|due)\b)(?:[\w-]+ ){{0,3}}[\w-]+) (?:is|are) due (?P<when>.+)$",
    re.DOTALL,
)
_TEXT_WORK: Final = frozenset(
    (
        "write",
        "draft",
        "edit",
        "proofread",
        "translate",
        "prepare",
        "revise",
        "update",
        "review",
        "make",
        "type up",
    )
)
"""Verbs of what an assistant is asked to help with."""

_FIGURE: Final = re.compile(
    r"(?i)\b(?:smile|clue|treat|shit|ass|act together|heart|soul|hug|kiss|mind|life|secret|joke|lesson|thinking|ill)\b"
)
_CONTACTING: Final = frozenset(
    "call phone ring email e-mail text message contact ask tell remind visit answer".split()
) | {"write to", "reply to", "write back to", "talk to", "speak to", "speak with", "get back to", "check with", "call back", "phone up", "ring up"}  # fmt: skip
_CONTACTED: Final = re.compile(
    r"(?i)(?:to )?(?:the |my |our )?(?P<to>(?!(?:him|her|them|it|you|u|back|bill|bills|rent|fees?|invoice|tax\w*|fine|money|question|email|letter|message)\b)[\w'-]+(?: (?!about|for|on|to|before|by|that|and|at|in|with|whether|back|the|a|an|my|his|her)[\w'-]+){0,2})"
    r"(?=$| (?:about|for|on|to|before|by|that|and|at|in|with|whether|back|the|a|an|my)\b)"
)
_THEM: Final = re.compile(r"(?i)\b(?:him|her|them)\b")
_WHOM: Final = re.compile(
    r"(?i)\b(?:him|them|her(?= (?:an?|the|my|our|that|some|know|back|about|to|for|on|\d)\b|$))\b"
)
_HER: Final = re.compile(r"(?i)\b(?:his|her|their)\b")
_NAME_BEFORE: Final = re.compile(
    r"(?:\b(?:[Ww]ith|[Ff]rom|[Tt]o|[Ff]or|[Mm]y \w+)\s|^|[.!?,]\s+)(?:Frau |Herr |Mrs?\.? |Ms\.? |Dr\.? )?(?P<name>[A-ZÀ-Þ][\w'-]+)(?= (?:asked|told|wants?|wanted|needs|pinged|wrote|called|said|sent|is|was|has|had|messaged|"
    r"texted|emailed|mentioned|invited|keeps|lent|gave|borrowed|\()|,|$|\s*[.!?])"
)
_NOTE: Final = re.compile(
    r"(?is)^\W*(?P<head>note to self|todo|to do|to-do|on my (?:to-?do )?list)\s*[:,-]\s*(?:to )?(?P<rest>\S.*)$"
)
_VAGUE_DAYS: Final = frozenset(("soon", "later", "asap", "first thing"))
_TO_SELF: Final = frozenset({"me", "myself", "us", "everyone", "people"})
_VERB: Final = re.compile(rf"(?i)^(?P<verb>{any_of(ERRANDS)})\b(?!')\s*(?P<object>.*)$", re.DOTALL)
_OTHER_VERB: Final = re.compile(
    rf"(?i)^(?!(?:{any_of(NO_ERRANDS)})\b)(?P<verb>[a-z]+(?<!ing)(?<!ly)(?: (?:up|off|out|back|in|over|down))?)\s+(?P<object>(?:the|my|his|her|their|our|your|an?|some|\d+|[A-Z]\w+|[a-z]+'s)\b.*)$",
    re.DOTALL,
)
_NEGATED: Final = re.compile(
    r"(?i)^(?:not|never|no longer|n't)\b|\b(?:don't|do not|didn't|won't|not)\b (?:need|have|to)\b"
)
_CUT: Final = re.compile(
    r"(?i)\s+(?:because|but|though|although|so that|in order|before i|before my|before she|before he|before they|until|after i|after work|which|who|"
    r"or (?:i|my|she|he|they|it|else)|and (?:i|then|see|also|that)|as soon as|when|if|while|lol|haha\w*|tbh|though|anyway|please|pls|thanks|somehow|"
    r"too|as well|instead|again|no matter|or something|at some point|asap)\b.*$"
)
_OWN_OBJECT: Final = re.compile(
    r"\b(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Mm]um|[Mm]om|[Dd]ad|[Gg]ran\w*)\b|(?<!^)(?<![.!?] )\b(?!I\b|I'|[A-Z]{2,}\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)[A-Z][^\W\d]{2,}\b"
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


_PRONOUNS: Final = frozenset(("you", "u", "him", "her", "them"))
_GIVING: Final = frozenset(
    (
        "write",
        "get",
        "show",
        "make",
        "bake",
        "cook",
        "find out",
        "read",
        "give",
        "teach",
        "bring",
        "lend",
        "buy",
    )
)
_GIVEN: Final = re.compile(r"(?i)\w+ (?:an?|the|my|his|her|their|your|some|\d+|back)\b")
_IDLE_TALK: Final = frozenset(
    (verb, who)
    for verb in (
        "talk to",
        "speak to",
        "talk with",
        "speak with",
        "tell",
        "see",
        "meet",
        "ask",
        "show",
        "read",
        "visit",
        "help",
    )
    for who in ("you", "u", "ya")
)
_EVENTS: Final = re.compile(
    r"(?i)^(?:take|see|read|meet|move|attend|run)\b(?! (?:(?:\w+ ){1,4}(?:to|back|out|over)\b|(?:the|my|a) (?:doctor|dentist|gp|vet|lawyer|landlord|bank|accountant)))"
)
_TAKEN_BACK: Final = re.compile(
    r"(?i)\b(?:don't think|not gonna|won't|not going to|probably not|can't be bothered|don't want|didn't|but i did|already did|and i did|couldn't)\b"
)


class _Task(NamedTuple):
    topic: str
    object: str
    verb: str
    when: str


class _Said(NamedTuple):
    """A segment with the day that is said for it, when, to whom, and the text before it."""

    segment: Segment
    dated: str
    said_at: datetime
    listener: Listener
    before: str

    def commitment(self, topic: str, binding: Binding, to: str) -> Commitment:
        days = " ".join(found[0] for found in WHEN.finditer(self.dated))
        due = due_date(days, self.said_at) or due_date(self.dated, self.said_at)
        if not to and _THEM.search(topic):
            to = _named_before(self.before)
        if to:
            topic = _HER.sub(f"{to}'s", _WHOM.sub(to, topic, count=1), count=1)
        return Commitment(topic, binding, to, due, self.segment.start, self.segment.end)


def commitments(
    text: str, told: Sentence, *, said_at: datetime, listener: Listener
) -> Iterator[Commitment]:
    """Yield the commitments of a sentence of the covered `text`."""
    if told.is_tale or COVER in told.text:
        return
    if match := _NOTE.match(told.text):
        whole = Segment(told.text, told.start, told.end)
        found = _headed_task("task", match, _Said(whole, told.text, said_at, listener, ""))
        if found is not None:
            yield found
            return
    for number, segment in enumerate(told.segments):
        if told.is_supposed(number) or is_usual(segment.text) or is_hedged(segment.text):
            continue
        found = _of_segment(text, told, number, said_at=said_at, listener=listener)
        if found is not None:
            yield found


def _of_segment(
    text: str, told: Sentence, number: int, *, said_at: datetime, listener: Listener
) -> Commitment | None:
    segment = told.segments[number]
    said, before = segment.text, text[: segment.start]
    later = [one.text.strip() for one in told.segments[number + 1 :]]
    if any(map(_TAKEN_BACK.search, later)):
        return None
    day = "" if WHEN.search(said) else next((one for one in later if WHEN.match(one)), "")
    dated = f"{said}, {day}" if day else said
    if match := _REMIND.match(said):
        return _reminder(match, _Said(segment, dated, said_at, listener, before))
    is_last = number == len(told.segments) - 1
    if (told.is_asked and is_last) or is_question(said) or is_past(said):
        return None
    where = _Said(segment, dated, said_at, listener, before)
    for pattern, read in ((_OWE, _debt), (_BACK, _answer), (_DUE, _deadline), (_NOT_YET, _undone)):
        if match := pattern.match(said):
            return read(match, where)
    for binding, pattern in _HEADS:
        if match := pattern.match(said):
            return _headed_task(binding, match, where)
    return None


def _headed_task(binding: Binding, match: re.Match[str], said: "_Said") -> Commitment | None:
    """Return the first thing that the words bind to: "look at it and send you my comments"."""
    for rest in (match["rest"], *match["rest"].split(" and ")[1:2]):
        task = _task(rest)
        if task is not None and _binds(binding, match, task, said.dated, said.listener):
            return said.commitment(task.topic, binding, _addressee(match, task, said.listener))
    return None


def _task(rest: str) -> _Task | None:
    """Return what is to be done, from the verb on; None if it is nothing that stands alone."""
    rest = re.sub(
        r"(?i)^(?:also|really|definitely|finally|just|actually|remember to|go and|go|try to|try and)\s+",
        "",
        rest.strip(),
    )
    if _NEGATED.search(rest):
        return None
    kept = _CUT.sub("", rest)
    when = " ".join(found[0] for found in WHEN.finditer(kept))
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", kept)).strip(" ,.!?:;-*\"'")
    topic = re.sub(
        r"(?i)\s+(?:by|before|on|at|in|for|to|and|the|\d{1,2}(?::\d\d)?(?: ?[ap]m)?)$", "", topic
    ).strip(" ,.!-")
    words = topic.split()
    match = _VERB.match(topic) or _OTHER_VERB.match(topic)
    if match is None or not 2 <= len(words) <= 16 or len(topic) > 120:
        return None
    return _Task(topic, match["object"].strip(), match["verb"].lower(), when)


def _binds(
    binding: Binding, match: re.Match[str], task: _Task, dated: str, listener: Listener
) -> bool:
    """Return whether these words bind the speaker to something that can be done."""
    head = match["head"].lower()
    if listener.is_model and task.verb in _TEXT_WORK and not WHEN.search(dated):
        return False
    if task.verb == "let" and not re.search(r"\bknow\b", task.object):
        return False
    if (
        _IDLE.search(dated)
        or _FIGURE.search(task.object)
        or _HAPPENS_NOW.search(task.topic)
        or _EVENTS.match(task.topic)
    ):
        return False
    if not _is_topic(task, listener, is_bound=_is_bound(head)):
        return False
    has_day = any(day[0].lower() not in _VAGUE_DAYS for day in WHEN.finditer(dated))
    is_own = bool(_OWN_OBJECT.search(task.object))
    if "told" in match.re.groupindex or head.startswith(("note", "todo", "to do", "to-do")):
        return True
    if head.endswith(("should", "really", "ought to", "probably")):
        is_errand = task.verb in SENT and task.verb not in ("ask", "tell", "let", "finish")
        return (has_day or (is_errand and is_own)) and "probably" not in head
    if head.startswith("we "):
        return has_day and task.verb in ERRANDS
    if binding == "promise":
        return task.verb in ERRANDS and _is_promised(
            head, task, has_day=has_day, is_own=is_own, listener=listener
        )
    if task.verb in VAGUE_VERBS or task.verb not in ERRANDS:
        return has_day or _is_bound(head) or (is_own and task.verb in ERRANDS)
    return bool(_DEFINITE.search(task.object)) or has_day


def _is_bound(head: str) -> bool:
    """Return whether the words before a task say that it waits already."""
    return bool(
        re.search(r"yet|supposed|forget|promised|agreed|volunteered|offered|until|meaning", head)
    )


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


def _is_topic(task: _Task, listener: Listener, *, is_bound: bool = False) -> bool:
    """Return whether the object of a task is a thing, and none of the conversation itself."""
    words = re.findall(r"[\w'-]+", task.object.lower())
    if not words or words[-1] == "one" or "<" in task.topic or (task.verb, words[0]) in _IDLE_TALK:
        return False
    first = next((word for word in words if word not in ("the", "a", "an", "some")), "")
    if first in NO_TOPICS:
        is_to = first in _PRONOUNS and (task.verb in SENT or task.verb in _GIVING)
        if not is_to or (len(words) > 1 and words[1] in NO_TOPICS - {"back"}):
            return False
        if task.verb in _GIVING and not _GIVEN.match(task.object) and not is_bound:
            return False
    is_task = not NO_TASKS.isdisjoint(words)
    return not is_task or bool(listener.name and not listener.is_model)


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
    if task.verb in _CONTACTING and (whom := _CONTACTED.match(task.object)):
        return whom["to"]
    return _named("you", listener) if _YOU.search(task.object) else ""


def _named_before(text: str) -> str:
    """Return the person whom "him" or "her" means: the last one named, if it is surely a name."""
    names = [match["name"] for match in _NAME_BEFORE.finditer(text)]
    fit = [one for one in names if one.casefold() not in NEVER_NAMES]
    return fit[-1] if fit else ""


def _named(who: str, listener: Listener) -> str:
    small = who.lower()
    if small in ("you", "u"):
        return listener.name
    if small in ("him", "her", "them", "it"):
        return ""
    return who if who.startswith("my ") or who[0].isupper() else who.capitalize()


def _undone(match: re.Match[str], said: _Said) -> Commitment | None:
    """Return what the speaker says they have not done yet."""
    is_waiting = match["even"] or re.search(
        r"(?i)\b(?:yet|still|last (?:date|day)|deadline)\b", match[0]
    )
    if not is_waiting and not WHEN.search(said.dated):
        return None
    rest = re.sub(r"(?i)(?:^|\W+)(?:yet|still)\b.*$", "", match["rest"])
    task = _task(f"{_UNDONE[match['done'].lower()]} {rest}")
    if task is None:
        return None
    name = _named_before(said.before) if _THEM.fullmatch(task.object) else ""
    if name:
        return said.commitment(task.topic, "answer", name)
    if not _is_topic(task, said.listener) or not _DEFINITE.search(task.object):
        return None
    return said.commitment(task.topic, "task", _addressee(match, task, said.listener))


def _deadline(match: re.Match[str], said: _Said) -> Commitment | None:
    """Return what is due: "my essay is due on Friday"."""
    found = said.commitment(match["what"], "task", "")
    return found if found.due and not _TO_WHOM.search(found.topic) else None


def _reminder(match: re.Match[str], said: _Said) -> Commitment | None:
    rest = _CUT.sub("", match["rest"])
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", rest)).strip(" ,.!?:;-*\"'")
    if match["how"].lower() != "to":
        article = "" if match["how"].lower() == "about" else f"{match['how'].lower()} "
        topic = f"remember {article}{topic}"
    words = topic.split()
    if not 2 <= len(words) <= 16 or words[-1].lower() in ("it", "that", "this"):
        return None
    whom = _TO_WHOM.search(topic)
    return said.commitment(topic, "reminder", whom["to"] if whom else "")


def _debt(match: re.Match[str], said: _Said) -> Commitment | None:
    to, what = match["to"], _CUT.sub("", match["what"])
    if to.lower() in _TO_SELF or (to.lower() == "you" and said.listener.is_model):
        return None
    what = re.sub(r"\s{2,}", " ", WHEN.sub(" ", what)).strip(" ,.!?")
    whom = _named(to, said.listener)
    return said.commitment(f"owe {whom or to} {what}", "debt", whom)


def _answer(match: re.Match[str], said: _Said) -> Commitment | None:
    who = match["to"] or match["know"]
    rest = match["rest"] or match["rest2"] or ""
    if _IDLE.search(rest) or (who.lower() in ("you", "u") and said.listener.is_model):
        return None
    plain = _CUT.sub("", WHEN.sub(" ", rest))
    about = re.search(r"(?i)\b(?:about|on|regarding|whether)\b.*", plain)
    words = about[0].split() if about else []
    is_about = len(words) > 1 and "that" not in words
    if match["know"] and not (is_about or WHEN.search(said.dated)):
        return None
    to = _named(who, said.listener)
    verb = f"let {to or who} know" if match["know"] else f"get back to {to or who}"
    topic = f"{verb} {' '.join(words).strip(' ,.!?')}" if is_about else verb
    return said.commitment(topic, "answer", to)
