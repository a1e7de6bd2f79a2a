"""Sentences and their clauses, and which of them are said as true.

"I live in Berlin, where can I buy a bike?" tells something and asks something; "if I lived in
Berlin"
tells nothing. A clause that is not certain to be a statement is left out.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.extractor.own_words import COVER


class Clause(NamedTuple):
    """A statement; `text` may have a subject that an earlier clause lends: "and (I) work"."""

    text: str
    start: int
    end: int


_LONGEST_SENTENCE = 1_000
_MOST_SENTENCES = 400
_END = re.compile(
    r"(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[A-Z])(?<!\betc)"
    r"[.](?=[\s\x00]|$|(?=[A-Z][a-z' ]))[.)]*|[!?…]+[)\"”]*|(?<=[\w.!?]) "
    r"?[\U0001f300-\U0001faff]+(?=\s+\w)|[。！？]+|\n+|\x00+",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？]")
_SUBJECT = (
    r"(?:people(?= (?:just )?call)|everyone(?= (?:just )?calls)|friends(?= call)|i|i'm|im|i've|"
    r"ive|i'd|i'll|my|we|we|we're|we've|we'll|our|he|she|they|it|it's|its|that's|"
    r"there|"
    r"there's|you|your|you're|this|these|he's|she's|they're|the|ich|mein|meine|je|j'ai|yo|io)\b"
)
_ASKING = (
    r"(?:что|как|где|какой|какие|можно|подскажи\w*|посоветуй\w*|want (?:anything|me|some|to)|"
    r"wanna|u want|u coming|you coming|tem um|qual|você|onde|qué|cómo|dónde|cuál|puedes|"
    r"me ayudas|tienes|peux|pouvez|est-ce|quel|"
    r"quelle|où|comment|puoi|dove|quale|kannst|könnt|gibt es|welche|wie|hoe|waar|weet|who|what|"
    r"what's|whats|when|where|which|why|how|how's|is|are|am|was|were|do|does|did|"
    r"don't|can|could|"
    r"should|shall|would|will|has|may i|any|isn't|aren't|right|ok|okay|anything|please|pls|"
    r"recommend|suggest|give|tell|help|show|explain|write|make|find|let's|thoughts)\b"
)
_VERBS = (
    r"(?:am|was|work|worked|live|lived|have|had|love|like|hate|prefer|enjoy|study|studied|own|"
    r"play|speak|moved|got|"
    r"went|started|cannot|can't|do not|don't|dont|never|no longer|grew up|drive|teach|run|bought|"
    r"adopted|"
    r"became|graduated|married|quit|left|finished|plan|dislike|adore|usually|currently|just|"
    r"recently|"
    r"really|now|still|can speak|collect|volunteer|go|sing|write|paint|take|wear|use|cook|bake|"
    r"read|swim|dance|coach|make|sell|code|do|commute|ride|works|lives|has|loves|likes|hates|"
    r"studies|"
    r"plays|speaks|is|drove|flew|swam|sang|wrote|made|took|saw|met|spent|built|won|lost|sold|gave|began|"
    r"ran|grew|broke|rode|caught|taught|visited|joined|signed up|volunteered|hiked|painted|"
    r"performed|"
    r"planted|celebrated|donated|launched|opened|applied|enrolled|ended up|retired|published|"
    r"collects|runs|teaches|owns|keeps|volunteers|swims|grows|writes|paints|sings|drives|cooks|bakes|coaches|sells|breeds|babysit|train|knit|garden|hike|tutor|foster|rent|manage|grow|raise)\b"
)
_JOIN = re.compile(
    rf"\s*[;—–]\s*|\s*[()]\s*(?={_SUBJECT})|\)\s*,?\s*|\s+-+\s+|\s*\.\.+\s*|,?\s+(?:and|but|so|n|"
    rf"because|cause|cuz|bc|"
    rf"since(?! (?:i|we) (?:was|were) (?:little|young|small|an? |in |about |\d|four|"
    rf"five|six|seven|eight|nine|ten))|"
    rf"although|"
    rf"though|while|whereas|yet|plus|then|"
    rf"or|also)\s+(?:also |now |then |so |that |yes |today |yesterday |recently )*(?={_SUBJECT}|"
    rf"{_ASKING})|"
    rf"，|,?\s*¿|,\s+so\s+(?=\w)|:\s+(?={_ASKING})|"
    r",\s+as (?=(?:i|i'm|i've|my|we|we're|we've)\b)|"
    rf",\s*(?=(?:also |now |actually |and )*(?:{_SUBJECT}|{_ASKING}))|"
    rf"(?:,(?! like\b)|,? (?:and|but))(?: then| also)?\s+(?={_VERBS})",
    re.IGNORECASE,
)
_LENDS = re.compile(
    r"^\W*(?:[\w']+[,!]? ){0,4}?(i|we|im|i'm|i've|ive|she(?='s| is| has| [a-z]+s )|he(?='s| is|"
    r" has| [a-z]+s )|my [a-z-]+(?: (?-i:[A-Z])\w+)?)\b",
    re.IGNORECASE,
)
_LAUGHED = re.compile(
    "[\U0001f602\U0001f923\U0001f644\U0001f61c\U0001f921]|\\b(?:lmf?ao|rofl|lmfao)\\b|"
    r"\b(?:basically|apparently|literally)\b.*\b(?:lol|haha\w*)\b|\b(?:lol|"
    r"haha\w*)\b.*\b(?:basically|apparently|literally)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(rf"^\W*(?:[\w']+ ){{0,2}}?{_SUBJECT}", re.IGNORECASE)
_BARE = re.compile(rf"^\W*{_VERBS}", re.IGNORECASE)
_INFINITIVE = re.compile(
    r"\b(?:to|can|will|would|could|and) (?!be\b)[a-z]+\b(?![^,]*\d)", re.IGNORECASE
)
_OPENS_DOUBT = re.compile(
    r"^\W*(?:(?:well|so|and|but|or|ok|okay|oh|even|hmm|hey|hi|hello)\W+)*(?:if(?! (?:it|that|"
    r"this) (?:helps|matters|"
    r"is relevant))|unless|imagine|suppose|supposing|pretend|assum\w+|what if|let's say|say|in "
    r"case|hypothetically|"
    r"whether|had i|were i|should i|in another life|in my dreams?|i dreamt|i dreamed|had a dream|"
    r"last night i dreamed|theoretically|wenn|falls|si|se|als ob|stell dir vor|imagina|imagine "
    r"que)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|possibly|probably|wish|as though|"
    r"supposedly|allegedly|almost|nearly|hypothetical\w*|i (?:guess|suppose|doubt|wonder|assume|"
    r"imagine)|"
    r"not sure|unsure|no idea|i may|should i|must be|i think i|i feel like|may be|pretending|"
    r"hardly|barely)\b|\b(?:would|could|might)n't\b|\bi'd\b|^\W*i think\b",
    re.IGNORECASE,
)
_CERTAIN = re.compile(
    r"\bif i(?:'m| am|m) (?:being )?honest|\bif you ask me|\b(?:i would|i'd) (?:rather|take|"
    r"choose|pick)\b(?=.* (?:over|than)\b)|\bif (?:it|that|"
    r"this) (?:helps|matters|is relevant)|\bif you "
    r"(?:must|want to|need to) know",
    re.I,
)
_TOLD = re.compile(
    r"\b(?:said|says|saying|say|told|tells|thinks?|thought|claims?|claimed|believes?|believed|"
    r"asked|asks|"
    r"heard|replied|answered|wrote|writes|insists?|swears?|called me|calls me|shouted|yelled|"
    r"goes like|quote|"
    r"(?:was|is|were|am|are|be|'s|'re) (?:all |just )?like,? (?=i\b|i'm|my)|"
    r"according to|sagt|sagte|dit|dice|dijo)\b",
    re.IGNORECASE,
)
_SELF_TOLD = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:said|say|told|thought|heard|asked|believe|know|was told|call|called|"
    r"wrote)\b|"
    r"\bi(?:'d| would) say\b|like i said",
    re.IGNORECASE,
)
_QUESTION_HEAD = re.compile(
    r"^\W*(?:(?:well|so|and|but|or|ok|okay|oh|hey|hi|hello|hmm|also|then|please|"
    r"guess)\W+)*(?:who|what|what's|whats|when|where|which|why|how|"
    r"is|are|am|was|were|do|does|did|can|could|should|shall|would|will|has|have i|have you|may i|"
    r"isn't|aren't|don't you|"
    r"didn't|can't)\b(?! (?:i (?:like|love|hate|enjoy|prefer)|i'm) )",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\W*(?:\w+,? )?(?:can|could|will|would) you (?:please |just |also )?(?:remember|note|keep "
    r"in mind|save|store|make a note|"
    r"note down)(?: for me| please)?,? that (?=\w)",
    re.IGNORECASE,
)
_WONDERED = re.compile(r"^\W*(?:u|you) know (?=(?:i'm|im|i am)\b.*\bright$)", re.IGNORECASE)
"""What is asked is no more than whether it is known: it is so."""
_TELLING_WHEN = re.compile(r"^\W*when i was\b", re.IGNORECASE)


def statements(text: str) -> Iterator[Clause]:
    """Give the clauses that are stated as true, in their order."""
    at = 0
    for _ in range(_MOST_SENTENCES):
        match = _END.search(text, at)
        stop, ended = (match.start(), match.group()) if match else (len(text), "")
        if at < stop <= at + _LONGEST_SENTENCE and not _LAUGHED.search(ended):
            yield from _of_sentence(text[at:stop], at, asked=bool(_ASKED.search(ended)))
        if match is None:
            return
        at = match.end()


def _of_sentence(sentence: str, at: int, *, asked: bool) -> Iterator[Clause]:
    if _OPENS_DOUBT.match(sentence) or _LAUGHED.search(sentence):
        return
    wondered = _WONDERED.match(sentence) if asked else None
    if wondered:
        sentence = sentence[wondered.end() :].removesuffix(" right").rstrip(",")
        at += wondered.end()
        asked = False
    pieces = list(_pieces(sentence))
    if asked and not _REQUEST.match(sentence):
        pieces = _before_the_question(pieces)
    told = False
    lent = ""
    for start, end in pieces:
        part = sentence[start:end]
        if not _OWN_SUBJECT.match(part) and _BARE.match(part) and lent:
            if not (_INFINITIVE.search(sentence[:start]) and not _FINITE.match(part)):
                part = f"{lent} {part.strip()}"
        elif start and _BARE.match(part) and not _OWN_SUBJECT.match(part):
            continue
        else:
            lent = _lent(part)
        if (
            told
            or _OPENS_DOUBT.match(part)
            or (_QUESTION_HEAD.match(part) and not _TELLING_WHEN.match(part))
        ):
            told = told or bool(_TOLD.search(part))
            lent = ""
            continue
        told = bool(_TOLD.search(part)) and not _SELF_TOLD.search(part)
        if not _DOUBT.search(_CERTAIN.sub("", part)):
            yield Clause(part, at + start, at + end)


_FINITE = re.compile(
    r"^\W*(?:also |just |then )?(?:am|was|worked|lived|had|studied|moved|got|went|started|cannot|"
    r"can't|do not|don't|dont|"
    r"never|no longer|grew up|bought|adopted|became|graduated|married|quit|left|finished|usually|"
    r"currently|drove|flew|swam|sang|wrote|made|took|saw|met|spent|built|won|lost|sold|gave|began|"
    r"grew|broke|rode|taught|visited|joined|signed|volunteered|hiked|painted|performed|planted|"
    r"celebrated|donated|launched|opened|applied|enrolled|retired|published)\b",
    re.IGNORECASE,
)


def _pieces(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in _JOIN.finditer(sentence):
        if joint.start() > start and not _is_couple(sentence, start, joint):
            yield start, joint.start()
            start = joint.end()
    if start < len(sentence):
        yield start, len(sentence)


def _is_couple(sentence: str, start: int, joint: re.Match[str]) -> bool:
    """Tell whether the "and" joins two people: "my wife and I"."""
    match = _COUPLE.match(sentence[start : joint.end() + 2])
    return match is not None and start + match.end() > joint.start()


_COUPLE = re.compile(
    r"^\W*(?:\w+,? )?(?:my|our)(?: [\w'-]+){1,3},? and (?:i|me)\W|^\W*me and my?", re.IGNORECASE
)


def _before_the_question(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of a sentence that asks, keep the clauses before the one that begins to ask."""
    return pieces[:-1]


def _lent(part: str) -> str:
    match = _LENDS.match(part)
    if match is None:
        return ""
    subject = match[1].lower()
    return (
        "I"
        if subject[0] == "i"
        else match[1]
        if subject in ("she", "he")
        else subject
        if subject == "we"
        else match[1]
    )


def is_covered(text: str) -> bool:
    """Tell whether some of the text is not the speaker's own."""
    return COVER in text
