"""OpenAI's embedding models, and those of every server that speaks OpenAI's protocol.

Ollama, vLLM, LM Studio and many others do. The library takes a second to import, so nothing of it
is touched before the first text is embedded.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple
from providers.base import Kind, ModelCard
from providers.remote.base import RemoteProvider
from providers.remote.openai_client import NO_KEY, connected
from providers.remote.openai_errors import failure_of
from providers.remote.retry import Clock
from providers.remote.row_format import rows_of_json
from providers.remote.service_errors import Service, checked_url, host_of
from providers.settings import ProviderSettings

if TYPE_CHECKING:
    from openai import OpenAI

DEFAULT_MODEL: Final = "text-embedding-3-small"
ADDRESS: Final = "https://api.openai.com/v1"

_SECTION: Final = "memory.embeddings.openai"
_VARIABLE: Final = "OPENAI_API_KEY"
_OPTIONS: Final = (
    *("dimensions", "timeout_seconds", "concurrency", "query_prompt", "document_prompt"),
)
_BATCH_SIZE: Final = 128
_LOCAL_BATCH_SIZE: Final = (
    32  # a model on a desktop computer is slow, and an answer has a time limit
)
_MOST_TEXTS: Final = 2048
_BATCH_TOKENS: Final = 200_000
"""OpenAI takes 300,000 tokens in a request; our count is an estimate."""


class _Model(NamedTuple):
    """A model as documented by OpenAI: default dimensions, longest text."""

    dimensions: int
    max_tokens: int = 8191


_MODELS: Final = {
    "text-embedding-3-small": _Model(1536),
    "text-embedding-3-large": _Model(3072),
    "text-embedding-ada-002": _Model(1536),
}


class OpenAIProvider(RemoteProvider):
    """Embeddings by the protocol of OpenAI's `/embeddings`.

    Of the settings it takes `model`, `api_key`, `base_url`, `batch_size`. Options: `dimensions`
    (requested from the server, which must support shortening), `timeout_seconds`, `concurrency`,
    `query_prompt` and `document_prompt`, prepended to every text of that kind.

    A key is needed at OpenAI's own address only. The dimensions of a model that OpenAI does not
    document are found by embedding one word when the card is first needed.
    """

    def __init__(
        self, settings: ProviderSettings | None = None, *, clock: Clock | None = None
    ) -> None:
        settings = settings or ProviderSettings()
        settings.refuse_unknown_options("openai", _OPTIONS)
        self._address = checked_url(settings.base_url or ADDRESS, key=f"{_SECTION}.base_url")
        self._is_openai = host_of(self._address) == host_of(ADDRESS)
        self._options = settings.options
        self._model = settings.model or DEFAULT_MODEL
        self._lock = threading.Lock()
        host = host_of(self._address)
        name = "OpenAI" if self._is_openai else host
        super().__init__(
            Service(
                name, _SECTION, host, settings.key_variable or _VARIABLE, secret=settings.api_key
            ),
            settings,
            clock=clock,
        )

    @cached_property
    def card(self) -> ModelCard:
        known = _MODELS.get(self._model)
        preferred = _BATCH_SIZE if self._is_openai else _LOCAL_BATCH_SIZE
        return ModelCard(
            provider="openai",
            model=self._model,
            revision="1",  # the protocol gives none
            dimensions=self.dimensions_expected() or self._ask_for_dimensions(),
            query_prompt=self._prompt("query"),
            document_prompt=self._prompt("document"),
            max_tokens=known.max_tokens if known else None,
            batch_size=min(self._settings.batch_size or preferred, _MOST_TEXTS),
            batch_tokens=_BATCH_TOKENS if self._is_openai else None,
            concurrency=self._concurrency,
        )

    def dimensions_expected(self) -> int | None:
        configured: int | None = self._options.get("dimensions")
        if configured is not None:
            return configured
        known = _MODELS.get(self._model)
        return known.dimensions if known else None

    def prepare(self) -> None:
        _ = self._client

    def request(
        self, texts: Sequence[str], *, kind: Kind, timeout_s: float
    ) -> list[Sequence[float]]:
        from openai import OpenAIError

        prompt = self._prompt(kind)
        extra = {"dimensions": self._options["dimensions"]} if self._shortened else {}
        try:
            # The raw body: the library builds an object of every row, and does not validate it.
            raw = self._client.embeddings.with_raw_response.create(
                input=[prompt + text for text in texts],
                model=self._model,
                encoding_format="base64",
                timeout=timeout_s,
                **extra,
            )
            body = raw.text
        except OpenAIError as error:
            failure = failure_of(
                error, self._service, model=self._model, timeout_s=timeout_s, clock=self._clock
            )
        else:
            return rows_of_json(body, len(texts), self._service)
        # Outside the handler: the library's message may hold the key, and must not be chained.
        raise failure

    @property
    def _shortened(self) -> bool:
        return self._options.get("dimensions") is not None

    def _prompt(self, kind: Kind) -> str:
        return self._options.get(f"{kind}_prompt") or ""

    @property
    def _client(self) -> OpenAI:
        with self._lock:
            return self._connected

    @cached_property
    def _connected(self) -> OpenAI:
        """The library's client; made under the lock."""
        needed = self._is_openai or self._settings.api_key is not None
        key = self._service.usable_key() if needed else NO_KEY
        return connected(self._address, key=key, owner=self)
