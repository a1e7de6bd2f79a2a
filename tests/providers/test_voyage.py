"""Voyage AI's provider through Voyage AI's library, against a server that speaks its protocol."""

import logging
import math
import socket
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
import voyageai

from contracts import ConfigError, MemError, UnavailableError
from providers import ProviderSettings, RefusedTexts, create
from providers.batching import embed_in_calls
from providers.fake import FakeProvider
from providers.remote.voyage import VoyageProvider
from tests.providers.wire import voyage as wire
from tests.providers.wire.server import CUT, HTML, SILENT, Answer, WireServer, serving
from tests.providers.wire.sleeper import Sleeper

Making = Callable[..., VoyageProvider]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with serving(wire.answer) as server:
        yield server


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


@pytest.fixture
def make(server: WireServer, sleeper: Sleeper) -> Making:
    def made(
        *, model: str | None = None, api_key: str | None = wire.KEY, path: str = "/v1", **rest: Any
    ) -> VoyageProvider:
        batch_size = rest.pop("batch_size", None)
        settings = ProviderSettings(
            model=model,
            api_key=api_key,
            base_url=server.url + path,
            batch_size=batch_size,
            options=rest,
        )
        return VoyageProvider(settings, clock=sleeper.clock)

    return made


def rows(*texts: str, dimensions: int = 1024) -> list[list[float]]:
    return FakeProvider("voyage-4-large", dimensions=dimensions).embed(texts, kind="document")


def test_the_defaults_are_voyages_own() -> None:
    card = VoyageProvider().card
    assert (card.provider, card.model, card.dimensions) == ("voyage", "voyage-4-large", 1024)
    assert (card.max_tokens, card.normalised, card.costly) == (32_000, True, True)
    assert card.batch_tokens is not None
    assert card.batch_tokens < wire.BATCH_TOKENS
    assert card.batch_size <= wire.MOST_TEXTS
    assert VoyageProvider().host == "api.voyageai.com"


def test_a_key_of_atlas_is_sent_to_atlas() -> None:
    assert VoyageProvider(ProviderSettings(api_key="al-0123")).host == "ai.mongodb.com"


def test_the_registry_makes_it(server: WireServer) -> None:
    provider = create("voyage", ProviderSettings(api_key=wire.KEY, base_url=f"{server.url}/v1"))
    assert isinstance(provider, VoyageProvider)
    assert provider.host == server.host
    assert provider.dimensions == 1024
    assert server.requests == [], "a documented model is not asked about itself"


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make(dimensions=256)
    answered = provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    documents, query = server.requests
    assert documents.path == "/v1/embeddings"
    assert documents.headers["authorization"] == f"Bearer {wire.KEY}"
    assert documents.body == {
        "model": "voyage-4-large",
        "input": ["a cat", "b"],
        "input_type": "document",
        "truncation": False,
        "output_dimension": 256,
        "encoding_format": "base64",
    }
    assert (query.body["input_type"], query.body["truncation"]) == ("query", True)
    for row, expected in zip(answered, rows("a cat", "b", dimensions=256), strict=True):
        assert row == pytest.approx(expected, abs=1e-6)


def test_an_address_may_end_in_a_slash(make: Making, server: WireServer) -> None:
    make(path="/v1/").embed(["a"], kind="query")
    assert server.requests[0].path == "/v1/embeddings"


def test_dimensions_are_sent_only_when_they_are_asked_for(make: Making, server: WireServer) -> None:
    make().embed(["a"], kind="query")
    assert "output_dimension" not in server.requests[0].body


@pytest.mark.parametrize("encoding", ["base64", None])
def test_both_forms_of_numbers_are_read(
    make: Making, server: WireServer, encoding: str | None
) -> None:
    body = wire.embeddings(rows("one", "two", "three"), encoding=encoding)
    body["data"].reverse()
    server.script.append(Answer(body=body))
    answered = make().embed(["one", "two", "three"], kind="document")
    assert answered == [pytest.approx(row, abs=1e-6) for row in rows("one", "two", "three")]


def test_a_model_that_is_not_known_here_is_asked_for_its_dimensions_once(
    make: Making, server: WireServer
) -> None:
    provider = make(model="voyage-next")
    assert server.requests == []
    assert (provider.dimensions, provider.dimensions) == (1024, 1024)
    assert [request.body["input"] for request in server.requests] == [["dimensions"]]
    assert provider.card.max_tokens is None
    assert make(model="voyage-next", dimensions=96).dimensions == 96
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "model, dimensions, allowed",
    [(None, 100, "256, 512, 1024, 2048"), ("voyage-law-2", 512, "1024")],
)
def test_dimensions_that_a_model_cannot_have_are_refused(
    model: str | None, dimensions: int, allowed: str
) -> None:
    with pytest.raises(ConfigError, match=f"cannot have {dimensions} dimensions") as caught:
        VoyageProvider(ProviderSettings(model=model, options={"dimensions": dimensions}))
    assert f"voyage.dimensions to one of {allowed}, or to null" in caught.value.hint


