"""Pure query analysis, fusion and ranking over any storage that gives candidates."""

from search.answer import RankedHit
from search.decay import DECAYING_SOURCES, TimeDecay, time_weight
from search.explain import Explanation
from search.fusion import Fused, convex, rrf
from search.hybrid import HybridSearch, Ranking
from search.identifiers import identifiers_in, looks_like_identifier
from search.inflection import STEM_LETTERS, is_inflected
from search.keyword import KEYWORD_FORM, keyword_fields
from search.letters import fold_letters
from search.matching import Level, match_level
from search.options import SOURCE_NAMES, SearchOptions, parse_sources
from search.query import QueryAnalysis, analyse
from search.retrieve import NO_MEANING, Meaning, in_turn
from search.segment import index_words
from search.spelling import identifier_field, split_identifier

__all__ = [
    "DECAYING_SOURCES",
    "KEYWORD_FORM",
    "NO_MEANING",
    "SOURCE_NAMES",
    "STEM_LETTERS",
    "Explanation",
    "Fused",
    "HybridSearch",
    "Level",
    "Meaning",
    "QueryAnalysis",
    "RankedHit",
    "Ranking",
    "SearchOptions",
    "TimeDecay",
    "analyse",
    "convex",
    "fold_letters",
    "identifier_field",
    "identifiers_in",
    "in_turn",
    "index_words",
    "is_inflected",
    "keyword_fields",
    "looks_like_identifier",
    "match_level",
    "parse_sources",
    "rrf",
    "split_identifier",
    "time_weight",
]
