"""What a person asks for: to have something remembered, and how to be answered from now on."""

import re
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.readings.occupations import POINTING
from ingest.extractor.values import Candidate, Utterance
from ingest.extractor.wording import Told, cut, dated, sentence, third_person
from ingest.extractor.words import requests as words
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import REPORTED, TASK_WORDS
from ingest.temporal.words import PAST_CUES

_ASKED = deferred(
    rf"(?i)^(?:(?:{any_of(words.BEFORE_REMEMBERING)}),? )*(?:{any_of(words.REMEMBERING)}|note(?=:| -|,))"
    r"(?: for (?:later|next time|the future|me))?(?: please)?(?:(?:,? that|:| -|,) (?=\S)| (?=(?:i|i'm|my|our|we)\b))"
)
_NO_STATEMENT = deferred(rf"(?i)^(?:(?:{any_of(words.NO_NOTES)})\b|[a-z]+ing\b)")
_ADVICE = deferred(
    r"(?i)\b(?:can be|is|are) (?:so |very |really |always )?(?:important|key|okay|ok|normal|worth it|a (?:journey|process|marathon))\b|"
    r"\b(?:consent\w*|agrees?|authori[sz]\w*|permissions?|admin|instructions?|unrestricted)\b|\bapprov\w+ (?:of )?\w+ing\b|^I (?:\w+ )?approve\b|^(?=.*\b(?:you|yourself|(?:my|the|any|every|all) (?:\w+ )?(?:assistant|agent|ai|bot|chatbot|llm)s?)\b).*\b(?:agree|approv|allow|permit|restrict)\w*|"
    r"\bmy (?:\w+ )?(?:assistant|agent|ai|bot|chatbot|llm)\b.* (?:must|may|can|should|shall|obeys?|free to|needs? no|needs? not|never|without)\b"
)
_OF_THEIRS = deferred(
    r"(?i)(?:I(?! (?:also )?since\b)|my|mine|our (?!\w+ (?:count|goal|target|task|team|company|app)\b))\b|"
    r".*\b(?:my|mine|with me|to me)\b"
)
"""The speaker's own world: "I pay rent on the 1st", "the key is with my neighbour"; no "we" of a task."""

_OF_A_TASK = deferred(rf"(?i)\b(?:{any_of(TASK_WORDS)})\b")
_PRESENT = deferred(rf"(?i)^(?:I|we) (?P<how>(?:(?:{any_of(words.OFTEN)}) )?)(?P<verb>[a-z]+)\b")
_AS_IT_IS = deferred(rf"(?!read$)(?:\w+ould|will|can|cannot|may|must|might|\w+ed|{PAST_CUES})$")
_PRESENT_TENSE = deferred(r"(?i)^(?:my|our) .*s\b|\b(?:will|am|is|are)\b")
_MOST_WORDS = 20


def asked_to_remember(said: str) -> tuple[str, bool]:
    """Return the clause without "remember that", and whether it had it."""
    match = _ASKED.match(said)
    if match is None or _NO_STATEMENT.match(said[match.end() :]):
        return said, False
    return re.sub(r"^that (?=\w)", "", said[match.end() :]), True


def whole_statement(said: str, told: Told) -> list[Candidate]:
    """Return as a note what no rule knows: "remember that the key is under the mat"."""
    text = cut(said).partition(", ")[0]
    text = dated(text, told, 1 if _PRESENT_TENSE.search(text) else 0).text
    is_bad = not 2 < len(text.split()) <= _MOST_WORDS or COVER in text or _ADVICE.search(text)
    is_own = _OF_THEIRS.match(text) and not _OF_A_TASK.search(text)
    if is_bad or not is_own or POINTING.search(text):
        return []
    return [Candidate(_third(text, told), importance=1, tags=("note",), rule="asked to remember")]


def _third(text: str, told: Told) -> str:
    if match := _PRESENT.match(text):
        verb = match["verb"].lower()
        verb = verb if _AS_IT_IS.match(verb) else "does" if verb == "do" else third_person(verb)
        return sentence(told.subject, f"{match['how'].lower()}{verb}{text[match.end() :]}", told)
    if re.match(r"(?:my|our) ", text, re.IGNORECASE):
        return sentence(told.subject, f"'s {text.partition(' ')[2]}", told)
    whole = sentence("", text, told).strip()
    return whole[0].upper() + whole[1:]


