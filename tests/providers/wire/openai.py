"""OpenAI's `/embeddings`, as its reference shows it, and the errors of its servers.

https://platform.openai.com/docs/api-reference/embeddings and the guide to error codes.
"""

import base64
from array import array
from typing import Any

from providers.fake import FakeProvider
from tests.providers.wire.server import Answer, Request

KEY = "sk-proj-openai-secret-0123456789"
DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
MOST_TEXTS = 2048
MOST_TOKENS = 300_000
MOST_TOKENS_OF_ONE = 8192


def error(
    status: int,
    message: str,
    *,
    type: str = "invalid_request_error",
    param: str | None = None,
    code: str | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    body = {"message": message, "type": type, "param": param, "code": code}
    return Answer(status, {"error": body}, headers or {})


def wrong_key() -> Answer:
    """As OpenAI does, and worse than it does: the whole key is quoted."""
    message = f"Incorrect API key provided: {KEY}. You can find your API key at https://..."
    return error(401, message, code="invalid_api_key")


def unknown_model(model: str) -> Answer:
    message = f"The model `{model}` does not exist or you do not have access to it."
    return error(404, message, code="model_not_found")


def rate_limited(**headers: str) -> Answer:
    return error(
        429,
        "Rate limit reached for text-embedding-3-small in organization org-x on tokens per min.",
        type="tokens",
        code="rate_limit_exceeded",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def used_up() -> Answer:
    message = "You exceeded your current quota, please check your plan and billing details."
    return error(429, message, type="insufficient_quota", code="insufficient_quota")


def server_error(status: int = 500) -> Answer:
    message = "The server had an error while processing your request. Sorry about that!"
    return error(status, message, type="server_error")


def answer(request: Request) -> Answer:
    """OpenAI's answer; the rows are those of the fake provider."""
    if request.path != "/v1/embeddings":
        return error(404, f"Invalid URL (POST {request.path})")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return wrong_key()
    model, texts = request.body["model"], request.body["input"]
    if model not in DIMENSIONS:
        return unknown_model(model)
    refusal = _refusal(texts)
    if refusal is not None:
        return refusal
    dimensions = request.body.get("dimensions", DIMENSIONS[model])
    if dimensions > DIMENSIONS[model]:
        message = f"Invalid value for 'dimensions' = {dimensions}."
        return error(400, message, param="dimensions")
    return Answer(body=embeddings(rows(texts, dimensions), request.body.get("encoding_format")))


def only_floats(request: Request) -> Answer:
    """A server that knows no other form, has any model, and asks for no key."""
    return Answer(body=embeddings(rows(request.body["input"], 24), "float"))


def rows(texts: list[str], dimensions: int) -> list[list[float]]:
    return FakeProvider(dimensions=dimensions).embed(texts, kind="document")


def embeddings(rows: list[list[float]], encoding: str | None = "float") -> dict[str, Any]:
    """The body of an answer: little-endian float32 in base64, or numbers."""
    encoded = [packed(row) if encoding == "base64" else row for row in rows]
    data = [
        {"object": "embedding", "index": index, "embedding": row}
        for index, row in enumerate(encoded)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": "m", "usage": usage}


def packed(row: list[float]) -> str:
    return base64.b64encode(array("f", row).tobytes()).decode()


def tokens(text: str) -> int:
    return len(text) // 4 + 1


def _refusal(texts: list[str]) -> Answer | None:
    if not texts or not all(texts):
        return error(400, "Invalid 'input': input cannot be an empty string.", param="input")
    if len(texts) > MOST_TEXTS:
        return error(400, f"Invalid 'input': maximum array length {MOST_TEXTS}.", param="input")
    counts = list(map(tokens, texts))
    if max(counts) > MOST_TOKENS_OF_ONE:
        message = f"Invalid 'input': maximum context length is {MOST_TOKENS_OF_ONE} tokens."
        return error(400, message)
    if sum(counts) > MOST_TOKENS:
        message = f"Requested {sum(counts)} tokens, max {MOST_TOKENS} tokens per request"
        return error(400, message, type="max_tokens_per_request", code="max_tokens_per_request")
    return None
