"""The rules, as tables by subject: each a pattern, the sentence that it makes, and examples."""

from ingest.extractor.rules.rule import Rule
from ingest.extractor.rules.table import RULES, rules_for

__all__ = ["RULES", "Rule", "rules_for"]
