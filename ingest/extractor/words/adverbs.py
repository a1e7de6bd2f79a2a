"""Adverbs between a subject and its verb, as a plain list."""

from ingest.extractor.words.patterns import lines_of

ADVERBS = lines_of("""
    also, just, really, still, now, currently, actually, recently, always, finally, both, all, already, usually, too,
""")
