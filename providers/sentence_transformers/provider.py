"""Any model of the library sentence-transformers, by default all-MiniLM-L6-v2.

The library and torch take seconds to import, so they are imported at the first use.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from contracts import ConfigError, UnavailableError
from providers.base import EmbeddingProvider, Kind, ModelCard
from providers.measurements import MINILM
from providers.model_files import EMBEDDING_MODEL, PROMPT_NAMES, first_line, prompt_for
from providers.sentence_transformers.model_folder import DEFAULT_MODEL, short_name, weights_revision
from providers.sentence_transformers.torch_models import UNREADABLE, read_model, require_device
from providers.settings import ProviderSettings
from providers.text import well_formed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

_OPTIONS: Final = ("dtype", "revision", "query_prompt", "document_prompt")
_DTYPES: Final = ("float32", "float16", "bfloat16")
_BATCH_SIZE: Final = 32
_SECTION: Final = "memory.embeddings.sentence_transformers"
"""The section of these settings in the configuration."""

_MINILM_WEIGHTS: Final = "53aa51172d14"

_SAME_AS_NOTHING: Final = 1e-5
"""The largest squared distance of unit rows from 0 by rounding alone."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A model in memory, and the unit row it gives an empty text, by kind."""

    model: SentenceTransformer
    card: ModelCard
    nothing: Mapping[Kind, NDArray[np.float32]]


class SentenceTransformersProvider(EmbeddingProvider):
    """A local transformer model; its files are found as `model_folder` says.

    Of the settings it takes `model`, `device`, `batch_size`; `api_key` and `base_url` are the token
    and the address of the hub. Options: `dtype` (float32, float16, bfloat16), `revision` (the
    hub's), `query_prompt` and `document_prompt` in place of the model's own; None means not set.

    Any thread may use it; one computes at a time, with all cores that torch may use.
    """

    def __init__(self, settings: ProviderSettings | None = None) -> None:
        self._settings = settings = settings or ProviderSettings()
        settings.refuse_unknown_options("sentence_transformers", _OPTIONS)
        dtype = settings.options.get("dtype") or _DTYPES[0]
        if dtype not in _DTYPES:
            raise ConfigError(
                f"a sentence-transformers model cannot compute in {dtype!r}",
                hint=f"set {_SECTION}.dtype to one of {', '.join(_DTYPES)}",
            )
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()

    @property
    def card(self) -> ModelCard:
        """The model's card, with its actual dimensions; loads the model."""
        with self._lock:
            return self._ready().card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> NDArray[np.float32]:
        """Unit rows; zeros for a text that the model does not distinguish from an empty one.

        The model cuts a text longer than the card's `max_tokens`, and a lone surrogate counts as
        U+FFFD. Raises UnavailableError when the model cannot be loaded or computes no finite
        numbers.
        """
        import numpy as np

        cleaned = [well_formed(text) for text in texts]
        worded = [position for position, text in enumerate(cleaned) if text and not text.isspace()]
        with self._lock:
            loaded = self._ready()
            rows = np.zeros((len(cleaned), loaded.card.dimensions), dtype=np.float32)
            if worded:
                words = [cleaned[position] for position in worded]
                rows[worded] = _encode(loaded.model, loaded.card, words, kind=kind)
        distances = np.square(rows - loaded.nothing[kind]).sum(axis=1)
        rows[distances < _SAME_AS_NOTHING] = 0
        return rows

    def _ready(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _load(self._settings)
        return self._loaded


def _load(settings: ProviderSettings) -> _Loaded:
    """Load the model and embed empty texts, which shows its rows' form."""
    folder, model = read_model(settings, _read, key=EMBEDDING_MODEL)
    card = _card(weights_revision(folder), model, settings)
    nothing = {kind: _encode(model, card, [""], kind=kind)[0] for kind in PROMPT_NAMES}
    return _Loaded(model, replace(card, dimensions=len(nothing["query"])), nothing)


def _read(folder: Path, settings: ProviderSettings) -> SentenceTransformer:
    import torch
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    require_device(settings.device, section=_SECTION)
    try:
        model = SentenceTransformer(str(folder), device=settings.device, local_files_only=True)
    except (*UNREADABLE, SafetensorError) as error:
        raise UnavailableError(
            f"the files in {folder} do not make a sentence-transformers model: {first_line(error)}",
            hint="set memory.embeddings.model to another one, or remove that folder and"
            " download it again",
        ) from error
    return model.to(dtype=getattr(torch, settings.options.get("dtype") or _DTYPES[0]))


def _card(revision: str, model: SentenceTransformer, settings: ProviderSettings) -> ModelCard:
    """The card, without dimensions yet."""
    is_minilm = revision == _MINILM_WEIGHTS
    card = ModelCard(
        provider="sentence_transformers",
        model=DEFAULT_MODEL if is_minilm else short_name(settings),
        revision=revision,
        dimensions=0,
        query_prompt=prompt_for("query", settings, model.prompts, model.default_prompt_name),
        document_prompt=prompt_for("document", settings, model.prompts, model.default_prompt_name),
        max_tokens=model.max_seq_length,
        batch_size=settings.batch_size or _BATCH_SIZE,
    )
    return replace(card, latin_only=True, **MINILM._asdict()) if is_minilm else card


def _encode(
    model: SentenceTransformer, card: ModelCard, texts: list[str], *, kind: Kind
) -> NDArray[np.float32]:
    """Unit rows, whether the model normalises or not."""
    import numpy as np

    # Models with one tower for each kind need the special methods; old libraries lack them.
    encode = getattr(model, f"encode_{kind}", model.encode)
    try:
        answer = encode(
            texts,
            prompt=card.query_prompt if kind == "query" else card.document_prompt,
            batch_size=card.batch_size,
            show_progress_bar=False,
        )
    except RuntimeError as error:  # torch raises this for everything, including a full memory
        raise UnavailableError(
            f"the model {card.model} could not embed {len(texts)} texts: {first_line(error)}",
            hint=f"set memory.embeddings.batch_size lower, or {_SECTION}.device to cpu",
        ) from error
    rows: NDArray[np.float32] = np.array(answer, dtype=np.float32)
    if not np.isfinite(rows).all():
        raise UnavailableError(
            f"the model {card.model} computed numbers that are not finite",
            hint=f"set {_SECTION}.dtype to float32",
        )
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, norms, out=rows, where=norms > 0)
    return rows
