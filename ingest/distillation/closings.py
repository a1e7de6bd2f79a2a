"""Statements that something is done or no longer needed, and which commitment they close.

Only what the speaker did, or what is done, closes. What is nearly done, will be done, is asked or
was done by somebody else does not.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from ingest.distillation.sentences import Segment, Sentence, is_hedged, is_question
from ingest.distillation.values import Closing
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.words.patterns import any_of, lines_of

_BASE: Final = {
    "sent": "send", "paid": "pay", "bought": "buy", "wrote": "write", "written": "write", "told": "tell", "spoke": "speak",
    "spoken": "speak", "rang": "ring", "did": "do", "done": "do", "gave": "give", "given": "give", "brought": "bring",
    "took": "take", "taken": "take", "met": "meet", "got": "get", "made": "make", "saw": "see", "seen": "see", "went": "go",
    "dealt": "deal", "let": "let", "hung": "hang", "decision": "decide", "decided": "decide", "payment": "pay", "booking": "book",
    "registration": "register", "appointment": "appoint", "pics": "picture", "pictures": "picture", "photos": "picture", "photo": "picture",
    "fed": "feed", "mum": "mother", "mom": "mother", "lent": "lend", "found": "find",
}  # fmt: skip
_STOP: Final = lines_of("""
    the, a, an, my, your, his, her, their, our, its, to, for, of, in, on, at, by, with, from, about, and, or, that, this, these, those, it, them,
    him, me, us, you, u, i, we, he, she, they, is, are, was, were, be, been, has, have, had, will, would, 's, s, up, off, out, back, over, down, as, so, if,
    whether, some, any, all, not, no, new, old, place, thing, stuff, one, two, first, last, next, know, remember, owe, before, after, now, just, also, do,
    can, don, t, d, ll, ve, m, re, get, am, finally, already, today, yesterday, then, still, more, other, let,
""")
_DONE: Final = lines_of("""
    sent, emailed, e-mailed, mailed, posted, shipped, forwarded, returned, gave, paid, transferred, wired, booked, reserved, scheduled, cancelled, canceled,
    ordered, bought, picked up, dropped, dropped off, collected, fetched, renewed, extended, applied, registered, signed, submitted, handed in, turned in,
    filed, finished, completed, fixed, repaired, cleaned, washed, watered, printed, confirmed, reminded, reviewed, prepared, called, phoned, rang,
    texted, messaged, wrote, replied, responded, answered, told, asked, spoke to, spoke with, talked to, decided, did, made, baked, delivered, uploaded,
    mowed, painted, packed, graded, set up, filled out, filled in, sorted, sorted out, brought, brought back, updated, wrapped up, dealt with,
    handed over, got back to, took, took back, wrote to, replied to, wrote back, arranged, organised, organized, picked, visited, met, hung, replaced, refilled,
    invoiced, contacted, fed, vacuumed, lent, gave back, paid back, let,
""")
_PARTICIPLES: Final = lines_of("""
    done, sent, emailed, mailed, posted, shipped, forwarded, returned, paid, paid back, transferred, booked, reserved, scheduled, cancelled, canceled, ordered, bought,
    picked up, dropped off, collected, renewed, extended, registered, signed, submitted, handed in, turned in, filed, finished, completed, complete, fixed,
    repaired, cleaned, washed, watered, printed, confirmed, reviewed, prepared, written, decided, made, baked, delivered, uploaded, mowed, painted,
    packed, graded, set up, filled out, filled in, sorted, sorted out, settled, taken, updated, wrapped up, dealt with, handed over, arranged, organised,
    organized, replaced, refilled, taken care of, on its way, on their way, answered, installed, fed, in the post, in the mail, out the door, ticked off, over and done,
    written and shared, taken back, brought back, invoiced,
