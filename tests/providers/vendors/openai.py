"""OpenAI, and servers that speak its protocol."""

import math
from dataclasses import replace

import pytest

from providers.remote.openai import OpenAIProvider
from tests.providers.vendors.unusable_rows import UNUSABLE_ROWS
from tests.providers.vendors.vendor import Vendor
from tests.providers.wire import openai as wire
from tests.providers.wire.server import CUT, HTML, Answer

FOR_GOOD = [
    pytest.param(wire.wrong_key(), "does not accept the API key", "api_key", id="wrong key"),
    pytest.param(
        wire.unknown_model("m"),
        "has no embedding model 'text-embedding-3-small'",
        "openai.model",
        id="unknown model",
    ),
    pytest.param(
        wire.error(403, "Project p does not have access to model m", code="model_not_found"),
        "has no embedding model",
        "openai.model",
        id="forbidden model",
    ),
    pytest.param(
        wire.error(404, 'model "x" not found, try pulling it first', type="api_error"),
        "has no embedding model",
        "openai.model",
        id="Ollama's unknown model",
    ),
    pytest.param(
        Answer(404, b"404 page not found", {"Content-Type": "text/plain"}),
        "has nothing at /v1/embeddings",
        "usually ends in /v1",
        id="no such page",
    ),
    pytest.param(
        wire.error(403, "Country, region, or territory not supported"),
        "does not allow this with the API key: Country",
        "allow it",
        id="forbidden",
    ),
    pytest.param(wire.used_up(), "quota at .* is used up: You exceeded", "credit", id="quota"),
    pytest.param(Answer(402, {}), "quota at .* is used up: Payment Required", "credit", id="402"),
    pytest.param(
        wire.error(400, "Invalid value for 'dimensions'", param="dimensions"),
        "rejects the request: 400 Invalid value for 'dimensions'",
        "dimensions",
        id="dimensions",
    ),
    pytest.param(
        wire.error(400, "m does no embeddings", param="model"),
        "has no embedding model",
        "openai.model",
        id="a model of another kind",
    ),
    pytest.param(Answer(405, b""), "answered with 405 Method Not Allowed", "", id="405"),
    pytest.param(Answer(499, b"<html>"), "499 an unknown status", "", id="unknown status"),
    pytest.param(HTML, "no embeddings: <html>", "embedding model", id="page"),
    pytest.param(Answer(body={"data": [{}]}), "no embeddings", "", id="no embedding"),
    pytest.param(Answer(body=b"[" * 200_000), "no embeddings", "", id="abyss"),
    *UNUSABLE_ROWS,
    pytest.param(
        Answer(body=wire.embeddings([[1.0]])),
        "1 dimensions in place of 1536",
        "embedding model",
        id="wrong dimensions",
    ),
    pytest.param(
        Answer(body=wire.embeddings([[math.nan] * 1536], "base64")),
        "numbers that are not finite",
        "",
        id="NaN in base64",
    ),
    pytest.param(
        Answer(body=wire.embeddings([[math.nan] * 1536])),
        "numbers that are not finite",
        "",
        id="NaN in JSON",
    ),
]

REFUSED = [
    pytest.param(wire.error(400, "maximum context length is 8192 tokens"), "maximum", id="OpenAI"),
    pytest.param(wire.error(400, "no", param="input"), "no", id="by its param"),
    pytest.param(Answer(400, {"error": "input is too long"}), "input is too", id="a mere text"),
    pytest.param(Answer(413, b""), "Request Entity|Content", id="too large"),
    pytest.param(
        Answer(422, {"detail": [{"msg": "bad input", "input": "a"}, "odd"]}),
        r"bad input \(",
        id="FastAPI",
    ),
]

PASSING = [
    pytest.param(wire.rate_limited(Retry_After="20"), [20], id="Retry-After"),
    pytest.param(
        wire.rate_limited(Retry_After="Fri, 15 Jan 2027 08:00:30 GMT"), [30], id="at a date"
    ),
    pytest.param(wire.rate_limited(Retry_After_Ms="1500"), [1.5], id="milliseconds"),
    pytest.param(
        wire.rate_limited(
            X_RateLimit_Remaining_Requests="7",
            X_RateLimit_Reset_Requests="1h",
            X_RateLimit_Remaining_Tokens="0",
            X_RateLimit_Reset_Tokens="1m2.5s",
        ),
        [62.5],
        id="when the tokens are renewed",
    ),
    pytest.param(wire.rate_limited(), [0], id="no header"),
    pytest.param(wire.server_error(500), [0], id="500"),
    pytest.param(Answer(502, b"<html>Bad gateway", {"Content-Type": "text/html"}), [0], id="502"),
    pytest.param(replace(wire.server_error(503), headers={"Retry-After": "3"}), [3], id="503"),
    pytest.param(CUT, [0], id="cut in mid-answer"),
]

SOON = [
    pytest.param(wire.rate_limited(), r"\(429 Rate limit reached", id="rate limit"),
    pytest.param(
        wire.rate_limited(Retry_After="3600"), "asks to wait 3600 seconds", id="for an hour"
    ),
    pytest.param(Answer(502, b"<html>"), r"\(502 Bad Gateway\)", id="page of a gateway"),
    pytest.param(CUT, "the connection to .* failed", id="cut"),
]

OPENAI = Vendor(
    name="openai",
    provider=OpenAIProvider,
    answer=wire.answer,
    key=wire.KEY,
    path="/v1",
    row=lambda text: wire.rows([text], 1536)[0],
    for_good=FOR_GOOD,
    refused=REFUSED,
    passing=PASSING,
    soon=SOON,
    quoting=[
        wire.error(400, f"Bearer {wire.KEY} may not", param="dimensions"),
        *(wire.error(status, f"{wire.KEY} may not") for status in (400, 403, 418, 429, 500)),
    ],
)
