"""Voyage AI's embedding models, called through its library `voyageai`.

The library takes half a second to import, so nothing of it is touched before the first request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from contracts import ConfigError, UnavailableError
from providers.base import Kind, ModelCard
from providers.remote.base import RemoteProvider
from providers.remote.retry import Clock, TransientError, retry_after_s
from providers.remote.row_format import rows_in_order
from providers.remote.service_errors import Service, checked_url, host_of, root_cause
from providers.settings import ProviderSettings

if TYPE_CHECKING:
    from types import ModuleType

    from voyageai.error import VoyageError

DEFAULT_MODEL: Final = "voyage-4-large"
_SECTION: Final = "memory.embeddings.voyage"
_VARIABLE: Final = "VOYAGE_API_KEY"
_OPTIONS: Final = ("dimensions", "timeout_seconds", "concurrency")

_URL: Final = "https://api.voyageai.com/v1"
_ATLAS_URL: Final = "https://ai.mongodb.com/v1"
_ATLAS_KEY: Final = "al-"
"""The beginning of keys made at MongoDB Atlas, which are valid there only."""

_MOST_TEXTS: Final = 1000
_BATCH_SIZE: Final = 128
_MOST_AT_ONCE: Final = 64
"""Connections kept open: as many as the configured concurrent calls."""


@dataclass(frozen=True, slots=True)
class _Model:
    """A model as documented by Voyage AI: https://docs.voyageai.com/docs/embeddings.

    dimensions    supported ones, the default first
    max_tokens    of one text
    batch_tokens  of all texts of one request
    """

    dimensions: tuple[int, ...] = (1024, 256, 512, 2048)
    max_tokens: int = 32_000
    batch_tokens: int = 120_000


_MODELS: Final = {
    "voyage-4-large": _Model(),
    "voyage-4": _Model(batch_tokens=320_000),
    "voyage-4-lite": _Model(batch_tokens=1_000_000),
    "voyage-3-large": _Model(),
    "voyage-3.5": _Model(batch_tokens=320_000),
    "voyage-3.5-lite": _Model(batch_tokens=1_000_000),
    "voyage-code-3": _Model(),
    "voyage-finance-2": _Model(dimensions=(1024,)),
    "voyage-law-2": _Model(dimensions=(1024,), max_tokens=16_000),
}
_TOKENS_MISJUDGED: Final = 0.75
"""Code has shorter tokens than estimated; a call that is too large costs one more."""

_UNKNOWN_MODEL: Final = re.compile(r"model \S+ is not supported", re.IGNORECASE)
_WRONG_ARGUMENT: Final = re.compile(r"\bargument\b|output_dimension|input_type", re.IGNORECASE)
"""Common words in the reasons of a 400 that are not about the texts."""


class VoyageProvider(RemoteProvider):
    """A model of Voyage AI, by default voyage-4-large with 1,024 dimensions.

    Of the settings it takes `model`, `api_key`, `base_url` and `batch_size`; options: `dimensions`,
    `timeout_seconds`, `concurrency`. A document that is too long for the model is refused and not
    cut, so that half of it is not taken for the whole; a question is cut.
    """

    def __init__(
        self, settings: ProviderSettings | None = None, *, clock: Clock | None = None
    ) -> None:
        settings = settings or ProviderSettings()
        settings.refuse_unknown_options("voyage", _OPTIONS)
        self._model = settings.model or DEFAULT_MODEL
        self._dimensions: int | None = settings.options.get("dimensions")
        self._known = _MODELS.get(self._model)
        self._require_dimensions()
        key = settings.api_key or ""
        default = _ATLAS_URL if key.startswith(_ATLAS_KEY) else _URL
        url = checked_url(settings.base_url or default, key=f"{_SECTION}.base_url")
        self._url = url.rstrip("/")
        super().__init__(
            Service(
                "Voyage AI",
                _SECTION,
                host_of(self._url),
                settings.key_variable or _VARIABLE,
                secret=settings.api_key,
            ),
            settings,
            clock=clock,
        )

    @property
    def card(self) -> ModelCard:
        """The model's card; requests the dimensions of an unknown model once."""
        known = self._known or _Model()
        return ModelCard(
            provider="voyage",
            model=self._model,
            revision="1",
            dimensions=self.dimensions_expected() or self._ask_for_dimensions(),
            max_tokens=self._known.max_tokens if self._known else None,
            batch_size=min(self._settings.batch_size or _BATCH_SIZE, _MOST_TEXTS),
            batch_tokens=round(known.batch_tokens * _TOKENS_MISJUDGED),
            concurrency=self._concurrency,
        )

    def dimensions_expected(self) -> int | None:
        if self._dimensions is None and self._known is not None:
            return self._known.dimensions[0]
        return self._dimensions

    def prepare(self) -> None:
        self._service.usable_key()
        _library()

    def request(
        self, texts: Sequence[str], *, kind: Kind, timeout_s: float
    ) -> Sequence[Sequence[float]]:
        """One POST to `/embeddings`, with base64 in place of numbers."""
        key = self._service.usable_key()
        voyageai = _library()
        chosen = {} if self._dimensions is None else {"output_dimension": self._dimensions}
        try:
            answer = voyageai.Embedding.create(
                api_key=key,
                base_url=self._url,
                request_timeout=timeout_s,
                input=list(texts),
                model=self._model,
                input_type=kind,
                truncation=kind == "query",
                encoding_format="base64",
                **chosen,
            )
        except voyageai.error.VoyageError as error:
            failed = self._translated(error, timeout_s=timeout_s)
        except (UnicodeDecodeError, RecursionError):
            failed = self._service.garbage("no JSON")
        else:
            return rows_in_order(answer, len(texts), self._service)
        # Outside the handler: the library's message may hold the key, and must not be chained.
        raise failed

    def _translated(
        self, error: VoyageError, *, timeout_s: float
    ) -> UnavailableError | TransientError:
        from voyageai.error import APIConnectionError, Timeout

        if isinstance(error, Timeout):
            return self._service.silent(timeout_s)
        if isinstance(error, APIConnectionError):
            return self._service.unreachable(root_cause(error))
        reason, status = _reason(error), error.http_status
        if status == 400 and _UNKNOWN_MODEL.search(reason):
            return self._service.unknown_model(self._model)
        if status == 400 and _WRONG_ARGUMENT.search(reason):
            return self._service.rejected(reason)
        after_s = retry_after_s(error.headers, clock=self._clock)
        return self._service.failed(status, reason, after_s=after_s)

    def _require_dimensions(self) -> None:
        if self._known is None or self._dimensions in (None, *self._known.dimensions):
            return
        allowed = ", ".join(str(number) for number in sorted(self._known.dimensions))
        raise ConfigError(
            f"{self._model} cannot have {self._dimensions} dimensions",
            hint=f"set {_SECTION}.dimensions to one of {allowed}, or to null",
        )


def _library() -> ModuleType:
    """The library, with its own retries and its logging of texts and answers switched off."""
    import logging

    import requests
    import voyageai

    log = logging.getLogger("voyage")
    if log.level == logging.NOTSET:  # otherwise the user wants to see them
        log.setLevel(logging.WARNING)

    if (
        voyageai.requestssession is None
    ):  # otherwise the surrounding program uses its own connections
        # One for all threads: otherwise each call, with its own thread, would connect again.
        session = requests.Session()
        # No text goes to a host that nobody has named; the session has no other switch for it.
        session.get_redirect_target = lambda resp: None  # type: ignore[method-assign]
        for scheme in ("https://", "http://"):
            session.mount(scheme, requests.adapters.HTTPAdapter(pool_maxsize=_MOST_AT_ONCE))
        voyageai.requestssession = session
    return voyageai


def _reason(error: VoyageError) -> str:
    """The server's message, or the library's if it sent none."""
    body = error.json_body
    detail = body.get("detail") if isinstance(body, dict) else None
    return str(detail or error.http_body or error.user_message)
