"""The labelled claims of a model, and how many of them are believed."""

import pytest

from benchmarks.extraction.believing import (
    HALVES,
    LANGUAGES,
    Believed,
    LabelledClaim,
    believed_of,
    believing,
    is_believed,
    read_claims,
    table,
)
from benchmarks.extraction.figures import FOOLED, KEPT
from benchmarks.extraction.labelled import SAID_AT
from benchmarks.extraction.weighing import labelled_claims, weights_of
from ingest import Utterance
from ingest.extractor.llm.languages import LANGUAGES as TABLES
from ingest.extractor.llm.languages import RELIABLE
from ingest.extractor.llm.weights import WEIGHTS


def claim_of(text: str, content: str, *, is_true: bool) -> LabelledClaim:
    item = {"content": content, "quote": text, "whose": "User", "action": "create"}
    return LabelledClaim(Utterance(text, SAID_AT), "", item, is_true, "")


def test_claims_are_counted_by_what_is_true_and_what_is_believed() -> None:
    claims = [
        claim_of("I live in Graz", "User lives in Graz", is_true=True),
        claim_of("Should I live in Graz?", "User lives in Graz", is_true=False),
        claim_of("I live in Graz", "User lives in Graz", is_true=False),
    ]
    assert [is_believed(claim) for claim in claims] == [True, False, True]
    counted = believing(claims)
    assert counted == Believed(1, 1, 2, 1)
    assert (counted.kept, counted.fooled) == (1.0, 0.5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_as_many_claims_are_believed_as_were_measured(language: str) -> None:
    counted = believed_of(language, "dev")
    assert min(counted.true, counted.false) >= 15
    assert counted.kept >= 0.75
    assert counted.fooled <= 0.2


def test_a_reliable_language_reaches_the_bar() -> None:
    reliable = [code for code, language in TABLES.items() if language in RELIABLE]
    for code in reliable:
        held_out = believed_of(code, "held_out")
        assert held_out.true
        assert held_out.kept >= KEPT
        assert held_out.fooled <= FOOLED


@pytest.mark.slow
def test_the_weights_are_those_of_the_labelled_claims() -> None:
    claims = labelled_claims()
    names = [name for weights in WEIGHTS.values() for name in weights]
    assert set(names) == {name for one in claims if one.signs for name in one.signs}
    assert weights_of(claims, names) == pytest.approx(
        [weight for weights in WEIGHTS.values() for weight in weights.values()], abs=0.01
    )


def test_no_claim_is_in_both_halves() -> None:
    for language in LANGUAGES:
        told = [
            {(claim.utterance.text, str(claim.item)) for claim in read_claims(language, half)}
            for half in HALVES
        ]
        assert not told[0] & told[1]


def test_the_table_has_a_row_for_each_set() -> None:
    shown = ("zh", "ja")
    sets = [read_claims(language, half) for language in shown for half in HALVES]
    assert len(table(shown).splitlines()) == 1 + sum(map(bool, sets)) >= 3
