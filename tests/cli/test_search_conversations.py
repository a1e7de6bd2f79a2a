"""`mem search` over what was said: who said it, when, and what was said around it."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Mem

SAID = (
    (
        "--session",
        "s1",
        "--speaker",
        "Ana",
        "--ts",
        "2024-03-04T10:00",
        "We bought a boat in Split",
    ),
    ("--session", "s1", "--role", "assistant", "--ts", "2024-03-04T10:01", "Has the boat a name?"),
    ("--session", "s1", "--speaker", "Bo", "--ts", "2024-03-04T10:02", "It has none, and it leaks"),
    ("--session", "s2", "--ts", "2024-05-06T10:00", "My name is Cleo and I like a boat"),
)


@pytest.fixture
def talked(mem: Mem) -> Mem:
    for said in SAID:
        assert mem("turn", "add", *said).code == 0
    return mem


def test_a_hit_says_who_said_it_and_cites_the_turn(talked: Mem) -> None:
    block = talked("search", "Split", "--source", "turn").out.split("\n\n")[0]
    first, who, text = block.splitlines()
    assert first.startswith(" 1. session s1 turn 1, 2024-03-04  ")
    assert (who.strip(), text.strip()) == ("Ana", "We bought a boat in Split")
    hit = talked("search", "Split", "--source", "turn", "--json").json["results"][0]
    assert hit["citation"] == "session s1 turn 1, 2024-03-04"
    assert hit["metadata"] == {"turn_id": 1, "session_id": "s1", "role": "user", "speaker": "Ana"}


def test_a_memory_is_cited_and_told_from_what_was_said(talked: Mem) -> None:
    block = talked("search", "Cleo", "--source", "memory").out.split("\n\n")[0]
    first, about, topic, text, said = block.splitlines()
    assert first.startswith(" 1. memory ")
    assert said.strip() == "also session s2 turn 4, 2024-05-06"
    assert topic.strip().startswith("name: ")
    assert about.strip() == "mid-term memory, 2024-05-06"
    assert "Cleo" in text


def test_neighbours_are_what_was_said_around_it(talked: Mem) -> None:
    out = talked("search", "Has the boat a name?", "--session", "s1", "-k", "1", "-C", "1").out
    assert out.splitlines()[1:] == [
        "    assistant",
        "    Ana: We bought a boat in Split",
        "    assistant: Has the boat a name?",
        "    Bo: It has none, and it leaks",
    ]
    answer = talked("search", "boat name", "--session", "s1", "-k", "1", "-C", "1", "--json").json
    (hit,) = answer["results"]
    assert [beside["speaker"] for beside in (*hit["before"], *hit["after"])] == ["Ana", "Bo"]


def test_a_session_narrows_a_search(talked: Mem) -> None:
    def cited(*options: str) -> set[str]:
        results = talked("search", "boat", "--json", *options).json["results"]
        return {hit["citation"] for hit in results if hit["source"] == "turn"}

    assert cited("--session", "s1") == {f"session s1 turn {n}, 2024-03-04" for n in (1, 2, 3)}
    assert cited("--session", "s2") == {"session s2 turn 4, 2024-05-06"}
    assert cited("--since", "2024-05") == {"session s2 turn 4, 2024-05-06"}
    answer = talked("search", "boat", "--session", "nobody's")
    assert "ask without --session" in answer.err


def test_who_and_when_are_explained(talked: Mem) -> None:
    out = talked("search", "when did Ana buy the boat", "--source", "turn", "--explain").out
    first = out.split("\n\n")[0]
    assert "session s1 turn 1" in first
    assert "turn     + 0.4 for its speaker" in first
    out = talked("search", "what leaks in Split", "--source", "turn", "--explain").out
    assert "for its speaker" not in out


def test_show_a_turn_between_those_around_it(talked: Mem) -> None:
    out = talked("show", "session s1 turn 2, 2024-03-04").out
    assert out.splitlines() == [
        "  Ana  session s1 turn 1  2024-03-04 10:00",
        "    We bought a boat in Split",
        "",
        "> assistant  session s1 turn 2  2024-03-04 10:01",
        "    Has the boat a name?",
        "",
        "  Bo  session s1 turn 3  2024-03-04 10:02",
        "    It has none, and it leaks",
    ]
    shown = talked("show", "turn:2", "--json").json
    assert (shown["id"], shown["text"]) == ("turn:2", "Has the boat a name?")
    assert [turn["id"] for turn in shown["before"] + shown["after"]] == ["turn:1", "turn:3"]
    assert talked("show", "turn", "4").out.splitlines()[0].startswith("> user  session s2 turn 4")


def test_show_a_memory_with_what_it_was_made_of(talked: Mem) -> None:
    found = talked("search", "Cleo", "--source", "memory", "--json").json["results"][0]
    out = talked("show", found["citation"]).out
    assert "Cleo" in out.splitlines()[0]
    assert "session s2 turn 4, 2024-05-06  (source)" in out
    shown = talked("show", found["citation"], "--json").json
    assert shown["memory"]["id"] == found["metadata"]["memory_id"]


def test_show_says_that_there_is_no_such_turn(talked: Mem) -> None:
    answer = talked("show", "session s1 turn 99")
    assert answer.code == 4
    assert "there is no turn 99" in answer.err
    assert "there is no memory 99" in talked("show", "memory 99").err


def test_without_the_keyword_index_words_are_compared_with_texts(
    talked: Mem, tmp_path: Path
) -> None:
    path = talked("status", "--json").json["database"]
    config = {"memory": {"fts": {"enabled": False}, "storage_path": path}}
    (tmp_path / "constitution_config.json").write_text(json.dumps(config))
    assert talked("config", "trust").code == 0
    answer = talked("search", "boat", "Split", "--mode", "keyword", "--json").json
    cited = [hit["citation"] for hit in answer["results"]]
    assert cited[0] == "session s1 turn 1, 2024-03-04"  # it has both words
    assert "session s1 turn 2, 2024-03-04" in cited
    assert any("keyword index is off" in warning for warning in answer["warnings"])
    for query in ("100%", "_", "\\", "'", '"boat a name" -leaks', "Split*", "😀"):
        assert talked("search", query, "--json").code == 0
    assert "keyword index is off" in talked("status").out + talked("status").err
    listed = talked("memories", "list", "--query", "Cleo", "--json").json
    assert [memory["content"] for memory in listed] == ["User's name is Cleo"]


def test_what_is_over_is_said_below_a_turn(mem: Mem) -> None:
    for day, text in (("01", "I live in Antwerp."), ("02", "I live in Ghent now.")):
        assert mem("turn", "add", "--session", "s1", "--ts", f"2026-{day}-01T10:00", text).code == 0

    out = mem("search", "where do I live", "--source", "turn").out
    new, old = out.split("\n\n")
    assert "I live in Ghent now." in new
    over = "no longer so: User lives in Antwerp (since 2026-02-01, memory 2: User lives in Ghent)"
    assert over in old
    assert over in mem("show", "turn 1").out
    assert "no longer so" not in mem("show", "turn 2").out
    (past,) = mem("show", "turn 1", "--json").json["superseded"]
    _, hit = mem("search", "where do I live", "--source", "turn", "--json").json["results"]
    assert hit["superseded"] == [past]
    assert (hit["superseded_by"], past["date"]) == ("memory 2", "2026-02-01")
    both = mem("search", "Ghent").out
    assert "also " in both
    assert both.count("\n\n") <= 1
