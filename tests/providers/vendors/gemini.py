"""Google's Gemini."""

import math

import pytest

from providers.fake import FakeProvider
from providers.remote.gemini import GeminiProvider
from tests.providers.vendors.vendor import Vendor
from tests.providers.wire import gemini as wire
from tests.providers.wire.server import CUT, HTML, Answer


def rows(*texts: str) -> list[list[float]]:
    fake = FakeProvider("gemini-embedding-001", dimensions=wire.FULL_DIMENSIONS)
    return fake.embed(texts, kind="document")


FOR_GOOD = [
    pytest.param(wire.wrong_key(), "does not accept the API key", "api_key", id="wrong key"),
    pytest.param(
        wire.status(401, "UNAUTHENTICATED", "Request had invalid credentials."),
        "does not accept the API key",
        "api_key",
        id="no credentials",
    ),
    pytest.param(
        wire.status(403, "PERMISSION_DENIED", "Your API key was reported as leaked."),
        "does not allow this with the API key: Your API key was",
        "allow it",
        id="leaked key",
    ),
    pytest.param(
        wire.status(400, "FAILED_PRECONDITION", "User location is not supported."),
        "does not allow this with the API key: User location",
        "allow it",
        id="country",
    ),
    pytest.param(
        wire.status(404, "NOT_FOUND", "models/m is not found for API version v1beta."),
        "has no embedding model 'gemini-embedding-001'",
        "gemini.model",
        id="unknown model",
    ),
    pytest.param(
        wire.invalid("requests[0].output_dimensionality: must be at most 3072"),
        r"rejects the request: \* Batch",
        "dimensions",
        id="dimensions",
    ),
    pytest.param(
        wire.exhausted("EmbedContentRequestsPerDayPerProjectPerModel-FreeTier", retry_after="9s"),
        "quota at .* is used up: You exceeded",
        "credit",
        id="quota of the day",
    ),
    pytest.param(Answer(404, b"<html>"), "answered with 404 <html>", "", id="another page"),
    pytest.param(Answer(404, []), "answered with 404", "", id="404 with a list"),
    pytest.param(Answer(403, b"\xff"), "something other than", "", id="403 with no UTF-8"),
    pytest.param(HTML, "something other than embeddings", "embedding model", id="page"),
    pytest.param(Answer(body=b"\xff\xfe"), "something other than embeddings", "", id="no UTF-8"),
    pytest.param(Answer(body=b"[" * 200_000), "something other than", "", id="abyss"),
    pytest.param(Answer(body=b""), "0 embeddings for 1 texts", "", id="nothing"),
    pytest.param(Answer(body=7), "something other than", "", id="no object"),
    pytest.param(Answer(body={"embeddings": 7}), "something other than", "", id="no list"),
    pytest.param(Answer(body={"embeddings": [7]}), "something other than", "", id="no rows"),
    pytest.param(
        Answer(body={"embeddings": [{"values": ["x"]}]}), "something other than", "", id="no number"
    ),
    pytest.param(Answer(body={"embeddings": [{}]}), "0 dimensions in place", "", id="no values"),
    pytest.param(Answer(body={"embeddings": []}), "0 embeddings for 1 texts", "", id="fewer rows"),
    pytest.param(
        Answer(body={"embeddings": [{"values": [1.0]}] * 2}),
        "2 embeddings for 1 texts",
        "",
        id="more rows",
    ),
    pytest.param(
        Answer(body={"embeddings": [{"values": [1.0]}]}),
        "1 dimensions in place of 3072",
        "",
        id="wrong dimensions",
    ),
    pytest.param(
        Answer(body={"embeddings": [{"values": [math.nan] * 3072}]}),
        "that are not finite",
        "",
        id="NaN",
    ),
]

REFUSED = [
    pytest.param(wire.invalid("requests[0].content: contains an empty Part."), "empty", id="empty"),
    pytest.param(
        wire.status(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit"),
        "payload size",
        id="too large",
    ),
    pytest.param(Answer(413, b"<html>large"), "<html>large", id="too large for a gateway"),
]

PER_MINUTE = "EmbedContentRequestsPerMinutePerProjectPerModel"
PASSING = [
    pytest.param(wire.exhausted(PER_MINUTE, retry_after="11.665902715s"), [11.665902715], id="429"),
    pytest.param(wire.exhausted(PER_MINUTE), [0], id="429 without a delay"),
    pytest.param(
        wire.status(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted."), [0], id="bare 429"
    ),
    pytest.param(Answer(429, {}, {"Retry-After": "20"}), [20], id="Retry-After"),
    pytest.param(Answer(429, {"error": {"details": [7]}}), [0], id="odd details"),
    pytest.param(
        Answer(429, {"error": {"details": [{"violations": 7}, {"violations": ["x"]}]}}),
        [0],
        id="odd violations",
    ),
    pytest.param(wire.status(500, "INTERNAL", "An internal error has occurred."), [0], id="500"),
    pytest.param(wire.overloaded(), [0], id="503"),
    pytest.param(Answer(502, b"<html>"), [0], id="page of a gateway"),
    pytest.param(CUT, [0], id="cut in mid-answer"),
]

SOON = [
    pytest.param(wire.exhausted(PER_MINUTE), r"\(429 You exceeded", id="rate limit"),
    pytest.param(
        wire.exhausted(PER_MINUTE, retry_after="3600s"), "asks to wait 3600 seconds", id="for long"
    ),
    pytest.param(wire.overloaded(), r"\(503 The model is overloaded", id="overload"),
    pytest.param(CUT, "the connection to .* failed: ", id="cut"),
]

GEMINI = Vendor(
    name="gemini",
    provider=GeminiProvider,
    answer=wire.answer,
    key=wire.KEY,
    path="",
    row=lambda text: rows(text)[0],
    for_good=FOR_GOOD,
    refused=REFUSED,
    passing=PASSING,
    soon=SOON,
    quoting=[
        wire.status(status, "PERMISSION_DENIED", f"{wire.KEY} may not")
        for status in (400, 403, 418, 429, 500)
    ],
)
