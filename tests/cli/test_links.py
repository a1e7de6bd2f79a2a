"""`mem links`, and `mem files` and `mem search` by the tags of notes."""

from pathlib import Path

import pytest

from tests.cli.shell import Mem


@pytest.fixture
def notes(mem: Mem, folder: Path) -> Mem:
    """Two notes that link to each other, and a link that leads nowhere."""
    home = "---\naliases: [start]\ntags: [hub]\n---\nSee [[Ovens|the fire]] and [[Nowhere]].\n"
    (folder / "docs" / "home.md").write_text(home)
    (folder / "docs" / "Ovens.md").write_text("Back to [home](home.md).\n")
    mem("sync", "docs")
    return mem


def test_links_for_people(notes: Mem) -> None:
    answer = notes("links", "start")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "out  1",
        "  docs/home.md:5  the fire  -> docs/Ovens.md",
        "back  1",
        "  docs/Ovens.md:1  home",
        "broken  1",
        "  docs/home.md:5  Nowhere  -> Nowhere",
    ]
    lonely = notes("links", "docs/setup.md")
    assert (lonely.code, lonely.out) == (0, "")
    assert lonely.err == "docs/setup.md has no links, and no note links to it\n"
    assert notes("links", "nobody").code == 4


def test_links_as_json(notes: Mem, folder: Path) -> None:
    found = notes("links", "docs/home.md", "--json").json
    assert found["path"] == str(folder / "docs" / "home.md")
    assert [link["path"] for link in found["out"]] == [str(folder / "docs" / "Ovens.md")]
    assert [link["target"] for link in found["broken"]] == ["Nowhere"]


def test_files_and_searches_by_tag(notes: Mem) -> None:
    assert [Path(each["path"]).name for each in notes("files", "--tag", "hub", "--json").json] == [
        "home.md"
    ]
    assert notes("files", "--tag", "none").err == "nothing is indexed with the tag none\n"
    found = notes("search", "fire", "--tag", "hub", "--json").json
    assert [Path(each["file_path"]).name for each in found["results"]] == ["home.md"]
