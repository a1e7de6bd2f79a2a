"""The Gemini API's `batchEmbedContents`, as its reference and its users' error reports show it.

https://ai.google.dev/api/embeddings; errors are `google.rpc.Status` with its standard details.
"""

import json
import re
from typing import Any

from providers.fake import FakeProvider
from tests.providers.wire.server import Answer, Request

KEY = "AIza-gemini-secret-0123456789"
PATH = re.compile(r"/v1beta/models/([^/:]+):batchEmbedContents")
MODELS = ("gemini-embedding-001", "gemini-embedding-2", "gemini-embedding-next")
WITHOUT_TASKS = ("gemini-embedding-2",)
TASKS = ("RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT")
FULL_DIMENSIONS = 3072
MOST_TEXTS = 100
MOST_BYTES = 4 * 1024 * 1024
RPC = "type.googleapis.com/google.rpc."


def status(code: int, name: str, message: str, *details: dict[str, Any]) -> Answer:
    """An error; each detail's `@type` is given without its prefix."""
    named = [detail | {"@type": RPC + detail["@type"]} for detail in details]
    body: dict[str, Any] = {"code": code, "message": message, "status": name}
    return Answer(code, {"error": body | ({"details": named} if named else {})})


def wrong_key() -> Answer:
    info = {"@type": "ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    message = "API key not valid. Please pass a valid API key."
    return status(400, "INVALID_ARGUMENT", message, info)


def exhausted(quota: str, *, retry_after: str | None = None) -> Answer:
    """429: the quota of this id is exceeded, and perhaps when it will not be any more."""
    failure = {"@type": "QuotaFailure", "violations": [{"quotaId": quota}]}
    details = [failure]
    if retry_after is not None:
        details.append({"@type": "RetryInfo", "retryDelay": retry_after})
    message = "You exceeded your current quota, please check your plan and billing details."
    return status(429, "RESOURCE_EXHAUSTED", message, *details)


def overloaded() -> Answer:
    message = "The model is overloaded. Please try again later."
    return status(503, "UNAVAILABLE", message)


def invalid(message: str) -> Answer:
    return status(400, "INVALID_ARGUMENT", f"* BatchEmbedContentsRequest.{message}\n")


def answer(request: Request) -> Answer:
    """The service's answer; its rows are those of the fake provider, cut to the dimensions."""
    if "x-goog-api-key" not in request.headers:
        message = "Method doesn't allow unregistered callers."
        return status(403, "PERMISSION_DENIED", message)
    if request.headers["x-goog-api-key"] != KEY:
        return wrong_key()
    path = PATH.fullmatch(request.path)
    if path is None or path[1] not in MODELS:
        message = f"{request.path} is not found for API version v1beta."
        return status(404, "NOT_FOUND", message)
    refusal = _refusal(request.body["requests"], path[1])
    return refusal or Answer(body={"embeddings": _rows(request.body["requests"], path[1])})


def _refusal(requests: list[dict[str, Any]], model: str) -> Answer | None:
    if len(json.dumps(requests)) > MOST_BYTES:
        message = f"Request payload size exceeds the limit: {MOST_BYTES} bytes."
        return status(400, "INVALID_ARGUMENT", message)
    if len(requests) > MOST_TEXTS:
        return invalid(f"requests: at most {MOST_TEXTS} requests can be in one batch")
    for number, one in enumerate(requests):
        if one["model"] != f"models/{model}":
            return invalid(f"requests[{number}].model: unexpected model")
        if len(one["content"]["parts"]) != 1 or not one["content"]["parts"][0].get("text"):
            return invalid(f"requests[{number}].content: contains an empty Part.")
        if one.get("taskType", None if model in WITHOUT_TASKS else TASKS[0]) not in (
            (None,) if model in WITHOUT_TASKS else TASKS
        ):
            return invalid(f"requests[{number}].task_type: not supported")
    return None


def _rows(requests: list[dict[str, Any]], model: str) -> list[dict[str, Any]]:
    texts = [one["content"]["parts"][0]["text"] for one in requests]
    full = FakeProvider(model, dimensions=FULL_DIMENSIONS).embed(texts, kind="document")
    dimensions = requests[0].get("outputDimensionality", FULL_DIMENSIONS)
    return [{"values": row[:dimensions]} for row in full]
