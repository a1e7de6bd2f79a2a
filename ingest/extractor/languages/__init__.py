"""The core of facts in other languages than English: one grammar, and a vocabulary for each."""

from ingest.extractor.languages.grammar import FOREIGN
from ingest.extractor.languages.reading import in_other_languages

__all__ = ["FOREIGN", "in_other_languages"]
