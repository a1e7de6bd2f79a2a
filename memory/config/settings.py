"""Every setting with its default, range and meaning.

These are plain frozen dataclasses, so that a one-shot command loads no validation library.
`memory.config.loading` reads them from a file, `memory.config.keys` lists them. The JSON schema and
`docs/configuration.md` repeat the meanings written here.
"""

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from contracts import Source
from memory.config.conversations import (
    CaptureConfig,
    DistillationConfig,
    EpisodesConfig,
    ExtractorConfig,
    FtsConfig,
    LLMConfig,
    MidConfig,
    RecordsConfig,
    ScoringConfig,
    SemanticConfig,
    ShortTermConfig,
)
from memory.config.embeddings import (
    EmbeddingsConfig,
    GeminiConfig,
    MinilmConfig,
    OnnxConfig,
    OpenAIConfig,
    SentenceTransformersConfig,
    StaticConfig,
    VoyageConfig,
)
from memory.config.field_types import DELETES, Range, Section, Setting, Text
from memory.config.files import ChunkingConfig, FilesConfig, Workers
from memory.values.fast_dataclass import frozen

__all__ = [
    "ChunkingConfig",
    "Config",
    "DistillationConfig",
    "EmbeddingsConfig",
    "EpisodesConfig",
    "ExtractorConfig",
    "FilesConfig",
    "FtsConfig",
    "GeminiConfig",
    "LLMConfig",
    "MemoryConfig",
    "MidConfig",
    "MinilmConfig",
    "OnnxConfig",
    "OpenAIConfig",
    "PrivacyConfig",
    "RecordsConfig",
    "RerankConfig",
    "ScoringConfig",
    "SearchConfig",
    "SentenceTransformersConfig",
    "ServerConfig",
    "ShortTermConfig",
    "StaticConfig",
    "TimeDecayConfig",
    "VoyageConfig",
    "Weight",
    "Workers",
]

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


@frozen
class ServerConfig(Section):
    """The server of `mem serve`: its address and its access."""

    host: Annotated[
        Text,
        Setting(
            "Address to listen on; one that other machines reach needs a token.",
            needs="restart",
            guard="chooses the address that the server listens on",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int, Range(0, 65535), Setting("Port to listen on; 0 takes a free one.", needs="restart")
    ] = 8787
    tokens: Annotated[
        tuple[Text, ...],
        Setting(
            "Bearer tokens that give access; as soon as there is one, every request needs one.",
            needs="restart",
            secret=True,
            guard="decides who has access",
        ),
    ] = ()
    proxies: Annotated[
        tuple[Text, ...],
        Setting(
            "Addresses or networks of proxies, whose X-Forwarded-For and X-Forwarded-Proto tell "
            "where a request comes from.",
            needs="restart",
            guard="decides which addresses count as those of clients",
        ),
    ] = ()
    tenants: Annotated[
        int,
        Range(0, 10_000),
        Setting(
            "The most memories of tenants that a server over PostgreSQL keeps open at the same "
            "time; 0: it serves no tenants.",
            needs="restart",
        ),
    ] = 32


@frozen
class MemoryConfig(Section):
    """The section `memory`: all settings of `MemoryManager`."""

    backend: Annotated[
        Literal["sqlite", "memory", "postgres"],
        Setting(
            "`sqlite` keeps the memory in a file, `memory` forgets it at exit, `postgres` keeps it "
            "in a schema of a PostgreSQL database.",
            needs="restart",
            guard="chooses the server that keeps the memory",
            harmless=("memory",),
        ),
    ] = "sqlite"
    dsn: Annotated[
        Text | None,
        Setting(
            "The address of the database of the backend `postgres`, as libpq reads it; a password "
            "in it is best a `${VAR}`.",
            needs="restart",
            secret=True,
            guard="chooses the server that keeps the memory",
        ),
    ] = None
    schema: Annotated[
        Text,
        Setting(
            "The schema of that database that holds this memory and nothing else.",
            needs="restart",
            guard="chooses which memory of the server is used",
        ),
    ] = "symbiosis_memory"
    replicas: Annotated[
        tuple[Text, ...],
        Setting(
            "The addresses of read replicas of that database, which answer searches and contexts "
            "when they have everything that an answer needs; else `memory.dsn` answers.",
            needs="restart",
            secret=True,
            guard="chooses servers that answer from the memory",
        ),
    ] = ()
    replica_lag_s: Annotated[
        float,
        Range(0, 86_400),
        Setting(
            "Seconds that a replica may be behind and still answer; the answer says by how much. "
            "0: it may not.",
            needs="restart",
        ),
    ] = 0.0
    storage_path: Annotated[
        Text,
        Setting(
            "The database file of the backend `sqlite`. In a configuration file that leaves it "
            "out, it is your own, which all folders share.",
            needs="restart",
            path=True,
        ),
    ] = "./data/memory.db"
    embeddings: EmbeddingsConfig = field(default_factory=EmbeddingsConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    chunking: ChunkingConfig = field(default_factory=ChunkingConfig)
    files: FilesConfig = field(default_factory=FilesConfig)
    server: ServerConfig = field(default_factory=ServerConfig)
    short_term: ShortTermConfig = field(default_factory=ShortTermConfig)
    mid: MidConfig = field(default_factory=MidConfig)
    scoring: ScoringConfig = field(default_factory=ScoringConfig)
    extractor: ExtractorConfig = field(default_factory=ExtractorConfig)
    llm: LLMConfig = field(default_factory=LLMConfig)
    episodes: EpisodesConfig = field(default_factory=EpisodesConfig)
    semantic: SemanticConfig = field(default_factory=SemanticConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)
    distillation: DistillationConfig = field(default_factory=DistillationConfig)
    capture: CaptureConfig = field(default_factory=CaptureConfig)
    fts: FtsConfig = field(default_factory=FtsConfig)
    session_retention_hours: Annotated[
        int,
        Range(1, 876_000),
        Setting(
            "Hours that a turn stays in the short-term memory of its session; afterwards turns of "
            "sessions without `long_term_opt_in` are deleted.",
            guard=DELETES,
        ),
    ] = 24
    long_term_opt_in: Annotated[
        bool,
        Setting(
            "Keep the turns of a new session beyond `session_retention_hours`; a field of the same "
            "name in a turn decides it for its session. Memories are kept anyway.",
            guard=DELETES,
        ),
    ] = True


@frozen
class PrivacyConfig(Section):
    """The section `privacy`."""

    log_retention_days: Annotated[
        int,
        Range(1, 36500),
        Setting("Days to keep the log of actions on turns and memories.", guard=DELETES),
    ] = 30
    auto_pii_redaction: Annotated[
        bool,
        Setting(
            "Mask personal data and secrets in a server's log (stderr).",
            guard="shows personal data in a server's log",
        ),
    ] = True


@frozen
class Config(Section):
    """A whole configuration file; sections other than these two belong to the host application."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "ignore"}

    memory: MemoryConfig = field(default_factory=MemoryConfig)
    privacy: PrivacyConfig = field(default_factory=PrivacyConfig)
