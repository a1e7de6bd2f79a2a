"""`mem forget` and `sm forget` as users type them."""

import json
from pathlib import Path

import pytest

from memory.files.ingestion import ingest_text
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.workspace import Workspace
from tests.cli.shell import Mem, shell


@pytest.fixture
def told(mem: Mem) -> Mem:
    for text in ("I like tea", "I like chess", "I live in Oslo"):
        assert mem("turn", "add", "--session", "s1", text).code == 0
    return mem


def test_what_is_named_goes_with_what_was_made_of_it(told: Mem) -> None:
    answer = told("forget", "session s1 turn 2", "--verify")
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "2 records forgotten"
    assert lines[1].startswith("  session s1 turn 2, ")
    assert lines[2] == "  memory 2  (from nothing else)"
    assert [line.split()[2] for line in lines[3:]] == [
        *("records:", "chunks:", "keywords:", "vectors:", "cache:", "bytes:"),
    ]
    assert all(line.startswith("nothing left") for line in lines[3:])
    assert json.loads(told("search", "chess", "--mode", "keyword", "--json").out)["results"] == []


def test_more_than_was_named_is_asked_about(told: Mem, folder: Path) -> None:
    refused = told("forget", "--session", "s1")
    assert refused.code == 2
    assert (
        "6 records would be deleted: confirmation needed, but there is no terminal" in refused.err
    )
    dry = told("forget", "--session", "s1", "--dry-run")
    assert dry.out.splitlines()[0] == "6 records would be forgotten"
    assert json.loads(told("search", "Oslo", "--json").out)["results"]
    done = told("forget", "--session", "s1", "--yes", "--json")
    report = json.loads(done.out)
    assert (len(report["forgotten"]), report["ok"], report["dry_run"]) == (6, True, False)
    assert json.loads(told("search", "Oslo", "--json").out)["results"] == []


def test_a_memory_goes_alone_and_says_what_stays(told: Mem) -> None:
    lines = told("forget", "memory 1").out.splitlines()
    assert lines[:2] == ["1 record forgotten", "  memory 1"]
    assert "--with-sources" in lines[2]
    assert lines[3].startswith("  session s1 turn 1")
    assert told("forget", "--id", "2", "--with-sources").out.startswith("2 records forgotten")


def test_sm_forgets_by_id_and_by_text(told: Mem, folder: Path) -> None:
    answer = shell("forget", "--id", "1", "--verify", cwd=folder, module="cli.sm")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("1 record forgotten\n  memory 1\n")
    asked = shell("forget", "--text", "OSLO", "--json", cwd=folder, module="cli.sm")
    assert asked.code == 2
    assert "2 records would be deleted" in asked.error["message"]
    answer = shell("forget", "--text", "OSLO", "--yes", "--json", cwd=folder, module="cli.sm")
    kinds = [item["kind"] for item in json.loads(answer.out)["forgotten"]]
    assert kinds == ["turn", "memory"]


def test_the_whole_text_of_one_memory_names_it(told: Mem, folder: Path) -> None:
    text = "The spare key hangs behind the boiler"
    for kept in (text, f"{text}, and the other one in the shed"):
        shell("remember", "--text", kept, cwd=folder, module="cli.sm")
    asked = shell("forget", "--text", text, cwd=folder, module="cli.sm")
    assert asked.code == 2  # it is in two
    longer = shell("forget", "--text", f"{text}, AND the other one in the shed ", cwd=folder)
    assert longer.out.splitlines()[0] == "1 record forgotten"
    rest = shell("forget", "--text", text, cwd=folder, module="cli.sm")
    assert rest.out.splitlines()[0] == "1 record forgotten"


def test_what_is_written_meanwhile_is_not_named(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The spare key hangs behind the boiler"
    assert mem("remember", text).code == 0

    def looked_at(workspace: Workspace, request: ForgetRequest, **options: bool) -> ForgetReport:
        report = forget(workspace, request, **options)
        if options.get("dry_run"):
            ingest_text(workspace, f"{text}, and it is new")
        return report

    monkeypatch.setattr("cli.operations.forget.forget_records", looked_at)
    assert mem("forget", "--text", text).out.splitlines()[0] == "1 record forgotten"
    assert json.loads(mem("search", "boiler", "--json").out)["results"]


@pytest.mark.parametrize("option", ["--text", "--query", "--session"])
def test_what_was_named_twice_is_not_half_forgotten(told: Mem, option: str) -> None:
    answer = told("forget", option, "Oslo", option, "Bergen", "--yes")
    assert answer.code == 2
    assert f"'{option}': it was given twice" in answer.err


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        ((), 2, "the request names nothing to forget"),
        (("docs/setup.md",), 2, "'docs/setup.md' names no record"),
        (("memory 99",), 4, "there is no memory 99"),
        (("text abc",), 4, "there is no text abc"),
        (("--since", "soonish", "--yes"), 2, "'soonish' is not a time"),
        (("--text", " ", "--yes"), 2, "the text to forget is empty"),
    ],
)
def test_wrong_input_says_what_to_do(
    told: Mem, arguments: tuple[str, ...], code: int, message: str
) -> None:
    answer = told("forget", *arguments)
    assert answer.code == code
    assert message in answer.err
    assert "hint:" in answer.err
