"""The conversations that benchmarks hold."""

from itertools import islice

from benchmarks.inputs.talking import FACT_EVERY, TURNS_A_SESSION, Talk


def test_a_conversation_of_facts_and_other_sentences() -> None:
    turns = list(Talk().turns(3 * TURNS_A_SESSION))
    assert [turn["role"] for turn in turns[:4]] == ["user", "assistant", "user", "assistant"]
    assert {turn["session_id"] for turn in turns} == {"s0", "s1", "s2"}
    facts = turns[::FACT_EVERY]
    assert all(turn["role"] == "user" and turn["text"].startswith("I ") for turn in facts)
    assert len({turn["text"] for turn in facts}) == len(facts)
    assert list(islice(Talk().turns(9), 9)) == turns[:9], "the same at every call"
