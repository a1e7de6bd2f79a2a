"""The words that a rule's groups may hold: a name, a place, a role, something that one can like."""

from ingest.extractor.readings.registry import READINGS, Reading

__all__ = ["READINGS", "Reading"]
