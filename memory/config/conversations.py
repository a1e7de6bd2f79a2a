"""The settings of what is made of conversations: turns, memories, and how they are extracted."""

from typing import Annotated, Any, Literal, TypeVar

from memory.config.field_types import Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen

T = TypeVar("T")


def _with_lambda(cls: type[T]) -> type[T]:
    """The class with its field `lambda_` under the name that a configuration file has for it.

    The name is a keyword of Python, so that no class body can say it.
    """
    kinds: dict[str, Any] = dict(cls.__annotations__)
    kinds["lambda"] = kinds.pop("lambda_")
    cls.__annotations__ = kinds
    setattr(cls, "lambda", vars(cls)["lambda_"])
    del cls.lambda_  # type: ignore[attr-defined]  # T is any class with that field
    return cls


@frozen
class ShortTermConfig(Section):
    """The turns of a session that are its short-term memory."""

    size: Annotated[
        int, Range(1, 10_000), Setting("How many of a session's newest turns a context holds.")
    ] = 100


@frozen
class MidConfig(Section):
    """Mid-term memories: when they are promoted, and when they go."""

    capacity: Annotated[
        int,
        Range(1, 10_000_000),
        Setting("Most mid-term memories; a collection removes those of the lowest score beyond."),
    ] = 500
    promote_hits: Annotated[
        int, Range(0, 1_000_000), Setting("Least hits of a memory that becomes long-term.")
    ] = 3
    promote_within_days: Annotated[
        float,
        Range(0, 36_500),
        Setting("A memory becomes long-term only if it was seen within so many days."),
    ] = 7.0
    demote_age_days: Annotated[
        float,
        Range(0, 36_500),
        Setting("Days without being seen after which a mid-term memory expires."),
    ] = 30.0
    delete_below: Annotated[
        float, Range(0, 1_000), Setting("A mid-term memory of a lower score expires.")
    ] = 0.5
    on_expire: Annotated[
        Literal["delete", "archive"],
        Setting(
            "What becomes of a mid-term memory that expires; an important one is always archived."
        ),
    ] = "delete"


@frozen
@_with_lambda
class ScoringConfig(Section):
    """`w_freq ln(1 + hits) + w_recency exp(-lambda age_days) + w_importance importance`."""

    w_freq: Annotated[float, Range(0, 1_000), Setting("Weight of how often it was seen.")] = 1.0
    w_recency: Annotated[float, Range(0, 1_000), Setting("Weight of how lately it was seen.")] = 1.0
    w_importance: Annotated[float, Range(0, 1_000), Setting("Weight of being important.")] = 2.0
    lambda_: Annotated[
        float, Range(0, 1_000), Setting("How quickly recency fades, for each day.")
    ] = 0.05

    @property
    def fading(self) -> float:
        """`lambda`: how quickly recency fades, for each day."""
        return float(getattr(self, "lambda"))  # a keyword


@frozen
class ExtractorConfig(Section):
    """How memories are made of what is said."""

    mode: Annotated[
        Literal["heuristic", "llm", "hybrid"],
        Setting(
            "`heuristic`: by rules; `llm`: by a language model, by rules where that fails; "
            "`hybrid`: by rules at once, and what those miss by a language model later. Without a "
            "configured model each means rules."
        ),
    ] = "hybrid"
    merge_jaccard: Annotated[
        float,
        Range(0, 1),
        Setting("Least Jaccard overlap of the words of two memories that say the same."),
    ] = 0.6
    merge_cosine: Annotated[
        float,
        Range(0, 1),
        Setting("Least cosine of two words that count as the same word of two memories."),
    ] = 0.7


@frozen
class LLMConfig(Section):
    """The language model that extracts memories; none is used unless model and endpoint are set."""

    provider: Annotated[
        Literal["openai"],
        Setting("The protocol: that of OpenAI, which most servers speak."),
    ] = "openai"
    endpoint: Annotated[
        str,
        Setting(
            "Base URL of the server, such as `http://localhost:11434/v1`; empty: none is used.",
            guard="chooses the machine that conversations are sent to",
            harmless=("",),
        ),
    ] = ""
    model: Annotated[str, Setting("Name of the model; empty: none is used.")] = ""
    api_key_env: Annotated[
        Text,
        Setting(
            "The environment variable that holds the key.",
            guard="chooses what of the environment is sent away",
            harmless=("OPENAI_API_KEY",),
        ),
    ] = "OPENAI_API_KEY"
    timeout_s: Annotated[
        float, Range(0.1, 3600), Setting("Seconds that one call may take, its retries included.")
    ] = 8.0

    @property
    def is_configured(self) -> bool:
        """Whether a model may be asked at all."""
        return bool(self.endpoint and self.model)


@frozen
class FtsConfig(Section):
    """The full-text index."""

    enabled: Annotated[
        bool,
        Setting(
            "Search words by the full-text index; false: by comparing texts, which is slower and "
            "ranks worse: by how many of the words stand in a text."
        ),
    ] = True
