"""Translate errors of OpenAI's library; separate, because servers express the same error in many
ways.

The bodies are those of OpenAI's reference (`error` with `message`, `type`, `param`, `code`), and
those of Ollama, vLLM, LM Studio and FastAPI applications.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from contracts import UnavailableError
from providers.remote.retry import Clock, TransientError, retry_after_s
from providers.remote.service_errors import Service, root_cause

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

_USED_UP: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_NO_MODEL: Final = "model_not_found"
_OF_THE_TEXTS: Final = frozenset({None, "", "input"})
"""The `param` of an error that the texts themselves caused, if given."""

_LIMITS: Final = ("requests", "tokens")
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNIT_S: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def failure_of(
    error: OpenAIError, service: Service, *, model: str, timeout_s: float, clock: Clock
) -> UnavailableError | TransientError:
    """The error to raise in place of the library's, which must not be chained."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    if isinstance(error, APITimeoutError):
        return service.silent(timeout_s)
    if isinstance(error, APIConnectionError):
        return service.unreachable(root_cause(error))
    if not isinstance(error, APIStatusError):
        return service.garbage(str(error))
    status, reason = error.status_code, reason_of(error)
    labels, param = _labels(error), _fields(error).get("param")
    if _USED_UP & labels:
        return service.used_up(reason)
    if _NO_MODEL in labels or param == "model":
        return service.unknown_model(model)
    if status == HTTPStatus.NOT_FOUND:
        named = "model" in reason.casefold()
        return service.unknown_model(model) if named else service.nothing_at(error.request.url.path)
    is_redirect = status < HTTPStatus.BAD_REQUEST
    if is_redirect or (status < HTTPStatus.INTERNAL_SERVER_ERROR and param not in _OF_THE_TEXTS):
        return service.rejected(f"{status} {reason}")
    return service.failed(status, reason, after_s=_pause_s(error, clock))


def _fields(error: APIStatusError) -> Mapping[str, Any]:
    """The error object in the body, empty if there is none."""
    return error.body if isinstance(error.body, dict) else {}


def _labels(error: APIStatusError) -> set[str]:
    return {str(_fields(error).get(name)) for name in ("code", "type")}


def reason_of(error: APIStatusError) -> str:
    """The server's message, or the name of the status if it sent a page or nothing."""
    fields = _fields(error)
    said = fields.get("message") or fields.get("detail") or (not fields and error.body)
    if isinstance(said, list):  # FastAPI's, which also quotes the whole input
        said = "; ".join(str(item.get("msg")) for item in said if isinstance(item, dict))
    if said and not str(said).startswith("<"):
        return str(said)
    try:
        return HTTPStatus(error.status_code).phrase
    except ValueError:
        return "an unknown status"


def _pause_s(error: APIStatusError, clock: Clock) -> float | None:
    """The pause that the server asks for: Retry-After, else when a used-up limit is renewed.

    OpenAI's `x-ratelimit-reset-tokens: 6m0s` counts when `x-ratelimit-remaining-tokens` is 0.
    """
    headers = error.response.headers
    asked = retry_after_s(headers, clock=clock)
    if asked is not None:
        return asked
    resets = (
        headers.get(f"x-ratelimit-reset-{limit}", "")
        for limit in _LIMITS
        if headers.get(f"x-ratelimit-remaining-{limit}") == "0"
    )
    pauses = [_seconds(text) for text in resets]
    return max(pauses, default=None)


def _seconds(duration: str) -> float:
    """`1h2m3.5s` in seconds; 0 for an invalid duration."""
    return sum(float(number) * _UNIT_S[unit] for number, unit in _DURATION.findall(duration))
