"""All rules by the word that they begin with, so that a clause meets the few that can fit."""

import re
from collections.abc import Sequence
from functools import cache

from ingest.extractor.rules.dated import DATED
from ingest.extractor.rules.ending import ENDING
from ingest.extractor.rules.family import FAMILY
from ingest.extractor.rules.health import HEALTHY
from ingest.extractor.rules.identity import IDENTITY
from ingest.extractor.rules.likes import LIKES
from ingest.extractor.rules.rule import Rule
from ingest.extractor.rules.work import WORKING

RULES: tuple[Rule, ...] = (*ENDING, *DATED, *HEALTHY, *FAMILY, *WORKING, *LIKES, *IDENTITY)
"""In their order of rank: the first that fits is believed."""


@cache
def rules_for(head: str, relation: str) -> Sequence[Rule]:
    """Return the rules for statements of a relation that begin with a word, by rank."""
    who = {"": "me", "we": "we", "clause": "clause"}.get(relation, "kin")
    return tuple(rule for rule in RULES if who in rule.of.split() and _may_begin(rule, head))


def _may_begin(rule: Rule, head: str) -> bool:
    """Return whether a pattern's first words may be `head`; if in doubt, they may."""
    heads = _heads(rule.pattern)
    return not heads or head in heads


@cache
def _heads(pattern: str) -> frozenset[str]:
    if re.match(r"[a-z]+ ", pattern):
        return frozenset([pattern.partition(" ")[0]])
    if match := re.match(r"\(\?(?:P<\w+>|:)([a-z]+(?:\|[a-z]+)*)\) ", pattern):
        return frozenset(match[1].split("|"))
    return frozenset()
