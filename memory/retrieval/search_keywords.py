"""Options of a search as keyword arguments of the Python API."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final, TypedDict

from contracts import InputError, Scope, did_you_mean
from memory.config.settings import SearchConfig
from memory.retrieval.searching import default_options
from search import SearchOptions, TimeDecay
from search.options import Fold, Fusion, Mode
from search.ranking.file_weight import FileRule


class SearchKeywords(TypedDict, total=False):
    """The fields of `SearchOptions`, and `sources`; one that is left out is as configured."""

    mode: Mode
    max_results: int
    min_score: float
    scope: Scope
    all_chunks: bool
    fold: Fold
    mmr_lambda: float
    neighbours: int
    depth: int | None
    explain: bool
    vector_weight: float | None
    keyword_weight: float | None
    fusion: Fusion
    decay: TimeDecay
    lowered_files: tuple[FileRule, ...]
    now: datetime | None
    archived: bool
    rerank: bool
    rerank_candidates: int
    rerank_deadline_ms: int
    sources: Sequence[str] | None


NAMES: Final = (*(item.name for item in fields(SearchOptions)), "sources")


def with_keywords(
    config: SearchConfig, options: SearchOptions | None, keywords: Mapping[str, Any]
) -> SearchOptions:
    """Return the options, or the configured ones, with the keywords in place of their fields.

    One of the two weights sets the other to its rest. Raises InputError for an unknown keyword, an
    invalid value, and options that are not SearchOptions.
    """
    for name in keywords:
        if name not in NAMES:
            raise InputError(f"a search has no option {name!r}", hint=did_you_mean(name, NAMES))
    base = default_options(config) if options is None else options
    if not isinstance(base, SearchOptions):
        raise InputError(f"the options are {options!r}", hint="give SearchOptions, or None")
    weights = {"vector_weight", "keyword_weight"}
    given = weights & keywords.keys()
    rest = dict.fromkeys(weights - given) if given else {}
    return replace(base, **{**rest, **keywords})
