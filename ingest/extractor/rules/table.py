"""All rules, by whose statements they read."""

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
def rules_for(relation: str) -> Sequence[Rule]:
    """Return the rules for statements of a relation, by rank."""
    who = {"": "me", "we": "we", "clause": "clause"}.get(relation, "kin")
    return tuple(rule for rule in RULES if who in rule.of.split())
