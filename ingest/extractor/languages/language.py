"""A language beside English: what joins and ends its clauses, and how it says each fact."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ingest.extractor.rules.rule import HEALTH, KIN, LIKE, NAME, PLACE, WORK, Kind, Rule
from ingest.extractor.words.abroad import Words
from ingest.extractor.words.patterns import any_of

FACTS: Mapping[str, tuple[str, Kind]] = MappingProxyType(
    {
        "name": ("'s name is {name}", NAME),
        "home": ("lives in {place}", PLACE),
        "moved": ("lives in {place}", PLACE),
        "origin": ("is from {place}", PLACE),
        "age": ("is {age} years old", NAME),
        "works as": ("works as {work}", WORK),
        "works at": ("works at {firm}", WORK),
        "role": ("is {role}", WORK),
        "kin by name": ("'s {kin} is named {name}", KIN),
        "has one by name": ("'s {kin} is named {name}", KIN),
        "named in passing": ("'s {kin} is named {name}", KIN),
        "kin lives": ("'s {kin} lives in {place}", KIN),
        "has kin": ("has {count} {kin}", KIN),
        "marital": ("is {state}", KIN),
        "allergic": ("is allergic to {thing}", HEALTH),
        "diet": ("is {diet}", HEALTH),
        "does not eat": ("does not {deed} {thing}", HEALTH),
        "dislikes": ("does not like {thing}", LIKE),
        "hates": ("hates {thing}", LIKE),
        "likes": ("loves {thing}", LIKE),
    }
)
"""The predicate and the kind of each fact, the same in every language."""


class Example(NamedTuple):
    """How a language says a fact: a pattern, what is said and made, and what must be left alone."""

    fact: str
    pattern: str
    said: str
    made: str
    silent: str


class Language(NamedTuple):
    """A language in the core of facts.

    `trigger` is a pattern of words that its first-person clauses have, `joint` one of the places
    between clauses, `tail` one of what follows a value, `doubt` one of what makes a clause no
    statement. `lent` are the subjects that a clause after "and" leaves out.
    """

    name: str
    trigger: str
    joint: str
    tail: str
    doubt: str
    lent: tuple[str, ...]
    words: Words
    examples: tuple[Example, ...]


def rules_of(language: Language) -> tuple[Rule, ...]:
    """Return the rules of a language's table."""
    words = language.words
    named = {
        "{kin}": any_of(words.kin),
        "{count}": any_of(words.numbers),
        "{many}": any_of({**words.many, **words.kin}),
        "{role}": words.role,
    }
    rules = []
    for one in language.examples:
        pattern = one.pattern
        for name, value in named.items():
            pattern = pattern.replace(name, value)
        content, kind = FACTS[one.fact]
        name = f"{language.name} {one.fact}"
        rules.append(Rule(name, pattern, content, kind, {one.said: one.made}, (one.silent,)))
    return tuple(rules)
