"""A statement meets the rules: the first whose pattern fits and whose readings believe it wins."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from ingest.extractor.lexicon import DONE_TOGETHER, PETS
from ingest.extractor.readings import READINGS
from ingest.extractor.rules.doing import CHANGING, USUAL
from ingest.extractor.rules.possessions import WHOLE
from ingest.extractor.rules.rule import Rule
from ingest.extractor.rules.table import compiled, rules_for
from ingest.extractor.subjects import Statement
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, shorter, third_person, turned, uncut

_LONGEST = 300
_BLANKS = re.compile(r"\s+(?=[\s.,])|\s+$")


def read(about: Statement, told: Told) -> list[Candidate]:
    """Give what a statement says about the speaker or one of theirs."""
    predicate = about.predicate
    if len(predicate) > _LONGEST:
        return []
    if about.relation == "we" and not about.plural and not _TOGETHER.match(predicate):
        return []
    words = {"s": about.subject, **_forms(plural=about.plural)}
    rules = [rule for rule in rules_for(predicate) if not _unfit(rule, about)]
    found = _first(rules, predicate, words, told)
    if not found and _USUAL.match(predicate):
        found = read(about._replace(predicate=_USUAL.sub("", predicate)), told)
        return found or _first(USUAL, predicate, words, told)
    if not found:
        found = _in_parts(predicate, about, told)
    elif found[0].rule == "bare name" and " from " in predicate:
        found += _first(rules, f"am from {predicate.partition(' from ')[2]}", words, told)
    if found and found[0].action == "archive":
        found += _first([rule for rule in rules if rule in CHANGING], predicate, words, told)
    return found


_TOGETHER = re.compile(
    rf"(?:{'|'.join(sorted(DONE_TOGETHER))}|(?!need|want|us|ask|call|notic|update|deploy|install|creat|chang|fix|"
    r"try|tri|test|push|merg|migrat)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"^(?:usually|always|mostly|often|normally|typically|mainly|generally|only|primarily|rarely|"
    r"seldom|sometimes|never) (?=\w)",
    re.I,
)
_PART = re.compile(
    r"\s*,\s*(?:and |but )?|\s+(?:and|but|so|from|who|trying|looking) (?=\w)|"
    r"\s+(?=(?:living|working|based|studying) (?:in|as|at)\b)"
)


def _in_parts(predicate: str, about: Statement, told: Told) -> list[Candidate]:
    """Read "am 34, vegan and from Oslo" as three, and forget what follows in "am Brazilian so"."""
    if not predicate.startswith("am "):
        return _beginning(predicate, about, told)
    parts = [part for part in _PART.split(predicate[3:])[:_MOST_PARTS] if part]
    found: list[Candidate] = []
    for number, part in enumerate(parts if len(parts) > 1 else []):
        if number == 0 or not (_CLAUSE.match(part) or (part.isdigit() and not found)):
            words = {"s": about.subject, **_forms(plural=about.plural)}
            rules = [rule for rule in rules_for("am") if not _unfit(rule, about)]
            some = [rule for rule in rules if number == 0 or not rule.of_user]
            found += _first(some, f"am {part}", words, told)
    return found


def _beginning(predicate: str, about: Statement, told: Told) -> list[Candidate]:
    """Rather the beginning alone than nothing: "own three scopes and drag him to the moor"."""
    words = {"s": about.subject, **_forms(plural=about.plural)}
    rules = [rule for rule in rules_for(predicate) if not _unfit(rule, about)]
    for part in shorter(predicate):
        found = _first(rules, part, words, told)
        if found:
            return found
    return []


_MOST_PARTS = 6
_CLAUSE = re.compile(r"^(?:i|my|we|it|that|this|you|not|the)\b", re.I)


def _first(
    rules: Iterable[Rule], text: str, words: Mapping[str, str], told: Told
) -> list[Candidate]:
    for rule in rules:
        found = _matched(rule, text, words, told)
        if found:
            return found
    return []


def read_whole(said: str, told: Told) -> list[Candidate]:
    """Give what a clause says whose subject is no person: "my name is", "call me"."""
    if len(said) > _LONGEST:
        return []
    words = {"s": told.subject, **_forms(plural=False)}
    return _first(_whole_rules(said.partition(" ")[0].lower()), said, words, told)


@cache
def _whole_rules(head: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in WHOLE if not rule.heads or head in rule.heads.split())


def _unfit(rule: Rule, about: Statement) -> bool:
    """Names of others have rules of their own, pets no trade, and "we" are no one's age."""
    if rule.of_user and about.relation:
        return True
    if rule.name == "died" and not about.relation:
        return True
    if about.relation in PETS:
        return rule.kind.tags[0] == "work"
    return about.relation == "we" and not about.plural and rule.name in _ALONE


