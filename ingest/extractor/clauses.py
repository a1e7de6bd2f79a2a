"""Sentences and their clauses, and which of them are said as true.

"I live in Berlin, where can I buy a bike?" tells something and asks something; "if I lived in
Berlin" tells nothing. A clause that is not certain to be a statement is left out.
"""

from collections.abc import Iterator

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.words import statements as words
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import ASKING, OWN_VERBS, SUBJECTS


class Clause(NamedTuple):
    """A statement; `text` may have a subject that an earlier clause lends: "and (I) work"."""

    text: str
    start: int
    end: int


_LONGEST_SENTENCE = 20_000
_END = deferred(
    r"(?i)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[A-Z])"
    r"(?<!\betc)[.](?=[\s\x00]|$|(?-i:[A-Z][a-z' ]))[.)]*|[!?…]+[)\"”]*|"
    r"(?<=[\w.!?]) ?[\U0001f300-\U0001faff]+(?=\s+\w)|[。！？]+|\n+|\x00+"
)
_SUBJECT = rf"(?:{any_of(SUBJECTS)})\b"
_ASKING = rf"(?:{any_of(ASKING)})\b"
_VERBS = rf"(?:{any_of(OWN_VERBS)})\b"
_JOIN = deferred(
    rf"(?i)(?:(?<!\s)\s+)?[;—–]\s*|(?:(?<!\s)\s+)?[()]\s*(?={_SUBJECT})|\)\s*,?\s*|(?<!\s)\s+-+\s+|(?<=\w)-+\s+(?={_SUBJECT})|(?:(?<!\s)\s+)?\.\.+\s*|(?:,|(?<!\s))\s+(?:and|but|so|n|because|"
    rf"cause|cuz|bc|since(?! (?:i|we) (?:was|were)\b)|although|though|while|whereas|yet|plus|then|or|"
    rf"also)\s+(?:also |now |then |so |that |yes )*(?={_SUBJECT}|{_ASKING})|,\s+so\s+(?=\w)|"
    rf"(?<!note)(?<!remember)(?<!mind)(?<!reference)(?<!self)(?<!forget):\s+(?={_ASKING}|{_SUBJECT}|(?-i:[A-Z])\w+ is (?:my|our)\b)|(?<!as much)(?:,|(?<!\s))\s+(?:as|especially since|even though|ever since) (?={_SUBJECT})|"
    rf"[,，]\s*(?=(?:also |now |actually |and |but |today |yesterday |tomorrow |last \w+ |for the (?:last|past) \w+ \w+ )*(?:{_SUBJECT}|{_ASKING}))|"
    rf"(?:,(?! like\b)|,? (?:and|but))(?: then| also)?\s+(?={_VERBS})|，|,?\s*¿"
)
_LENDS = deferred(
    r"(?i)^\W*(?:[\w']+[,!]? ){0,4}?(i|we|im|i'm|i've|ive|(?:my|our) [a-z-]+(?: (?-i:[A-Z])\w+)?)\b(?!')"
)
_OWN_SUBJECT = deferred(rf"(?i)^\W*(?:[\w']+ ){{0,2}}?{_SUBJECT}")
_BARE = deferred(rf"(?i)^\W*{_VERBS}")
_OPENER = rf"(?i)^\W*(?:(?:{any_of(words.OPENERS)})\W+)*"
_LAUGHED = deferred(
    "(?i)[\U0001f602\U0001f923\U0001f644\U0001f61c\U0001f921]|\\b(?:lmf?ao|rofl)\\b|"
    rf"\b(?:am|i'm|im) (?:an? |the )?(?:secret )?(?:{any_of(words.GRAND_ROLES)})\b|"
    r"\b(?:basically|apparently|literally)\b.{0,80}\b(?:lol|haha\w*)\b|"
    r"\b(?:lol|haha\w*)\b.{0,80}\b(?:basically|apparently|literally)\b"
)
_OPENS_DOUBT = deferred(rf"{_OPENER}(?:{any_of(words.DOUBT_OPENINGS)})\b")
_DOUBT = deferred(
    rf"(?i)\b(?:{any_of(words.DOUBTS)}|(?:almost|nearly)(?! (?:an?|one|two|three|\d+|every|all)\b))\b|n't be\b|\bi'd\b"
)
_I_SAY = deferred(r"(?i)\b(?:i would|i'd) say (?:that )?(?=(?:my|one of my)\b)")
_TOLD = deferred(
    rf"(?i)\b(?:{any_of(words.REPORTS)}|(?:was|is|were|am|are|be|'s|'re) (?:all |just )?like,? (?=i\b|i'm|my))\b"
)
_SAID_SO = deferred(r"(?i)^\W*s?he (?:said|says|told (?:me|us)|wrote|texted)\W*$")
"""The end of a sentence that makes all of it somebody else's: "I'm 85, she told me"."""

_SELF_TOLD = deferred(rf"(?i)\b(?:i|we) (?:\w+ )?(?:{any_of(words.SELF_REPORTS)})\b")
_QUESTION_HEAD = deferred(rf"{_OPENER}(?:{any_of(words.QUESTION_OPENINGS)})\b(?! (?:i'm) )")
_ASKED_TO_NOTE = deferred(rf"(?i)^\W*(?:\w+,? )?(?:{any_of(words.ASKED_TO_NOTE)}),? that (?=\w)")
_WHEN_I = deferred(r"(?i)^\W*(?:when|whenever) (?:i|we) (?:ask|am|was|say|write|send)\b")
"""The beginning of "when I was five, ..." and of "when I ask for code, use tabs"."""


def statements(text: str) -> Iterator[Clause]:
    """Yield the clauses that are stated as true, in their order."""
    at = 0
    while at < len(text):
        match = _END.search(text, at)
        stop, ended = (match.start(), match[0]) if match else (len(text), "")
        if at < stop <= at + _LONGEST_SENTENCE and not _LAUGHED.search(ended):
            asked = "?" in ended or "？" in ended
            yield from _of_sentence(text[at:stop], at, asked=asked)
        at = match.end() if match else len(text)


def _of_sentence(sentence: str, at: int, *, asked: bool) -> Iterator[Clause]:
    if _OPENS_DOUBT.match(sentence) or _LAUGHED.search(sentence):
        return
    pieces = list(_pieces(sentence))
    if asked and not _ASKED_TO_NOTE.match(sentence):
        pieces = pieces[:-1]
    if pieces and _SAID_SO.match(sentence[slice(*pieces[-1])]):
        return
    told, lent = False, ""
    for start, end in pieces:
        part = sentence[start:end]
        if (start or lent) and _BARE.match(part) and not _OWN_SUBJECT.match(part):
            if not lent:
                continue
            part = f"{lent} {part.strip()}"
        else:
            lent = _lent(part)
        if _OPENS_DOUBT.match(part):
            return
        asks = _QUESTION_HEAD.match(part) and not (
            _WHEN_I.match(part) or _ASKED_TO_NOTE.match(part)
        )
        if told or asks:
            told, lent = told or bool(_TOLD.search(part)), ""
            continue
        told = bool(_TOLD.search(part)) and not _SELF_TOLD.search(part)
        if not _DOUBT.search(_I_SAY.sub("", part)):
            yield Clause(part, at + start, at + end)


def _pieces(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in _JOIN.finditer(sentence):
        if joint.start() > start:
            yield start, joint.start()
            start = joint.end()
    if start < len(sentence):
        yield start, len(sentence)


def _lent(part: str) -> str:
    match = _LENDS.match(part)
    if match is None or match.end() == len(part.rstrip()):
        return ""
    return "I" if match[1][0] in "iI" else match[1]
