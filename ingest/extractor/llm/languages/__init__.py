"""The languages in which a model's claims are checked, one table each."""

from ingest.extractor.llm.languages.germanic import ENGLISH, GERMAN
from ingest.extractor.llm.languages.language import Language
from ingest.extractor.llm.languages.telling import LANGUAGES, RELIABLE, count_of, language_of

__all__ = ["ENGLISH", "GERMAN", "LANGUAGES", "RELIABLE", "Language", "count_of", "language_of"]
