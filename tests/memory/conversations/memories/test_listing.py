"""Memories are listed by layer, status, tag and words, in three orders, page by page."""

from pathlib import Path
from typing import Any

import pytest

from contracts import InputError
from memory.config.sections.conversations import FtsConfig
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.workspace import Workspace
from tests.memory.databases import opened


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Nine memories of different standing."""
    with opened(tmp_path_factory.mktemp("kept")) as workspace:
        for number, content in enumerate(
            (
                "User grows tomatoes in a greenhouse",
                "User grows basil",
                "Tomatoes, tomatoes, tomatoes: 100% of the garden",
                "User lives in Oslo",
                "User lives in Rome",
                "User swims",
                "User's tomato_file is on drive D",
                "User dances",
                "User sings",
            )
        ):
            remember(workspace, content, importance=number % 2, tags=(f"t{number % 3}",))
        for _ in range(3):
            remember(workspace, "User swims")
        edit_memory(workspace, 9, MemoryChange(status="deleted"))
        edit_memory(workspace, 2, MemoryChange(layer="long"))
        yield workspace


def ids(workspace: Workspace, limit: int = 50, **wanted: Any) -> list[int]:
    return [
        one.id for one in list_memories(workspace, MemoryFilter(**wanted), limit=limit).memories
    ]


def test_by_score_unless_told_otherwise(kept: Workspace) -> None:
    scores = [(one.score, one.id) for one in list_memories(kept).memories]

    assert scores == sorted(scores, reverse=True)
    assert scores[0][1] == 6  # seen most, important
    assert {memory_id for _, memory_id in scores} == {1, 2, 3, 5, 6, 7, 8}
    assert ids(kept, sort="recent") == [6, 8, 7, 5, 3, 2, 1]


def test_filters(kept: Workspace) -> None:
    assert ids(kept, layer="long") == [2]
    assert ids(kept, status="archived") == [4]
    assert ids(kept, status="deleted") == [9]
    assert set(ids(kept, status="all")) == set(range(1, 10))
    assert set(ids(kept, tag="t0")) == {1, 7}
    assert ids(kept, tag="t0", layer="long") == []
    assert ids(kept, tag="nothing") == []


def test_words_find_by_the_index(kept: Workspace) -> None:
    assert set(ids(kept, q="tomato")) == {1, 3, 7}
    assert ids(kept, q="tomato", sort="relevance")[0] == 3
    assert ids(kept, q="tomato", sort="recent") == [7, 3, 1]
    assert ids(kept, q="grows", layer="long") == [2]
    assert ids(kept, q="tomato", tag="t2") == [3]
    assert ids(kept, q="Oslo") == []
    assert ids(kept, q='"((*') == []
    assert set(ids(kept, q="  ")) == {1, 2, 3, 5, 6, 7, 8}


def test_words_of_what_is_not_in_the_index_are_compared(kept: Workspace) -> None:
    assert ids(kept, q="oslo", status="archived") == [4]
    assert ids(kept, q="oslo lives", status="all") == [4]
    assert ids(kept, q="100%", status="all") == [3]
    assert ids(kept, q="o_f", status="all") == [7]
    assert ids(kept, q="\\", status="all") == []
    assert ids(kept, q="o " * 2000 + "".join(f"w{n} " for n in range(2000)), status="all") == []


@pytest.mark.parametrize(
    "wanted",
    [
        MemoryFilter(),
        MemoryFilter(sort="recent"),
        MemoryFilter(status="all"),
        MemoryFilter(q="user"),
        MemoryFilter(q="tomato", sort="relevance"),
        MemoryFilter(q="user", status="all", sort="recent"),
    ],
)
def test_pages_hold_each_memory_once_in_order(kept: Workspace, wanted: MemoryFilter) -> None:
    whole = [one.id for one in list_memories(kept, wanted).memories]
    pages: list[int] = []
    cursor = None
    while True:
        page = list_memories(kept, wanted, limit=2, cursor=cursor)
        pages += [one.id for one in page.memories]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert pages == whole


@pytest.mark.parametrize(
    "wanted, more, match",
    [
        ({"layer": "short"}, {}, "there is no layer 'short'"),
        ({"status": "gone"}, {}, "there is no status 'gone'"),
        ({"sort": "size"}, {}, "there is no sort 'size'"),
        ({"sort": "relevance"}, {}, "there is no query"),
        ({"sort": "relevance", "q": "x", "status": "all"}, {}, "active memories only"),
        ({}, {"limit": 0}, "the limit is 0"),
        ({}, {"limit": "9"}, "the limit is '9'"),
        ({}, {"cursor": "next"}, "the cursor is 'next'"),
        ({}, {"cursor": 7}, "the cursor is 7"),
        ({}, {"cursor": "nan:1"}, "the cursor is 'nan:1'"),
        ({"q": "x"}, {"cursor": "a:b"}, "the cursor is 'a:b'"),
        ({"q": "x"}, {"cursor": "1:-5"}, "the cursor is '1:-5'"),
        ({}, {"cursor": f"1:{1 << 70}"}, "the cursor is '1:"),
    ],
)
def test_what_cannot_be_listed(
    kept: Workspace, wanted: dict[str, str], more: dict[str, Any], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        list_memories(kept, MemoryFilter(**wanted), **more)


def test_nothing_is_remembered_yet(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        for wanted in (MemoryFilter(), MemoryFilter(q="tea"), MemoryFilter(status="all")):
            assert list_memories(workspace, wanted).memories == []


def test_without_the_full_text_index_texts_are_compared(tmp_path: Path) -> None:
    with opened(tmp_path, fts=FtsConfig(enabled=False)) as workspace:
        for content in ("User grows tomatoes", "User grows basil", "User sings"):
            remember(workspace, content)

        assert set(ids(workspace, q="grows")) == {1, 2}
        assert ids(workspace, q="basil", sort="relevance") == [2]


@pytest.mark.parametrize("q", [None, "User"])
@pytest.mark.parametrize("status", ["active", "all"])
def test_without_a_tag(kept: Workspace, q: str | None, status: str) -> None:
    whole = ids(kept, q=q, status=status)
    tagged = ids(kept, q=q, status=status, tag="t1")
    assert tagged
    left = ids(kept, q=q, status=status, without_tag="t1")
    assert left == [one for one in whole if one not in tagged]
