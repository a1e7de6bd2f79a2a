"""Google's embedding models behind the Gemini API, called through its library `google-genai`.

The library takes half a second to import, so nothing of it is touched before the first request.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from contracts import ConfigError, UnavailableError
from providers.base import Kind, ModelCard
from providers.remote.base import RemoteProvider
from providers.remote.retry import Clock, TransientError, retry_after_s
from providers.remote.service_errors import Service, checked_url, host_of, root_cause
from providers.settings import ProviderSettings

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.errors import APIError
    from google.genai.types import EmbedContentResponse

DEFAULT_MODEL: Final = "gemini-embedding-001"
_SECTION: Final = "memory.embeddings.gemini"
_VARIABLE: Final = "GOOGLE_API_KEY"
_OPTIONS: Final = ("dimensions", "timeout_seconds", "concurrency")
_URL: Final = "https://generativelanguage.googleapis.com/"
_API_VERSION: Final = "v1beta"

_MOST_TEXTS: Final = 100
_TASKS: Final[Mapping[Kind, str]] = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}


@dataclass(frozen=True, slots=True)
class _Model:
    """A model as documented by Google: https://ai.google.dev/gemini-api/docs/embeddings.

    max_tokens  of one text; the server cuts longer ones by itself
    prompts     that name the task in the text; other models get it as `taskType`
    """

    max_tokens: int
    prompts: Mapping[Kind, str] | None = None


_PROMPTS: Final[Mapping[Kind, str]] = {
    "query": "task: search result | query: ",
    "document": "title: none | text: ",
}
_MODELS: Final = {
    "gemini-embedding-001": _Model(2048),
    "gemini-embedding-2": _Model(8192, _PROMPTS),
    "gemini-embedding-2-preview": _Model(8192, _PROMPTS),
}
_UNKNOWN: Final = _Model(2048)
_DIMENSIONS: Final = 3072
_LEAST_DIMENSIONS: Final = 128
"""Fewer than 3,072 are the first ones of them, and must be normalised again."""

_NO_MODEL: Final = re.compile(r"\.\.|[?&#\s]")
_WRONG_ARGUMENT: Final = re.compile(r"\.model\b|task_?type|output_?dimension", re.IGNORECASE)
"""Common words in the reasons of a 400 that are not about the texts."""
_WRONG_KEY: Final = "API_KEY_INVALID"
_SECONDS: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")


class GeminiProvider(RemoteProvider):
    """A model of the Gemini API, by default gemini-embedding-001 with 3,072 dimensions.

    Of the settings it takes `model`, `api_key`, `base_url` and `batch_size`; options: `dimensions`,
    `timeout_seconds`, `concurrency`.
    """

    def __init__(
        self, settings: ProviderSettings | None = None, *, clock: Clock | None = None
    ) -> None:
        settings = settings or ProviderSettings()
        settings.refuse_unknown_options("gemini", _OPTIONS)
        self._model = (settings.model or DEFAULT_MODEL).removeprefix("models/")
        self._dimensions: int | None = settings.options.get("dimensions")
        self._known = _MODELS.get(self._model)
        self._require_usable_settings()
        self._url = checked_url(settings.base_url or _URL, key=f"{_SECTION}.base_url")
        self._client: Client | None = None
        self._lock = threading.Lock()
        super().__init__(
            Service(
                "Google",
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
        known = self._known or _UNKNOWN
        prompts = known.prompts or {}
        return ModelCard(
            provider="gemini",
            model=self._model,
            revision="1",
            dimensions=self.dimensions_expected() or self._ask_for_dimensions(),
            query_prompt=prompts.get("query", ""),
            document_prompt=prompts.get("document", ""),
            max_tokens=self._known.max_tokens if self._known else None,
            batch_size=min(self._settings.batch_size or _MOST_TEXTS, _MOST_TEXTS),
            batch_tokens=known.max_tokens * _MOST_TEXTS,
            concurrency=self._concurrency,
        )

    def dimensions_expected(self) -> int | None:
        if self._dimensions is None and self._known is not None:
            return _DIMENSIONS
        return self._dimensions

    def prepare(self) -> None:
        self._ready()

    def request(
        self, texts: Sequence[str], *, kind: Kind, timeout_s: float
    ) -> Sequence[Sequence[float]]:
        """One POST to `:batchEmbedContents`."""
        client = self._ready()
        from google.genai.errors import APIError

        prompts = (self._known or _UNKNOWN).prompts
        prompt = prompts[kind] if prompts else ""
        config: dict[str, Any] = {"http_options": {"timeout": max(1, round(timeout_s * 1000))}}
        if prompts is None:
            config["task_type"] = _TASKS[kind]
        if self._dimensions is not None:
            config["output_dimensionality"] = self._dimensions
        try:
            # A content for each text: newer models take a list of strings for parts of one content.
            contents: Any = [{"parts": [{"text": prompt + text}]} for text in texts]
            answer = client.models.embed_content(
                model=self._model,
                contents=contents,
                config=config,  # type: ignore[arg-type]
            )
        except APIError as error:
            failed = self._translated(error)
        except tuple(client.TimeoutException for client in _http_clients()):
            failed = self._service.silent(timeout_s)
        except tuple(client.RequestError for client in _http_clients()) as error:
            failed = self._service.unreachable(root_cause(error))
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
            # The library does not handle malformed answers.
            failed = self._service.garbage("something other than embeddings")
        else:
            return _rows(answer)
        # Outside the handler: the library's message may hold the key, and must not be chained.
        raise failed

    def _ready(self) -> Client:
        """The client, usable by any number of threads."""
        key = self._service.usable_key()
        with self._lock:
            if self._client is None:
                from google import genai

                # Everything is set here, since the library reads missing values from the
                # environment.
                self._client = genai.Client(
                    vertexai=False,
                    api_key=key,
                    http_options=genai.types.HttpOptions(
                        base_url=self._url,
                        api_version=_API_VERSION,
                        retry_options=genai.types.HttpRetryOptions(attempts=1),
                        client_args={"follow_redirects": False},  # to a host nobody has named
                    ),
                )
            return self._client

    def _translated(self, error: APIError) -> UnavailableError | TransientError:
        reason, status = str(error.message or ""), str(error.status or "")
        details = list(_details(error.details))
        if error.code == 400 and any(detail.get("reason") == _WRONG_KEY for detail in details):
            return self._service.wrong_key()
        if error.code == 404 and status == "NOT_FOUND":
            return self._service.unknown_model(self._model)
        if error.code == 429 and _is_used_up(details):
            return self._service.used_up(reason)
        if status == "FAILED_PRECONDITION":  # the country, or an account without billing
            return self._service.forbidden(reason)
        if error.code == 400 and _WRONG_ARGUMENT.search(reason):
            return self._service.rejected(reason)
        headers = getattr(error.response, "headers", {})
        after_s = _retry_delay_s(details) or retry_after_s(headers, clock=self._clock)
        return self._service.failed(error.code, reason, after_s=after_s)

    def _require_usable_settings(self) -> None:
        if _NO_MODEL.search(self._model):
            raise ConfigError(
                f"{self._model!r} cannot be the name of a Gemini model",
                hint=f"set {_SECTION}.model to a name such as {DEFAULT_MODEL}",
            )
        if self._known is None or self._dimensions is None:
            return
        if not _LEAST_DIMENSIONS <= self._dimensions <= _DIMENSIONS:
            raise ConfigError(
                f"{self._model} cannot have {self._dimensions} dimensions",
                hint=f"set {_SECTION}.dimensions to a number from {_LEAST_DIMENSIONS} to"
                f" {_DIMENSIONS}, or to null",
            )


@cache
def _http_clients() -> tuple[Any, ...]:
    """The HTTP clients that the library may use: it chooses one of two equivalent ones."""
    installed = [name for name in ("httpx", "httpx2") if find_spec(name) is not None]
    return tuple(import_module(name) for name in installed)


def _rows(answer: EmbedContentResponse) -> list[list[float]]:
    return [embedding.values or [] for embedding in answer.embeddings or []]


def _details(body: object) -> Iterator[Mapping[str, Any]]:
    """The `details` of a google.rpc.Status, if the body is one."""
    error = body.get("error") if isinstance(body, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict):
            yield detail


def _is_used_up(details: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a daily quota is exceeded, so that waiting does not help."""
    return any("PerDay" in str(detail.get("violations")) for detail in details)


def _retry_delay_s(details: Sequence[Mapping[str, Any]]) -> float | None:
    """The pause that a google.rpc.RetryInfo asks for: `27s`, `11.665902715s`."""
    for detail in details:
        seconds = _SECONDS.fullmatch(str(detail.get("retryDelay")))
        if seconds is not None:
            return float(seconds[1])
    return None
