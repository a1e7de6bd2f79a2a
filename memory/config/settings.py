"""Every setting with its default, range and meaning: the root, put together of `sections`.

These are plain frozen dataclasses, so that a one-shot command loads no validation library.
`memory.config.loading` reads them from a file, `memory.config.keys` lists them. The JSON schema and
`docs/configuration.md` repeat the meanings written here.
"""

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

from memory.config.field_types import DELETES, Range, Section, Setting, Text
from memory.config.sections.conversations import (
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
from memory.config.sections.embeddings import (
    EmbeddingsConfig,
    GeminiConfig,
    MinilmConfig,
    OnnxConfig,
    OpenAIConfig,
    SentenceTransformersConfig,
    StaticConfig,
    VoyageConfig,
)
from memory.config.sections.files import ChunkingConfig, FilesConfig
from memory.config.sections.search import RerankConfig, SearchConfig, TimeDecayConfig
from memory.config.sections.server import ServerConfig
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
]


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
