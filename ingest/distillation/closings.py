"""Statements that something is done or no longer needed, and which commitment they close.

Only what the speaker did, or a state of the thing itself, closes: "posted the form", "the form is
in the post", "Odile has the stems". What is nearly done, will be done, is asked or was done by
somebody else does not.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.distillation.clauses import after_lead, plain
from ingest.distillation.sentences import Segment, Sentence, is_hedged, is_question
from ingest.distillation.values import Closing
from ingest.distillation.verbs import ERRANDS, NO_TASKS, PAST, TELLING, base_of
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.words.patterns import lines_of

_STOP: Final = lines_of("""
    the, a, an, my, your, his, her, their, our, its, to, for, of, in, on, at, by, with, from, about, and, or, that, this, these, those, it, them,
    him, me, us, you, u, i, we, he, she, they, is, are, was, were, be, been, has, have, had, will, would, 's, s, up, off, out, back, over, down, as, so, if,
    whether, some, any, all, not, no, new, old, place, thing, stuff, one, two, three, four, five, six, ten, first, last, next, know, remember, owe, before, after, now, just, also, do,
    can, don, t, d, ll, ve, m, re, get, am, finally, already, today, yesterday, tomorrow, then, still, more, other, let, em, bit, bits, lot, yours, round,
""")
_SAME: Final = {
    "decision": "decide", "payment": "pay", "booking": "book", "registration": "register", "appointment": "appoint", "pics": "picture",
    "pictures": "picture", "photos": "picture", "photo": "picture", "mum": "mother", "mom": "mother",
}  # fmt: skip
_ADVERBS: Final = r"(?:(?:now|all|finally|already|officially|both|safely|successfully|also|just|at last|actually|even|personally|eventually|only) )*"
_BY_ME: Final = re.compile(
    rf"(?is)(?P<own>(?:i|we) (?:have |am after |did )?)?{_ADVERBS}(?:been and |gone and |went and )?(?P<verb>(?!got to\b|had to\b|used to\b|meant to\b|supposed to\b|told\b[^.]*\bwould\b|said\b|promised\b){PAST})\b(?P<rest>.*)$"
)
_NP: Final = r"(?P<what>(?!(?:i|we|he|she|they|you|who|it|that|this|there|what|to|be|not|if|someone|somebody|nobody|everyone|and|but)\b)[\w'’-]+(?: (?!(?:is|are|was|were|i|we|he|she|they|you|will|to be|not)\b)[\w'’-]+){0,6}?)"
_STATE: Final = "done|complete|over|settled|sorted|off|out|ready|in the post|in the mail|on its way|on their way"
_ENDS: Final = r"(?=\s*(?:$|[,.!;:)(]|(?:up|off|out|in|back|over|down|away|and|today|tonight|yesterday|now|before|at|this|last|by|to|for|already|finally|too|on|early|late|with|from|lol|haha|just|again|here|there|about)\b(?! bed| pain)))"
_IS_DONE: Final = re.compile(
    rf"(?is){_NP}(?:(?:'s|'re| is| are| was| were| has been| have been| got| gets|\s*[=:])\s{_ADVERBS}|\s{_ADVERBS})(?P<done>{PAST}|{_STATE}){_ENDS}.*$"
)
_LABELLED: Final = re.compile(rf"(?is){_ADVERBS}(?P<done>{PAST}|{_STATE}|check){_ENDS}.*$")
_GONE: Final = re.compile(
    rf"(?is){_NP}(?:'s|'re| is| are| was| were| has| have)? {_ADVERBS}(?:(?:went|gone) (?:to|out|in|off|through|down|well|great|fine|ok|smoothly|over)|(?:off|away) to|reached|left|with|in (?:your|his|her|their)|on (?:your|his|her|their|its|the way)|at (?:your|his|her|their))\b(?P<rest>.*)$"
)
_HAS: Final = re.compile(
    r"(?s)(?:^|[.!?,] )(?P<who>(?:(?:[Mm]y|[Tt]he) )?(?:[A-ZÀ-Þ][\w'-]+|[a-z]+)(?: [\w'-]+)?) (?:(?:now )?(?:has|have)|got|knows about|received) (?P<what>(?:the|my|his|her|their|it)\b.*)"
)
_BARE: Final = re.compile(
    rf"(?is)(?:i |we )?(?:have )?{_ADVERBS}(?:(?P<done>(?:all |that is |it is |they are |is )?(?:all )?(?:done|sorted|finished|did it|did that))|(?P<verb>[a-z]+)(?: (?:up|off|out|in|back))? (?:it|them|that|those)(?: (?:up|off|out|in|back|over))?|(?:it|that|they) (?:is|are) (?:all )?{_ADVERBS}(?P<verb2>[a-z]+)|(?P<verb3>sent|paid|booked|ordered|submitted))"
    r"(?:,? (?:now|already|today|this morning|last night|yesterday|finally|just now|earlier|thanks|too|at last))*\W*$"
)
_CANCELLED: Final = re.compile(
    r"(?i)^\W*(?:(?:ok|okay|oh|and|so|actually|btw|yeah|right|well)\W+){0,3}(?:never ?mind (?:about )?(?P<what>(?:the|my|that) .+)|(?:i |we )?(?:do not|no longer) (?:need|have) to (?P<what2>.+?) (?:any ?more|after all|now)\b.*|"
    r"(?:i |we )?no longer (?:need|have) to (?P<what3>.+)|(?:scrap|forget|forget about) (?P<what4>(?:the|my|that) .+)|(?P<what5>(?:(?:the|my) )?(?:(?!not\b)[\w'-]+ ){1,3})(?:is|got|was|has been) (?:cancelled|canceled|called off|off the table|no longer needed)\b.*|"
    r"no need (?:for|to) (?P<what6>.+?)(?: (?:any ?more|after all|now))?|(?:i )?(?:have )?cancelled (?P<what7>(?:the|my) .+)|(?:i )?(?:can not|will not be able to) (?P<what8>.+? (?:after all|any ?more))\b.*)$"
)
_NOT_DONE: Final = re.compile(
    r"(?i)\b(?:nearly|almost|half|part|partly|some of|most of|not|yet|still|left to|to go|missing|except|will|gonna|going to|tomorrow|should|needs?|must|would|about to|trying|tried|start(?:ed|ing)?|"
    r"if|when i|unless|until|hope\w*|wish|supposed|never(?! ?mind)|can't|cannot|couldn't|soon|later|want(?:ed)?|could|once|were to|no \w+ yet|nope|used to|\d+ ?%|\d+ of|\d+ down|set for)\b|n't\b"
)
_NOT_HERE: Final = re.compile(
    r"(?i)\bnot (?:yet )?(?:sent|done|posted|paid|finished|booked|[a-z]+ed)\b|\bnot yet\b|: nope\b"
)
_BEFORE: Final = re.compile(r"(?i)\s(?:before|so that)\s.*$")
_LONG_AGO: Final = re.compile(
    r"(?i)\b(?:years? ago|in (?:19|20)\d\d|last (?:year|time|summer|winter)|used to|as a kid|when (?:i|we) (?:was|were)|back (?:in|then)|always|usually|every|in my (?:teens|twenties|thirties))\b"
)
_MONEY: Final = frozenset(("money", "pay", "transfer", "cash", "quid", "repay", "rent"))
_WORD_TO: Final = frozenset(
    ("answer", "reply", "respond", "tell", "let", "get", "owe", "decide", "think")
)
_ANSWER: Final = frozenset(
    ("answer", "repli", "respons", "decis", "decid", "call", "email", "letter")
)
_FINISHED: Final = frozenset(
    (
        "finish",
        "complete",
        "do",
        "sort",
        "settle",
        "handle",
        "get",
        "pick",
        "pass",
        "make",
        "take",
        "put",
        "hang",
        "wrap",
        "cook",
        "see",
        "give",
    )
)
_PREPOSITION: Final = re.compile(
    r"(?i)\s(?:to|for|with|at|in|on|from|by|before|about|of|out|off|back|round|around|over|up|along|from|into|through)\b.*$"
)


class OpenLoop(NamedTuple):
    """A commitment that may be closed: its topic, and who waits."""

    topic: str
    to: str = ""


def closings(told: Sentence) -> Iterator[Closing]:
    """Yield the statements of a sentence by which something is done, one for each segment."""
    if (
        COVER in told.text
        or told.is_asked
        or told.is_tale
        or _LONG_AGO.search(told.text)
        or _NOT_HERE.search(told.text)
    ):
        return
    is_own = True
    for number, one in enumerate(told.segments):
        said = plain(one.text)
        cancelled = _CANCELLED.match(said)
        if cancelled:
            what = next(filter(None, cancelled.groups()))
            yield Closing(stems(what), "", one.start, one.end)
            continue
        found = None
        near = f"{_BEFORE.sub('', said)} {_next(told, number)}"
        is_certain = not (told.is_supposed(number) or is_question(one.text) or is_hedged(one.text))
        if is_certain and not _NOT_DONE.search(near):
            begun = dict.fromkeys((after_lead(said), said))
            read = (_of_segment(begin, one, told, number, is_own=is_own) for begin in begun)
            found = next(filter(None, read), None)
        if found is not None:
            yield found
        is_own = _lends_subject(said, found)


def _lends_subject(said: str, found: Closing | None) -> bool:
    """Return whether a verb without a subject after this segment is the speaker's."""
    own = after_lead(said)
    is_mine = re.match(r"(?i)(?:i|we)\b", own) is not None
    return not own or is_mine or found is not None