_ANSWERING = rf"(?:{any_of(words.ANSWERING)}|give(?! (?:up|your|it(?! in | as )|him|her|them|people|thanks|back|in|away)\b))"
_POLITE = f"(?:(?:{any_of(words.BEFORE_ANSWERING)}),? )*"
_FOREVER = rf"(?:{any_of(words.FOREVER)}|for (?:all |every )?(?:of )?(?:my |your |the )?(?:future|other|later) (?:{any_of(words.MESSAGES)})|in future \w+|in all (?:of )?(?:your|my) \w+)"  # fmt: skip
_WHENEVER = rf"(?:(?:(?:{any_of(words.EACH_TIME)}) (?:{any_of(words.TALKING)})|{any_of(words.WHENEVER)})\b|(?:{any_of(words.IF_ALWAYS)})\b(?=[^,]+, always))"  # fmt: skip
_STANDING = deferred(
    rf"(?i)(?:^|[,;:] |\band )(?:(?:{any_of(words.POLITE)}),? )*(?P<clause>(?:(?!never say)(?:always|never|do not ever)(?:,? please)? {_ANSWERING}\b.+|"
    rf"{_FOREVER} ?,? {_POLITE}(?:no need to )?{_ANSWERING}\b.*|{_WHENEVER}[^,\"]{{2,80}}, {_POLITE}(?:{_ANSWERING}|type)\b.+|"
    rf"{_POLITE}{_ANSWERING}\b(?:(?! (?:would|will|could|might|may) ).)+? (?:from now on|going forward|from here on|with me|"
    rf"(?:whenever|every time|each time) I .+|when (?:I ask|you (?:answer|reply|respond|write to me|talk)\b).*|in (?:all )?(?:of )?(?:your|future) (?:answers|replies|responses))|"
    rf"{_POLITE}{_ANSWERING}(?: [\w'-]+){{1,5}} in (?:the )?future|never (?:use|call|send|write)\b.+|(?:do not|don't) (?:ever )?(?:use|call me|answer|reply)\b.+ (?:with me|anymore|again|ever)))$"
)
_PART = deferred(
    rf"(?i):$|(?<!\w)(?:{any_of(words.LIFTED)})\b(?!(?<=yes)(?:/no| or (?:no|maybe)|, (?:no|maybe),? (?:or|no|maybe))\b|(?<=asking) (?:me )?(?:(?:follow-?up|clarifying|further|more|many) questions|why|what|which)\b)|\b(?:roles?|characters?|persona|pretend|act|like an?|called(?! me)|goal)\b|\b(?:with|to|of|as|the|an?)$"
)
"""A part that the assistant is to play, a safeguard to be lifted, and what ends too early."""

_OF_OTHERS = deferred(rf"(?i)\b(?:{any_of(REPORTED)})\b")
_ASKED_POLITELY = deferred(
    rf"(?i)(?:{_FOREVER}|{_WHENEVER}).*\b(?:can|could|will|would) you\b|^(?:can|could|will|would) you (?:please )?always\b"
)
_ONE_TASK = deferred(rf"(?i)\b(?:{any_of(words.ONE_TASK)})\b")
_REASON = deferred(
    r"(?i),? (?:because|since|so that|otherwise|(?<=, )(?:I(?:'m|'ve)?(?! (?:want|need|would|'d)\b)|it|they|even|that)) .*$"
)
_GERUNDS = {
    f"{verb.removesuffix('e')}ing": verb
    for verb in "answer reply respond use call write speak talk add give".split()
}
_STOPPED = deferred(
    rf"(?i)^(?:please |ok(?:ay)?,? |and |also,? |never ?mind,? )*(?:(?:stop|quit|no more) (?!calling (?!me\b))(?P<verb>{'|'.join(_GERUNDS)})|(?:do not|don't) call(?= me))(?P<rest> (?!it\b|that\b|this\b|about\b|of\b|like\b)(?:(?!\b(?:the|this|that|these|those|about)\b).){{2,60}})$"
)
_FROM_NOW = ("", "always ", "from now on ")
_LONGEST = 300
"""Characters of a sentence; a turn of twice as many describes a task, whose rules are its own."""

_LINES = deferred(r"(?<=[.!?])\s+|\n+|\x00+|;\s+")


def standing_instructions(text: str, utterance: Utterance, told: Told) -> Iterator[Candidate]:
    """Yield how the person asks to be answered from now on: only the owner's own words count."""
    if not utterance.own or utterance.speaker or len(text) > 2 * _LONGEST:
        return
    at = 0
    for end in (*_LINES.finditer(text), None):
        stop = end.start() if end else len(text)
        if 0 < stop - at <= _LONGEST:
            said = text[at:stop].strip()
            yield from _stopped(said.strip(" .!"), at, told)
            if clause := _standing(said):
                yield _asks(told, clause, rule="standing instruction", start=at, end=stop)
        at = end.end() if end else stop


def _standing(said: str) -> str:
    """Return the instruction of a sentence, empty if there is none for later."""
    if "?" in said and not _ASKED_POLITELY.search(said):
        return ""
    match = _STANDING.search(_REASON.sub("", said.strip(" .!?")))
    if match is None or _OF_OTHERS.search(said[: match.start()]):
        return ""
    clause = match["clause"][0].lower() + match["clause"][1:].strip(" .!,")
    return "" if _ONE_TASK.search(clause) or _PART.search(clause) else clause


def _stopped(said: str, at: int, told: Told) -> Iterator[Candidate]:
    """Yield the end of an instruction: "stop answering me in French"."""
    if match := _STOPPED.match(said):
        rest = re.sub(r" please$| me(?= (?:in|with|by)\b)|,.*$", "", match["rest"])
        verb = (match["verb"] or "calling").lower()
        positive = f"{_GERUNDS[verb]}{rest}"
        ends = tuple(f"{told.subject} asks: {one}{positive}" for one in _FROM_NOW)
        over = _asks(
            told, f"stop {verb}{rest}", rule="instruction over", start=at, end=at + len(said)
        )
        yield over._replace(ends=ends)


def _asks(told: Told, asked: str, *, rule: str, start: int, end: int) -> Candidate:
    content = f"{told.subject} asks: {asked}"
    return Candidate(content, importance=1, tags=("instruction",), rule=rule, start=start, end=end)
