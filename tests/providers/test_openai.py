"""OpenAI's provider through OpenAI's library, against a server that speaks its protocol."""

import logging
import math
import socket
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from openai import OpenAIError

from contracts import ConfigError, MemError, UnavailableError
from providers import ProviderSettings, RefusedTexts, create
from providers.batching import embed_in_calls
from providers.remote.openai import OpenAIProvider
from providers.remote.openai_errors import failure_of
from providers.remote.retry import Clock
from providers.remote.service_errors import Service
from tests.providers.wire import openai as wire
from tests.providers.wire.server import CUT, HTML, SILENT, Answer, WireServer, serving
from tests.providers.wire.sleeper import Sleeper

KEY = wire.KEY


@pytest.fixture
def server() -> Iterator[WireServer]:
    with serving(wire.answer) as server:
        yield server


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


Making = Callable[..., OpenAIProvider]


@pytest.fixture
def make(server: WireServer, sleeper: Sleeper) -> Making:
    def made(
        *, model: str | None = None, api_key: str | None = KEY, path: str = "/v1", **options: Any
    ) -> OpenAIProvider:
        batch_size = options.pop("batch_size", None)
        settings = ProviderSettings(
            model=model,
            api_key=api_key,
            base_url=server.url + path,
            batch_size=batch_size,
            options=options,
        )
        return OpenAIProvider(settings, clock=sleeper.clock)

    return made


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


def test_the_registry_makes_it(server: WireServer) -> None:
    provider = create("openai", ProviderSettings(api_key=KEY, base_url=f"{server.url}/v1"))
    assert isinstance(provider, OpenAIProvider)
    assert provider.host == server.host
    assert provider.dimensions == 1536
    assert server.requests == [], "a documented model is not asked about itself"


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make(model="text-embedding-3-large", dimensions=256, document_prompt="about: ")
    rows = provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    (documents, query) = server.requests
    assert documents.path == "/v1/embeddings"
    assert documents.headers["authorization"] == f"Bearer {KEY}"
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
    assert KEY not in str(server.requests)


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


def test_no_server_sends_a_text_on_to_another(make: Making, server: WireServer) -> None:
    with serving(wire.answer) as other:
        server.script.append(Answer(308, {}, {"Location": f"{other.url}/v1/embeddings"}))
        with pytest.raises(UnavailableError, match="308 Permanent Redirect"):
            make().embed(["a"], kind="document")
    assert other.requests == []


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
    pytest.param(Answer(body=[]), "no embeddings", "", id="no object"),
    pytest.param(Answer(body=b"[" * 200_000), "no embeddings", "", id="abyss"),
    pytest.param(
        Answer(body={"data": [{"index": 0, "embedding": "?"}]}),
        "no embeddings",
        "",
        id="no base64",
    ),
    pytest.param(
        Answer(body={"data": [{"index": 0, "embedding": "AAAA"}]}),
        "no embeddings",
        "",
        id="three bytes",
    ),
    pytest.param(Answer(body=wire.embeddings([])), "0 embeddings for 1 texts", "", id="fewer rows"),
    pytest.param(
        Answer(body=wire.embeddings([[1.0]] * 2)), "2 embeddings for 1 texts", "", id="more rows"
    ),
    pytest.param(
        Answer(body={"data": [{"index": 1, "embedding": [1.0]}]}),
        "indexes that are not those of 1 texts",
        "",
        id="wrong index",
    ),
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


@pytest.mark.parametrize("answer, message, hint", FOR_GOOD)
def test_a_failure_that_stays_is_said_at_once(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, message: str, hint: str
) -> None:
    server.script.append(answer)
    with pytest.raises(UnavailableError, match=message) as caught:
        make().embed(["a"], kind="document")
    assert hint in caught.value.hint
    assert server.host in caught.value.message
    assert not isinstance(caught.value, RefusedTexts)
    assert (len(server.requests), sleeper.slept) == (1, [])


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


@pytest.mark.parametrize("answer, reason", REFUSED)
def test_a_refused_text_is_told_from_a_failure(
    make: Making, server: WireServer, answer: Answer, reason: str
) -> None:
    server.script.append(answer)
    with pytest.raises(RefusedTexts, match=f"refuses the text: .*({reason})"):
        make().embed(["a"], kind="document")
    assert len(server.requests) == 1


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


@pytest.mark.parametrize("answer, slept", PASSING)
def test_what_may_pass_is_asked_again(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, slept: list[float]
) -> None:
    server.script.append(answer)
    provider = make()
    assert provider.embed(["a"], kind="document") == [pytest.approx(wire.rows(["a"], 1536)[0])]
    assert (len(server.requests), sleeper.slept) == (2, slept)


