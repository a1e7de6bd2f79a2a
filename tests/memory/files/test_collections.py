"""Named folders: their names limit a search, their descriptions are searched and shown."""

from pathlib import Path

import pytest

from contracts import InputError, NotFoundError, Scope
from memory.files.collections import checked_collection, name_collection
from memory.files.ingestion import sync_files
from memory.files.roots import drop_root, list_roots
from memory.index.collections.reading import collections_of, within_collection
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.manage import show
from memory.retrieval.searching import search
from memory.values.reports import FileContent
from memory.values.results import Collection, SearchResponse
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened, write


@pytest.fixture
def docs(memory: Workspace, docs: Path) -> Path:
    """Two folders with a note each, both called `work` and `home`, and one inside the first."""
    write(
        docs,
        {
            "work/plan.md": "The pump is serviced in May.\n",
            "work/bids/offer.md": "An offer for the pump.\n",
            "home/pump.md": "The garden pump leaks.\n",
        },
    )
    sync_files(memory, [docs])
    named(memory, docs / "work", "work", "Contracts and invoices of the waterworks")
    named(memory, docs / "home", "home", "")
    return docs


def named(memory: Workspace, path: Path, name: str | None, about: str | None) -> None:
    name_collection(memory, checked_collection(memory, path, name=name, about=about))


def answer(
    memory: Workspace, query: str, *, collection: str = "", **scope: object
) -> SearchResponse:
    limits = Scope(**scope)  # type: ignore[arg-type]
    if collection:
        limits = within_collection(memory.storage.database, limits, collection)
    return search(memory, query, SearchOptions(mode="keyword", scope=limits))


def found(response: SearchResponse) -> set[tuple[str, str | None]]:
    return {(Path(one.file_path or one.citation).name, one.collection) for one in response.results}


def test_a_search_in_a_collection(memory: Workspace, docs: Path) -> None:
    everywhere = answer(memory, "pump")
    assert found(everywhere) == {("plan.md", "work"), ("offer.md", "work"), ("pump.md", "home")}
    assert [one.name for one in everywhere.collections] == ["home", "work"]
    inside = answer(memory, "pump", collection="WORK")
    assert found(inside) == {("plan.md", "work"), ("offer.md", "work")}
    assert inside.collections == (
        Collection("work", str(docs / "work"), "Contracts and invoices of the waterworks"),
    )
    below = answer(memory, "pump", collection="work", within=(str(docs / "work/bids"),))
    assert found(below) == {("offer.md", "work")}
    assert found(answer(memory, "pump", collection="work", within=(str(docs),))) == found(inside)


def test_the_innermost_collection_explains_a_hit(memory: Workspace, docs: Path) -> None:
    named(memory, docs / "work/bids", "bids", "Offers that were not accepted")
    assert found(answer(memory, "pump", collection="work")) == {
        ("plan.md", "work"),
        ("offer.md", "bids"),
    }


def test_the_description_is_searched(memory: Workspace, docs: Path) -> None:
    (hit,) = answer(memory, "invoices").results
    assert (hit.citation, hit.collection) == ("text collection-work", "work")
    assert hit.metadata["path"] == str(docs / "work")
    content = show(memory, hit.citation)
    assert isinstance(content, FileContent)
    assert content.text == "Contracts and invoices of the waterworks"


def test_a_changed_description_and_name(memory: Workspace, docs: Path) -> None:
    named(memory, docs / "work", None, "Tenders")
    assert answer(memory, "invoices").results == []
    assert found(answer(memory, "tenders")) == {("text collection-work", "work")}
    named(memory, docs / "work", "plant", None)
    assert [one.name for one in collections_of(memory.storage.database)] == ["home", "plant"]
    assert found(answer(memory, "tenders")) == {("text collection-plant", "plant")}
    with pytest.raises(NotFoundError, match="there is no collection 'work'"):
        answer(memory, "pump", collection="work")
    roots = {Path(one.path).name: (one.origin, one.name, one.about) for one in list_roots(memory)}
    assert roots["work"] == ("part", "plant", "Tenders")


def test_a_dropped_folder_loses_its_name(memory: Workspace, docs: Path) -> None:
    drop_root(memory, docs / "work")
    assert [one.name for one in collections_of(memory.storage.database)] == ["home"]
    assert found(answer(memory, "pump")) == {
        ("plan.md", None),
        ("offer.md", None),
        ("pump.md", "home"),
    }
    with pytest.raises(NotFoundError, match="is not a remembered folder"):
        drop_root(memory, docs / "work")


@pytest.mark.parametrize(
    "name, message",
    [
        ("two words", "is not the name of a collection"),
        ("", "is not the name of a collection"),
        ("x" * 41, "is not the name of a collection"),
        ("Home", "home is the name of"),
    ],
)
def test_a_name_that_cannot_be_given(
    memory: Workspace, docs: Path, name: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        named(memory, docs / "work", name, None)


def test_what_cannot_be_described_or_searched(memory: Workspace, docs: Path) -> None:
    with pytest.raises(InputError, match="has no name, which a description needs"):
        named(memory, docs / "work/bids", None, "Offers")
    with pytest.raises(InputError, match="no path of this search is in the collection work"):
        answer(memory, "pump", collection="work", within=(str(docs / "home"),))
    with pytest.raises(InputError, match="a collection holds files, and the sources are turn"):
        answer(memory, "pump", collection="work", sources=("turn",))


def test_collections_survive_an_export(memory: Workspace, docs: Path, tmp_path: Path) -> None:
    export(memory, str(tmp_path / "all.jsonl"))
    with opened(tmp_path / "other") as other:
        import_lines(other, str(tmp_path / "all.jsonl"))
        assert collections_of(other.storage.database) == collections_of(memory.storage.database)
        assert found(answer(other, "invoices")) == {("text collection-work", "work")}
