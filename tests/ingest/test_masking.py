"""Secrets of captured conversations become their kinds, however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.pii.masking import masked
from tests.ingest.planted import HARMLESS, PLANTED, Planted


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.id)
def test_a_secret_becomes_its_kind(planted: Planted) -> None:
    found = masked(planted.text)
    assert f"[secret:{planted.kind}]" in found
    assert [secret for secret in planted.secrets if secret in found] == []


@pytest.mark.parametrize("around", ["-{}", "+{}", "\\n{}", "x%3D{}", '"{}"', "({})", ">{}<", "_{}"])
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.id)
def test_it_does_so_in_diffs_and_escaped_texts(planted: Planted, around: str) -> None:
    escaped = "\\n" in around
    text = around.format(planted.text.replace("\n", "\\n") if escaped else planted.text)
    for secret in planted.secrets:
        assert secret not in masked(text)
        if planted.text.startswith("please use"):
            assert secret not in masked(around.format(secret))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert masked(text) == text


def test_what_stands_around_it_stays() -> None:
    text = "Put sk-" + "a1" * 12 + " into .env, then run `make`."
    assert masked(text) == "Put [secret:api-key] into .env, then run `make`."


def test_a_private_key_that_breaks_off_is_masked_to_the_end() -> None:
    text = "see\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow" + "Ab1/" * 40
    assert masked(text) == "see\n[secret:private-key]"


@given(st.lists(st.sampled_from([one.text for one in PLANTED] + list(HARMLESS)), max_size=6))
def test_masking_again_changes_nothing(texts: list[str]) -> None:
    once = masked("\n".join(texts))
    assert masked(once) == once
