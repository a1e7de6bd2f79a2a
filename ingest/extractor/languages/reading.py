"""Clauses of other languages than English, read by the grammar with the words of their language."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.languages.grammar import FOREIGN
from ingest.extractor.rules.rule import Rule, compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, sentence
from ingest.extractor.words.abroad import (
    DUTCH,
    IN_ENGLISH,
    ITALIAN,
    OF_THE_SPEAKER,
    PORTUGUESE,
    SPANISH,
)
from ingest.extractor.words.lexicon import NO_NAMES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import JESTS_ABROAD, MOCKING, VAGUE_ABROAD

_SENTENCE = deferred(r"[^.!?。！？\n\x00…]{1,300}(?P<end>[.!?。！？…]*)")
_EDGES = " ,;:!?.。！，、~～（）()\"'"
_MOST_WORDS = 4
_POINTING = deferred(rf"(?i)\b(?:{any_of(VAGUE_ABROAD)})\b")
_MOCKED = deferred(rf"(?i)\b(?:{any_of(MOCKING)})\b|[\U0001f602\U0001f923\U0001f644\U0001f61c]")
_IN_JEST = deferred(rf"(?i)(?:{any_of(JESTS_ABROAD)})\b")
_DENIED = deferred(r"(?i)\b(?:non|niet|geen|nooit|no|nunca|jamás|não|mai|più)\b")
_ARTICLE = deferred(r"(?i)^(?:(?:la|le|el|los|las|il|lo|gli|i|o|a|os|as|de|het) |l')(?=\w)")
_NAMED = deferred(r"[^\W\d_a-z][\w'’-]*(?: (?:(?:de|da|do|del|la|le|van|von|der|den|aan|di) )?[^\W\d_a-z][\w'’-]*){0,2}")  # fmt: skip


class _Language(NamedTuple):
    """The grammar with the words of one language: its rules, and how its clauses come apart.

    `trigger` is a word that its first-person clauses have, `after` what follows a value, `doubt` a
    word of what is no statement. `lent` are subjects that a clause after "and" leaves out.
    """

    rules: tuple[tuple[Rule, re.Pattern[str]], ...]
    english: Mapping[str, str]
    lent: tuple[str, ...]
    trigger: re.Pattern[str]
    joint: re.Pattern[str]
    after: re.Pattern[str]
    doubt: re.Pattern[str]


@cache
def _languages() -> tuple[_Language, ...]:
    return tuple(map(_language, (DUTCH, ITALIAN, PORTUGUESE, SPANISH)))


def _language(words: dict[str, dict[str, str]]) -> _Language:
    every = words | IN_ENGLISH
    lists = {name: f"(?:{any_of(those)})" for name, those in every.items()}
    lists["I"] = f"(?:{lists['subject']} )?"
    return _Language(
        tuple((rule, compiled(f"{rule.pattern.format_map(lists)}$")) for rule in FOREIGN),
        {word: english for those in every.values() for word, english in those.items() if english},
        tuple(sorted(words["lent"])),
        re.compile(
            rf"(?i)\b(?:{'|'.join(lists[name] for name in OF_THE_SPEAKER if words[name])})\b"
        ),
        re.compile(rf"(?i)\s*[,;]\s*(?:{lists['joint']} )?|\s+{lists['joint']}\s+"),
        re.compile(rf"(?i)\s+{lists['after']}\b.*$"),
        re.compile(rf"(?i)\b{lists['doubt']}\b"),
    )


def in_other_languages(text: str, told: Told) -> Iterator[Candidate]:
    """Yield what a text says in other languages, by the few forms that are plain."""
    for language in _languages():
        for match in _SENTENCE.finditer(text) if language.trigger.search(text) else ():
            if language.trigger.search(match[0]) and not _MOCKED.search(match[0]):
                yield from _of_sentence(language, match, told)


def _of_sentence(language: _Language, match: re.Match[str], told: Told) -> Iterator[Candidate]:
    parts = list(_parts(language, match[0]))
    found = False
    for start, part in parts[:-1] if set(match["end"]) & set("?？") else parts:
        forms = (part, *(f"{subject} {part}" for subject in language.lent if found))
        made = (_read(language, form, told) for form in forms)
        is_doubtful = language.doubt.search(part) is not None
        one = None if is_doubtful else next(filter(None, made), None)
        found = one is not None or (found and not is_doubtful)
        if one is not None:
            place = match.start() + start
            yield one._replace(start=place, end=place + len(part))


def _parts(language: _Language, said: str) -> Iterator[tuple[int, str]]:
    at = 0
    for joint in (*language.joint.finditer(said), None):
        part = said[at : joint.start() if joint else len(said)].strip(_EDGES)
        if part:
            yield said.index(part, at), part
        at = joint.end() if joint else at


def _read(language: _Language, part: str, told: Told) -> Candidate | None:
    for rule, pattern in language.rules:
        if not rule.content.startswith("does not") and _DENIED.search(part):
            continue
        match = pattern.fullmatch(part)
        values = match and {
            name: _value(language, name, text) for name, text in match.groupdict().items()
        }
        if values and all(values.values()):
            if values.get("count", "a") != "a" and not values["kin"].endswith("s"):
                values["kin"] += "s"
            content = sentence(told.subject, rule.content.format_map(values), told)
            return Candidate(
                content, importance=rule.kind.importance, tags=rule.kind.tags, rule=rule.name
            )
    return None


def _value(language: _Language, name: str, text: str) -> str:
    """Return the value of a group; empty if it is something else."""
    if name in ("kin", "count", "state", "diet"):
        return language.english[text.lower()]
    if name in ("age", "role"):
        return text
    text = language.after.sub("", text).strip(_EDGES)
    if not text or len(text.split()) > _MOST_WORDS or _POINTING.search(text):
        return ""
    if name == "thing":
        text = _ARTICLE.sub("", text)
        return "" if _IN_JEST.match(text) else text
    if name == "work":
        return text
    is_word = any(word.casefold() in NO_NAMES for word in text.split())
    return text if _NAMED.fullmatch(text) and not is_word else ""
