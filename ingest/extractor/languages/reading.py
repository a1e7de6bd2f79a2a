"""Clauses of other languages than English, read by the table of their language."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from ingest.extractor.languages.dutch import DUTCH
from ingest.extractor.languages.italian import ITALIAN
from ingest.extractor.languages.language import Language, rules_of
from ingest.extractor.languages.portuguese import PORTUGUESE
from ingest.extractor.languages.spanish import SPANISH
from ingest.extractor.rules.rule import Rule, compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, sentence
from ingest.extractor.words.abroad import IN_ENGLISH
from ingest.extractor.words.lexicon import NO_NAMES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import JESTS_ABROAD, MOCKING, VAGUE_ABROAD

LANGUAGES: tuple[Language, ...] = (DUTCH, ITALIAN, PORTUGUESE, SPANISH)
_RULES = {language.name: rules_of(language) for language in LANGUAGES}
FOREIGN: tuple[Rule, ...] = tuple(rule for rules in _RULES.values() for rule in rules)

_SENTENCE = re.compile(r"[^.!?。！？\n\x00…]+(?P<end>[.!?。！？…]*)")
_LONGEST = 300
_EDGES = " ,;:!?.。！，、~～（）()\"'"
_MOST_WORDS = 4
_POINTING = re.compile(rf"(?i)\b(?:{any_of(VAGUE_ABROAD)})\b")
_MOCKED = re.compile(
    rf"(?i)^\W*(?:super|bravo|fantastico|ottimo|perfetto|genial|perfecto|ótimo|geweldig|fijn)\b|\b(?:{any_of(MOCKING)})\b|"
    "[\U0001f602\U0001f923\U0001f644\U0001f61c]"
)

_IN_JEST = re.compile(rf"(?i)(?:{any_of(JESTS_ABROAD)})\b")

_DENIED = re.compile(r"(?i)\b(?:non|niet|geen|nooit|no|nunca|jamás|não|mai|più)\b")
_ARTICLE = re.compile(r"(?i)^(?:(?:la|le|el|los|las|il|lo|gli|i|o|a|os|as|de|het) |l')(?=\w)")
_NAMED = re.compile(
    r"[^\W\d_a-z][\w'’-]*(?: (?:(?:de|da|do|del|la|le|van|von|der|den|aan|di) )?[^\W\d_a-z][\w'’-]*){0,2}"
)


def in_other_languages(text: str, told: Told) -> Iterator[Candidate]:
    """Yield what a text says in other languages, by the few forms that are plain."""
    for language in LANGUAGES:
        if _compiled(language.trigger).search(text):
            yield from _of_language(language, text, told)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _of_language(language: Language, text: str, told: Told) -> Iterator[Candidate]:
    for match in _SENTENCE.finditer(text):
        said = match[0]
        if (
            len(said) > _LONGEST
            or _MOCKED.search(said)
            or not _compiled(language.trigger).search(said)
        ):
            continue
        parts = list(_parts(language, said))
        if "?" in match["end"] or "？" in match["end"]:
            parts = parts[:-1]
        found = False
        for start, part in parts:
            if _compiled(language.doubt).search(part):
                found = False
                continue
            forms = (
                (part, *(f"{subject} {part}" for subject in language.lent)) if found else (part,)
            )
            made = next((one for form in forms for one in _read(language, form, told)), None)
            if made is not None:
                found = True
                place = match.start() + start
                yield made._replace(start=place, end=place + len(part))


def _parts(language: Language, said: str) -> Iterator[tuple[int, str]]:
    at = 0
    for joint in (*_compiled(language.joint).finditer(said), None):
        stop = joint.start() if joint else len(said)
        part = said[at:stop].strip(_EDGES)
        if part:
            yield said.index(part, at), part
        at = joint.end() if joint else stop


def _read(language: Language, part: str, told: Told) -> Iterator[Candidate]:
    for rule in _RULES[language.name]:
        if not rule.content.startswith("does not") and _DENIED.search(part):
            continue
        match = compiled(rule.pattern).fullmatch(part)
        values = _values(language, match.groupdict()) if match else None
        if values is not None:
            content = sentence(
                told.subject, " ".join(rule.content.format_map(values).split()), told
            )
            yield Candidate(
                content, importance=rule.kind.importance, tags=rule.kind.tags, rule=rule.name
            )
            return


def _values(language: Language, groups: Mapping[str, str | None]) -> dict[str, str] | None:
    """Return the values of a rule's groups; None if one of them is something else."""
    values = {}
    for name, text in groups.items():
        value = _value(language, name, text or "")
        if text is not None and not value and name != "spare":
            return None
        values[name] = value
    if values.get("count", "a") not in ("", "a") and not values["kin"].endswith("s"):
        values["kin"] += "s"
    return values


def _value(language: Language, name: str, text: str) -> str:
    if name in ("kin", "count"):
        words = language.words
        return {**words.kin, **words.many, **words.numbers}.get(text.lower(), "")
    if name in ("state", "diet", "deed"):
        return IN_ENGLISH.get(text.lower(), "")
    if name in ("age", "role", "langs"):
        return text
    name = name.rstrip("2")
    text = _compiled(language.tail).sub("", text).strip(_EDGES)
    if name in ("name", "place"):
        match = _NAMED.fullmatch(text)
        is_word = any(word.casefold() in NO_NAMES for word in text.split())
        return (
            text if match and not is_word and len(text) <= 40 and not _POINTING.search(text) else ""
        )
    if not text or len(text.split()) > _MOST_WORDS or _POINTING.search(text):
        return ""
    if name == "thing" and _IN_JEST.match(_ARTICLE.sub("", text)):
        return ""
    if name == "firm" and not _NAMED.match(text):
        return ""
    return _ARTICLE.sub("", text) if name == "thing" else text
