"""The transformer that comes with the program: all-MiniLM-L6-v2 with weights of eight bits.

`tools/minilm` makes its graph; `data/minilm/MODEL_CARD.md` says how near it is to the original.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from contracts import ConfigError
from providers.base import ModelCard
from providers.measurements import MINILM
from providers.onnx.model_folder import ModelPaths
from providers.onnx.provider import OnnxProvider
from providers.settings import ProviderSettings

MODEL: Final = "all-MiniLM-L6-v2"
DATA: Final = Path(__file__).parent / "data" / "minilm"


class MinilmProvider(OnnxProvider):
    """all-MiniLM-L6-v2, for English; nothing is downloaded. It has the option `threads`."""

    provider = "minilm"

    def __init__(self, settings: ProviderSettings | None = None) -> None:
        settings = settings or ProviderSettings()
        if settings.model not in (None, MODEL):
            raise ConfigError(
                f"the embedding provider minilm has no model {settings.model!r}",
                hint=f"set memory.embeddings.model to null or to {MODEL},"
                " or memory.embeddings.provider to onnx",
            )
        # GPUs lack the operations of this graph, which a processor computes fast enough.
        super().__init__(replace(settings, model=MODEL, device="cpu"))

    def known_options(self) -> Sequence[str]:
        return ("threads",)

    def find(self) -> ModelPaths:
        return ModelPaths(DATA, DATA / "model.onnx")

    def describe(self, card: ModelCard) -> ModelCard:
        # As for the original; measured again, see the model's card.
        return replace(card, latin_only=True, **MINILM._asdict())
