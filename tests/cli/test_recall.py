"""`mem recall` and `mem turn analyze` as a user types them."""

import json
import re
from pathlib import Path

import click
import pytest

from tests.cli.shell import Mem, at_a_terminal, shell

MESSAGES = [
    {"role": "user", "content": "How do I bleed the radiator?"},
    {"role": "assistant", "content": "Open the valve."},
    {"role": "user", "content": "Thanks, that worked!"},
]
SAVE = "save  0.60, completed\n  is_qa_like, has_completion_token, turn_count 2\n"


def test_recall(synced: Mem) -> None:
    synced("turn", "add", "--session", "s", "the installer hums")
    found = synced("recall", "installer")
    assert "the installer hums" in found.out
    assert "docs/setup.md" not in found.out
    assert "1 result in" in found.err
    (hit,) = synced("recall", "installer", "-k", "1", "--json").json["results"]
    assert hit["source"] == "turn"


def test_a_terminal_gets_what_fits(
    mem: Mem, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(6):
        text = "\n".join(f"{line} hums in room {number}" for line in ("fan", "pump", "lamp"))
        mem("turn", "add", "--session", f"s{number}", f"{text}\n{'x' * number}")
    query, asked = ("recall", "hums"), {"monkeypatch": monkeypatch, "stream": "stdout"}
    low = at_a_terminal(*query, **asked, size=(12, 40)).splitlines()
    assert len(low) + sum(len(click.unstyle(line)) > 40 for line in low) <= 12 - 3
    left_out = re.search(r"; (\d) more: -k 5", capsys.readouterr().err)
    assert left_out
    whole = at_a_terminal(*query, "-k", "5", **asked, size=(12, 40))
    assert whole.count("room") > 12
    piped = mem(*query).out
    assert f"{5 - int(left_out[1])}. " in piped
    assert " 5. " in piped
    assert " 5. " not in "\n".join(low)


def test_nothing_recalled_says_what_to_do(mem: Mem) -> None:
    mem("turn", "add", "--session", "s", "the installer hums")
    answer = mem("recall", "zzzz", "--json").json
    assert answer["results"] == []
    err = mem("recall", "zzzz").err
    assert "no match" in err
    assert "hint: see what is remembered: mem memories list" in err


def test_a_stored_session_is_judged(mem: Mem) -> None:
    for message in MESSAGES:
        mem("turn", "add", "--session", "s", "--role", message["role"], message["content"])
    assert mem("turn", "analyze", "--session", "s").out == SAVE
    answer = mem("turn", "analyze", "--session", "gone")
    assert (answer.code, "no session 'gone'" in answer.err) == (4, True)


def test_a_file_is_judged(mem: Mem, folder: Path) -> None:
    for value in (MESSAGES, {"messages": MESSAGES}):
        (folder / "m.json").write_text(json.dumps(value))
        assert mem("turn", "analyze", "m.json").out == SAVE
        assert mem("turn", "analyze", "m.json", "--json").json["recommendation"] == "save"
    said = shell("turn", "analyze", "-", cwd=folder, stdin='[{"role": "user", "content": "hi"}]')
    assert said.out == "skip  0.00\n  is_meta_noise, turn_count 1\n"


@pytest.mark.parametrize(
    "arguments, code, fact",
    [
        (("analyze",), 2, "either a file or a session"),
        (("analyze", "gone.json"), 4, "gone.json cannot be read"),
        (("analyze", "docs/setup.md"), 2, "is not JSON"),
    ],
)
def test_mistakes_are_named(mem: Mem, arguments: tuple[str, ...], code: int, fact: str) -> None:
    answer = mem("turn", *arguments)
    assert (answer.code, fact in answer.err) == (code, True)
