"""The fake has meaningful vectors, counts, and fails on demand: what users' tests stand on."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import ConfigError, UnavailableError
from providers import ProviderSettings
from providers.fake import FakeProvider

REPOSITORY = Path(__file__).parents[2]
WORDS = st.lists(st.from_regex(r"[a-zäж数]{1,12}", fullmatch=True), min_size=1, max_size=8)


def cosine(provider: FakeProvider, one: str, other: str) -> float:
    first, second = provider.embed([one, other], kind="document")
    return float(np.dot(first, second))


@given(words=WORDS)
def test_a_text_is_the_bag_of_its_words(words: list[str]) -> None:
    shuffled = sorted(words, reverse=True)
    provider = FakeProvider(dimensions=256)
    assert cosine(provider, " ".join(words), "-".join(shuffled).upper()) == pytest.approx(1)


@given(words=WORDS)
def test_a_text_said_twice_points_the_same_way(words: list[str]) -> None:
    text = " ".join(words)
    assert cosine(FakeProvider(dimensions=256), text, f"{text}. {text}!") == pytest.approx(1)


def test_a_text_is_the_sum_of_its_parts() -> None:
    provider = FakeProvider(dimensions=512)
    a, b, both = np.array(provider.embed(["alpha", "beta", "alpha beta"], kind="query"))
    (coefficients, residual, *_) = np.linalg.lstsq(np.stack([a, b], axis=1), both, rcond=None)
    assert residual == pytest.approx(0, abs=1e-12)
    assert (coefficients > 0).all()


@pytest.mark.parametrize(
    "one, other",
    [("caching", "cached"), ("file", "files"), ("boxes", "box"), ("Straße", "STRASSE")],
)
def test_words_of_one_stem_are_equal(one: str, other: str) -> None:
    assert cosine(FakeProvider(), one, other) == pytest.approx(1)


def test_words_that_look_alike_are_near() -> None:
    provider = FakeProvider(dimensions=1024)
    alike = cosine(provider, "configuration", "configure")
    assert alike > 0.2 > abs(cosine(provider, "configuration", "elephant"))


def test_unrelated_words_are_nearly_at_right_angles() -> None:
    provider = FakeProvider(dimensions=1024)
    rows = np.array(provider.embed([f"word{n} {n * 7919}" for n in range(40)], kind="query"))
    words = np.array(provider.embed(["apple", "river", "seven", "moth", "gulp"], kind="query"))
    assert np.abs(words @ words.T - np.eye(5)).max() < 0.15
    assert np.abs(words @ rows.T).max() < 0.2


def test_another_model_is_another_space() -> None:
    (one,) = FakeProvider("one", dimensions=1024).embed(["the same text"], kind="query")
    (two,) = FakeProvider("two", dimensions=1024).embed(["the same text"], kind="query")
    assert abs(np.dot(one, two)) < 0.2


@pytest.mark.parametrize("text", ["", " ", "!?", "___", "🙂", "\ud800"])
def test_what_has_no_word_is_zero(text: str) -> None:
    assert FakeProvider(dimensions=3).embed([text], kind="query") == [[0.0, 0.0, 0.0]]


def test_any_process_computes_the_same_numbers() -> None:
    code = (
        "from providers.fake import FakeProvider\n"
        "print(FakeProvider(dimensions=6).embed(['To be, or not to be'], kind='query'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    here = FakeProvider(dimensions=6).embed(["To be, or not to be"], kind="query")
    assert printed == {str(here)}


def test_it_counts() -> None:
    provider = FakeProvider()
    provider.embed(["a", "b"], kind="document")
    provider.embed([], kind="document")
    provider.embed(["a"], kind="query")
    assert (provider.calls, provider.texts_embedded) == (3, 3)


def test_it_counts_in_threads() -> None:
    provider = FakeProvider(fail_times=10)

    def call(_: int) -> bool:
        try:
            provider.embed(["a", "b"], kind="document")
        except UnavailableError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        answered = sum(pool.map(call, range(200)))
    assert (answered, provider.calls, provider.texts_embedded) == (190, 200, 380)


def test_it_fails_as_often_as_it_is_told() -> None:
    provider = FakeProvider(fail_times=2)
    for _ in range(2):
        with pytest.raises(UnavailableError, match="told to fail"):
            provider.embed(["a"], kind="query")
    assert len(provider.embed(["a"], kind="query")) == 1
    assert (provider.calls, provider.texts_embedded) == (3, 1)
    provider.fail_times = 1
    with pytest.raises(UnavailableError, match="told to fail"):
        provider.embed(["a"], kind="query")


def test_its_settings_are_honoured() -> None:
    provider = FakeProvider.from_settings(
        ProviderSettings(model="m", batch_size=5, options={"dimensions": 7, "fail_times": 1})
    )
    assert (provider.card.model, provider.card.batch_size) == ("m", 5)
    assert (provider.dimensions, provider.fail_times) == (7, 1)


def test_it_has_defaults() -> None:
    assert FakeProvider.from_settings(ProviderSettings()).card == FakeProvider().card
    assert FakeProvider().dimensions == 64
    assert FakeProvider().card.costly


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ConfigError, match="named 'dims'"):
        FakeProvider.from_settings(ProviderSettings(options={"dims": 7}))


def test_no_dimensions_are_refused() -> None:
    with pytest.raises(ConfigError, match="cannot have 0 dimensions"):
        FakeProvider(dimensions=0)
