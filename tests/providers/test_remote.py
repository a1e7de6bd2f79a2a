"""The common part of remote providers: clean texts out, checked rows in, one error per cause."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from contracts import MemError, UnavailableError
from providers import Kind, ModelCard, RefusedTexts
from providers.remote.base import RemoteProvider
from providers.remote.retry import Clock, TransientError
from providers.remote.service_errors import Service, host_of, root_cause
from providers.settings import ProviderSettings

KEY = "sk-0123456789"
SERVICE = Service("Vendor", "memory.embeddings.vendor", "api.vendor.example", "VENDOR_KEY", KEY)
STILL = Clock(now=lambda: 0.0, sleep=lambda seconds: None)


class Vendor(RemoteProvider):
    """Answers with whatever it was given; remembers what it was sent."""

    def __init__(self, answer: Callable[[Sequence[str]], Sequence[Sequence[float]]]) -> None:
        super().__init__(SERVICE, ProviderSettings(), clock=STILL)
        self._answer = answer
        self.sent: list[list[str]] = []
        self.limits_s: list[float] = []

    @property
    def card(self) -> ModelCard:
        return ModelCard(provider="vendor", model="m", revision="1", dimensions=2)

    def dimensions_expected(self) -> int:
        return 2

    def request(
        self, texts: Sequence[str], *, kind: Kind, timeout_s: float
    ) -> Sequence[Sequence[float]]:
        self.sent.append(list(texts))
        self.limits_s.append(timeout_s)
        return self._answer(texts)


def answering(*rows: Sequence[float]) -> Vendor:
    return Vendor(lambda texts: rows)


def test_a_blank_text_is_not_sent_and_has_a_zero_row() -> None:
    vendor = answering([0.6, 0.8], [1, 0])
    rows = vendor.embed(["", "a", " \n\t", "b\ud800"], kind="document")
    assert rows == [[0, 0], [0.6, 0.8], [0, 0], [1, 0]]
    assert vendor.sent == [["a", "b\ufffd"]]


def test_nothing_but_blank_texts_ask_nobody() -> None:
    vendor = answering()
    assert vendor.embed([" ", ""], kind="query") == [[0, 0], [0, 0]]
    assert vendor.embed([], kind="query") == []
    assert vendor.sent == []


def test_rows_are_made_unit_vectors() -> None:
    rows = answering([3, 4], [0, 0], [1e-200, 0]).embed(["a", "b", "c"], kind="document")
    assert [math.hypot(*row) for row in rows] == pytest.approx([1, 0, 1])


@pytest.mark.parametrize(
    "rows, what",
    [
        pytest.param([[1, 0]], "1 embeddings for 2 texts", id="too few"),
        pytest.param([[1, 0]] * 3, "3 embeddings for 2 texts", id="too many"),
        pytest.param([[1, 0], [1]], "1 dimensions in place of 2", id="short"),
        pytest.param([[1, 0], []], "0 dimensions in place of 2", id="empty"),
        pytest.param([[1, 0], [math.nan, 0]], "numbers that are not finite", id="NaN"),
        pytest.param([[1, 0], [math.inf, 0]], "numbers that are not finite", id="infinite"),
        pytest.param([[1, 0], [None, 0]], "embeddings that are not numbers", id="null"),
        pytest.param([[1, 0], ["1", 0]], "embeddings that are not numbers", id="text"),
    ],
)
def test_what_is_no_answer_is_not_taken_for_one(rows: list[list[float]], what: str) -> None:
    with pytest.raises(UnavailableError, match=f"^api.vendor.example answered with {what}"):
        answering(*rows).embed(["a", "b"], kind="document")


class Unmeasured(Vendor):
    """Does not know the length of its rows before it has seen one."""

    @property
    def card(self) -> ModelCard:
        dimensions = self._ask_for_dimensions()
        return ModelCard(provider="vendor", model="m", revision="1", dimensions=dimensions)

    def dimensions_expected(self) -> int | None:
        return self._dimensions_seen


def test_dimensions_that_nobody_knows_are_asked_for_once() -> None:
    vendor = Unmeasured(lambda texts: [[0.0, 0.6, 0.8]] * len(texts))
    assert vendor.sent == []
    with ThreadPoolExecutor(4) as pool:
        cards = list(pool.map(lambda _: vendor.card, range(8)))
    assert {card.dimensions for card in cards} == {3}
    assert len(vendor.sent) == 1


@pytest.mark.parametrize("kind, calls", [("query", 2), ("document", 8)])
def test_what_may_pass_is_tried_again(kind: Kind, calls: int) -> None:
    def fail(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise SERVICE.unreachable("no route")

    vendor = Vendor(fail)
    with pytest.raises(UnavailableError, match=r"the connection to api\.vendor\.example failed"):
        vendor.embed(["a"], kind=kind)
    assert len(vendor.sent) == calls


@pytest.mark.parametrize("kind, limit_s", [("query", 6), ("document", 60)])
def test_a_question_does_not_wait_as_long_as_documents(kind: Kind, limit_s: float) -> None:
    vendor = answering([1, 0])
    vendor.embed(["a"], kind=kind)
    assert vendor.limits_s == [limit_s]


def test_it_says_where_texts_go() -> None:
    assert answering().host == "api.vendor.example"


def errors(quote: str) -> list[MemError]:
    """Every error there is, each quoting a server that said `quote`, if it quotes."""
    transient = [
        SERVICE.busy(429, quote, after_s=2),
        SERVICE.busy(503, quote),
        SERVICE.unreachable(quote),
        SERVICE.silent(7),
    ]
    return [
        *(SERVICE.no_key(), SERVICE.wrong_key(), SERVICE.forbidden(quote)),
        *(SERVICE.unknown_model("m"), SERVICE.used_up(quote), SERVICE.rejected(quote)),
        *(SERVICE.refused(quote), SERVICE.garbage(quote)),
        *(failure.error for failure in transient),
    ]


def test_each_cause_has_its_own_message_with_the_host_and_a_next_step() -> None:
    made = errors("no reason")
    assert len({error.message for error in made}) == len(made)
    assert all("api.vendor.example" in error.message and error.hint for error in made)
    assert [type(error) for error in made if type(error) is not UnavailableError] == [RefusedTexts]


def test_no_error_shows_the_key() -> None:
    shown = f"{errors(f'the key {KEY} is bad')} {SERVICE!r} {list(map(str, errors(KEY)))}"
    assert KEY not in shown
    assert "***" in shown
    assert Service("V", "s", "h", "V_KEY", f" {KEY}\n").quoted(f"({KEY})") == "(***)"


@pytest.mark.parametrize(
    "status, expected",
    [
        pytest.param(401, SERVICE.wrong_key(), id="key"),
        pytest.param(402, SERVICE.used_up("why"), id="credit"),
        pytest.param(403, SERVICE.forbidden("why"), id="forbidden"),
        pytest.param(400, SERVICE.refused("why"), id="bad request"),
        pytest.param(413, SERVICE.refused("why"), id="too large"),
        pytest.param(422, SERVICE.refused("why"), id="cannot be processed"),
        pytest.param(408, SERVICE.busy(408, "why", after_s=1), id="timeout"),
        pytest.param(429, SERVICE.busy(429, "why", after_s=1), id="rate limit"),
        pytest.param(500, SERVICE.busy(500, "why", after_s=1), id="server error"),
        pytest.param(529, SERVICE.busy(529, "why", after_s=1), id="overload"),
        pytest.param(404, SERVICE.garbage("404 why"), id="not found"),
        pytest.param(None, SERVICE.garbage("why"), id="no status"),
    ],
)
def test_a_status_has_an_error_of_its_own(
    status: int | None, expected: UnavailableError | TransientError
) -> None:
    error = SERVICE.failed(status, "why", after_s=1)
    assert (type(error), str(error)) == (type(expected), str(expected))


def test_a_server_that_wants_a_key_where_none_is_set() -> None:
    error = Service("V", "s", "h", "V_KEY").failed(401, "who are you")
    assert str(error) == (
        "V at h needs an API key, and none is set (export V_KEY=... and let s.api_key be ${V_KEY})"
    )


@pytest.mark.parametrize("key", [KEY, f" {KEY}\n"], ids=["bare", "with blanks around it"])
def test_a_key_is_usable_without_the_blanks_around_it(key: str) -> None:
    assert Service("V", "s", "h", "V_KEY", key).usable_key() == KEY


@pytest.mark.parametrize(
    "key, message",
    [
        pytest.param(None, "V at h needs an API key, and none is set", id="none"),
        pytest.param(" ", "V at h needs an API key, and none is set", id="blank"),
        pytest.param("sk\n01", "the API key for h holds characters that no key has", id="lines"),
        pytest.param("sk 01", "the API key for h holds characters that no key has", id="words"),
        pytest.param("“sk01”", "the API key for h holds characters that no key has", id="quotes"),
    ],
)
def test_a_key_that_no_header_can_carry_is_not_sent(key: str | None, message: str) -> None:
    with pytest.raises(UnavailableError, match=f"^{message}") as caught:
        Service("V", "s", "h", "V_KEY", key).usable_key()
    assert not key or not key.strip() or key not in str(caught.value)


def test_the_root_of_an_error_is_below_what_was_wrapped_around_it() -> None:
    def fail() -> None:
        try:
            try:
                raise ConnectionRefusedError(111, "Connection refused")
            except OSError as error:
                raise RuntimeError("Max retries exceeded with url: /secret") from error
        except RuntimeError:
            raise KeyError("wrapped")  # noqa: B904 - some libraries chain in this way

    with pytest.raises(KeyError) as caught:
        fail()
    assert root_cause(caught.value) == "Connection refused"
    assert root_cause(ValueError("bad")) == "bad"
    assert root_cause(ValueError()) == "ValueError"


def test_a_quotation_is_one_short_line() -> None:
    assert SERVICE.quoted("<html>\n\n  <b>") == "<html> <b>"
    assert SERVICE.quoted("a\x1b[31mb") == "a [31mb"
    assert len(SERVICE.quoted("x" * 10_000)) == 200
    assert Service("V", "s", "h", "V_KEY", "").quoted("abc") == "abc"


def test_a_busy_server_may_say_how_long() -> None:
    failure = SERVICE.busy(429, "slow down", after_s=2.5)
    assert isinstance(failure, TransientError)
    assert failure.after_s == 2.5
    assert "asks to wait 2.5 seconds" in failure.error.message


@pytest.mark.parametrize(
    "url, host",
    [
        ("https://api.openai.com/v1", "api.openai.com"),
        ("http://localhost:11434/v1", "localhost:11434"),
        ("http://user:secret@host:1/", "host:1"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("nothing", "nothing"),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host