_ALONE = frozenset(("role", "age", "nationality", "work state"))


_VERBS = (
    ("is", "are"),
    ("has", "have"),
    ("does", "do"),
    ("was", "were"),
    ("goes", "go"),
    ("studies", "study"),
    ("together", "together"),
    ("identifies", "identify"),
    *(
        (f"{verb}s", verb)
        for verb in (
            "live",
            "work",
            "speak",
            "play",
            "take",
            "want",
            "use",
            "prefer",
            "love",
            "dream",
            "like",
        )
    ),
)
"""The verbs that the sentences of the rules name, for one and for many."""


@cache
def _forms_of(*, plural: bool) -> Mapping[str, str]:
    forms = {one: many if plural else one for one, many in _VERBS}
    return forms if plural else {**forms, "together": "in a relationship"}


def _forms(*, plural: bool) -> dict[str, str]:
    return {**_forms_of(plural=plural), "plural": "1" if plural else ""}


def _matched(rule: Rule, text: str, words: Mapping[str, str], told: Told) -> list[Candidate]:
    match = compiled(rule.pattern).fullmatch(text)
    if match is None:
        return []
    filled = [dict(words)]
    for group, value in match.groupdict().items():
        readings = _readings(group, value, told, plural=bool(words["plural"]))
        if not readings:
            return []
        filled = [{**each, **reading} for each in filled for reading in readings]
    return [_made(rule, each) for each in filled]


def _readings(group: str, value: str | None, told: Told, *, plural: bool) -> list[dict[str, str]]:
    """Give what a group contributes to the sentence, once for each item of a list."""
    if value is None or (not value.strip() and group != "birthday_now"):
        if group == "employer":
            return [{group: "somewhere"}]
        return [{group: "", **({"number": "is"} if group == "kind" else {})}]
    if group == "verb":
        return [{"verb": value, "v": value if plural else third_person(value)}]
    if group == "gerund":
        base = from_gerund(value)
        return [{"gerund": value, "gerund_v": base if plural else third_person(base)}]
    reading = READINGS.get(group)
    if reading is None:
        return [{group: turned(uncut(value), told)}]
    return [{group: text, "number": _number(value)} for text in reading(value, told)]


def _number(value: str) -> str:
    return "are" if re.search(r"\w,? (?:and|&) \w", value) and "," in value else "is"


def from_gerund(word: str) -> str:
    """Give the verb of "smoking": smoke; "running": run; "eating": eat."""
    stem = word.lower()[:-3]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] in "bdgmnprt":
        return stem[:-1]
    if stem.endswith(
        ("v", "c", "z", "u", "ok", "ik", "ak", "at", "ut", "ng", "rg", "dg", "id", "ad")
    ) and not stem.endswith(("eat", "eak", "oat", "ead", "oad", "ing", "ang", "ook", "eek", "oak")):
        return f"{stem}e"
    return stem


def _made(rule: Rule, words: Mapping[str, str]) -> Candidate:
    content = _BLANKS.sub("", rule.content.format_map(words)).strip(" ,.;")
    content = (
        content[0].upper() + content[1:]
        if content[0].islower()
        and rule.content[0] == "{"
        and (words["s"] == "User" or not rule.content.startswith("{s}"))
        else content
    )
    return Candidate(
        content,
        action=rule.action,
        importance=rule.kind.importance,
        tags=rule.kind.tags,
        rule=rule.name,
    )
