"""The gate after the rules: a sentence is well formed, or nothing is remembered.

It knows English only: a sentence whose values are of another language passes by its own rules.
"""

from contracts.lazy_regex import deferred
from ingest.extractor.words import boundaries
from ingest.extractor.words.patterns import any_of

_LONGEST = 200
_DANGLING = deferred(rf"(?i)\b(?:{any_of(boundaries.DANGLING)})$")
_ARTICLE_ALONE = deferred(rf"(?i)\b(?:an?|the|every|each) (?:{any_of(boundaries.NO_NOUNS)}|\d{{4}}-\d\d)\b")  # fmt: skip
_DOUBLED = deferred(
    r"(?i)\b(\w+) \1\b(?!&)|([a-z])\2\2|'s \w+ \w+'s \w+'s |\b(?:in|on|at|of|to|from|for|with) (?-i:in|on|at|by|of|to|from|for|with|and|or|over)\b|"
    r"\b(?:is|are|was|has) (?:is|are|was|has)\b|\b(?:they|their|them) (?:they|them|is|has)\b|"
    r"favou?rite kinds? of (\w{3,}) (?:is|are) .*\b\3$"
)
_POINTING = deferred(rf"(?i)\b(?:{any_of(boundaries.POINTING_ALONE)})\b(?!')")
_FOREIGN = deferred(r"[^\x00-\u024f\u2010-\u201f]")
_MARKS = deferred(r"[\x00<>{}\[\]|\\=^~`#]|\?|!\S|://|(?<!\w)@|(?i:\b(?:lol|lmao|omg|haha\w*)\b)")


def is_well_formed(content: str, subject: str) -> bool:
    """Return whether a sentence stands alone: no loose article, preposition, pronoun or mark."""
    predicate = content[len(subject) :] if content.startswith(subject) else content
    if len(content) > _LONGEST or not predicate.strip() or _MARKS.search(predicate):
        return False
    if _FOREIGN.search(predicate):
        return True
    return not any(
        pattern.search(predicate) for pattern in (_DANGLING, _ARTICLE_ALONE, _DOUBLED, _POINTING)
    )
