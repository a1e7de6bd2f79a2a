"""The contract of every remote provider, for any answer of its server, or none.

The vendors' own libraries are in between; `tests.providers.vendors` has the answers.
"""

import logging
import socket
import traceback
from collections.abc import Callable, Sequence

import pytest
from _pytest.mark import ParameterSet

from contracts import ConfigError, MemError, UnavailableError
from providers import ProviderSettings, RefusedTexts, create
from providers.batching import embed_in_calls
from tests.providers.vendors.gemini import GEMINI
from tests.providers.vendors.openai import OPENAI
from tests.providers.vendors.vendor import Making, Vendor
from tests.providers.vendors.voyage import VOYAGE
from tests.providers.wire.server import CUT, SILENT, Answer, WireServer, serving
from tests.providers.wire.sleeper import Sleeper

VENDORS = (OPENAI, GEMINI, VOYAGE)
REDIRECTED = {
    "openai": "308 Permanent Redirect",
    "gemini": "answered with 308",
    "voyage": "no embeddings",
}


@pytest.fixture(params=VENDORS, ids=lambda vendor: vendor.name)
def vendor(request: pytest.FixtureRequest) -> Vendor:
    found: Vendor = request.param
    return found


def cases(of: Callable[[Vendor], Sequence[ParameterSet]]) -> list[ParameterSet]:
    return [
        pytest.param(vendor, *case.values, id=f"{vendor.name}: {case.id}")
        for vendor in VENDORS
        for case in of(vendor)
    ]


def test_the_registry_makes_it(vendor: Vendor, server: WireServer) -> None:
    settings = ProviderSettings(api_key=vendor.key, base_url=server.url + vendor.path)
    provider = create(vendor.name, settings)
    assert isinstance(provider, type(vendor.provider()))
    assert provider.host == server.host
    assert provider.dimensions == len(vendor.row("a"))
    assert server.requests == [], "a documented model is not asked about itself"


@pytest.mark.parametrize("vendor, answer, message, hint", cases(lambda vendor: vendor.for_good))
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


@pytest.mark.parametrize("vendor, answer, reason", cases(lambda vendor: vendor.refused))
def test_a_refused_text_is_told_from_a_failure(
    make: Making, server: WireServer, answer: Answer, reason: str
) -> None:
    server.script.append(answer)
    with pytest.raises(RefusedTexts, match=f"refuses the text: .*({reason})"):
        make().embed(["a"], kind="document")
    assert len(server.requests) == 1


@pytest.mark.parametrize("vendor, answer, slept", cases(lambda vendor: vendor.passing))
def test_what_may_pass_is_asked_again(
    vendor: Vendor,
    make: Making,
    server: WireServer,
    sleeper: Sleeper,
    answer: Answer,
    slept: list[float],
) -> None:
    server.script.append(answer)
    expected = pytest.approx(vendor.row("a"), abs=1e-6)
    assert make().embed(["a"], kind="document") == [expected]
    assert (len(server.requests), sleeper.slept) == (2, slept)


@pytest.mark.parametrize("vendor, answer, message", cases(lambda vendor: vendor.soon))
def test_a_question_is_answered_otherwise_soon(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, message: str
) -> None:
    server.script.extend([answer] * 5)
    with pytest.raises(UnavailableError, match=message):
        make().embed(["a"], kind="query")
    assert len(server.requests) <= 2
    assert sum(sleeper.slept) <= 2


def test_silence_ends_with_the_timeout(vendor: Vendor, make: Making, server: WireServer) -> None:
    server.script.extend([SILENT] * 2)
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.2 seconds") as caught:
        make(timeout_seconds=0.2).embed(["a"], kind="query")
    assert f"{vendor.name}.timeout_seconds" in caught.value.hint


def test_a_server_that_is_not_there_is_named(vendor: Vendor, sleeper: Sleeper) -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        settings = ProviderSettings(api_key=vendor.key, base_url=f"http://{address}{vendor.path}")
        provider = vendor.provider(settings, clock=sleeper.clock)
        with pytest.raises(
            UnavailableError, match=f"connection to {address} failed: .*Connection refused"
        ):
            provider.embed(["a"], kind="query")


