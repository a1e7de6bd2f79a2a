"""OpenAI's provider through OpenAI's library, against a server that speaks its protocol."""

import math

import pytest
from openai import OpenAIError

from contracts import UnavailableError
from providers import ProviderSettings
from providers.batching import embed_in_calls
from providers.remote.openai import OpenAIProvider
from providers.remote.openai_errors import failure_of
from providers.remote.retry import Clock
from providers.remote.service_errors import Service
from tests.providers.vendors.openai import OPENAI
from tests.providers.vendors.vendor import Making, Vendor
from tests.providers.wire import openai as wire
from tests.providers.wire.server import Answer, WireServer


@pytest.fixture
def vendor() -> Vendor:
    return OPENAI


def test_the_defaults_are_openai_itself() -> None:
    card = OpenAIProvider(ProviderSettings()).card
    assert (card.provider, card.model, card.dimensions) == (
        "openai",
        "text-embedding-3-small",
        1536,
    )
    assert (card.max_tokens, card.normalised, card.costly) == (8191, True, True)
    assert card.batch_tokens is not None
    assert card.batch_tokens < wire.MOST_TOKENS
    assert OpenAIProvider().host == "api.openai.com"


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make(model="text-embedding-3-large", dimensions=256, document_prompt="about: ")
    rows = provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    (documents, query) = server.requests
    assert documents.path == "/v1/embeddings"
    assert documents.headers["authorization"] == f"Bearer {wire.KEY}"
    assert documents.body == {
        "model": "text-embedding-3-large",
        "input": ["about: a cat", "about: b"],
        "dimensions": 256,
        "encoding_format": "base64",
    }
    assert query.body["input"] == ["a cat"]
    assert [len(row) for row in rows] == [256, 256]
    assert provider.card.document_prompt == "about: "


def test_dimensions_are_sent_only_when_they_are_asked_for(make: Making, server: WireServer) -> None:
    make().embed(["a"], kind="query")
    assert "dimensions" not in server.requests[0].body


@pytest.mark.parametrize("encoding", ["base64", "float"])
def test_both_forms_of_numbers_are_read(make: Making, server: WireServer, encoding: str) -> None:
    rows = wire.rows(["one", "two"], 1536)
    server.script.append(Answer(body=wire.embeddings(rows, encoding)))
    for row, expected in zip(make().embed(["one", "two"], kind="document"), rows, strict=True):
        assert row == pytest.approx(expected, abs=1e-7)


def test_rows_are_put_in_the_order_of_their_index(make: Making, server: WireServer) -> None:
    body = wire.embeddings(wire.rows(["one", "two", "three"], 1536))
    body["data"].reverse()
    server.script.append(Answer(body=body))
    rows = make().embed(["one", "two", "three"], kind="document")
    assert rows == [pytest.approx(row) for row in wire.rows(["one", "two", "three"], 1536)]


def test_rows_that_are_no_unit_vectors_become_some(make: Making, server: WireServer) -> None:
    server.script.append(Answer(body=wire.embeddings([[3.0] + [0.0] * 1534 + [4.0]])))
    (row,) = make().embed(["a"], kind="document")
    assert (row[0], row[-1], math.hypot(*row)) == pytest.approx((0.6, 0.8, 1))


def test_another_server_needs_no_key_and_is_asked_for_its_dimensions_once(
    make: Making, server: WireServer
) -> None:
    server.service = wire.only_floats
    provider = make(model="nomic-embed-text", api_key=None)
    assert server.requests == []
    assert (provider.dimensions, provider.dimensions) == (24, 24)
    assert [request.body["input"] for request in server.requests] == [["dimensions"]]
    assert (provider.card.max_tokens, provider.card.batch_tokens) == (None, None)
    assert len(provider.embed(["a", ""], kind="document")[1]) == 24
    assert wire.KEY not in str(server.requests)


def test_configured_dimensions_are_not_asked_for_and_hold(make: Making, server: WireServer) -> None:
    server.service = wire.only_floats
    provider = make(model="nomic-embed-text", dimensions=12)
    assert provider.dimensions == 12
    assert server.requests == []
    with pytest.raises(UnavailableError, match="answered with 24 dimensions in place of 12"):
        provider.embed(["a"], kind="document")


def test_openai_is_not_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with pytest.raises(UnavailableError, match=r"OpenAI at api\.openai\.com needs an API key") as e:
        OpenAIProvider().embed(["a"], kind="query")
    assert "export OPENAI_API_KEY=" in e.value.hint


def test_the_environment_sends_no_text_elsewhere(
    make: Making, server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    make().embed(["a"], kind="query")
    server.service = wire.only_floats
    make(api_key=None, model="m", dimensions=24).embed(["a"], kind="query")
    assert len(server.requests) == 2
    assert "sk-of-somebody-else" not in str(server.requests)


def test_calls_are_made_at_once_up_to_the_limit(make: Making, server: WireServer) -> None:
    texts = [f"text {number}" for number in range(48)]
    provider = make(batch_size=4, concurrency=3)
    done = list(embed_in_calls(provider, texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 48
    assert len(server.requests) == 12
    assert server.most_at_once <= 3


def test_an_error_of_another_kind_is_quoted() -> None:
    service = Service("Vendor", "section", "host", "VENDOR_KEY", wire.KEY)
    failure = failure_of(
        OpenAIError(f"odd {wire.KEY}"), service, model="m", timeout_s=1, clock=Clock()
    )
    assert "host answered with odd ***" in str(failure)
