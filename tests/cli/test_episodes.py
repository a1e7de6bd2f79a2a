"""`mem episodes` as a user types it: what happened, day by day, and what was of use."""

import subprocess
import sys

import pytest

from tests.cli.shell import Mem
from tests.memory.episodes.said import BOAT


@pytest.fixture
def told(mem: Mem) -> Mem:
    """Two episodes of two days."""
    for day in (4, 5):
        for number, text in enumerate(BOAT[:3]):
            ts = f"2026-03-0{day}T10:0{number}:00Z"
            mem("turn", "add", "--session", "s1", "--speaker", "Ana", "--ts", ts, text)
    assert "episodes formed: 2" in mem("maintain", "segmentation").out
    return mem


def test_episodes_are_listed_day_by_day(told: Mem) -> None:
    lines = told("episodes", "list").out.splitlines()
    assert [line for line in lines if line[:1].isdigit()] == ["2026-03-05", "2026-03-04"]
    assert lines[1].startswith("  10:00-10:02  episode 2, session s1  importance 0.")
    assert lines[2] == f"    Ana: {BOAT[0]}"
    assert len(told("episodes", "list", "--until", "2026-03-04", "--json").json) == 1
    limited = told("episodes", "list", "--limit", "1")
    assert "more: --limit 10" in limited.err
    assert "no such episodes" in told("episodes", "list", "--session", "s9").err


@pytest.mark.parametrize("words", [("episodes", "show", "1"), ("show", "episode 1")], ids=" ".join)
def test_an_episode_is_shown_with_its_turns(told: Mem, words: tuple[str, ...]) -> None:
    lines = told(*words).out.splitlines()
    assert lines[0] == "2026-03-04"
    assert "    turns 1 to 3, used 0 times, summary of its own sentences" in lines
    assert lines[-1] == f"  10:02  turn 3  Ana: {BOAT[2]}"
    shown = told(*words, "--json").json
    assert (shown["citation"], len(shown["turns"])) == ("episode 1", 3)


def test_one_that_is_not_there(told: Mem) -> None:
    assert "there is no episode 9" in told("episodes", "show", "episode 9").err
    assert "'soon' is not an episode" in told("episodes", "show", "soon").err


def test_what_was_used_is_noted_once_a_day(told: Mem) -> None:
    report = told("episodes", "used", "session s1 turn 2", "memory 7").out
    assert report.splitlines() == ["noted: episode 1", "no episode or fact: memory 7"]
    assert told("episodes", "used", "episode 1").out == "noted before today: episode 1\n"
    voted = told("episodes", "used", "--vote", "unhelpful", "episode 2", "--json").json
    assert voted["reinforced"] == ["episode 2"]


@pytest.mark.parametrize(
    "words", [["--help"], ["search", "sailmaker", "--source", "episode"]], ids=["help", "search"]
)
def test_the_library_of_the_curve_is_not_loaded(told: Mem, words: list[str]) -> None:
    """It is loaded where a probability is computed."""
    probe = f"""
import sys
from cli.main import run
try:
    run({words!r})
except SystemExit as ended:
    assert not ended.code
print("fsrs" in sys.modules)
"""
    command = [sys.executable, "-c", probe]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"
    assert words == ["--help"] or "episode 2" in done.stdout


def test_facts_are_made_shown_and_counted(mem: Mem) -> None:
    for number, text in enumerate(("I live in Berlin.", "I work at Bosch.")):
        mem("turn", "add", "--session", "7", "--ts", f"2026-03-04T10:0{number}:00Z", text)
    mem("maintain", "segmentation")
    assert "episodes read: 1, facts: 2, current: 2" in mem("maintain", "semantic").out
    (hit,) = mem("search", "Berlin", "--source", "triple", "--json").json["results"]
    lines = mem("show", hit["citation"]).out.splitlines()
    assert lines[0] == "User lives in Berlin"
    assert lines[1].startswith("  current, confidence 0.90, recall ")
    assert lines[2:] == [
        "  memory 1, 2026-03-04, active: User lives in Berlin",
        "  said in episode 1",
    ]
    assert mem("show", "triple 1", "--json").json["episodes"] == ["episode 1"]
    assert "fact of 2026-03-04, confidence 0.90" in mem("search", "Bosch", "--source", "triple").out
    status = mem("status").out
    assert "1; 2 facts, 2 current" in status
    context = mem("context", "new", "--query", "Berlin", "--include", "episodes, triples")
    assert "[episode 1] 2026-03-04" in context.out
    parts = mem("context", "new", "--query", "Berlin", "--json").json["parts"]
    assert [part["session_id"] for part in parts] == [7, 7]
    refused = mem("context", "new", "--include", "facts")
    assert (refused.code, "include is ['facts']" in refused.err) == (2, True)
