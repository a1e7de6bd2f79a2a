"""Many texts are cut into calls, several at once, and one bad text costs nobody else a vector."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import UnavailableError
from providers import EmbeddingProvider, Kind, ModelCard, RefusedTexts
from providers.batching import PROBE, cut_into_calls, embed_in_calls, estimated_tokens

CARD = ModelCard(provider="p", model="m", revision="1", dimensions=1, batch_size=8)
DEADLINE_S = 30


class Counting(EmbeddingProvider):
    """A row is a text's number. What `before` does with a call happens before its answer."""

    def __init__(
        self, card: ModelCard, before: Callable[[Sequence[str]], None] = lambda texts: None
    ) -> None:
        self._card = card
        self._before = before
        self.calls: list[list[str]] = []
        self.threads: set[int] = set()

    @property
    def card(self) -> ModelCard:
        return self._card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        assert kind == "document"
        self.calls.append(list(texts))
        self.threads.add(threading.get_ident())
        self._before(texts)
        return [[-1.0 if text == PROBE else float(text)] for text in texts]


def refusing(*bad: int) -> Callable[[Sequence[str]], None]:
    def refuse(texts: Sequence[str]) -> None:
        if found := {str(number) for number in bad} & set(texts):
            raise RefusedTexts(f"{min(found)} is bad", hint="leave it out")

    return refuse


def numbers(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def embedded(provider: Counting, count: int) -> tuple[dict[int, float], dict[int, str]]:
    """Rows and refusals by position; no position comes twice."""
    rows: dict[int, float] = {}
    refused: dict[int, str] = {}
    for done in embed_in_calls(provider, numbers(count), kind="document"):
        found = {at: row[0] for at, row in zip(done.positions, done.rows, strict=True)}
        assert not (rows.keys() | refused.keys()) & (found.keys() | done.refused.keys())
        rows |= found
        refused |= done.refused
    return rows, refused


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 8, 9, 50])
def test_every_text_has_its_row(count: int, concurrency: int) -> None:
    provider = Counting(replace(CARD, concurrency=concurrency))
    rows, refused = embedded(provider, count)
    assert rows == {number: float(number) for number in range(count)}
    assert refused == {}
    assert [len(call) for call in sorted(provider.calls, key=len)] == sorted(
        len(call) for call in cut_into_calls(numbers(count), CARD)
    )


def test_one_call_at_a_time_stays_in_its_thread() -> None:
    provider = Counting(CARD)
    embedded(provider, 50)
    assert provider.threads == {threading.get_ident()}


def test_as_many_calls_as_allowed_are_under_way_together() -> None:
    together = threading.Barrier(3)
    under_way, most = 0, 0
    lock = threading.Lock()

    def meet(texts: Sequence[str]) -> None:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        together.wait(DEADLINE_S)
        with lock:
            under_way -= 1

    rows, _ = embedded(Counting(replace(CARD, concurrency=3), meet), 48)
    assert len(rows) == 48
    assert most == 3


def test_a_call_that_is_slow_does_not_hold_up_the_others() -> None:
    go_on = threading.Event()

    def wait(texts: Sequence[str]) -> None:
        if "0" in texts:
            assert go_on.wait(DEADLINE_S)

    provider = Counting(replace(CARD, concurrency=2), wait)
    calls = embed_in_calls(provider, numbers(40), kind="document")
    others = [next(calls).positions[0] for _ in range(4)]
    go_on.set()
    assert (others, [done.positions[0] for done in calls]) == ([8, 16, 24, 32], [0])


def test_nothing_is_sent_that_nobody_asks_for() -> None:
    provider = Counting(CARD)
    calls = embed_in_calls(provider, numbers(40), kind="document")
    assert provider.calls == []
    next(calls)
    assert len(provider.calls) == 1


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("bad", [(0,), (7,), (8, 9), (3, 21, 49), tuple(range(49))])
def test_a_refused_call_is_split_down_to_the_culprit(
    bad: tuple[int, ...], concurrency: int
) -> None:
    provider = Counting(replace(CARD, concurrency=concurrency), refusing(*bad))
    rows, refused = embedded(provider, 50)
    assert refused == {number: f"{number} is bad" for number in bad}
    assert rows == {number: float(number) for number in range(50) if number not in bad}


