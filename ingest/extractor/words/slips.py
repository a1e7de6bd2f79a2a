"""The words with which a slip of the tongue is corrected in the same turn, as plain lists."""

from ingest.extractor.words.patterns import lines_of

AH = lines_of("oh, ah, oops, sorry, no, wait, actually, hold on, my bad, my mistake")
"""Words before those that correct."""

NO_ITEMS = lines_of("""
    it, that, this, they, them, really, very, just, like, all, no, not, so, i, he, she, we, you, who, what, when, where, how, never, nothing,
    too, the, only, super, well, yes, yeah, hang, forget, seriously, please, thanks, if, but, and, even, quite, kind, sort, maybe, some,
""")
"""Words that name nothing somebody could be allergic to."""
