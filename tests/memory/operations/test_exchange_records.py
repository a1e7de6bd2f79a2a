"""Turns and memories in an export: they come back the same, and join others."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError
from memory.config.settings import EmbeddingsConfig
from memory.conversations.memories.editing import remember
from memory.conversations.memories.store import MemoryStore
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn, Turn
from memory.index.record_exchange import RECORDS_AT_ONCE
from memory.operations.exchange import exporting
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.records.facts import NewFact, write_fact
from memory.records.people import NewPerson, write_person
from memory.retrieval.searching import search
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.memory.engines import keyword_places


@pytest.fixture
def told(memory: Workspace) -> Workspace:
    """Two conversations of long ago and of now, a merge, a conflict, and a very long turn."""
    process_turns(
        memory,
        [
            NewTurn("s1", "Ann: I live in Oslo", ts="2024-05-01T10:00:00Z", speaker="Ann"),
            NewTurn("s1", "I like tea", client_id="c1", metadata={"from": "chat"}),
            NewTurn("s2", "I like tea", image_paths=("a.png",), long_term_opt_in=False),
            NewTurn("s2", "I live in Bergen"),
            NewTurn("s2", "I live in Rome now"),
            NewTurn("s2", "an answer", role="assistant"),
            NewTurn("s1", " ".join(f"Sentence {n} of a story." for n in range(300))),
            NewTurn("s1", "a late word", ts="2024-04-30"),
        ],
    )
    return memory


def rows(workspace: Workspace, table: str) -> list[Any]:
    order = "1, 2" if table == "memory_links" else "1"
    return workspace.storage.database.read(f"SELECT * FROM {table} ORDER BY {order}")


TABLES = ("sessions", "turns", "memories", "memory_words", "memory_links")


def test_records_come_back_the_same(told: Workspace, other: Workspace, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    written = export(told, str(one))
    memories = len(rows(told, "memories"))
    assert (written.turns, written.memories) == (8, memories)
    assert written.vectors == told.storage.count_vectors()
    report = import_lines(other, str(one))
    assert (report.turns, report.memories, report.errors) == (8, memories, [])
    export(other, str(two))
    assert one.read_bytes() == two.read_bytes()
    for table in TABLES:
        assert rows(other, table) == rows(told, table), table
    assert keyword_places(other) != {}
    for query in ("tea", "Oslo", "sentence 250 of a story", "ann"):
        answers = [search(workspace, query).results for workspace in (told, other)]
        assert answers[0] == answers[1] != []


def test_records_that_are_cut_off_are_told(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    """Each kind by its number; an export of an earlier version, which has no numbers, is whole."""
    write_fact(told, NewFact(category="preference", key="tea", value="green"))
    write_person(told, NewPerson(name="Ann"))
    path, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    export(told, str(path))
    header, *lines = path.read_text().splitlines(keepends=True)
    types = Counter(json.loads(line)["type"] for line in lines)
    counted = json.loads(header)["lines"]
    assert counted == {kind: types[kind] for kind in types if kind not in ("document", "chunk")}
    half = [json.loads(line)["type"] for line in lines].index("turn") + 3
    left = Counter(json.loads(line)["type"] for line in lines[:half])
    lost = ", ".join(
        f"{left[kind]} of {types[kind]} {kind} lines" for kind in types if left[kind] != types[kind]
    )
    cut.write_text("".join((header, *lines[:half])))
    assert import_lines(other, str(cut)).warnings == [f"the export is cut short: it has {lost}"]
    with pytest.raises(InputError, match=r"the export is cut short: it has .* lines"):
        import_lines(other, str(cut), strict=True)
    values = json.loads(header)
    del values["lines"]
    cut.write_text("".join((json.dumps(values) + "\n", *lines[:half])))
    assert import_lines(other, str(cut), strict=True).warnings == []
    cut.write_text("".join((header, *lines[:-1], lines[-1][:-9])))
    report = import_lines(other, str(cut))
    assert (len(report.errors), report.warnings) == (1, [])
    assert import_lines(other, str(path), strict=True).warnings == []


def test_a_line_that_vectors_make_too_long_goes_without(
    told: Workspace, other: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    lengths = sorted(map(len, path.read_text("utf-8").splitlines()))
    monkeypatch.setattr(exporting, "LONGEST_LINE", lengths[-2])
    report = export(told, str(path), force=True)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    (without,) = (line for line in lines if line["type"] == "turn" and not line["vectors"])
    assert "Sentence 299 of a story." in without["text"]
    assert report.vectors == sum(len(line.get("vectors", ())) for line in lines[1:])
    assert import_lines(other, str(path)).errors == []
    assert search(other, "sentence 250 of a story").results


def test_a_line_that_no_import_reads_is_named(
    memory: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process_turns(memory, [NewTurn("s1", "tea"), NewTurn("s1", "a" + "\1" * 3000)])
    monkeypatch.setattr(exporting, "LONGEST_LINE", 18_000)
    report = export(memory, str(tmp_path / "all.jsonl"))
    (warning,) = report.warnings
    assert warning.startswith("turn 2: its line has 18,")
    assert "`mem import` reads 18,000; `mem backup` keeps it" in warning


def test_speakers_with_names_of_symbols_stay_apart(
    memory: Workspace, other: Workspace, tmp_path: Path
) -> None:
    for speaker in (None, "🦄", "🐙", "\U0010ffff"):
        for text in ("I love hiking", "My sister Ida is a painter"):
            process_turns(memory, [NewTurn("s1", text, speaker=speaker)])
    process_turns(memory, [NewTurn("s1", "I no longer love hiking", speaker="🐙")])
    active = "SELECT content FROM memories WHERE status = 'active' AND content LIKE '% hiking'"
    assert memory.storage.database.read(f"{active} ORDER BY id") == [
        ("User loves hiking",),
        ("🦄 loves hiking",),
        ("\U0010ffff loves hiking",),
        ("🐙 no longer loves hiking",),
    ]
    export(memory, str(tmp_path / "one.jsonl"))
    import_lines(other, str(tmp_path / "one.jsonl"))
    assert rows(other, "memories") == rows(memory, "memories")


def test_memories_of_the_same_words_in_two_slots_come_back(
    memory: Workspace, other: Workspace, tmp_path: Path
) -> None:
    for text in ("I live in Oslo", "? \u202e\n I live in Oslo"):
        remember(memory, text)
    assert len({one.slot for one in MemoryStore(memory.storage).with_words("i live in oslo")}) == 2
    export(memory, str(tmp_path / "one.jsonl"))
    import_lines(other, str(tmp_path / "one.jsonl"))
    assert rows(other, "memories") == rows(memory, "memories")


def test_the_same_import_again_changes_nothing(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    import_lines(other, str(path))
    before = [rows(other, table) for table in (*TABLES, "actions")]
    again = import_lines(other, str(path))
    assert (again.turns, again.memories, again.errors) == (0, 0, [])
    assert [rows(other, table) for table in (*TABLES, "actions")] == before


def test_an_export_over_the_same_conversations_doubles_no_memory(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    names = {item.name for item in fields(NewTurn)} & {item.name for item in fields(Turn)}
    for turn in TurnStore(told.storage.database).many(range(1, 9)):
        process_turns(other, [NewTurn(**{name: getattr(turn, name) for name in names})])
    before = [rows(other, table) for table in TABLES]
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    report = import_lines(other, str(path))
    assert (report.turns, report.memories, report.errors) == (0, 0, [])
    assert [rows(other, table) for table in TABLES] == before


def test_a_memory_known_from_other_turns_gets_these_turns_too(
    memory: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(memory, [NewTurn("s1", "I like tea"), NewTurn("s2", "I like tea")])
    process_turns(other, [NewTurn("s9", "I like tea")])
    path = tmp_path / "all.jsonl"
    export(memory, str(path))
    assert import_lines(other, str(path)).memories == 0
    (tea,) = MemoryStore(other.storage).with_words("like tea")
    assert tea.hits == 1
    links = MemoryStore(other.storage).links(tea.id)
    sources = TurnStore(other.storage.database).many(link.turn_id for link in links)
    assert sorted(turn.session_id for turn in sources) == ["s1", "s2", "s9"]
    before = [rows(other, table) for table in TABLES]
    import_lines(other, str(path))
    assert [rows(other, table) for table in TABLES] == before


def test_memories_with_the_same_words_in_one_import_are_one(
    memory: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(memory, [NewTurn("s1", "I like tea")])
    path = tmp_path / "all.jsonl"
    export(memory, str(path))
    *others, last = path.read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in (*others, last)]
    (line,) = [line for line in lines if line.get("type") == "memory"]
    twin = {**line, "id": 77, "hits": 3, "created_at": "2020-01-01T00:00:00.000Z", "links": []}
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (*lines, twin)), encoding="utf-8")

    assert import_lines(other, str(path)).memories == 1
    (tea,) = MemoryStore(other.storage).with_words("like tea")
    assert tea.hits == 3


def test_records_join_those_that_are_there(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(other, [NewTurn("s9", "I like chess"), NewTurn("s9", "I own a boat")])
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    report = import_lines(other, str(path))
    assert (report.turns, report.errors) == (8, [])
    store = MemoryStore(other.storage)
    (tea,) = store.with_words("like tea")
    links = store.links(tea.id)
    sources = TurnStore(other.storage.database).many(link.turn_id for link in links)
    texts = {turn.text for turn in sources}
    assert texts == {"I like tea"}
    superseded = [row for row in rows(other, "memories") if row[-1] is not None]
    contents = {row[0]: row[2] for row in rows(other, "memories")}
    assert {(row[2], contents[row[-1]]) for row in superseded} == {
        (row[2], {r[0]: r[2] for r in rows(told, "memories")}[row[-1]])
        for row in rows(told, "memories")
        if row[-1] is not None
    }


def test_a_client_id_that_means_another_turn_here_keeps_no_turn_away(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(other, [NewTurn("s1", "something else", client_id="c1")])
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    report = import_lines(other, str(path))
    assert (report.turns, report.errors) == (8, [])
    assert "1 turns came without their client_id" in report.warnings[0]
    again = import_lines(other, str(path))
    assert (again.turns, again.memories, again.warnings) == (0, 0, [])
    said = [turn.text for turn in TurnStore(other.storage.database).window("s1", size=9)]
    assert {"something else", "I like tea"} <= set(said)


def test_a_turn_that_was_sent_again_at_another_time_is_known_by_its_client_id(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(other, [NewTurn("s1", "I like tea", client_id="c1", ts="2020-01-01")])
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    report = import_lines(other, str(path))
    assert (report.turns, report.warnings) == (7, [])


def test_what_was_said_twice_at_one_moment_stays_twice(
    memory: Workspace, other: Workspace, tmp_path: Path
) -> None:
    process_turns(
        memory, [NewTurn("s1", "yes", ts="2024-05-01") for _ in range(RECORDS_AT_ONCE + 1)]
    )
    path = tmp_path / "all.jsonl"
    export(memory, str(path))
    assert import_lines(other, str(path)).turns == RECORDS_AT_ONCE + 1
    again = import_lines(other, str(path))
    assert (again.turns, again.unchanged) == (0, RECORDS_AT_ONCE + 1)


def test_without_vectors_they_are_computed_anew(
    told: Workspace, other: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    assert export(told, str(path), vectors=False).vectors == 0
    import_lines(other, str(path))
    assert other.storage.count_vectors() == told.storage.count_vectors()


def test_another_model_embeds_them_itself(told: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    (tmp_path / "static").mkdir()
    static = EmbeddingsConfig(provider="static")
    with opened(tmp_path / "static", embeddings=static) as workspace:
        process_turns(workspace, [NewTurn("s", "hello")])
        assert import_lines(workspace, str(path)).errors == []
        assert workspace.storage.count_vectors() == workspace.storage.count_chunks()


def _change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update({name: value})


@pytest.mark.parametrize(
    "kind, change, reason",
    [
        ("turn", _change("role", "robot"), "its role is 'robot'"),
        ("turn", _change("ts", "soon"), "its ts is 'soon'"),
        ("turn", _change("text", 3), "its text is 3"),
        ("turn", _change("digest", "xyz"), "'xyz' is not a hexadecimal number"),
        ("turn", _change("tags", [1]), "its tags is [1]"),
        ("turn", _change("extraction", True), "its extraction is True"),
        ("turn", _change("vectors", {"00": "AAAA"}), "its vector"),
        ("session", _change("long_term_opt_in", 1), "its long_term_opt_in is 1"),
        ("memory", _change("layer", "short"), "its layer is 'short'"),
        ("memory", _change("score", None), "its score is None"),
        ("memory", _change("score", 2**63), "its score is 9223372036854775808"),
        ("memory", _change("hits", -1), "its hits are -1"),
        ("memory", _change("importance", True), "its importance is True"),
        ("memory", _change("links", [1]), "one of its links is 1"),
        ("memory", _change("links", [{"turn_id": 1, "rule": ""}]), "its created_at is None"),
        ("action", _change("numbers", []), "its numbers is []"),
    ],
)
def test_bad_records_are_named_and_stop_nothing(
    told: Workspace,
    other: Workspace,
    tmp_path: Path,
    kind: str,
    change: Callable[[dict[str, Any]], None],
    reason: str,
) -> None:
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    place = next(at for at, line in enumerate(lines) if line["type"] == kind)
    change(lines[place])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    report = import_lines(other, str(path))
    assert [(error.line, reason in error.reason) for error in report.errors] == [(place + 1, True)]
    assert report.turns == 8 - (kind == "turn")
    with pytest.raises(InputError, match=f"line {place + 1} cannot be used"):
        import_lines(other, str(path), strict=True)