def _next(told: Sentence, number: int) -> str:
    """Return the segment after, if it goes on: "passport: got the slot, so it's nearly sorted"."""
    after = told.segments[number + 1 : number + 2]
    is_on = after and re.match(r"(?i)(?:so|just|it|not|but|no|the|\w+ missing)\b", after[0].text)
    return after[0].text if is_on else ""


def _of_segment(
    said: str, one: Segment, told: Sentence, number: int, *, is_own: bool
) -> Closing | None:
    """Return what a segment in plain words says is done, if anything."""
    label = told.segments[number - 1] if number and one.joint == ":" else None
    if label and (match := _LABELLED.match(said)):
        return Closing(stems(label.text), base_of(match["done"]) or "", one.start, one.end)
    if bare := _BARE.match(said):
        verb = next((bare[name] for name in ("verb", "verb2", "verb3") if bare[name]), "")
        base = base_of(verb) if verb else ""
        if base is not None and base != "be":
            return Closing(frozenset(), base, one.start, one.end)
    if match := _BY_ME.match(said):
        base = _done_by_me(match, is_own=is_own or label is not None)
        if base:
            goes_on = number + 1 < len(told.segments) and len(said.split()) < 4
            whole = f"{label.text if label else ''} {said} {told.segments[number + 1].text if goes_on else ''}"
            whole = whole if not _NOT_DONE.search(_BEFORE.sub("", whole)) else said
            return Closing(stems(whole), base, one.start, one.end)
    if match := _IS_DONE.match(said):
        base = base_of(match["done"]) or ""
        if base not in NO_TASKS - _FINISHED:
            return Closing(stems(match["what"]), base, one.start, one.end)
    if match := _GONE.match(said):
        return Closing(stems(match["what"]) | stems(match["rest"]), "", one.start, one.end)
    if match := _HAS.match(one.text):
        return Closing(stems(said), "have", one.start, one.end)
    return None


