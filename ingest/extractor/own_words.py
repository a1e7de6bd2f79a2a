"""The former name of `quoted_spans`."""

from ingest.extractor.quoted_spans import COVER, own_words

__all__ = ["COVER", "own_words"]