def test_nobody_is_asked_without_a_key(make: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-of-somebody-else")
    with pytest.raises(UnavailableError, match=r"Voyage AI at .* needs an API key") as caught:
        make(api_key=None).embed(["a"], kind="query")
    assert "export VOYAGE_API_KEY=" in caught.value.hint


def test_connections_that_the_program_around_us_chose_stay(
    make: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen() -> requests.Session:
        return requests.Session()

    monkeypatch.setattr(voyageai, "requestssession", chosen)
    make().embed(["a"], kind="query")
    assert voyageai.requestssession is chosen
    monkeypatch.setattr(voyageai, "requestssession", None)
    make().embed(["a"], kind="query")
    adapter = voyageai.requestssession.get_adapter("https://api.voyageai.com")
    assert adapter.max_retries.total == 0, "only providers.retry asks again"


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
    pytest.param(Answer(body=[]), "no embeddings", "", id="no object"),
    pytest.param(Answer(body={"data": 7}), "no embeddings", "", id="no list"),
    pytest.param(Answer(body={"data": [{}]}), "no embeddings", "", id="no row"),
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
    pytest.param(
        Answer(body={"data": [{"index": 0, "embedding": [None] * 1024}]}),
        "embeddings that are not numbers",
        "",
        id="null",
    ),
    pytest.param(
        Answer(body={"data": [{"index": 1, "embedding": "AAAAAA=="}]}),
        "indexes that are not those of 1 texts",
        "",
        id="wrong index",
    ),
    pytest.param(Answer(body=wire.embeddings([])), "0 embeddings for 1 texts", "", id="fewer rows"),
    pytest.param(
        Answer(body=wire.embeddings([[1.0]] * 2)), "2 embeddings for 1 texts", "", id="more rows"
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
    pytest.param(wire.error(400, "Input cannot contain empty strings."), "Input", id="empty"),
    pytest.param(wire.error(413, "Payload too large"), "Payload", id="too large"),
    pytest.param(Answer(422, {"detail": [{"msg": "bad input"}]}), "bad input", id="malformed"),
]


@pytest.mark.parametrize("answer, reason", REFUSED)
def test_a_refused_text_is_told_from_a_failure(
    make: Making, server: WireServer, answer: Answer, reason: str
) -> None:
    server.script.append(answer)
    with pytest.raises(RefusedTexts, match=f"refuses the text: .*{reason}"):
        make().embed(["a"], kind="document")
    assert len(server.requests) == 1


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


@pytest.mark.parametrize("answer, slept", PASSING)
def test_what_may_pass_is_asked_again(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, slept: list[float]
) -> None:
    server.script.append(answer)
    assert make().embed(["a"], kind="document") == [pytest.approx(rows("a")[0], abs=1e-6)]
    assert (len(server.requests), sleeper.slept) == (2, slept)


@pytest.mark.parametrize(
    "answer, message",
    [
        pytest.param(wire.error(429, "Slow down"), r"\(429 Slow down\)", id="rate limit"),
        pytest.param(Answer(502, b"<html>"), r"\(502 <html>\)", id="page of a gateway"),
        pytest.param(CUT, "the connection to .* failed: ", id="cut"),
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
    assert "voyage.timeout_seconds" in caught.value.hint


def test_a_server_that_is_not_there_is_named(sleeper: Sleeper) -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        settings = ProviderSettings(api_key=wire.KEY, base_url=f"http://{address}/v1")
        with pytest.raises(
            UnavailableError, match=f"connection to {address} failed: Connection refused"
        ):
            VoyageProvider(settings, clock=sleeper.clock).embed(["a"], kind="query")


def test_a_document_that_is_too_long_is_refused_and_a_question_cut(make: Making) -> None:
    text = "long " * (wire.CONTEXT_TOKENS + 1)
    with pytest.raises(RefusedTexts, match="does not fit into the model's context window"):
        make().embed([text], kind="document")
    assert make().embed([text], kind="query")


def test_one_text_that_is_too_long_costs_the_others_nothing(
    make: Making, server: WireServer
) -> None:
    texts = [f"text {number}" for number in range(40)]
    texts[17] = "too long " * wire.CONTEXT_TOKENS
    answered, refused = {}, {}
    for done in embed_in_calls(make(batch_size=16), texts, kind="document"):
        answered |= dict(zip(done.positions, done.rows, strict=True))
        refused |= done.refused
    assert set(answered) == set(range(40)) - {17}
    assert list(refused) == [17]
    assert "too many tokens" in refused[17]


def test_texts_that_are_too_many_for_one_request_go_in_several(
    make: Making, server: WireServer
) -> None:
    texts = ["word " * 20_000] * 20  # 400,000 tokens as the server counts them
    done = list(embed_in_calls(make(), texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 20
    assert not any(part.refused for part in done)
    assert server.most_at_once <= 4


def test_the_key_is_nowhere_to_be_seen(
    make: Making,
    server: WireServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider = make()
    seen = [repr(provider), repr(vars(provider)), repr(provider.card)]
    quoting = [wire.error(status, f"{wire.KEY} may not") for status in (400, 403, 418, 429, 500)]
    pages = [Answer(status, f"<p>{wire.KEY}".encode()) for status in (200, 403, 502)]
    answers = [param.values[0] for param in (*FOR_GOOD, *REFUSED, *PASSING)]
    for answer in (*answers, *quoting, *pages):
        server.script.extend([answer] * 2)  # type: ignore[list-item]  # params hold anything
        try:
            provider.embed(["a"], kind="query")
        except MemError as error:
            logging.getLogger("test").exception("failed")
            seen += [repr(error), str(error), *traceback.format_exception(error)]
            seen += map(repr, (error.__cause__, error.__context__))
        server.script.clear()
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    seen += [*logged, caplog.text, *capfd.readouterr()]
    assert any("*** may not" in line for line in seen)
    assert not [line for line in seen if wire.KEY in line]


def test_an_option_it_does_not_know_is_refused() -> None:
    with pytest.raises(ConfigError, match="voyage named 'dimension'") as caught:
        VoyageProvider(ProviderSettings(options={"dimension": 256}))
    assert caught.value.hint.startswith("did you mean 'dimensions'?")


@pytest.mark.parametrize("address", ["localhost:1", "ftp://host", "http://me:secret@host"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match=r"memory\.embeddings\.voyage\.base_url") as caught:
        VoyageProvider(ProviderSettings(base_url=address))
    assert "secret" not in str(caught.value)
