"""The interface of an embedding provider: one method, and a card that declares the rest."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from contracts import UnavailableError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind: TypeAlias = Literal["query", "document"]
Rows: TypeAlias = Union["Sequence[Sequence[float]]", "NDArray[np.float32]"]
"""Embeddings, `(len(texts), dimensions)`: lists of floats or a float32 array."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Everything that must be equal for two vectors to be comparable, and the model's usage limits.

    provider, model, revision  together name the weights
    dimensions      length of every vector
    normalised      rows are unit vectors (or zero for a text that cannot be placed)
    query_prompt, document_prompt  prepended to a text of that kind by the provider itself
    max_tokens      text beyond this many tokens does not change the vector; None: all counts
    batch_size      texts that one call should carry
    batch_tokens    tokens that one call may carry, as `estimated_tokens` counts them; None: any
    concurrency     calls that may run at once, each in its own thread
    fusion_weight   measured weight of the vector leg in hybrid search, None: not measured
    turn_weight     the same for turns of conversations, None: no other weight
    code_weight     the same for documents that are code, None: no other weight
    unrelated       measured cosine that 95 of 100 questions about something else do not reach with
                    the nearest text, None: not measured
    latin_only      the model knows only Latin script (text below U+0250)
    costly          computing a vector costs more than reading a stored one
    """

    provider: str
    model: str
    revision: str
    dimensions: int
    normalised: bool = True
    query_prompt: str = ""
    document_prompt: str = ""
    max_tokens: int | None = None
    batch_size: int = 32
    batch_tokens: int | None = None
    concurrency: int = 1
    fusion_weight: float | None = None
    turn_weight: float | None = None
    code_weight: float | None = None
    unrelated: float | None = None
    latin_only: bool = False
    costly: bool = True


class RefusedTexts(UnavailableError):  # noqa: N818 - the texts are at fault, not the provider
    """A server will never embed the texts of this call: one is too long, or not allowed.

    `message` has the server's reason. A part of the texts may pass, see `providers.batching`; a
    caller that does not split a call treats it as an unavailable provider.
    """


class EmbeddingProvider(ABC):
    """Turns texts into vectors of one fixed space."""

    @property
    @abstractmethod
    def card(self) -> ModelCard:
        """The model's card; may load the model. Raises UnavailableError if it cannot."""

    @abstractmethod
    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        """One row per text, in order. A text without any known word gives a zero row, never NaN.

        Raises UnavailableError when the model cannot answer now, RefusedTexts when it never will
        for these texts.
        """

    @property
    def host(self) -> str | None:
        """The destination of the texts, as `host` or `host:port`; None if they stay here.

        Known without a network request.
        """
        return None

    @property
    def model_name(self) -> str:
        return self.card.model

    @property
    def dimensions(self) -> int:
        return self.card.dimensions
