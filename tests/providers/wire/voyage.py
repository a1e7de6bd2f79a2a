"""Voyage AI's `embeddings`, as its reference and its users' error reports show it.

https://docs.voyageai.com/reference/embeddings-api and https://docs.voyageai.com/docs/error-codes.
"""

import base64
from array import array
from typing import Any

from providers.fake import FakeProvider
from tests.providers.wire.server import Answer, Request

KEY = "pa-voyage-secret-0123456789"
DIMENSIONS = {"voyage-4-large": (1024, 256, 512, 2048), "voyage-law-2": (1024,)}
MODELS = (*DIMENSIONS, "voyage-next")
MOST_TEXTS = 1000
CONTEXT_TOKENS = 32_000
BATCH_TOKENS = 120_000


def error(status: int, detail: str, **headers: str) -> Answer:
    return Answer(
        status, {"detail": detail}, {name.replace("_", "-"): headers[name] for name in headers}
    )


def wrong_key() -> Answer:
    return error(401, "Provided API key is invalid.")


def answer(request: Request) -> Answer:
    """The service's answer; its rows are those of the fake provider."""
    if request.path != "/v1/embeddings":
        return error(404, "Not Found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return wrong_key()
    body = request.body
    refusal = _refusal(body)
    if refusal is not None:
        return refusal
    dimensions = body.get("output_dimension") or DIMENSIONS.get(body["model"], (1024,))[0]
    rows = FakeProvider(body["model"], dimensions=dimensions).embed(body["input"], kind="document")
    return Answer(body=embeddings(rows, encoding=body["encoding_format"]))


def embeddings(rows: list[list[float]], *, encoding: str | None = "base64") -> dict[str, Any]:
    """The body of an answer; little-endian float32 in base64, or numbers."""
    data = [
        {"object": "embedding", "embedding": packed(row) if encoding else row, "index": index}
        for index, row in enumerate(rows)
    ]
    return {"object": "list", "data": data, "model": "voyage", "usage": {"total_tokens": 1}}


def packed(row: list[float]) -> str:
    return base64.b64encode(array("f", row).tobytes()).decode()


def tokens(text: str) -> int:
    return len(text) // 5


def _refusal(body: dict[str, Any]) -> Answer | None:
    model, texts = body["model"], body["input"]
    if model not in MODELS:
        return error(400, f"Model {model} is not supported. Supported models are {list(MODELS)}.")
    if body["input_type"] not in ("query", "document"):
        return error(400, f"Argument 'input_type' is not valid: {body['input_type']!r}.")
    wanted, allowed = body.get("output_dimension"), DIMENSIONS.get(model)
    if wanted is not None and allowed is not None and wanted not in allowed:
        return error(400, f"Value {wanted} for the argument 'output_dimension' is not valid.")
    if not texts or not all(texts):
        return error(400, "Input cannot contain empty strings or empty lists.")
    if len(texts) > MOST_TEXTS:
        return error(400, f"The batch size limit is {MOST_TEXTS}. Your batch size is {len(texts)}.")
    return _too_long(model, texts, truncation=body["truncation"])


def _too_long(model: str, texts: list[str], *, truncation: bool) -> Answer | None:
    counts = [tokens(text) for text in texts]
    for index, count in enumerate(counts):
        if count > CONTEXT_TOKENS and not truncation:
            return error(
                400,
                f"Request to model '{model}' failed. The example at index {index} in your batch "
                "has too many tokens and does not fit into the model's context window of "
                f"{CONTEXT_TOKENS} tokens. Please lower the number of tokens or use truncation.",
            )
    total = sum(min(count, CONTEXT_TOKENS) for count in counts)
    if total > BATCH_TOKENS:
        return error(
            400,
            f"Request to model '{model}' failed. The max allowed tokens per submitted batch is "
            f"{BATCH_TOKENS}. Your batch has {total} tokens after truncation. Please lower the "
            "number of tokens in the batch.",
        )
    return None
