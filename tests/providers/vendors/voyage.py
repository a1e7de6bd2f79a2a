"""Voyage AI."""

import math

import pytest

from providers.fake import FakeProvider
from providers.remote.voyage import VoyageProvider
from tests.providers.vendors.unusable_rows import UNUSABLE_ROWS
from tests.providers.vendors.vendor import Vendor
from tests.providers.wire import voyage as wire
from tests.providers.wire.server import CUT, HTML, Answer


def rows(*texts: str, dimensions: int = 1024) -> list[list[float]]:
    return FakeProvider("voyage-4-large", dimensions=dimensions).embed(texts, kind="document")


FOR_GOOD = [
    pytest.param(wire.wrong_key(), "does not accept the API key", "api_key", id="wrong key"),
    pytest.param(
        wire.error(400, "Model v is not supported. Supported models are ['voyage-4-large']."),
        "has no embedding model 'voyage-4-large'",
        "voyage.model",
        id="unknown model",
    ),
    pytest.param(
        wire.error(400, "Value 96 for the argument 'output_dimension' is not valid."),
        "rejects the request: Value 96",
        "dimensions",
        id="dimensions",
    ),
    pytest.param(
        wire.error(403, "Your address is not allowed"),
        "does not allow this with the API key: Your address",
        "allow it",
        id="forbidden",
    ),
    pytest.param(wire.error(402, "No credit"), "quota at .* is used up: No", "credit", id="402"),
    pytest.param(wire.error(404, "Not Found"), "answered with 404 Not Found", "", id="404"),
    pytest.param(HTML, "answered with 200 <html>", "embedding model", id="page"),
    pytest.param(Answer(403, b"<html>no"), "does not allow this .*: <html>no", "", id="403 page"),
    pytest.param(Answer(body=b"\xff\xfe"), "no JSON", "", id="no UTF-8"),
    pytest.param(Answer(body=b"[" * 200_000), "no JSON", "", id="abyss"),
    pytest.param(
        Answer(body=b"all is well", headers={"Content-Type": "text/plain"}),
        "no embeddings",
        "",
        id="text",
    ),
    pytest.param(Answer(204), "no embeddings", "", id="nothing"),
    pytest.param(Answer(body={"data": 7}), "no embeddings", "", id="no list"),
    pytest.param(Answer(body={"data": [{}]}), "no embeddings", "", id="no row"),
    *UNUSABLE_ROWS,
    pytest.param(
        Answer(body={"data": [{"index": 0, "embedding": [None] * 1024}]}),
        "embeddings that are not numbers",
        "",
        id="null",
    ),
    pytest.param(
        Answer(body=wire.embeddings([[1.0]])),
        "1 dimensions in place of 1024",
        "",
        id="wrong dimensions",
    ),
    pytest.param(
        Answer(body=wire.embeddings([[math.nan] * 1024])), "that are not finite", "", id="NaN"
    ),
]

REFUSED = [
    pytest.param(wire.error(400, "Input cannot contain empty strings."), "Input", id="empty"),
    pytest.param(wire.error(413, "Payload too large"), "Payload", id="too large"),
    pytest.param(Answer(422, {"detail": [{"msg": "bad input"}]}), "bad input", id="malformed"),
]

PASSING = [
    pytest.param(wire.error(429, "Slow down", Retry_After="20"), [20], id="Retry-After"),
    pytest.param(
        wire.error(429, "Slow down", Retry_After="Fri, 15 Jan 2027 08:00:30 GMT"), [30], id="date"
    ),
    pytest.param(wire.error(429, "Slow down"), [0], id="no header"),
    pytest.param(wire.error(500, "Oh"), [0], id="500"),
    pytest.param(wire.error(503, "Busy", Retry_After="3"), [3], id="503"),
    pytest.param(Answer(520, b"<html>"), [0], id="page of a gateway"),
    pytest.param(CUT, [0], id="cut in mid-answer"),
]

SOON = [
    pytest.param(wire.error(429, "Slow down"), r"\(429 Slow down\)", id="rate limit"),
    pytest.param(Answer(502, b"<html>"), r"\(502 <html>\)", id="page of a gateway"),
    pytest.param(CUT, "the connection to .* failed: ", id="cut"),
]

VOYAGE = Vendor(
    name="voyage",
    provider=VoyageProvider,
    answer=wire.answer,
    key=wire.KEY,
    path="/v1",
    row=lambda text: rows(text)[0],
    for_good=FOR_GOOD,
    refused=REFUSED,
    passing=PASSING,
    soon=SOON,
    quoting=[wire.error(status, f"{wire.KEY} may not") for status in (400, 403, 418, 429, 500)],
)
