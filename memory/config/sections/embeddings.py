"""Settings of embeddings, and of each provider."""

from dataclasses import field
from typing import Annotated, Literal, TypeAlias

from memory.config.field_types import DELETES, Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen

DEFAULT_MODELS = {
    "sentence_transformers": "all-MiniLM-L6-v2",
    "openai": "text-embedding-3-small",
    "gemini": "gemini-embedding-001",
    "voyage": "voyage-4-large",
}
"""Default models of the providers that have more than one to choose from."""

DEFAULT_BATCH_SIZE = 32

LOCAL_PROVIDERS = ("static", "minilm", "onnx", "sentence_transformers", "fake", "auto")
"""Providers that send no text anywhere."""

DOWNLOADING_PROVIDERS = ("onnx", "sentence_transformers")
"""Local providers that download a model which is not on this machine."""

_Timeout: TypeAlias = Annotated[
    float,
    Range(0.1, 3600),
    Setting(
        "Most seconds that one call may take. A query waits for six at most; its answer then comes "
        "from the words alone.",
        needs="restart",
    ),
]
_Concurrency: TypeAlias = Annotated[
    int, Range(1, 64), Setting("Concurrent calls while files are indexed.", needs="restart")
]

_Prompt: TypeAlias = str | None
_DECLARED_QUERY = Setting(
    "Text put before every query; null: what the model declares.", needs="reindex"
)
_DECLARED_DOCUMENT = Setting(
    "Text put before every document; null: what the model declares.", needs="reindex"
)
_Threads: TypeAlias = Annotated[
    Annotated[int, Range(1, 1024)] | None,
    Setting("Threads that compute a text; null: one for each core.", needs="restart"),
]

_LOADS = "loads a model that it chooses"
_SENDS = "may send text to another service"

_ServiceModel: TypeAlias = Annotated[
    Text, Setting("Name of the embedding model at the service.", needs="reindex")
]
_LOCAL_MODEL = (
    "Name of the model on the hub, or a local folder when it begins with `./`, `../`, `/` or `~`."
)
_Revision: TypeAlias = Annotated[
    Text | None,
    Setting("Version of the model on the hub; null: the newest.", needs="reindex", guard=_LOADS),
]
_Dimensions: TypeAlias = Annotated[int, Range(1, 65_536)] | None


def _key(meaning: str) -> Setting:
    """Return the setting of a key, which chooses the account that text is sent to."""
    guard = "chooses the account that text is sent to"
    return Setting(meaning, needs="restart", secret=True, guard=guard, harmless=(None,))


def _address(meaning: str) -> Setting:
    """Return the setting of the address of a service."""
    return Setting(meaning, needs="restart", guard="chooses where text is sent")


@frozen
class StaticConfig(Section):
    """The built-in static embedding model, which has no settings."""


@frozen
class MinilmConfig(Section):
    """The built-in transformer, all-MiniLM-L6-v2 in eight bits (extra `onnx`)."""

    threads: _Threads = None


@frozen
class OnnxConfig(Section):
    """Sentence-embedding models that are ONNX graphs, run by ONNX Runtime on this machine."""

    model: Annotated[
        Text | None,
        Setting(
            _LOCAL_MODEL,
            needs="reindex",
            guard=_LOADS,
            harmless=(None,),
        ),
    ] = None
    graph: Annotated[
        Text | None,
        Setting(
            "File of the graph in the model, as `onnx/model.onnx`; null: the best one for this "
            "machine.",
            needs="reindex",
        ),
    ] = None
    pooling: Annotated[
        Literal["mean", "cls", "last", "max"] | None,
        Setting(
            "How one vector is made of those of the tokens; null: what the model declares, else "
            "`mean`.",
            needs="reindex",
        ),
    ] = None
    device: Annotated[
        Text | None,
        Setting(
            "Device to compute on (`cpu`, `cuda`, `rocm`, `dml`); null: a GPU if the installed "
            "ONNX Runtime can use one.",
            needs="restart",
        ),
    ] = None
    threads: _Threads = None
    revision: _Revision = None
    query_prompt: Annotated[_Prompt, _DECLARED_QUERY] = None
    document_prompt: Annotated[_Prompt, _DECLARED_DOCUMENT] = None


