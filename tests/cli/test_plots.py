"""`mem signal plot` and `mem fact decay` as a user types them, and `mem distill`."""

from pathlib import Path

import pytest

from tests.cli.shell import Mem


@pytest.fixture
def logged(mem: Mem) -> Mem:
    for day, value in enumerate(("5 hours", "7 hours", "badly"), 1):
        mem("signal", "add", "sleep", value, "--at", f"2026-03-0{day}T10:00:00Z")
    mem("signal", "add", "weather", "sunny")
    mem("fact", "add", "preference/tea", "Assam")
    return mem


def test_a_series_is_drawn_on_the_terminal(logged: Mem) -> None:
    said = logged("signal", "plot", "sleep")
    assert "sleep" in said.out
    assert "2026-03-01" in said.out
    assert "2026-03-02" in said.out
    assert "1 signal without a number left out" in said.err
    assert "weather, signals a day" in logged("signal", "plot", "weather").out
    found = logged("signal", "plot", "sleep", "--json").json
    assert [point[1] for point in found["points"]] == [5.0, 7.0]


def test_a_decay_is_drawn_on_the_terminal(logged: Mem) -> None:
    lines = logged("fact", "decay", "preference/tea").out.splitlines()
    assert "fact preference/tea: confidence" in lines[0]
    assert lines[-1].startswith("archived below 0.2, stated 20")


def test_pictures_are_written_as_svg(logged: Mem, tmp_path: Path) -> None:
    for number, command in enumerate(
        (("signal", "plot", "sleep"), ("fact", "decay", "preference/tea"))
    ):
        file = tmp_path / f"{number}.svg"
        said = logged(*command, "--svg", str(file))
        assert (said.out, f"written: {file}" in said.err) == ("", True)
        assert file.read_text("utf-8").startswith("<svg ")
    missing = logged("signal", "plot", "sleep", "--svg", str(tmp_path / "no" / "x.svg"))
    assert missing.code != 0
    assert "cannot be written" in missing.err


def test_new_turns_are_distilled(mem: Mem) -> None:
    told = "I told Marc I'd send him the onboarding slides tomorrow"
    at = "2026-03-02T10:00:00Z"
    mem("turn", "add", "--session", "s1", "--ts", at, told)
    mem("turn", "add", "--session", "s1", "--ts", "2026-03-03T10:00:00Z", "the slides are sent")
    dry = mem("distill", "--dry-run")
    assert "2 records would be written, from 2 turns" in dry.err
    assert mem("loop", "list", "--resolved", "--json").json == []
    done = mem("distill")
    assert done.out == dry.out
    lines = [line.split() for line in done.out.splitlines()]
    assert [line[0] for line in lines] == ["opens", "closes"]
    shown = mem("loop", "show", "1").out
    for part in ("Marc", "2026-03-03", "session s1 turn 1", "session s1 turn 2", "slides are sent"):
        assert part in shown
    assert mem("distill", "--json").json["turns"] == 0


def test_what_is_taken_back_is_told(mem: Mem) -> None:
    mem("turn", "add", "--session", "s1", "my brother Bruno rang, I have to call the bank")
    mem("distill")
    mem("turn", "add", "--session", "s1", "just kidding")
    dry = mem("distill", "--dry-run")
    assert "2 records would be undone, since the user took back what was said" in dry.err
    done = mem("distill")
    assert done.out == dry.out
    starts = [line.split("  ")[0] for line in done.out.splitlines()]
    assert starts == ["closes", "removes person"]
    assert "2 records undone" in done.err
    assert "2 records of 2 turns, 2 of them taken back" in mem("status").out
