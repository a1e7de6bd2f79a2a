"""`mem fact`, `person`, `loop`, `pattern` and `signal` as a user types them."""

import pytest

from tests.cli.shell import Mem


@pytest.fixture
def kept(mem: Mem) -> Mem:
    """One record of each kind, and turns."""
    for text in ("I met Sarah Miller at the fair", "The passport came by post"):
        mem("turn", "add", "--session", "s1", "--ts", "2024-03-04T10:00:00Z", text)
    mem("fact", "add", "preference/coffee_order", "Oat milk latte", "--evidence", "turn:1")
    mem("person", "add", "Sarah Miller", "--alias", "Sal", "--relationship", "coworker")
    mem("loop", "add", "Renew the passport", "--priority", "4")
    mem("pattern", "add", "habit", "Runs on Sundays", "--tag", "sport")
    mem("signal", "add", "mood", "Upbeat", "--at", "2024-03-04T10:00:00+01:00")
    return mem


def test_a_fact_is_stated_listed_and_shown(kept: Mem) -> None:
    said = kept("fact", "add", "Preference/Coffee order", "Tea", "--confidence", "0.5")
    assert said.out == "fact preference/coffee_order  Tea  (replaced)\n"
    head, row = kept("fact", "list").out.splitlines()
    assert head.split() == ["fact", "confidence", "stated", "value"]
    assert row.startswith("preference/coffee_order  0.50")
    assert row.endswith("Tea")
    lines = kept("fact", "show", "preference/coffee_order").out.splitlines()
    assert lines[0] == "fact preference/coffee_order  Tea"
    assert lines[1].split() == ["confidence", "0.50"]
    assert lines[-1].endswith("Oat milk latte  (0.90 by user)")
    assert kept("show", "fact preference/coffee_order").out.splitlines() == lines
    found = kept("fact", "show", "preference/coffee_order", "--json").json
    assert (found["state"], [old["value"] for old in found["history"]]) == (
        "current",
        ["Oat milk latte"],
    )


def test_a_fact_that_is_over_is_found_when_asked_for(kept: Mem) -> None:
    said = kept("fact", "add", "plan/trip", "Visits Porto", "--expires", "2020-01-01")
    assert "it is expired" in said.err
    assert kept("search", "Porto", "--json").json["results"] == []
    (hit,) = kept("search", "Porto", "--archived", "--json").json["results"]
    assert hit["citation"] == "fact plan/trip"
    assert "plan/trip" not in kept("fact", "list").out
    assert "Visits Porto  (expired)" in kept("fact", "list", "--archived").out
    again = kept("fact", "add", "plan/trip", "Visits Porto", "--json").json
    assert (again["action"], again["state"], again["expires_at"]) == ("reinforced", "current", None)


def test_a_person_is_shown_with_what_names_them(kept: Mem) -> None:
    kept("fact", "add", "contact/sal", "Sal lives in Porto")
    lines = kept("person", "show", "sal").out.splitlines()
    assert lines[0] == "person Sarah Miller  coworker"
    assert "  fact contact/sal  Sal lives in Porto" in lines
    assert "  session s1 turn 1, 2024-03-04  I met Sarah Miller at the fair" in lines
    assert "last named" in "\n".join(lines)
    kept("person", "add", "S. Miller", "--notes", "Plays the bassoon")
    merged = kept("person", "merge", "S. Miller", "sal").out.splitlines()
    assert merged[:2] == ["person Sarah Miller  coworker", "  Plays the bassoon"]
    _, row = kept("person", "list").out.splitlines()
    assert row.endswith("Sal, S. Miller")
    assert "there is no person Bo" in kept("person", "show", "Bo").err


def test_a_loop_is_listed_and_resolved(kept: Mem) -> None:
    _, row = kept("loop", "list").out.splitlines()
    assert row.split()[:3] == ["1", "4", "1"]
    done = kept("loop", "resolve", "loop 1", "--note", "It came", "--evidence", "turn:2").out
    assert "session s1 turn 2, 2024-03-04" in done
    assert "nothing is open" in kept("loop", "list").err
    assert "(resolved " in kept("loop", "list", "--resolved").out
    assert kept("loop", "show", "1").out == done
    assert kept("show", "loop 1").out == done
    assert kept("loop", "add", "renew the passport", "--json").json["mention_count"] == 2


def test_a_pattern_grows_with_each_observation(kept: Mem) -> None:
    again = kept("pattern", "add", "habit", "runs on sundays", "--json").json
    assert (again["frequency"], again["confidence"], again["tags"]) == (2, 0.92, ["sport"])
    _, row = kept("pattern", "list", "--type", "habit").out.splitlines()
    assert row.split()[:4] == ["1", "habit", "0.92", "2"]
    assert "2 times" in kept("pattern", "show", "1").out
    assert "no such patterns" in kept("pattern", "list", "--type", "schedule").err


def test_signals_are_a_series(kept: Mem) -> None:
    kept("signal", "add", "Mood", "Tired", "--at", "2024-03-05")
    rows = kept("signal", "list", "--type", "mood").out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["1", "2"]
    assert rows[0].endswith("2024-03-04 09:00  Upbeat")
    assert len(kept("signal", "list", "--since", "2024-03-05", "--json").json) == 1
    assert "observed  2024-03-04T09:00:00.000Z" in kept("signal", "show", "signal 1").out


@pytest.mark.parametrize(
    "citation",
    [
        "fact preference/coffee_order",
        *("person Sal", "loop 1", "pattern 1", "signal 1"),
    ],
)
def test_each_is_forgotten_by_its_citation(kept: Mem, citation: str) -> None:
    report = kept("forget", citation, "--verify", "--yes", "--json").json
    assert report["ok"]
    assert len(report["forgotten"]) == 1
    assert kept("show", citation).code == 4


@pytest.mark.parametrize(
    "words, told",
    [
        (("fact", "add", "tea", "Assam"), "'tea' is not a category and a key"),
        (("fact", "show", "a/b"), "there is no fact a/b"),
        (("fact", "add", "a/b", "c", "--confidence", "2"), "2.0 is not in the range"),
        (("fact", "add", "a/b", "c", "--expires", "soon"), "the expires_at 'soon' is not a time"),
        (("fact", "add", "a/b", "c", "--evidence", "turn:9"), "there is no turn 9"),
        (("loop", "show", "nine"), "'nine' is not a loop"),
        (("loop", "add", "a", "--priority", "6"), "6 is not in the range"),
        (("pattern", "add", "mood", "a"), "'mood' is not one of"),
        (("pattern", "show", "9"), "there is no pattern 9"),
        (("signal", "list", "--since", "soon"), "'soon' is not a time"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_invalid_is_named(kept: Mem, words: tuple[str, ...], told: str) -> None:
    answer = kept(*words)
    assert answer.code != 0
    assert told in answer.err
