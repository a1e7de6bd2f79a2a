"""The rules, as tables by subject: each a readable pattern and the sentence that it makes."""

from ingest.extractor.rules.rule import Rule
from ingest.extractor.rules.table import rules_for

__all__ = ["Rule", "rules_for"]
