"""Any sentence-embedding model that is an ONNX graph with a tokenizer.json; no torch.

ONNX Runtime, the tokenizers and numpy are imported at the first use.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contracts import ConfigError, UnavailableError, install_hint
from providers.base import EmbeddingProvider, Kind, ModelCard
from providers.batching import PROBE
from providers.model_files import PROMPT_NAMES, digest, first_line, prompt_for, short_name
from providers.onnx.graph_choice import features_of
from providers.onnx.model_folder import SECTION, ModelPaths, find_model, weight_files
from providers.onnx.model_settings import POOLINGS, Declaration, read_declaration
from providers.onnx.session import Graph, has_gpu, open_graph, runtime_errors
from providers.settings import ProviderSettings
from providers.text import well_formed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPTIONS: Final = ("graph", "pooling", "revision", "threads", "query_prompt", "document_prompt")
_BATCH_SIZE: Final = 32
_PAD_TOKENS: Final = ("[PAD]", "<pad>")


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A model in memory, and for each kind the tokens of an empty text."""

    tokenizer: Any
    graph: Graph
    card: ModelCard
    lower_case: bool
    pad_id: int
    nothing: dict[Kind, list[int]]


class OnnxProvider(EmbeddingProvider):
    """A local model; its files are found as `model_folder` says.

    Of the settings it takes `model`, `device`, `batch_size`; `api_key` and `base_url` are the token
    and the address of the hub. Options: `graph` (the file), `pooling`, `revision` (the hub's),
    `threads`, `query_prompt` and `document_prompt` in place of the model's own; None means not set.

    Any thread may use it.
    """

    provider: str = "onnx"

    def __init__(self, settings: ProviderSettings | None = None) -> None:
        self._settings = settings = settings or ProviderSettings()
        settings.refuse_unknown_options(self.provider, self.known_options())
        pooling = settings.options.get("pooling")
        if pooling is not None and pooling not in POOLINGS:
            raise ConfigError(
                f"the tokens of a model cannot be pooled by {pooling!r}",
                hint=f"set {SECTION}.pooling to one of {', '.join(POOLINGS)}, or to null",
            )
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()

    def known_options(self) -> Sequence[str]:
        """The names that `settings.options` may have."""
        return _OPTIONS

    def find(self) -> ModelPaths:
        """The model's files."""
        return find_model(self._settings, features_of(gpu=has_gpu(self._settings.device)))

    def describe(self, card: ModelCard) -> ModelCard:
        """The card, completed by what was measured of the model."""
        return card

    @property
    def card(self) -> ModelCard:
        """The model's card, with its actual dimensions; loads the model."""
        return self._ready().card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> NDArray[np.float32]:
        """Unit rows; zeros for a text whose tokens are those of an empty one.

        A text is cut to the card's `max_tokens`, and a lone surrogate counts as U+FFFD. Raises
        UnavailableError when the model cannot be loaded or computes no finite numbers.
        """
        import numpy as np

        model = self._ready()
        ids = _tokens(model, texts, kind)
        rows = np.zeros((len(ids), model.card.dimensions), dtype=np.float32)
        placed = [at for at, text in enumerate(texts) if text and not text.isspace()]
        placed = [at for at in placed if ids[at] != model.nothing[kind]]
        for batch in _batches(placed, ids, 1 if model.graph.quantised else model.card.batch_size):
            rows[batch] = _rows(model, [ids[at] for at in batch])
        return rows

    def _ready(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> _Loaded:
        settings = self._settings
        try:
            paths = self.find()
            declaration = read_declaration(paths.folder)
            tokenizer = _open_tokenizer(paths.folder / "tokenizer.json", declaration.max_tokens)
            graph = open_graph(
                paths.graph,
                declaration,
                device=settings.device,
                threads=settings.options.get("threads"),
                pooling=settings.options.get("pooling"),
            )
        except ImportError as error:
            raise UnavailableError(
                f"a library of the embedding provider {self.provider} does not load:"
                f" {first_line(error)}",
                hint=f"install it again: {install_hint('onnx')}",
            ) from error
        prompts = {
            kind: prompt_for(kind, settings, declaration.prompts, declaration.default_prompt)
            for kind in PROMPT_NAMES
        }
        card = ModelCard(
            provider=self.provider,
            model=short_name(settings.model or "", settings.model_folder),
            revision=_revision(paths.graph, graph),
            dimensions=0,
            query_prompt=prompts["query"],
            document_prompt=prompts["document"],
            max_tokens=declaration.max_tokens,
            batch_size=settings.batch_size or _BATCH_SIZE,
        )
        return _measured(tokenizer, graph, self.describe(card), declaration)


def _measured(tokenizer: Any, graph: Graph, card: ModelCard, declaration: Declaration) -> _Loaded:
    """The model with the length of its rows, which its first row shows."""
    pad_ids = (tokenizer.token_to_id(token) for token in _PAD_TOKENS)
    pad_id = next((found for found in pad_ids if found is not None), 0)
    model = _Loaded(tokenizer, graph, card, declaration.lower_case, pad_id, {})
    model.nothing.update({kind: _tokens(model, [""], kind)[0] for kind in PROMPT_NAMES})
    (row,) = _rows(model, _tokens(model, [PROBE], "document"))
    return replace(model, card=replace(card, dimensions=len(row)))


def _open_tokenizer(path: Path, max_tokens: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise UnavailableError(
            f"{path} is not a tokenizer: {first_line(error)}",
            hint="put the tokenizer.json of the model there, which exporters write beside the"
            " graph, or set memory.embeddings.model to another model",
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _revision(path: Path, graph: Graph) -> str:
    """The hash of the graph and its weights, and what else decides about the vectors."""
    found = digest(weight_files(path))
    return f"{found}-{graph.pooling}" if graph.pooling else found


def _tokens(model: _Loaded, texts: Sequence[str], kind: Kind) -> list[list[int]]:
    """The tokens of each text with the prompt of its kind before it."""
    prompt = model.card.query_prompt if kind == "query" else model.card.document_prompt
    cleaned = [prompt + well_formed(text) for text in texts]
    if model.lower_case:
        cleaned = [text.lower() for text in cleaned]
    return [encoding.ids for encoding in model.tokenizer.encode_batch(cleaned)]


def _batches(placed: list[int], ids: list[list[int]], size: int) -> Iterator[list[int]]:
    """Positions, batch by batch, those of a similar number of tokens together."""
    ordered = sorted(placed, key=lambda at: len(ids[at]))
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def _rows(model: _Loaded, ids: list[list[int]]) -> NDArray[np.float32]:
    """Unit rows, whether the graph normalises or not."""
    import numpy as np

    try:
        rows = model.graph.run(ids, pad_id=model.pad_id)
    except runtime_errors() as error:
        raise UnavailableError(
            f"the model {model.card.model} could not embed {len(ids)} texts: {first_line(error)}",
            hint=f"set memory.embeddings.batch_size lower, or {SECTION}.graph to another one",
        ) from error
    if not np.isfinite(rows).all():
        raise UnavailableError(
            f"the model {model.card.model} computed numbers that are not finite",
            hint=f"set {SECTION}.graph to one with more precision",
        )
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, norms, out=rows, where=norms > 0)
    return rows
