"""Folders of notes: their tags, names, dates and links find them, and follow every change."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from contracts import InputError, NotFoundError, Scope
from memory.files.ingestion import sync_files
from memory.files.note_links import note_links
from memory.index.document_store import documents_of
from memory.operations.doctor.checkup import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.manage import list_records, update_record
from memory.retrieval.searching import search
from memory.values.reports import Record
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import counts, opened, write
from tests.memory.files.vaults import HUGO, LOGSEQ, OBSIDIAN, ZETTELKASTEN

Vault = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def vault(memory: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """Write and sync a folder of notes, and make it the working directory."""

    def made(files: Mapping[str, str]) -> Path:
        write(docs, dict(files))
        sync_files(memory, [docs])
        monkeypatch.chdir(docs)
        return docs

    return made


def found(memory: Workspace, query: str, **scope: object) -> list[str]:
    options = SearchOptions(mode="keyword", scope=Scope(**scope))  # type: ignore[arg-type]
    return [Path(hit.file_path or "").name for hit in search(memory, query, options).results]


def record(memory: Workspace, name: str) -> Record:
    (one,) = [each for each in list_records(memory).records if (each.path or "").endswith(name)]
    return one


def targets(memory: Workspace, note: str) -> tuple[list[str], list[str], list[str]]:
    """Where the links of a note lead, by whom it is linked, and the broken ones."""
    links = note_links(memory, note)
    return (
        [Path(link.path or "").name for link in links.out],
        [link.citation for link in links.back],
        [link.target for link in links.broken],
    )


def test_an_obsidian_vault(memory: Workspace, vault: Vault) -> None:
    vault(OBSIDIAN)
    sourdough = record(memory, "Sourdough.md")
    assert sourdough.tags == ["bread", "project/kitchen", "project"]
    assert sourdough.metadata == {"aliases": ["levain", "wild yeast"], "date": "2024-05-06"}
    assert found(memory, "starter", tags=("project",)) == ["Sourdough.md"]
    assert found(memory, "starter", tags=("heat",)) == []
    assert found(memory, "levain") == ["Sourdough.md"]
    assert found(memory, "hearth") == ["Stone oven.md"]
    assert found(memory, "mill", since="2026-03-04T", until="2026-03-05") == ["2026-03-04.md"]
    assert found(memory, "starter", until="2024-05-07") == ["Sourdough.md"]
    assert found(memory, "never", until="2026-03-01") == []  # no such day: the file's own time
    assert found(memory, "placeholders") == ["broken.md"]
    assert targets(memory, "Home.md") == (["Sourdough.md", "Stone oven.md"], [], ["Nowhere"])
    assert targets(memory, "wild yeast") == (["Stone oven.md"], ["Home.md:2"], [])
    assert targets(memory, "the hearth")[1] == ["Home.md:2", "Kitchen/Sourdough.md:8"]


def test_a_logseq_folder(memory: Workspace, vault: Vault) -> None:
    vault(LOGSEQ)
    assert record(memory, "oven.md").tags == ["heat", "stone"]
    assert found(memory, "furnace") == ["kitchen___oven.md"]
    assert found(memory, "beans", tags=("spring work",)) == ["2026_03_04.md"]
    assert found(memory, "beans", since="2026-03-04T", until="2026-03-05") == ["2026_03_04.md"]
    assert targets(memory, "The garden") == (
        ["kitchen___oven.md"],
        ["journals/2026_03_04.md:1"],
        [],
    )


def test_a_hugo_site(memory: Workspace, vault: Vault) -> None:
    vault(HUGO)
    first = record(memory, "hello/index.md")
    assert first.metadata == {"title": "Hello, world", "date": "2023-01-02T03:04:05+00:00"}
    assert found(memory, "train", tags=("announcement", "travel")) == ["second.md"]
    assert found(memory, "post", until="2023-01-03") == ["index.md"]
    assert targets(memory, "Hello, world") == (
        ["second.md", "about.md"],
        ["content/about.md:4"],
        [],
    )


def test_a_zettelkasten(memory: Workspace, vault: Vault) -> None:
    vault(ZETTELKASTEN)
    remedy = "202401021530 Spaced repetition.md"
    assert found(memory, "reviews", until="2024-01-02T15:31") == [remedy]
    out, back, broken = targets(memory, "202401021530")
    assert (out, broken) == (["202401031200 Forgetting curve.md"], [])
    assert back == ["202401031200 Forgetting curve.md:2", "202401041000.md:1"]


def test_a_note_is_found_by_the_words_of_links_to_it(memory: Workspace, vault: Vault) -> None:
    docs = vault({"a.md": "See [[b|quicksilver]].\n", "b.md": "A metal.\n", "c.md": "Another.\n"})
    assert found(memory, "quicksilver") == ["a.md", "b.md"]
    write(docs, {"a.md": "See [[c|quicksilver]].\n"})
    sync_files(memory)
    assert found(memory, "quicksilver") == ["a.md", "c.md"]
    (docs / "a.md").unlink()
    sync_files(memory)
    assert found(memory, "quicksilver") == []
    assert checkup(memory).healthy


def test_the_words_of_a_link_outweigh_half_of_them_in_a_text(
    memory: Workspace, vault: Vault
) -> None:
    vault(
        {
            "a.md": "See [[b|the big fire]].\n",
            "b.md": "Three hours with beech wood.\n",
            "c.md": "The events that fire, before and after.\n",
            "d.md": "A big one.\n",
        }
    )
    assert found(memory, "the big fire")[:2] == ["a.md", "b.md"]


def test_a_new_note_is_found_by_links_that_were_there_before(
    memory: Workspace, vault: Vault
) -> None:
    docs = vault({"a.md": "See [[b|quicksilver]].\n"})
    write(docs, {"b.md": "A metal.\n"})
    sync_files(memory)
    assert found(memory, "quicksilver") == ["a.md", "b.md"]
    write(docs, {"b.md": "A metal that was changed.\n"})
    sync_files(memory)
    assert found(memory, "quicksilver") == ["a.md", "b.md"]
    (docs / "b.md").rename(docs / "2025-01-02.md")
    sync_files(memory)
    assert found(memory, "quicksilver") == ["a.md"]
    assert found(memory, "metal", until="2025-01-03") == ["2025-01-02.md"]
    assert targets(memory, "a.md") == ([], [], ["b"])


def test_an_interrupted_sync_leaves_its_links_to_the_next(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": "See [[b|quicksilver]].\n", "b.md": "A metal.\n"})

    def stop(_: object) -> None:
        if documents_of(memory).counts().get("indexed"):
            raise KeyboardInterrupt

    write(docs, {f"n{number}.md": f"Note {number}.\n" for number in range(60)})
    with pytest.raises(KeyboardInterrupt):
        sync_files(memory, [docs], progress=stop)
    sync_files(memory, [docs])
    assert found(memory, "quicksilver") == ["a.md", "b.md"]


def test_what_people_gave_a_note_stays(memory: Workspace, vault: Vault) -> None:
    docs = vault({"a.md": "---\ntitle: One\ntags: [own]\n---\nwords\n"})
    update_record(memory, record(memory, "a.md").id, metadata={"owner": "ana"}, tags=["given"])
    assert record(memory, "a.md").tags == ["own", "given"]
    write(docs, {"a.md": "---\ntitle: Two\ntags: [other]\n---\nwords\n"})
    sync_files(memory)
    changed = record(memory, "a.md")
    assert (changed.tags, changed.metadata) == (
        ["other", "given"],
        {"title": "Two", "owner": "ana"},
    )
    assert found(memory, "words", tags=("given", "other")) == ["a.md"]
    assert found(memory, "words", tags=("own",)) == []
    write(docs, {"a.md": "words\n"})
    sync_files(memory)
    plain = record(memory, "a.md")
    assert (plain.tags, plain.metadata) == (["given"], {"owner": "ana"})


def test_warnings_name_the_file(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{number}.md": "---\na: b\na: c\n---\nwords\n" for number in range(12)})
    warnings = sync_files(memory, [docs]).warnings
    assert len(warnings) == 11
    assert warnings[0] == (
        f"{docs}/0.md: its front matter is text only: a key occurs twice, again in line 3"
    )
    assert warnings[-1] == "and 2 more warnings of front matter"


def test_a_note_that_cannot_be_named(memory: Workspace, vault: Vault) -> None:
    vault({"a/x.md": "one\n", "b/x.md": "two\n", "c.py": "x = 1\n"})
    with pytest.raises(NotFoundError, match="no indexed note is called 'y'"):
        note_links(memory, "y")
    with pytest.raises(InputError, match="2 notes are called 'x'"):
        note_links(memory, "x")
    with pytest.raises(InputError, match=r"c\.py is not a Markdown note"):
        note_links(memory, "c.py")
    assert note_links(memory, "a/x.md").out == []


def test_files_by_tag(memory: Workspace, vault: Vault) -> None:
    vault(OBSIDIAN)
    names = [Path(one.path or "").name for one in list_records(memory, tags=["bread"]).records]
    assert names == ["Sourdough.md"]
    assert list_records(memory, tags=["bread", "heat"]).records == []
    with pytest.raises(InputError, match="the tags are"):
        list_records(memory, tags="bread")


def test_a_note_keeps_its_date_when_it_is_touched(memory: Workspace, vault: Vault) -> None:
    docs = vault({"2026-03-04.md": "Walked.\n", "plain.md": "Walked too.\n"})
    for name in ("2026-03-04.md", "plain.md"):
        os.utime(docs / name, ns=(1_900_000_000_000_000_000,) * 2)
    sync_files(memory)
    assert found(memory, "walked", since="2029") == ["plain.md"]
    assert found(memory, "walked", until="2026-03-05") == ["2026-03-04.md"]


def test_names_links_and_tags_survive_an_export(
    memory: Workspace, vault: Vault, tmp_path: Path
) -> None:
    vault(OBSIDIAN)
    export(memory, str(tmp_path / "all.jsonl"))
    with opened(tmp_path / "other") as other:
        import_lines(other, str(tmp_path / "all.jsonl"))
        for query in ("levain", "hearth", "big fire"):
            assert found(other, query) == found(memory, query) != []
        assert found(other, "starter", tags=("project",)) == ["Sourdough.md"]
        assert targets(other, "wild yeast") == targets(memory, "wild yeast")
        assert checkup(other).healthy


def test_a_note_that_becomes_binary_keeps_only_what_people_gave_it(
    memory: Workspace, vault: Vault
) -> None:
    docs = vault({"a.md": "---\ntags: [own]\naliases: [one]\n---\nSee [[b|quicksilver]].\n"})
    write(docs, {"b.md": "A metal. [[one]]\n"})
    update_record(memory, record(memory, "a.md").id, tags=["given"])
    (docs / "a.md").write_bytes(b"\0\1\2" * 100)
    sync_files(memory)
    assert record(memory, "a.md").tags == ["given"]
    assert found(memory, "quicksilver") == []
    assert targets(memory, "b.md") == ([], [], ["one"])
    write(docs, {"a.md": "plain\n"})
    sync_files(memory)
    assert record(memory, "a.md").tags == ["given"]


def test_an_index_of_an_older_version_learns_its_notes(memory: Workspace, vault: Vault) -> None:
    vault({"a.md": "---\naliases: [levain]\n---\nFeed it. See [[b]].\n", "b.md": "Rye.\n"})
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE files SET loader = '', layout = '', metadata = '{}'")
        tx.run("DELETE FROM note_names")
        tx.run("DELETE FROM note_links")
    with pytest.raises(InputError, match="bring the index up to date: mem sync"):
        note_links(memory, "a.md")
    assert counts(sync_files(memory)) == {"updated": 2}
    assert record(memory, "a.md").metadata == {"aliases": ["levain"]}
    assert targets(memory, "levain") == (["b.md"], [], [])
    assert counts(sync_files(memory)) == {"unchanged": 2}
