"""All rules by the word that they begin with, so that a clause meets the few that can fit."""

import re
from collections.abc import Sequence
from functools import cache

from ingest.extractor.rules.being import BEING
from ingest.extractor.rules.doing import CHANGING, DID, ENDING, HAVING, LIKING, LIVING, WANTING
from ingest.extractor.rules.life import LIFE
from ingest.extractor.rules.pastimes import PASTIMES, SINCE_YOUNG
from ingest.extractor.rules.rule import Rule

EVERY: tuple[Rule, ...] = (
    *ENDING, *CHANGING, *BEING, *LIKING, *HAVING, *LIVING, *WANTING, *LIFE, *SINCE_YOUNG, *DID,
    *PASTIMES,
)  # fmt: skip
"""The first that fits is believed; the ends of things come before the things."""


@cache
def _by_head() -> tuple[dict[str, tuple[Rule, ...]], tuple[Rule, ...]]:
    heads = {head for rule in EVERY for head in rule.heads.split()}
    table = {
        head: tuple(rule for rule in EVERY if not rule.heads or head in rule.heads.split())
        for head in heads
    }
    return table, tuple(rule for rule in EVERY if not rule.heads)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile when a clause first asks for it: most processes need few of the rules."""
    return re.compile(pattern, re.IGNORECASE)


def rules_for(predicate: str) -> Sequence[Rule]:
    """Give the rules that can fit, in the order of their rank."""
    head = predicate.partition(" ")[0].lower()
    table, headless = _by_head()
    return table.get(head, headless)