@pytest.mark.parametrize(
    "culprit, probes", [pytest.param(37, 0, id="others passed"), pytest.param(0, 1, id="first")]
)
def test_one_culprit_costs_few_calls(culprit: int, probes: int) -> None:
    provider = Counting(replace(CARD, batch_size=64), refusing(culprit))
    rows, refused = embedded(provider, 64)
    assert (len(rows), list(refused)) == (63, [culprit])
    assert provider.calls.count([PROBE]) == probes
    assert len(provider.calls) == 1 + 2 * 6 + probes  # two halves at each of log2(64) levels


@given(
    bad=st.sets(st.integers(0, 39)),
    batch_size=st.integers(1, 40),
    concurrency=st.integers(1, 4),
)
def test_whoever_is_refused_the_others_are_embedded(
    bad: set[int], batch_size: int, concurrency: int
) -> None:
    card = replace(CARD, batch_size=batch_size, concurrency=concurrency)
    rows, refused = embedded(Counting(card, refusing(*bad)), 40)
    assert set(refused) == bad
    assert set(rows) == set(range(40)) - bad


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_server_that_refuses_everything_is_soon_left_alone(concurrency: int) -> None:
    def refuse(texts: Sequence[str]) -> None:
        raise RefusedTexts("no model is loaded", hint="load one")

    provider = Counting(replace(CARD, batch_size=128, concurrency=concurrency), refuse)
    with pytest.raises(UnavailableError, match="no model is loaded, and any other text") as caught:
        embedded(provider, 512)
    assert not isinstance(caught.value, RefusedTexts)
    assert len(provider.calls) < 30
    assert provider.calls.count([PROBE]) == 1


def test_a_failure_is_raised_when_the_calls_under_way_have_come_back() -> None:
    failed = threading.Event()

    def fail_first(texts: Sequence[str]) -> None:
        if "0" in texts:
            failed.set()
            raise UnavailableError("no connection", hint="plug it in")
        assert failed.wait(DEADLINE_S)

    provider = Counting(replace(CARD, concurrency=3), fail_first)
    kept: list[int] = []
    with pytest.raises(UnavailableError, match="no connection"):  # noqa: PT012 - what came before
        for done in embed_in_calls(provider, numbers(80), kind="document"):
            kept.extend(done.positions)
    assert sorted(kept) == list(range(8, 24)), "paid for"
    assert len(provider.calls) == 3, "none is begun after a failure"


def test_a_mistake_in_a_thread_is_not_lost() -> None:
    provider = Counting(replace(CARD, batch_size=1, concurrency=2))
    with pytest.raises(ValueError, match="could not convert string to float: 'x'"):
        list(embed_in_calls(provider, ["1", "x", "2"], kind="document"))


@pytest.mark.parametrize(
    "lengths, batch_tokens, expected",
    [
        pytest.param([4, 4, 4], None, [3], id="no limit"),
        pytest.param([400, 400, 400], 200, [2, 1], id="two fit"),
        pytest.param([400, 404, 400], 200, [1, 1, 1], id="two are one too many"),
        pytest.param([4, 9000, 4], 200, [1, 1, 1], id="too long for any call"),
        pytest.param([4] * 20, 200, [8, 8, 4], id="the count binds first"),
        pytest.param([0] * 5, 2, [2, 2, 1], id="empty texts count too"),
    ],
)
def test_calls_are_cut_by_count_and_by_tokens(
    lengths: list[int], batch_tokens: int | None, expected: list[int]
) -> None:
    texts = ["x" * length for length in lengths]
    card = replace(CARD, batch_tokens=batch_tokens)
    calls = list(cut_into_calls(texts, card))
    assert list(map(len, calls)) == expected
    assert [at for call in calls for at in call] == list(range(len(texts)))


@pytest.mark.parametrize(
    "text, tokens",
    [
        pytest.param("", 1, id="empty"),
        pytest.param("x" * 400, 100, id="English"),
        pytest.param("ж" * 400, 250, id="Cyrillic"),
        pytest.param("数" * 400, 400, id="ideographs"),
        pytest.param("🙂" * 400, 550, id="emoji"),
        pytest.param("\ud800", 1, id="lone surrogate"),
    ],
)
def test_tokens_are_estimated_by_the_script(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens
