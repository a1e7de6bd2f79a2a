"""Settings of conversations: turns, memories, extraction, episodes and records."""

from dataclasses import field
from typing import Annotated, Any, Literal, TypeVar

from memory.config.field_types import DELETES, Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen

T = TypeVar("T")


def _with_lambda(cls: type[T]) -> type[T]:
    """Return the class with its field `lambda_` renamed to `lambda`, as configuration files have
    it.

    The name is a Python keyword, so a class body cannot define it.
    """
    kinds: dict[str, Any] = dict(cls.__annotations__)
    kinds["lambda"] = kinds.pop("lambda_")
    cls.__annotations__ = kinds
    setattr(cls, "lambda", vars(cls)["lambda_"])
    del cls.lambda_  # type: ignore[attr-defined]  # T is any class with that field
    return cls


@frozen
class ShortTermConfig(Section):
    """The short-term memory: the newest turns of a session."""

    size: Annotated[
        int, Range(1, 10_000), Setting("Number of a session's newest turns that a context holds.")
    ] = 100


@frozen
class MidConfig(Section):
    """Mid-term memories: their promotion and their expiry in the garbage collection (`gc`)."""

    capacity: Annotated[
        int,
        Range(1, 10_000_000),
        Setting(
            "Most mid-term memories that may fade; those of the lowest score go first.",
            guard=DELETES,
        ),
    ] = 500
    promote_hits: Annotated[
        int,
        Range(0, 1_000_000),
        Setting("Least hits of a memory that becomes long-term.", guard=DELETES),
    ] = 3
    promote_within_days: Annotated[
        float,
        Range(0, 36_500),
        Setting(
            "A memory becomes long-term only if it was seen within this many days.", guard=DELETES
        ),
    ] = 7.0
    demote_age_days: Annotated[
        float,
        Range(0, 36_500),
        Setting("Days without being seen after which a mid-term memory expires.", guard=DELETES),
    ] = 30.0
    delete_below: Annotated[
        float,
        Range(0, 1_000),
        Setting("A mid-term memory of a lower score expires.", guard=DELETES),
    ] = 0.5
    on_expire: Annotated[
        Literal["delete", "archive"],
        Setting("Action on a mid-term memory that expires.", guard=DELETES),
    ] = "delete"


@frozen
@_with_lambda
class ScoringConfig(Section):
    """`w_freq ln(1 + hits) + w_recency exp(-lambda age_days) + w_importance importance`."""

    w_freq: Annotated[
        float, Range(0, 1_000), Setting("Weight of the number of times it was seen.", guard=DELETES)
    ] = 1.0
    w_recency: Annotated[
        float, Range(0, 1_000), Setting("Weight of how recently it was seen.", guard=DELETES)
    ] = 1.0
    w_importance: Annotated[
        float, Range(0, 1_000), Setting("Weight of being important.", guard=DELETES)
    ] = 2.0
    lambda_: Annotated[
        float, Range(0, 1_000), Setting("Decay rate of recency, per day.", guard=DELETES)
    ] = 0.05

    @property
    def fading(self) -> float:
        """The setting `lambda`: the decay rate of recency, per day."""
        return float(getattr(self, "lambda"))  # a keyword


@frozen
class ExtractorConfig(Section):
    """The extraction of memories from conversations."""

    mode: Annotated[
        Literal["heuristic", "llm", "hybrid"],
        Setting(
            "`heuristic`: by rules; `llm`: by a language model, or by rules where it fails; "
            "`hybrid`: by rules at once, then by a language model what the rules missed. Without a "
            "configured model all three use rules."
        ),
    ] = "hybrid"
    merge_jaccard: Annotated[
        float,
        Range(0, 1),
        Setting(
            "Least Jaccard overlap of the words of two memories that are merged as equal.",
            guard=DELETES,
        ),
    ] = 0.6
    merge_cosine: Annotated[
        float,
        Range(0, 1),
        Setting(
            "Least cosine at which two words of two memories count as the same word.", guard=DELETES
        ),
    ] = 0.7


@frozen
class LLMConfig(Section):
    """The language model that extracts memories; used only if both model and endpoint are set."""

    provider: Annotated[
        Literal["openai"],
        Setting("The protocol: OpenAI's, which most servers speak."),
    ] = "openai"
    endpoint: Annotated[
        str,
        Setting(
            "Base URL of the server, such as `http://localhost:11434/v1`; empty: no model is used.",
            guard="chooses the machine that conversations are sent to",
            harmless=("",),
        ),
    ] = ""
    model: Annotated[str, Setting("Name of the model; empty: no model is used.")] = ""
    api_key_env: Annotated[
        Text,
        Setting(
            "The environment variable that holds the key.",
            guard="chooses which environment variable is sent away",
            harmless=("OPENAI_API_KEY",),
        ),
    ] = "OPENAI_API_KEY"
    timeout_s: Annotated[
        float, Range(0.1, 3600), Setting("Most seconds that one call may take, with its retries.")
    ] = 8.0

    @property
    def is_configured(self) -> bool:
        """Return whether a model may be asked at all."""
        return bool(self.endpoint and self.model)


@frozen
class EpisodesConfig(Section):
    """Episodes: stretches of a conversation that are summarised and remembered as one."""

    enabled: Annotated[bool, Setting("Divide conversations into episodes.")] = True
    boundaries: Annotated[
        Literal["topics", "window"],
        Setting(
            "Where an episode ends: `topics`: at pauses and changes of topic; `window`: after "
            "`window_messages`."
        ),
    ] = "topics"
    window_messages: Annotated[
        int, Range(1, 1000), Setting("Messages of an episode, where a fixed window divides.")
    ] = 18
    least_messages: Annotated[
        int,
        Range(1, 100),
        Setting("Fewest messages of an episode that a change of topic or a short pause ends."),
    ] = 5
    most_messages: Annotated[int, Range(2, 1000), Setting("Most messages of an episode.")] = 40
    pause_minutes: Annotated[
        float,
        Range(1, 525_600),
        Setting("Minutes without a message that end an episode."),
    ] = 60.0
    after_messages: Annotated[
        int,
        Range(1, 10_000),
        Setting("New messages after which a server looks for episodes; it also looks at pauses."),
    ] = 20
    summaries: Annotated[
        Literal["auto", "extract"],
        Setting(
            "`auto`: by the language model of `memory.llm` where one is configured, else from the "
            "conversation's own sentences; `extract`: always from those."
        ),
    ] = "auto"
    summary_chars: Annotated[int, Range(200, 5000), Setting("Most characters of a summary.")] = 600


@frozen
class SemanticConfig(Section):
    """Facts as triples, made of the memories that rest on important episodes."""

    enabled: Annotated[bool, Setting("Make facts of episodes.")] = True
    min_importance: Annotated[
        float, Range(0, 1), Setting("Least importance of an episode whose memories become facts.")
    ] = 0.25
    rule_confidence: Annotated[
        float, Range(0, 1), Setting("Confidence in what a rule found in one episode.")
    ] = 0.9
    model_confidence: Annotated[
        float, Range(0, 1), Setting("Confidence in what a language model found in one episode.")
    ] = 0.7
    uncertain_weight: Annotated[
        float,
        Range(0, 1),
        Setting("Factor of the confidence in what was never stated clearly."),
    ] = 0.5
    most_confidence: Annotated[
        float,
        Range(0, 1),
        Setting("Highest confidence, however many episodes agree; also that of a person's edit."),
    ] = 0.99


@frozen
class RecordsConfig(Section):
    """Facts, people, patterns, open loops and signals: how facts fade that nobody repeats."""

    decay_after_days: Annotated[
        float, Range(0, 36_500), Setting("Days after which a fact begins to fade.")
    ] = 90.0
    decay_per_week: Annotated[
        float, Range(0, 1), Setting("Share of its confidence that a fact loses each week then.")
    ] = 0.1
    archive_below: Annotated[
        float,
        Range(0, 1),
        Setting("A fact of a lower confidence is archived: kept, and left out of searches."),
    ] = 0.2


@frozen
class DistillationLLMConfig(LLMConfig):
    """The language model that distils conversations; used only if an endpoint is set."""

    model: Annotated[str, Setting("Name of the model; empty: no model is used.")] = "qwen2.5:7b"
    timeout_s: Annotated[
        float, Range(0.1, 3600), Setting("Most seconds that one call may take, with its retries.")
    ] = 60.0


@frozen
class DistillationConfig(Section):
    """Distillation: what is said becomes records, by rules or by a language model."""

    enabled: Annotated[bool, Setting("Make records of what is said in conversations.")] = True
    interval_minutes: Annotated[
        float, Range(0.1, 10_080), Setting("Minutes between two runs of a server.")
    ] = 15.0
    first_after_minutes: Annotated[
        float, Range(0, 10_080), Setting("Minutes from the start of a server to its first run.")
    ] = 2.0
    batch_turns: Annotated[
        int, Range(1, 10_000), Setting("Most turns that are read before the place is kept.")
    ] = 100
    health: Annotated[bool, Setting("Log how long the user slept, and their energy.")] = True
    mood: Annotated[bool, Setting("Log the user's mood and stress.")] = True
    llm: DistillationLLMConfig = field(default_factory=DistillationLLMConfig)


@frozen
class CaptureConfig(Section):
    """Conversations with coding agents, read from the transcripts that the agents keep."""

    remote_models: Annotated[
        bool,
        Setting(
            "Let models on other machines read them: remote embeddings, and a remote `memory.llm`. "
            "Without it they are found by words, and nothing of them is sent.",
            guard="sends conversations with agents to other machines",
        ),
    ] = False


@frozen
class FtsConfig(Section):
    """The full-text index."""

    enabled: Annotated[
        bool,
        Setting(
            "Search words by the full-text index; false: compare texts, which is slower and ranks "
            "worse: by the number of query words in a text."
        ),
    ] = True