def test_no_server_sends_a_text_on_to_another(
    vendor: Vendor, make: Making, server: WireServer
) -> None:
    with serving(vendor.answer) as other:
        server.script.append(Answer(308, {}, {"Location": f"{other.url}/v1/embeddings"}))
        with pytest.raises(UnavailableError, match=REDIRECTED[vendor.name]):
            make().embed(["a"], kind="document")
    assert other.requests == []


@pytest.mark.parametrize(
    "vendor, text, reason",
    [
        pytest.param(OPENAI, "too long " * 4000, "maximum context length", id="openai"),
        pytest.param(VOYAGE, "too long " * 40_000, "too many tokens", id="voyage"),
    ],
)
def test_one_text_that_is_too_long_costs_the_others_nothing(
    make: Making, server: WireServer, text: str, reason: str
) -> None:
    texts = [f"text {number}" for number in range(40)]
    texts[17] = text
    rows, refused = {}, {}
    for done in embed_in_calls(make(batch_size=16), texts, kind="document"):
        rows |= dict(zip(done.positions, done.rows, strict=True))
        refused |= done.refused
    assert set(rows) == set(range(40)) - {17}
    assert list(refused) == [17]
    assert reason in refused[17]
    assert len(server.requests) <= 3 + 2 * 4


def test_the_key_is_nowhere_to_be_seen(
    vendor: Vendor,
    make: Making,
    server: WireServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider = make()
    seen = [repr(provider), repr(vars(provider)), repr(provider.card)]
    pages = [Answer(status, f"<p>{vendor.key}".encode()) for status in (200, 403, 502)]
    params = (*vendor.for_good, *vendor.refused, *vendor.passing)
    answers = [param.values[0] for param in params]
    for answer in (*answers, *vendor.quoting, *pages, CUT):
        server.script.extend([answer] * 2)  # type: ignore[list-item]  # params hold anything
        try:
            provider.embed(["a"], kind="query")
        except MemError as error:
            logging.getLogger("test").exception("failed")
            seen += [repr(error), str(error), *traceback.format_exception(error)]
            seen += map(repr, (error.__cause__, error.__context__))
        server.script.clear()
    seen.append(repr(vars(provider)))
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    seen += [*logged, caplog.text, *capfd.readouterr()]
    assert any("*** may not" in line for line in seen)
    assert not [line for line in seen if vendor.key in line]


@pytest.mark.parametrize("key", ["sk-\u2026", "sk-1\nX-Evil: 1", "sk-\x00"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(make: Making, key: str) -> None:
    with pytest.raises(UnavailableError, match="holds characters that no key has") as e:
        make(api_key=key).embed(["a"], kind="query")
    assert "sk-" not in str(e.value)


def test_blanks_around_a_key_are_not_part_of_it(vendor: Vendor, make: Making) -> None:
    assert make(api_key=f" {vendor.key}\n").embed(["a"], kind="query")


@pytest.mark.parametrize(
    "address",
    ["localhost:1", "ftp://host", "http://", "http://host:port", "http://[::1", "http://h h"],
)
def test_an_address_that_is_none_is_refused(vendor: Vendor, address: str) -> None:
    setting = rf"memory\.embeddings\.{vendor.name}\.base_url is not a server address"
    with pytest.raises(ConfigError, match=setting):
        vendor.provider(ProviderSettings(base_url=address))


def test_an_address_holds_no_secret(vendor: Vendor) -> None:
    with pytest.raises(ConfigError, match="holds a user name or password") as caught:
        vendor.provider(ProviderSettings(base_url="http://me:secret@host/v1"))
    assert f"memory.embeddings.{vendor.name}.base_url" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_option_it_does_not_know_is_refused(vendor: Vendor) -> None:
    with pytest.raises(ConfigError, match=f"{vendor.name} named 'dimension'") as caught:
        vendor.provider(ProviderSettings(options={"dimension": 256}))
    assert caught.value.hint.startswith("did you mean 'dimensions'?")
