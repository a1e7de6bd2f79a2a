"""Sentences and their clauses, and which of them are said as true.

"I live in Berlin, where can I buy a bike?" tells something and asks something; "if I lived in
Berlin" tells nothing. A clause that is not certain to be a statement is left out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Clause(NamedTuple):
    """A statement; `text` may have a subject that an earlier clause lends: "and (I) work"."""

    text: str
    start: int
    end: int


_LONGEST_SENTENCE = 20_000
_END = re.compile(
    r"(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[A-Z])"
    r"(?<!\betc)[.](?=[\s\x00]|$|(?-i:[A-Z][a-z' ]))[.)]*|[!?…]+[)\"”]*|"
    r"(?<=[\w.!?]) ?[\U0001f300-\U0001faff]+(?=\s+\w)|[。！？]+|\n+|\x00+",
    re.IGNORECASE,
)
_SUBJECT = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we'll|our|he|she|they|it|it's|its|that's|there|there's|"
    r"you|your|you're|we're|we've|this|these|he's|she's|they're|the|people|everyone|everybody|(?:all )?my friends)\b"
)
_ASKING = (
    r"(?:want (?:anything|me|some|to)|wanna|who|what|what's|whats|when|where|which|why|how|how's|is|"
    r"are|am|was|were|do|does|did|don't|can|could|should|shall|would|will|has|may i|any|isn't|"
    r"aren't|right|ok|okay|anything|please|pls|recommend|suggest|give|tell|help|show|explain|write|"
    r"make|find|let's|thoughts|got any)\b"
)
_VERBS = (
    r"(?:am|was|work|live|have|love|like|hate|prefer|enjoy|study|studied|own|speak|moved|got|cannot|"
    r"can't|do not|don't|dont|no longer|grew up|graduated|married|quit|left|dislike|adore|"
    r"(?:usually|currently|just|recently|really|now|still|also|never) (?:am|work|live|have|love|like|hate|"
    r"moved|got|started|study)|works|lives|has|loves|likes|hates|studies|speaks|is|joined|retired|went freelance|"
    r"started (?:at|working)|go by|use they)\b"
)
_JOIN = re.compile(
    rf"\s*[;—–]\s*|\s*[()]\s*(?={_SUBJECT})|\)\s*,?\s*|\s+-+\s+|\s*\.\.+\s*|,?\s+(?:and|but|so|n|because|"
    rf"cause|cuz|bc|since(?! (?:i|we) (?:was|were)\b)|although|though|while|whereas|yet|plus|then|or|"
    rf"also)\s+(?:also |now |then |so |that |yes )*(?={_SUBJECT}|{_ASKING})|,\s+so\s+(?=\w)|"
    rf"(?<!note)(?<!remember)(?<!mind)(?<!reference)(?<!self)(?<!forget):\s+(?={_ASKING}|{_SUBJECT})|,?\s+(?:as|if|especially since|even though|in case|ever since) (?={_SUBJECT})|"
    rf"[,，]\s*(?=(?:also |now |actually |and |but |today |yesterday |tomorrow |last \w+ |for the (?:last|past) \w+ \w+ )*(?:{_SUBJECT}|{_ASKING}))|"
    rf"(?:,(?! like\b)|,? (?:and|but))(?: then| also)?\s+(?={_VERBS})|，|,?\s*¿",
    re.IGNORECASE,
)
_LENDS = re.compile(
    r"^\W*(?:[\w']+[,!]? ){0,4}?(i|we|im|i'm|i've|ive|(?:my|our) [a-z-]+(?: (?-i:[A-Z])\w+)?)\b(?!')",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(rf"^\W*(?:[\w']+ ){{0,2}}?{_SUBJECT}", re.IGNORECASE)
_BARE = re.compile(rf"^\W*{_VERBS}", re.IGNORECASE)
_INFINITIVE = re.compile(
    r"\b(?:to|can|will|would|could) (?!be\b)[a-z]+\b(?![^,]*\d)", re.IGNORECASE
)
_NOUN_BEFORE = re.compile(
    r"\b(?:the|an?|of|for|with|my|your) [^ ]+\W*(?:and|but|,)\s*$", re.IGNORECASE
)
"""The "love" of "the hope and love theme" is no verb."""

_FINITE = re.compile(
    r"^\W*(?:\w+ )?(?:am|was|had|studied|moved|got|started|cannot|can't|do not|don't|dont|no longer|"
    r"grew up|graduated|married|quit|left|is|has|works|lives|loves|likes|hates|joined|retired)\b",
    re.IGNORECASE,
)
_LAUGHED = re.compile(
    "[\U0001f602\U0001f923\U0001f644\U0001f61c\U0001f921]|\\b(?:lmf?ao|rofl)\\b|"
    r"\b(?:basically|apparently|literally)\b.{0,80}\b(?:lol|haha\w*)\b|"
    r"\b(?:lol|haha\w*)\b.{0,80}\b(?:basically|apparently|literally)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|in case)\b", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
"""The joint before a condition: "plan a trip if I like street food, hiking and trains"."""

_ON_CONDITION = re.compile(
    r",? +(?:as long as|only if|if) (?:they|it|he|she|there)\b", re.IGNORECASE
)
"""What follows a statement that is true of some only: "I like pictures if they are small"."""

_OPENS_DOUBT = re.compile(
    r"^\W*(?:(?:well|so|and|but|or|ok|okay|oh|even|hmm|hey|hi|hello)\W+)*(?:if|unless|imagine|suppose|"
    r"supposing|pretend|assum\w+|what if|let's say|say|in case|hypothetically|whether|had i|were i|"
    r"should i|in another life|in my dreams?|i dreamt|i dreamed|(?:i )?had a dream|last night i "
    r"dreamed|theoretically|wenn|falls|als ob|stell dir vor|imagina|imagine que)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|possibly|probably|wish|as though|"
    r"supposedly|allegedly|almost|nearly|hypothetical\w*|i (?:guess|suppose|doubt|wonder|assume|"
    r"imagine|hope|fear|may|think|feel like)|not sure|unsure|no idea|should i|must be|may be|"
    r"pretending|hardly|barely|as if|like i am|would've)\b|n't be\b|\bi'd\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:said|says|saying|say|told|tells|thinks?|thought|claims?|claimed|believes?|believed|asked|"
    r"asks|heard|replied|answered|wrote|writes|insists?|swears?|called me|calls me|shouted|yelled|"
    r"goes like|quote|(?:was|is|were|am|are|be|'s|'re) (?:all |just )?like,? (?=i\b|i'm|my)|"
    r"according to|sagt|sagte|dit|dice|dijo)\b",
    re.IGNORECASE,
)
_SELF_TOLD = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:said|say|told|heard|asked|believe|know|was told|call|called|wrote)\b",
    re.IGNORECASE,
)
_QUESTION_HEAD = re.compile(
    r"^\W*(?:(?:well|so|and|but|or|ok|okay|oh|hey|hi|hello|hmm|also|then|please|guess)\W+)*(?:who|what|"
    r"what's|whats|when|where|which|why|how|is|are|am|was|were|do|does|did|can|could|should|shall|"
    r"would|will|has|have i|have you|may i|isn't|aren't|don't you|didn't|can't)\b(?! (?:i'm) )",
    re.IGNORECASE,
)
_ASKED_TO_NOTE = re.compile(
    r"^\W*(?:\w+,? )?(?:can|could|will|would) you (?:please |just |also )?(?:remember|note|keep in "
    r"mind|save|store|make a note|note down)(?: for me| please)?,? that (?=\w)",
    re.IGNORECASE,
)
_WHEN_I = re.compile(
    r"^\W*(?:when|whenever) (?:i|we) (?:ask|am|was|say|write|send)\b", re.IGNORECASE
)
"""The beginning of "when I was five, ..." and of "when I ask for code, use tabs"."""

_COUPLE = re.compile(
    r"\W*(?:\w+,? )?(?:my|our)(?: (?!(?:is|are|was|has|name)\b)[\w'-]+){1,3},? and (?:i|me)\W|\W*(?:me|i) and my?",
    re.IGNORECASE,
)


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
    told, lent = False, ""
    for start, end in _unconditional(sentence, pieces):
        part = sentence[start:end]
        if (start or lent) and _BARE.match(part) and not _OWN_SUBJECT.match(part):
            joined = _INFINITIVE.search(sentence[:start]) or _NOUN_BEFORE.search(sentence[:start])
            if not lent or (joined and not _FINITE.match(part)):
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
        if not _DOUBT.search(part):
            yield Clause(part, at + start, at + end)


def _pieces(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in _JOIN.finditer(sentence):
        if joint.start() > start and not _is_couple(sentence, start, joint):
            yield start, joint.start()
            start = joint.end()
    if start < len(sentence):
        yield start, len(sentence)


def _unconditional(sentence: str, pieces: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the pieces that are no condition, and hold without one."""
    before, conditional = 0, False
    for start, end in pieces:
        joint, before = sentence[before:start], end
        conditional = bool(_IF.search(joint) or (conditional and _AND.search(joint)))
        if not conditional and not _ON_CONDITION.match(sentence, end):
            yield start, end


def _is_couple(sentence: str, start: int, joint: re.Match[str]) -> bool:
    """Return whether the "and" joins two people: "my wife and I"."""
    match = _COUPLE.match(sentence, start, joint.end() + 2)
    return match is not None and match.end() > joint.start()


def _lent(part: str) -> str:
    match = _LENDS.match(part)
    if match is None:
        return ""
    return "I" if match[1][0] in "iI" else match[1]