@pytest.mark.parametrize(
    "answer, message",
    [
        pytest.param(wire.rate_limited(), r"\(429 Rate limit reached", id="rate limit"),
        pytest.param(
            wire.rate_limited(Retry_After="3600"), "asks to wait 3600 seconds", id="for an hour"
        ),
        pytest.param(Answer(502, b"<html>"), r"\(502 Bad Gateway\)", id="page of a gateway"),
        pytest.param(CUT, "the connection to .* failed", id="cut"),
    ],
)
def test_a_question_is_answered_otherwise_soon(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, message: str
) -> None:
    server.script.extend([answer] * 5)
    with pytest.raises(UnavailableError, match=message):
        make().embed(["a"], kind="query")
    assert len(server.requests) <= 2
    assert sum(sleeper.slept) <= 2


def test_silence_ends_with_the_timeout(make: Making, server: WireServer) -> None:
    server.script.extend([SILENT] * 2)
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.2 seconds") as caught:
        make(timeout_seconds=0.2).embed(["a"], kind="query")
    assert "timeout_seconds" in caught.value.hint


def test_a_server_that_is_not_there_is_named(sleeper: Sleeper) -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        provider = OpenAIProvider(
            ProviderSettings(base_url=f"http://{address}/v1"), clock=sleeper.clock
        )
        with pytest.raises(UnavailableError, match=f"connection to {address} failed: .*refused"):
            provider.embed(["a"], kind="query")


def test_one_text_that_is_too_long_costs_the_others_nothing(
    make: Making, server: WireServer
) -> None:
    texts = [f"text {number}" for number in range(40)]
    texts[17] = "too long " * 4000
    rows, refused = {}, {}
    for done in embed_in_calls(make(batch_size=16), texts, kind="document"):
        rows |= dict(zip(done.positions, done.rows, strict=True))
        refused |= done.refused
    assert set(rows) == set(range(40)) - {17}
    assert list(refused) == [17]
    assert "maximum context length" in refused[17]
    assert len(server.requests) == 3 + 2 * 4


def test_calls_are_made_at_once_up_to_the_limit(make: Making, server: WireServer) -> None:
    texts = [f"text {number}" for number in range(48)]
    provider = make(batch_size=4, concurrency=3)
    done = list(embed_in_calls(provider, texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 48
    assert len(server.requests) == 12
    assert server.most_at_once <= 3


def every_failure() -> list[Any]:
    """Each of the answers above, and one that quotes the key in its reason."""
    quoting = wire.error(400, f"Bearer {KEY} may not", param="dimensions")
    answers = [param.values[0] for param in (*FOR_GOOD, *REFUSED, *PASSING)]
    return [*answers, quoting, wire.error(403, f"{KEY} may not")]


def test_the_key_is_nowhere_to_be_seen(
    make: Making,
    server: WireServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider = make()
    seen = [repr(provider), repr(vars(provider)), repr(provider.card)]
    for answer in every_failure():
        server.script.extend([answer] * 2)
        try:
            provider.embed(["a"], kind="query")
        except MemError as error:
            logging.getLogger("test").exception("failed")
            seen += [repr(error), str(error), *traceback.format_exception(error)]
            seen += map(repr, (error.__cause__, error.__context__))
        server.script.clear()
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    seen += [*logged, caplog.text, *capfd.readouterr()]
    assert any("dimensions" in line for line in seen)
    assert not [line for line in seen if KEY in line]


@pytest.mark.parametrize("key", ["sk-\u2026", "sk-1\nX-Evil: 1", "sk-\x00"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(make: Making, key: str) -> None:
    with pytest.raises(UnavailableError, match="holds characters that no key has") as e:
        make(api_key=key).embed(["a"], kind="query")
    assert "sk-" not in str(e.value)


def test_blanks_around_a_key_are_not_part_of_it(make: Making) -> None:
    assert make(api_key=f" {KEY}\n").embed(["a"], kind="query")


@pytest.mark.parametrize(
    "address",
    [
        "localhost:11434",
        "ftp://host/v1",
        "http://",
        "http://host:port",
        "http://[::1",
        "http://h h",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(
        ConfigError, match=r"memory\.embeddings\.openai\.base_url is not a server address"
    ):
        OpenAIProvider(ProviderSettings(base_url=address))


def test_an_address_holds_no_secret() -> None:
    with pytest.raises(ConfigError, match="holds a user name or password") as caught:
        OpenAIProvider(ProviderSettings(base_url="http://me:secret@host/v1"))
    assert "secret" not in str(caught.value)


def test_an_error_of_another_kind_is_quoted() -> None:
    service = Service("Vendor", "section", "host", "VENDOR_KEY", KEY)
    failure = failure_of(OpenAIError(f"odd {KEY}"), service, model="m", timeout_s=1, clock=Clock())
    assert "host answered with odd ***" in str(failure)


def test_an_option_it_does_not_know_is_refused() -> None:
    with pytest.raises(ConfigError, match="openai named 'dimension'") as caught:
        OpenAIProvider(ProviderSettings(options={"dimension": 3}))
    assert caught.value.hint.startswith("did you mean 'dimensions'?")
