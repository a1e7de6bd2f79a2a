"""OpenAI's `/chat/completions`, as its reference shows it, and what other servers make of it.

https://platform.openai.com/docs/api-reference/chat and the guide to error codes.
"""

import json
from typing import Any

from tests.providers.wire.openai import KEY, error, unknown_model, wrong_key
from tests.providers.wire.server import Answer, Request, Service

MODEL = "gpt-4o-mini"
REASONING_MODEL = "o4-mini"


def said(text: str | None, *, finish_reason: str = "stop", refusal: str | None = None) -> Answer:
    """An answer with this text as the message of its only choice."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    head: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1}
    return Answer(body={**head, "model": MODEL, "choices": [choice], "usage": usage})


def memories(*items: Any) -> Answer:
    """A model that keeps to what it was asked for: a list of items."""
    return said(json.dumps(items))


def unsupported(param: str, instead: str = "") -> Answer:
    """As OpenAI's models of 2024 and later answer to options of older ones."""
    hint = f" Use '{instead}' instead." if instead else ""
    message = f"Unsupported parameter: '{param}' is not supported with this model.{hint}"
    return error(400, message, param=param, code="unsupported_parameter")


def too_long() -> Answer:
    message = "This model's maximum context length is 8192 tokens. Please reduce the messages."
    return error(400, message, param="messages", code="context_length_exceeded")


def no_json_mode() -> Answer:
    """LM Studio's words."""
    return Answer(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"})


def openai_saying(text: str) -> Service:
    """OpenAI with a model that always says this, and with one that wants the newer options."""

    def answer(request: Request) -> Answer:
        if request.path != "/v1/chat/completions":
            return error(404, f"Invalid URL (POST {request.path})")
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return wrong_key()
        body = request.body
        if body["model"] not in (MODEL, REASONING_MODEL):
            return unknown_model(body["model"])
        if body["model"] == REASONING_MODEL:
            if "max_tokens" in body:
                return unsupported("max_tokens", "max_completion_tokens")
            if "temperature" in body:
                return unsupported("temperature")
        return said(text)

    return answer