@frozen
class SentenceTransformersConfig(Section):
    """Models that the package sentence-transformers runs on this machine."""

    model: Annotated[
        Text,
        Setting(
            _LOCAL_MODEL,
            needs="reindex",
            guard=_LOADS,
            harmless=tuple(DEFAULT_MODELS.values()),
        ),
    ] = DEFAULT_MODELS["sentence_transformers"]
    device: Annotated[
        Text | None,
        Setting(
            "Device to compute on (`cpu`, `cuda`, `mps`); null lets the library choose.",
            needs="restart",
        ),
    ] = None
    dtype: Annotated[
        Literal["float32", "float16", "bfloat16"],
        Setting("Precision to compute in.", needs="reindex"),
    ] = "float32"
    revision: _Revision = None
    query_prompt: Annotated[_Prompt, _DECLARED_QUERY] = None
    document_prompt: Annotated[_Prompt, _DECLARED_DOCUMENT] = None


@frozen
class OpenAIConfig(Section):
    """OpenAI, or any server that speaks its protocol."""

    model: _ServiceModel = DEFAULT_MODELS["openai"]
    api_key: Annotated[Text | None, _key("Key sent to the server.")] = "${OPENAI_API_KEY}"
    base_url: Annotated[
        Text | None,
        _address(
            "Address of an OpenAI-compatible server (Ollama, vLLM, LM Studio), usually ending in "
            "`/v1`; null: OpenAI's own. Such a server may do without a key."
        ),
    ] = None
    dimensions: Annotated[
        _Dimensions,
        Setting(
            "Length of the vectors, for models that can shorten them (text-embedding-3-small and "
            "-large); null: the model's own, for which an unknown model is asked once.",
            needs="reindex",
        ),
    ] = None
    query_prompt: Annotated[
        _Prompt,
        Setting("Text put before every query, as some open models want it.", needs="reindex"),
    ] = None
    document_prompt: Annotated[
        _Prompt,
        Setting("Text put before every document, as some open models want it.", needs="reindex"),
    ] = None
    timeout_seconds: _Timeout = 60.0
    concurrency: _Concurrency = 4


@frozen
class GeminiConfig(Section):
    """Google's embedding models."""

    model: _ServiceModel = DEFAULT_MODELS["gemini"]
    api_key: Annotated[Text | None, _key("Key sent to Google.")] = "${GOOGLE_API_KEY}"
    base_url: Annotated[
        Text | None,
        _address(
            "Address of a gateway that speaks the Gemini API, without its version; null: Google's "
            "own."
        ),
    ] = None
    dimensions: Annotated[
        _Dimensions,
        Setting(
            "Length of the vectors, from 128 to 3072 for Google's models of today, which advise "
            "768, 1536 or 3072; null: the model's own.",
            needs="reindex",
        ),
    ] = None
    timeout_seconds: _Timeout = 60.0
    concurrency: _Concurrency = 4


@frozen
class VoyageConfig(Section):
    """Voyage AI's embedding models."""

    model: _ServiceModel = DEFAULT_MODELS["voyage"]
    api_key: Annotated[
        Text | None,
        _key("Key sent to Voyage AI, or to MongoDB Atlas if it was made there (`al-...`)."),
    ] = "${VOYAGE_API_KEY}"
    base_url: Annotated[
        Text | None,
        _address(
            "Address of a gateway that speaks Voyage AI's protocol, usually ending in `/v1`; null: "
            "Voyage AI's own."
        ),
    ] = None
    dimensions: Annotated[
        _Dimensions,
        Setting(
            "Length of the vectors: 256, 512, 1024 or 2048 for the models that can choose; null: "
            "the model's own.",
            needs="reindex",
        ),
    ] = None
    timeout_seconds: _Timeout = 60.0
    concurrency: _Concurrency = 4


