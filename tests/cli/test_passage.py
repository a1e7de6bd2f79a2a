"""A hit between its neighbours."""

from typing import Any

from cli.searching.passage import passage
from memory.values.results import Neighbour, SearchResult


def part(text: str, place: tuple[int, int] | None, lines: tuple[int, int] | None) -> dict[str, Any]:
    start, end = place or (None, None)
    first, last = lines or (None, None)
    return {
        "chunk_id": text,
        "citation": "",
        "text": text,
        "start_char": start,
        "end_char": end,
        "start_line": first,
        "end_line": last,
    }


def shown(before: list[Any], hit: Any, after: list[Any]) -> list[tuple[str, bool]]:
    return passage(
        SearchResult(
            **hit,
            source="file",
            heading="",
            score=1.0,
            file_id=None,
            file_path=None,
            occurred_at="",
            metadata={},
            before=tuple(Neighbour(**each) for each in before),
            after=tuple(Neighbour(**each) for each in after),
        ),
        speaker=None,
    )


def test_gaps_of_lines_and_shared_text() -> None:
    assert shown(
        [part("one\ntwo", (0, 7), (1, 2))],
        part("three\nfour five", (10, 25), (5, 6)),
        [part("five six", (21, 29), (6, 6)), part("seven", (30, 35), (6, 6))],
    ) == [
        ("one", False),
        ("two", False),
        ("", False),
        ("", False),
        ("three", True),
        ("four five six seven", True),
    ]


def test_a_line_that_the_hit_only_begins_on() -> None:
    assert shown(
        [part("a b", (0, 3), (1, 1))], part("b c", (2, 5), (1, 1)), [part("d", (5, 6), (1, 1))]
    ) == [("a b cd", True)]


def test_records_without_lines() -> None:
    alone = part("turn", None, None)
    assert shown([alone], alone, [alone]) == [("turn", False), ("turn", True), ("turn", False)]


def test_turns_stand_apart_each_with_who_said_it() -> None:
    def said(text: str, who: str, number: int) -> dict[str, Any]:
        return {**part(text, (0, len(text)), None), "citation": f"turn {number}", "speaker": who}

    hit = {**said("Bo: fine, and\nyou?", "Bo", 2)}
    del hit["speaker"]
    found = passage(
        SearchResult(
            **hit,
            source="turn",
            heading="",
            score=1.0,
            file_id=None,
            file_path=None,
            occurred_at="",
            metadata={"role": "user", "speaker": "Bo"},
            before=(Neighbour(**said("how are you?", "Ana", 1)),),
            after=(Neighbour(**said("all is well", "assistant", 3)),),
        ),
        speaker="Bo",
    )
    assert found == [
        ("Ana: how are you?", False),
        ("Bo: fine, and", True),
        ("you?", True),
        ("assistant: all is well", False),
    ]
