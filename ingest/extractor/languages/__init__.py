"""The core of facts in other languages than English, one table each."""

from ingest.extractor.languages.reading import FOREIGN, in_other_languages

__all__ = ["FOREIGN", "in_other_languages"]
