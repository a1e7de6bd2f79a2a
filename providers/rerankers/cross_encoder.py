"""A cross-encoder of the library sentence-transformers, by default MiniLM trained on MS MARCO.

The library and torch take seconds to import, so they are imported at the first use.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contracts import UnavailableError
from providers.model_files import first_line
from providers.rerankers.base import Reranker
from providers.sentence_transformers.model_folder import short_name
from providers.sentence_transformers.torch_models import UNREADABLE, read_model, require_device
from providers.settings import ProviderSettings
from providers.text import well_formed

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

SECTION: Final = "memory.search.rerank"
"""The section of these settings in the configuration."""

DEFAULT_MODEL: Final = "cross-encoder/ms-marco-MiniLM-L-6-v2"


class CrossEncoderReranker(Reranker):
    """A local model; its files are found as `providers.sentence_transformers.model_folder` says.

    Of the settings it takes `model` and `device`. One thread computes at a time, with all cores
    that torch may use.
    """

    def __init__(self, settings: ProviderSettings) -> None:
        settings.refuse_unknown_options("sentence_transformers", ())
        self._settings = settings
        self._lock = threading.Lock()
        self._model: CrossEncoder | None = None

    @property
    def model_name(self) -> str:
        return short_name(self._settings)

    def load(self) -> None:
        with self._lock:
            self._ready()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The model's probabilities, or the sigmoid of its raw scores.

        A pair longer than the model's limit is cut. NaN stays NaN.
        """
        pairs = [(well_formed(query), well_formed(text)) for text in texts]
        with self._lock:
            model = self._ready()
            try:
                rows = model.predict(pairs, batch_size=len(pairs) or 1, show_progress_bar=False)
            except (RuntimeError, IndexError) as error:  # torch raises these classes for everything
                raise UnavailableError(
                    f"the reranker {self.model_name} could not compute: {first_line(error)}",
                    hint=f"set {SECTION}.device to cpu, or {SECTION}.model to another one",
                ) from error
        values = [float(value) for value in rows]
        return values if _gives_probabilities(model) else [_sigmoid(value) for value in values]

    def _ready(self) -> CrossEncoder:
        if self._model is None:
            self._model = _load(self._settings)
        return self._model


def _load(settings: ProviderSettings) -> CrossEncoder:
    _, model = read_model(settings, _read, key=f"{SECTION}.model")
    inner: Any = model.model
    labels = inner.config.num_labels
    if labels != 1:
        raise UnavailableError(
            f"the model {short_name(settings)} has {labels} classes instead of one relevance score",
            hint=f"set {SECTION}.model to a cross-encoder with one label, as {DEFAULT_MODEL}",
        )
    return model


def _read(folder: Path, settings: ProviderSettings) -> CrossEncoder:
    from safetensors import SafetensorError
    from sentence_transformers import CrossEncoder

    require_device(settings.device, section=SECTION)
    try:
        model: CrossEncoder = CrossEncoder(
            str(folder), device=settings.device, local_files_only=True
        )
    except (*UNREADABLE, SafetensorError) as error:
        raise UnavailableError(
            f"the files in {folder} do not make a cross-encoder: {first_line(error)}",
            hint=f"set {SECTION}.model to another one, or remove that folder and download it again",
        ) from error
    return model


def _gives_probabilities(model: CrossEncoder) -> bool:
    import torch

    # The name since version 4; earlier versions have it under another name.
    function = getattr(model, "activation_fn", None) or model.default_activation_function
    return isinstance(function, torch.nn.Sigmoid)


def _sigmoid(value: float) -> float:
    if value < 0:  # exp of a large positive number would overflow
        return 1 - _sigmoid(-value)
    return 1 / (1 + exp(-value))
