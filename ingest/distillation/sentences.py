"""Sentences of the speaker's own words, in segments, and which of them are said of now and as true."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.quoted_spans import COVER, own_words

MOST_CHARS: Final = 1_500
"""A longer turn is a document: nothing is distilled of it."""

MOST_PROMPT_CHARS: Final = 800
"""The same to an assistant: a longer turn is a prompt."""

_END: Final = re.compile(
    r"(?i)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bprof)"
    r"[.](?=\s|$|\x00)[.)]*|[!?…]+[)\"”]*|\n+|\x00+|(?<=\w)\.{2,}|[\U0001f300-\U0001faff\u2600-\u27bf]+"
)
_JOINT: Final = re.compile(
    r"(?i)\s*(?:[;—–]|\s-+\s|:(?=\s)|,(?!\d))\s*|\s*[()]\s*|\s+(?:but|because|cause|cuz|bc|since|although|though|"
    r"while|whereas|so(?= (?:i|i'm|im|i'll|we|now|then|that)\b)|otherwise|or(?= (?:i|my|else)\b)|"
    r"(?:and|then|&|n)(?= (?:(?:i|i'm|im|i'll|i've|we|then|now|also|still|will|need|have|gotta|must|should|told|said|promised|the|my) |[a-z]+ed\b|"
    r"(?!(?:all|both|the|my|also|so|then|what|where|how|when|that|if|for|with|in|on|at|to|from|by|some|half|even|maybe|not)\b)[a-z]+(?: (?:up|off|out|back|in|over|down|to))? (?:the|my|an?|you|him|her|them|his|their|our|your|some|it|(?-i:[A-Z]))\b)))\b\s*"
)
_FILLER: Final = re.compile(
    r"(?P<comma>,?)[ \t]*(?<![\w'-])(?:[Uu]h+m*|[Uu]m+|[Ee]r+m+|[Ee]hm+|[Hh]mm+|er(?=,))(?![\w'-])"
    r"(?:[ \t]*(?:,|\.{2,}|…))*[ \t]*"
)
_NEW_CLAUSE: Final = re.compile(
    r"(?i)(?:i|i'm|im|i've|we|we're|my|our|he|she|they|it|it's|you|there|and|so|but|then|also)\b"
)
"""Words that begin a clause: a filler before them is a break."""

_CONDITION: Final = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|or|ok|okay|well|yeah|even|also|only|then|oh|like)\W+)*"
    r"(?:if|unless|when|whenever|once|in case|as long as|as soon as|until|imagine|suppose|supposing|assuming|say|let's say|hypothetically|had i|"
    r"were i|should i|whether|what if|until|after|every time|anytime|the next time|next time)\b"
)
_LATER_CONDITION: Final = re.compile(
    r"(?i)^\W*(?:only |even |but only )?(?:if|unless|as long as|in case)\b"
)
_QUESTION_HEAD: Final = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|or|ok|okay|well|yeah|also|oh|hey|hmm|btw)\W+)*(?:who|what|when|where|which|why|how|is|are|do|"
    r"does|did|can|could|should|shall|would|will|am|was|were|don't|doesn't|didn't|isn't|aren't|won't|wouldn't|may)\s+"
    r"(?:i|we|you|he|she|it|they|the|my|your|this|that|there|to|much|many|long|is|are|do|does|should|can|would|people)\b"
)
_HEDGE: Final = re.compile(
    r"(?i)\b(?:maybe|perhaps|might|possibly|probably|hypothetically|theoretically|i guess|i suppose|i wonder|i doubt|not sure|"
    r"i wish|would be|would have|pretend\w*|imagine|as if|in my dream|i feel like|supposedly)\b"
)
_USUAL: Final = re.compile(
    r"(?i)\b(?:always|usually|often|sometimes|normally|generally|typically|every|each|whenever|daily|weekly|most days|"
    r"never|ever|constantly|these days|nowadays|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|occasionally|rarely|anymore|all the time)\b"
)
_PAST: Final = re.compile(
    r"(?i)\b(?:used to|years? ago|months? ago|weeks? ago|back then|back when|back in (?:\d|the (?:day|\d)|my|those|high|college|uni|school|january|february|march|april|may|june|july|august|september|october|november|december)|when i was|as a (?:kid|child|teen\w*|student)|remember (?:when|the|uni|that|how)|"
    r"in (?:19|20)\d\d|last (?:year|time|summer|winter|spring|autumn|fall|month)|at the time|in those days|once upon|growing up|those days|had to|i was)\b"
)
_TALE: Final = re.compile(
    r"(?i)\b(?:lyrics?|song|poem|quote|novel|movie|film|episode|role ?play|in the (?:game|story|book)|"
    r"dream(?:t|ed)|prompt|chatgpt|/s)\b"
)


_TEXT_WORK: Final = (
    r"(?:^|[.!?\n]\s*|\b(?:please|pls|you|now|ok|okay),? )(?:write|draft|compose|rewrite|reword|rephrase|make up|invent|imagine|pretend|act|play|improvise|"
    r"translate|proofread|summari[sz]e|paraphrase|analy[sz]e|caption|make (?:it|this|that) (?:(?:a (?:bit|little) )?(?:more|less) [a-z]+|(?:a (?:bit|little) )?[a-z]+er|longer|rhyme))\b"
)
_IS_TEXT_WORK: Final = re.compile(rf"(?i){_TEXT_WORK}")
"""An order to work on a text."""

_FICTION: Final = re.compile(
    r"(?i)\b(?:monologue|dialogue|diary entry|journal entry|screenplay|fan ?fic\w*|fiction\w*|lyrics?|poems?|haiku|limerick|narrat\w+|protagonist|villain|"
    r"in (?:my|the|a|her|his) (?:story|novel|scene|play|game|campaign|script|poem|song|film|movie|dream)|(?:write|wrote|rewrite|continue|finish) (?:me )?(?:a|the|my|this|her|his) (?:short )?(?:story|scene|song|verse|play|speech|text)|"
    r"(?:my|the|a|our) (?:\w+ )?(?:character|hero|heroine)s?\b|in character|from the (?:perspective|point of view) of|as if (?:you|i) (?:were|was)|he says|she says|the line)\b|"
    rf"{_TEXT_WORK}"
)
"""Marks of a turn that is about a text in which others speak."""


class Fluent(NamedTuple):
    """A text without fillers; `places[n]` is where its character `n` is in the text as said."""

    text: str
    places: Sequence[int]


class Segment(NamedTuple):
    """A part of a sentence between commas and joints, at `text[start:end]` of the utterance.

    `joint` is the word that joins it to the part before, "" for a comma and the like.
    """

    text: str
    start: int
    end: int
    joint: str = ""


class Sentence(NamedTuple):
    """A sentence in its segments.

    `is_asked`: it ends as a question. `is_tale`: it or its turn tells of a text, a game or a dream.
    """

    text: str
    start: int
    end: int
    segments: tuple[Segment, ...]
    is_asked: bool
    ended: str = ""
    is_tale: bool = False

    def is_supposed(self, number: int) -> bool:
        """Return whether a segment depends on a condition before or right behind it."""
        before = any(_CONDITION.match(one.text) for one in self.segments[: number + 1])
        behind = self.segments[number + 1 : number + 2]
        return before or any(_LATER_CONDITION.match(one.text) for one in behind)


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text whose foreign words are covered."""
    at, is_fiction = 0, bool(_FICTION.search(text))
    while at < len(text):
        match = _END.search(text, at)
        stop, mark = (match.start(), match[0]) if match else (len(text), "")
        said = text[at:stop]
        if said.strip(f" {COVER}"):
            parts = tuple(_segments(said, at))
            is_tale = is_fiction or bool(_TALE.search(said))
            yield Sentence(said, at, stop, parts, "?" in mark or "？" in mark, mark, is_tale)
        at = match.end() if match else len(text)