""")
_WEAK: Final = frozenset(
    {
        "did",
        "made",
        "took",
        "got",
        "met",
        "gave",
        "picked",
        "let",
        "dropped",
        "visited",
        "asked",
        "told",
        "called",
    }
)
_TELLING: Final = frozenset(
    "tell ask reply repli respond answer write speak talk call phone ring text messag contact get let inform".split()
)
_MONEY: Final = frozenset(("money", "pay", "transfer", "cash", "quid", "repaid", "rent"))
_ASKING: Final = frozenset(
    "call phone ring ask tell text message email contact talk speak check write decide let".split()
)
_ANSWERS: Final = frozenset(("tell", "let", "get", "owe"))
_ANSWER: Final = frozenset(
    ("answer", "repli", "respons", "decis", "decid", "call", "email", "letter")
)
_CONTACT: Final = frozenset(
    "call phone ring talk speak text messag email mail write contact".split()
)
_LEAD: Final = (
    r"^\W*(?:(?:ok|okay|and|also|oh|so|then|yes|yeah|yep|right|well|hey|hi|btw|anyway|update|good news|finally|just|already|today|yesterday|this morning|"
    r"this afternoon|this evening|last night|i|i've|ive|i have|we|we've|we have|done|phew|earlier|now|at last|actually|in the end|on \w+day|even|"
    r"you'll be happy|fyi|literally|successfully)\b\W*){0,6}"
)
_BY_ME: Final = re.compile(rf"(?i){_LEAD}(?P<verb>{any_of(_DONE)})\b(?P<rest>.*)$", re.DOTALL)
_AFTER: Final = r"(?=$|\s*(?:[,.!;:)]|and\b|today|yesterday|now|before|at last|this|last|by\b|to\b|for\b|in\b|already|finally|too|a\b|on\b|early|late|with\b|at\b|lol|haha|😅))"
_IT_IS: Final = re.compile(
    rf"(?i){_LEAD}(?P<what>(?:(?!i\b|he\b|she\b|they\b|you\b|who\b|if\b)[\w'’-]+ ){{1,7}}?)?(?:(?P<what2>[\w-]+)(?:'s|'re)|(?:is|are|was|were|has been|have been|got|gets|went|'s|'re))"
    rf" (?:(?:now|all|finally|already|officially|both|safely|successfully|also|just) )*(?P<done>{any_of(_PARTICIPLES)}|off(?= to (?!the\b|a\b))|(?<=went )(?:out|in|off|through)){_AFTER}"
)
_NOUN_DONE: Final = re.compile(
    rf"(?i){_LEAD}(?P<what>(?:(?!i\b|he\b|she\b|they\b|you\b|we\b|is\b|was\b|to\b|be\b|get\b|well\b|not\b|been\b|being\b)[\w'’-]+ ){{1,4}}?)(?:all |finally |now |already )?(?P<done>{any_of(_PARTICIPLES)}){_AFTER}(?! (?:the|my|a|an|his|her|some|it|them|me|us|him)\b)"
)
_LABEL: Final = re.compile(
    r"(?i)^\W*(?P<what>(?:[\w'-]+ ){0,3}[\w'-]+)\s?:\s+(?P<done>done|sent|paid|booked|finished|sorted|ordered|bought|submitted|fixed|check)\b"
)
_BARE: Final = re.compile(
    rf"(?i){_LEAD}(?P<verb>done|all done|did it|did that|sorted|finished|sent(?: it| them)?(?: off)?|paid(?: it)?|booked(?: it)?|ordered(?: it)?|submitted(?: it)?|bought (?:it|them|one)|posted it|called (?:him|her|them)|fixed it|"
    r"(?:it's|its|that's|thats|it is|that is|they're) (?:all |now |finally )?(?:done|sent|sorted|paid|booked|ordered|submitted|finished|fixed))"
    r"(?:,? (?:now|already|today|this morning|last night|yesterday|finally|just now|earlier|thanks|too))*\W*$"
)
_SAYS_DONE: Final = re.compile(
    r"(?i)\b(?:done|sorted|finished|all|did|thanks|too|now|earlier|morning|night|just|off)\b"
)
_CANCELLED: Final = re.compile(
    r"(?i)^\W*(?:(?:ok|okay|oh|and|so|actually|btw|yeah)\W+){0,3}(?:never ?mind (?:about )?(?P<what>(?:the|my|that) .+)|(?:i |we )?(?:don't|do not|no longer) (?:need|have) to (?P<what2>.+?) (?:any ?more|after all|now)\b.*|"
    r"(?:i )?no longer (?:need|have) to (?P<what3>.+)|scrap the (?P<what4>.+)|(?:the |my )?(?P<what5>(?:[\w'-]+ ){1,3})(?:is|got|was) (?:cancelled|canceled|called off)\b.*)$"
)
_HAS: Final = re.compile(
    r"(?:^|[.!?,] )(?P<who>(?:[Mm]y )?(?:[A-ZÀ-Þ][\w'-]+|[a-z]+)(?: [\w'-]+)?) (?:(?:now )?has|got|knows about|received) (?P<what>(?:the|my|his|her|their|it)\b.*)"
)
_NOT_DONE: Final = re.compile(
    r"(?i)\b(?:nearly|almost|half|not quite|yet|still|left to|just the .* left|will|gonna|going to|tomorrow|should|need|needs|must|would|about to|trying|tried|start(?:ed|ing)|except|"
    r"if|when i|unless|until|hope\w*|wish|supposed|haven't|hasn't|didn't|isn't|aren't|wasn't|not|never(?! ?mind)|can't|cannot|couldn't|don't|soon|later|want(?:ed)?|i could|could be|could do|once|were to|no \w+ yet)\b"
)
_LONG_AGO: Final = re.compile(
    r"(?i)\b(?:years? ago|in (?:19|20)\d\d|last (?:year|time|summer|winter)|used to|as a kid|when i was|back (?:in|then)|always|usually|every)\b"
)


class OpenLoop(NamedTuple):
    """A commitment that may be closed: its topic, and who waits."""

    topic: str
    to: str = ""


def closings(told: Sentence) -> Iterator[Closing]:
    """Yield the statements of a sentence by which something is done, one for each segment."""
    if COVER in told.text or told.is_asked or _LONG_AGO.search(told.text):
        return
    label = _LABEL.match(told.text)
    if label and not _NOT_DONE.search(told.text):
        yield Closing(stems(label["what"]), False, told.start, told.end)
        return
    for number, one in enumerate(told.segments):
        cancelled = _CANCELLED.match(one.text)
        if cancelled:
            what = next(filter(None, cancelled.groups()))
            yield Closing(stems(what), False, one.start, one.end)
            continue
        near = f"{one.text} {_next(told, number)}"
        if told.is_supposed(number) or is_question(one.text) or is_hedged(one.text):
            continue
        if not _NOT_DONE.search(near):
            yield from _of_segment(one, told, number)


def _next(told: Sentence, number: int) -> str:
    """Return the segment after, if it goes on: "passport: got the slot, so it's nearly sorted"."""
    after = told.segments[number + 1 : number + 2]
    return (
        after[0].text
        if after and re.match(r"(?i)(?:so|just|it|not|but|no|the)\b", after[0].text)
        else ""
    )


def _of_segment(one: Segment, told: Sentence, number: int) -> Iterator[Closing]:
    if _BARE.match(one.text):
        verbs = stems(_SAYS_DONE.sub(" ", one.text))
        yield Closing(frozenset(f"={verb}" for verb in verbs), False, one.start, one.end)
        return
    if match := _BY_ME.match(one.text):
        goes_on = number + 1 < len(told.segments) and len(one.text.split()) < 4
        words = stems(f"{one.text} {told.segments[number + 1].text}" if goes_on else one.text)
        is_answer = base(match["verb"].split()[0].lower()) in _TELLING
        if match["verb"].lower() not in _WEAK or len(words) > 1:
            yield Closing(words, is_answer, one.start, one.end)
        return
    for pattern in (_IT_IS, _NOUN_DONE):
        match = pattern.match(one.text)
        if match and match["what"] and not _is_other_subject(match["what"]):
            yield Closing(stems(one.text), False, one.start, one.end)
            return
    if _HAS.match(one.text):
        yield Closing(stems(one.text) | {"+to"}, True, one.start, one.end)


def _is_other_subject(what: str) -> bool:
    return bool(
        re.match(
            r"(?i)\W*(?:he|she|they|you|who|someone|somebody|nobody|everyone|it|that|this|there|what)\b",
            what,
        )
    )


def closed_by(closing: Closing, loop: OpenLoop) -> float:
    """Return how well a statement closes a commitment, from 0 (not at all) to 1."""
    verb, _, rest = loop.topic.lower().partition(" ")
    to, head = stems(loop.to), base(verb)
    about = stems(rest) - to - {head}
    if any(word.startswith("=") for word in closing.words):
        return float(f"={head}" in closing.words)
    shared = about & closing.words
    share = len(shared) / len(about) if about else 0.0
    is_told = bool(to & closing.words)
    if "+to" in closing.words:
        is_known = verb in ("let", "tell") and "know" in closing.words
        return 0.6 if is_told and (is_known or share >= 0.5) else 0.0
    if verb == "owe" and re.search(r"\d|money|rent", rest) and closing.words & _MONEY:
        return 0.6
    if closing.is_answer:
        is_answered = is_told and _is_answered(closing, verb, about, to)
        return 0.5 + 0.5 * share if is_answered or (verb in _ASKING and share >= 0.5) else 0.0
    is_near = head in closing.words and (is_told or share >= 0.3)
    return share if share >= 0.5 or (share > 0 and is_near) else 0.0


def _is_answered(closing: Closing, verb: str, about: frozenset[str], to: frozenset[str]) -> bool:
    """Return whether words to a person are those that they waited for.

    An answer counts whatever it says; a call about a party does not count for one about a bill.
    """
    if verb in ("answer", "reply", "respond"):
        return True
    if verb in _ANSWERS and (about <= _ANSWER or about & closing.words):
        return True
    is_contact = base(verb) in _CONTACT and bool(_CONTACT & closing.words)
    is_alone = not about or not closing.words - to - _CONTACT
    return is_contact and bool(is_alone or about & closing.words)


@cache
def _stemmer() -> object:
    from Stemmer import Stemmer

    return Stemmer("english")


def base(word: str) -> str:
    """Return the stem of a word, of an irregular past that of its verb."""
    plain = _BASE.get(word, word)
    stem: str = _stemmer().stemWord(plain)  # type: ignore[attr-defined]  # the library has no types
    return stem


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that mean something."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))
    return frozenset(
        base(word) for word in words if word not in _STOP and (len(word) > 1 or word.isdigit())
    )
