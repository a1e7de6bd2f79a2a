"""What a language needs beside its rules: what joins and ends its clauses, and what casts doubt."""

from collections.abc import Mapping
from typing import NamedTuple

from ingest.extractor.rules.rule import Kind, Rule


class Language(NamedTuple):
    """A language in the core of facts.

    `trigger` is a pattern of words that its first-person clauses have, `joint` one of the places
    between clauses, `tail` one of what follows a value, `doubt` one of what makes a clause no
    statement. `lent` are the subjects that a clause after "and" leaves out. `words` translates what
    a rule's group `kin` or `count` holds.
    """

    name: str
    trigger: str
    joint: str
    tail: str
    doubt: str
    lent: tuple[str, ...]
    words: Mapping[str, str]
    rules: tuple[Rule, ...]


class Form(NamedTuple):
    """A rule of a language, with one example and one counterexample: most need no more."""

    name: str
    pattern: str
    content: str
    kind: Kind
    said: str
    made: str
    silent: str
    ends: tuple[str, ...] = ()


def rules_of(language: str, *forms: Form) -> tuple[Rule, ...]:
    """Return the rules of a language's table."""
    return tuple(
        Rule(
            f"{language} {form.name}",
            form.pattern,
            form.content,
            form.kind,
            {form.said: form.made},
            (form.silent,),
            ends=form.ends,
        )
        for form in forms
    )
