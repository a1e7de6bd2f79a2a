"""Query analysis, fusion and ranking, independent of the storage that supplies candidates."""

from search.analysis.inflection import STEM_LETTERS, is_inflected
from search.analysis.keyword_fields import KEYWORD_FORM, keyword_fields
from search.analysis.letter_folding import fold_letters
from search.analysis.query import QueryAnalysis, analyse
from search.analysis.segmentation import index_words
from search.hybrid import HybridSearch, Ranking
from search.identifiers.detection import identifiers_in, looks_like_identifier
from search.identifiers.matching import Level, match_level
from search.identifiers.variants import identifier_field, split_identifier
from search.options import SOURCE_NAMES, SearchOptions, parse_sources
from search.ranking.decay import DECAYING_SOURCES, TimeDecay, time_weight
from search.ranking.explanation import Explanation
from search.ranking.fusion import Fused, convex, rrf
from search.ranking.hit_selection import RankedHit
from search.retrieval import NO_QUERY_VECTOR, QueryVectorInfo, run_inline

__all__ = [
    "DECAYING_SOURCES",
    "KEYWORD_FORM",
    "NO_QUERY_VECTOR",
    "SOURCE_NAMES",
    "STEM_LETTERS",
    "Explanation",
    "Fused",
    "HybridSearch",
    "Level",
    "QueryAnalysis",
    "QueryVectorInfo",
    "RankedHit",
    "Ranking",
    "SearchOptions",
    "TimeDecay",
    "analyse",
    "convex",
    "fold_letters",
    "identifier_field",
    "identifiers_in",
    "index_words",
    "is_inflected",
    "keyword_fields",
    "looks_like_identifier",
    "match_level",
    "parse_sources",
    "rrf",
    "run_inline",
    "split_identifier",
    "time_weight",
]
