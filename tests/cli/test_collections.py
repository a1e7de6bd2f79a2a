"""`mem sync --name --about`, `mem search --in`, and `mem files --roots` of named folders."""

from pathlib import Path

import pytest

from tests.cli.shell import Mem

ABOUT = "How the machines are set up"


@pytest.fixture
def named(mem: Mem, folder: Path) -> Mem:
    (folder / "other").mkdir()
    (folder / "other" / "notes.md").write_text("The installer failed again.\n")
    assert mem("sync", "other", "--name", "diary").code == 0
    answer = mem("sync", "docs", "--name", "setup", "--about", ABOUT)
    assert "docs is called setup: mem search --in setup\n" in answer.err
    assert mem("sync", "docs", "--name", "setup", "--json").err == ""
    return mem


def test_a_search_in_a_named_folder(named: Mem) -> None:
    every = named("search", "installer", "--json").json
    assert {hit["collection"] for hit in every["results"]} == {"setup", "diary"}
    answer = named("search", "installer", "--in", "setup")
    assert "other/notes.md" not in answer.out
    assert "docs/setup.md" in answer.out
    assert f"in setup: {ABOUT}\n" in answer.err
    inside = named("search", "installer", "--in", "setup", "--json").json
    assert {hit["collection"] for hit in inside["results"]} == {"setup"}
    assert [one["about"] for one in inside["collections"]] == [ABOUT]
    described = named("search", "machines", "--mode", "keyword")
    assert "text collection-setup" in described.out


def test_names_are_listed_changed_and_dropped(named: Mem, folder: Path) -> None:
    roots = named("files", "--roots").out
    assert f"{folder / 'docs'}  (remembered)  setup: {ABOUT}\n" in roots
    assert f"{folder / 'other'}  (remembered)  diary\n" in roots
    assert named("sync", "docs", "--about", "").code == 0
    assert f"{folder / 'docs'}  (remembered)  setup\n" in named("files", "--roots").out
    assert named("files", "--drop-root", "docs").code == 0
    unknown = named("search", "installer", "--in", "setup")
    assert unknown.code == 4
    assert "there is no collection 'setup'" in unknown.err
    assert "did you mean" in named("search", "installer", "--in", "dairy").err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["sync", "--name", "x"], "--name and --about belong to one PATH"),
        (["sync", "docs", "other", "--name", "x"], "--name and --about belong to one PATH"),
        (["sync", "docs", "--name", "diary"], "diary is the name of"),
        (["sync", "docs/setup.md", "--about", "x"], "has no name, which a description needs"),
    ],
)
def test_naming_that_fails(named: Mem, arguments: list[str], message: str) -> None:
    answer = named(*arguments)
    assert answer.code == 2
    assert message in answer.err


def test_a_dry_run_names_nothing(mem: Mem) -> None:
    mem("sync", "docs")
    assert mem("sync", "docs", "--name", "setup", "--dry-run").code == 0
    assert "setup:" not in mem("files", "--roots").out
    assert mem("search", "installer", "--in", "setup").code == 4