def _done_by_me(match: re.Match[str], *, is_own: bool) -> str:
    """Return the base of what the speaker did, "" if it was somebody else or nothing to finish."""
    base = base_of(match["verb"])
    if (
        base is None
        or not (match["own"] or is_own)
        or (not match["own"] and not match["rest"].strip())
    ):
        return ""
    if not match["own"] and re.match(r"(?i)\s*(?:by|$)", match["rest"]):
        return ""
    is_kind = base in ERRANDS or base in TELLING or base in _FINISHED or base not in NO_TASKS
    return base if is_kind else ""


def closed_by(closing: Closing, loop: OpenLoop) -> float:
    """Return how well a statement closes a commitment, from 0 (not at all) to 1."""
    head, _, rest = loop.topic.lower().partition(" ")
    if not closing.words:
        return float(not closing.verb or closing.verb == head)
    to = stems(loop.to)
    about = stems(rest) - to
    core = (stems(_PREPOSITION.sub("", f" {rest}")) - to) or about or to
    shared = core & closing.words
    share = len(shared) / len(core) if core else 0.0
    is_told = bool(to & closing.words)
    if closing.verb == "have":
        is_known = head in ("let", "tell") and "know" in closing.words
        return 0.6 if is_told and (is_known or share >= 0.5) else 0.0
    if head == "owe" and re.search(r"\d|money|rent", rest) and closing.words & _MONEY:
        return 0.6
    if closing.verb in TELLING or (closing.verb == "write" and head != "write"):
        return _told(closing, head, about, to, share)
    is_same = closing.verb == head or stem(head) in closing.words
    if is_same and not core:
        return 0.5
    return share if share >= 0.5 or (is_same and about & closing.words) else 0.0


def _told(
    closing: Closing, head: str, about: frozenset[str], to: frozenset[str], share: float
) -> float:
    """Return how well words to a person are those that they waited for.

    An answer counts whatever it says; a call about a party does not count for one about a bill.
    """
    is_told = bool(to & closing.words)
    is_word = head in TELLING or head in _WORD_TO
    if closing.verb == head and share >= 0.5:
        return share
    if not is_word or not (is_told or share >= 0.5):
        return 0.0
    others = closing.words - to - {stem(verb) for verb in TELLING} - {stem("write")}
    is_answer = head in ("answer", "reply", "respond") or (head in _WORD_TO and about <= _ANSWER)
    return 0.5 + 0.5 * share if is_answer or not others or not about or about & others else 0.0


@cache
def _stemmer() -> object:
    from Stemmer import Stemmer

    return Stemmer("english")


@cache
def stem(word: str) -> str:
    """Return the stem of a word, of a past form that of its verb."""
    base = _SAME.get(word) or base_of(word) or word
    found: str = _stemmer().stemWord(base)  # type: ignore[attr-defined]  # the library has no types
    return found


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that mean something."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))
    return frozenset(
        stem(word) for word in words if word not in _STOP and (len(word) > 1 or word.isdigit())
    )