def _segments(said: str, offset: int) -> Iterator[Segment]:
    start, joint = 0, ""
    for match in (*_JOINT.finditer(said), None):
        end = match.start() if match else len(said)
        if said[start:end].strip():
            yield Segment(said[start:end], offset + start, offset + end, joint)
            joint = ""
        if match:
            start, joint = match.end(), match[0].strip().lower() or joint


def spoken(text: str, speaker: str | None, *, is_to_model: bool) -> str:
    """Return the text with what is not the speaker's own covered; nothing of a very long one."""
    most = MOST_PROMPT_CHARS if is_to_model else MOST_CHARS
    return own_words(text, speaker) if len(text) <= most else ""


def without_fillers(text: str) -> Fluent:
    """Return a text as somebody would write it, with a comma for a filler between two clauses."""
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for match in _FILLER.finditer(text):
        parts.append(text[at : match.start()])
        places += range(at, match.start())
        is_first = not text[: match.start()].strip()
        is_in_sentence = not is_first and text[match.start() - 1] not in f"\n.!?{COVER}"
        is_break = is_in_sentence and (match["comma"] or _NEW_CLAUSE.match(text, match.end()))
        gap = "" if is_first else ", " if is_break else " "
        parts.append(gap)
        places += [match.start()] * len(gap)
        at = match.end()
    return Fluent("".join((*parts, text[at:])), [*places, *range(at, len(text) + 1)])


def is_question(segment: str) -> bool:
    """Return whether a segment begins as a question."""
    return bool(_QUESTION_HEAD.match(segment))


def is_hedged(text: str) -> bool:
    """Return whether a text has words of doubt."""
    return bool(_HEDGE.search(text))


def is_text_work(text: str) -> bool:
    """Return whether a turn orders work on a text, in which others speak."""
    return bool(_IS_TEXT_WORK.search(text))


def is_usual(text: str) -> bool:
    """Return whether a text tells of a habit."""
    return bool(_USUAL.search(text))


def is_past(text: str) -> bool:
    """Return whether a text tells of a time that is over."""
    return bool(_PAST.search(text))
