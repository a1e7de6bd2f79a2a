"""Settings of search: modes, weights, reranking and the preference for recent text."""

from dataclasses import field
from typing import Annotated, Literal, TypeAlias

from contracts import Source
from memory.config.field_types import Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen

Weight: TypeAlias = Annotated[float, Range(0, 1)] | Literal["auto"]


@frozen
class TimeDecayConfig(Section):
    """Preference for recent text: `score * (alpha + (1 - alpha) * 2 ** (-age / half_life))`."""

    enabled: Annotated[bool, Setting("Lower the score with age.")] = True
    half_life_days: Annotated[
        float, Range(0.01, 36500), Setting("Days after which the decaying part has halved.")
    ] = 30.0
    alpha: Annotated[
        float, Range(0, 1), Setting("Share of the score that age never takes; 1: no decay.")
    ] = 0.3
    sources: Annotated[
        tuple[Source, ...],
        Setting("Kinds of text that age. Files are not among them: a manual stays true."),
    ] = ("turn", "memory", "episode", "signal")


@frozen
class RerankConfig(Section):
    """The reranking of the best hits by a cross-encoder, which reads question and text together."""

    enabled: Annotated[bool, Setting("Rerank every search unless it says otherwise.")] = False
    provider: Annotated[
        Text, Setting("Provider of the reranker: `sentence_transformers`.", needs="restart")
    ] = "sentence_transformers"
    model: Annotated[
        Text,
        Setting(
            "Name of a cross-encoder on the hub, or a local folder when it begins with `./`, "
            "`../`, `/` or `~`; downloaded at its first use.",
            needs="restart",
            guard="loads a model that it chooses",
        ),
    ] = "cross-encoder/ms-marco-MiniLM-L-6-v2"
    device: Annotated[
        Text | None,
        Setting(
            "Device to compute on (`cpu`, `cuda`, `mps`); null lets the library choose.",
            needs="restart",
        ),
    ] = None
    candidates: Annotated[int, Range(1, 200), Setting("Number of the best hits that it reads.")] = (
        30
    )
    deadline_ms: Annotated[
        int,
        Range(10, 600_000),
        Setting(
            "Time it may take; past it the answer has the search's own order and a warning. A "
            "command counts from when the model is loaded, a server does not wait for that."
        ),
    ] = 2000


FileRule: TypeAlias = Literal[
    "tests", "vendored", "generated", "minified", "source_pages", "lock_files"
]


@frozen
class SearchConfig(Section):
    """Search: mode, number of hits, weights and fusion."""

    max_results: Annotated[
        int,
        Range(1, 1000),
        Setting("Number of hits that a search returns unless it asks for another."),
    ] = 10
    min_score: Annotated[
        float,
        Range(0, 1),
        Setting(
            "Least cosine of a hit that only its vector found. A hit that shares a word or an "
            "identifier with the query always passes."
        ),
    ] = 0.3
    hybrid_enabled: Annotated[
        bool,
        Setting("Search by meaning and by words together; false: by words only unless asked."),
    ] = True
    vector_weight: Annotated[
        Weight,
        Setting("Weight of meaning in a hybrid search; `auto`: the weight measured for the model."),
    ] = "auto"
    keyword_weight: Annotated[
        Weight, Setting("Weight of words in a hybrid search; `auto`: what the vectors leave.")
    ] = "auto"
    fusion: Annotated[
        Literal["convex", "rrf"],
        Setting(
            "How the two rankings become one: `convex` adds the weighted normalised scores, `rrf` "
            "is reciprocal rank fusion."
        ),
    ] = "convex"
    fold: Annotated[
        Literal["shingles", "mmr", "none"],
        Setting(
            "Handling of hits that repeat each other: `shingles` merges near-identical chunks into "
            "one hit, which lists them; `mmr` chooses hits by maximal marginal relevance; `none` "
            "leaves them as they are."
        ),
    ] = "shingles"
    mmr_lambda: Annotated[
        float,
        Range(0, 1),
        Setting("For `fold` `mmr`: the weight of relevance; the rest is the weight of novelty."),
    ] = 0.7
    lowered_files: Annotated[
        tuple[FileRule, ...],
        Setting(
            "Kinds of files that weigh less unless a query asks for them; `[]`: none. See "
            "[searching.md](searching.md) for the rules."
        ),
    ] = ("tests", "vendored", "generated", "minified", "source_pages", "lock_files")
    time_decay: TimeDecayConfig = field(default_factory=TimeDecayConfig)
    rerank: RerankConfig = field(default_factory=RerankConfig)