@frozen
class EmbeddingsConfig(Section):
    """The embedding of text: provider, model, batches, cache and prices."""

    provider: Annotated[
        Text,
        Setting(
            "Who computes embeddings: `static` (built in, nothing to install), `minilm` (built in, "
            "with the extra `onnx`), `onnx`, `sentence_transformers`, `openai`, `gemini`, "
            "`voyage`, the name of an installed plugin, or `auto` (what the database was built "
            "with, `static` for a new one).",
            needs="reindex",
            guard=_SENDS,
            harmless=LOCAL_PROVIDERS,
        ),
    ] = "auto"
    model: Annotated[
        Text | None,
        Setting(
            "Model of the chosen provider, a short form of `model` in the provider's own section, "
            "which counts when it is not left at its default. null: that section's.",
            needs="reindex",
            guard=_LOADS,
            harmless=(None, *DEFAULT_MODELS.values()),
        ),
    ] = None
    upgrade: Annotated[
        Literal["auto", "off"],
        Setting(
            "Whether `mem serve` and `mem watch` change a database from `static` to `minilm` while "
            "nobody is waiting: `auto`, where `provider` is `auto` and the extra `onnx` is "
            "installed, or `off`."
        ),
    ] = "auto"
    fallback_provider: Annotated[
        Text | None,
        Setting(
            "Provider that replaces one that cannot be used: it fills a new database in its "
            "place, or answers from vectors of its own where a reindex has made one for every "
            "chunk; otherwise keyword search answers. Vectors of two models never meet, and every "
            "such answer says so.",
            guard=_SENDS,
            harmless=LOCAL_PROVIDERS,
        ),
    ] = None
    cache_embeddings: Annotated[
        bool,
        Setting(
            "Keep computed embeddings, so that equal text is never embedded twice.", guard=DELETES
        ),
    ] = True
    cache_max_mb: Annotated[
        int,
        Range(1, 1_048_576),
        Setting(
            "Room for kept embeddings in the database (in MiB); beyond it those go that were used "
            "longest ago.",
            guard=DELETES,
        ),
    ] = 512
    prices: Annotated[
        dict[str, Annotated[float, Range(0, 10_000)]],
        Setting(
            "US dollars for a million tokens, by model: what a dry run reckons with, before the "
            "published prices in docs/costs.md."
        ),
    ] = field(default_factory=dict)
    batch_size: Annotated[
        int,
        Range(1, 4096),
        Setting(
            "Texts per call of the provider; left at its default, a provider that knows a better "
            "number uses that."
        ),
    ] = DEFAULT_BATCH_SIZE
    static: StaticConfig = field(default_factory=StaticConfig)
    minilm: MinilmConfig = field(default_factory=MinilmConfig)
    onnx: OnnxConfig = field(default_factory=OnnxConfig)
    sentence_transformers: SentenceTransformersConfig = field(
        default_factory=SentenceTransformersConfig
    )
    openai: OpenAIConfig = field(default_factory=OpenAIConfig)
    gemini: GeminiConfig = field(default_factory=GeminiConfig)
    voyage: VoyageConfig = field(default_factory=VoyageConfig)

    @property
    def cache_bytes(self) -> int:
        """Most bytes that the cached embeddings may take; 0 when none are cached."""
        return self.cache_max_mb << 20 if self.cache_embeddings else 0

    def model_of(self, provider: str) -> str | None:
        """Return the model that `provider` loads; None leaves the choice to the provider.

        The section's own `model` counts unless it is at its default; then `embeddings.model` counts
        if it was written for this provider, that is, if this is the chosen provider and the name is
        not another provider's default (so that changing `provider` alone is enough).
        """
        own: str | None = getattr(getattr(self, provider, None), "model", None)
        others = {model for name, model in DEFAULT_MODELS.items() if name != provider}
        chosen = "static" if self.provider == "auto" else self.provider
        if own != DEFAULT_MODELS.get(provider) or provider != chosen or self.model in others:
            return own
        return self.model or own
