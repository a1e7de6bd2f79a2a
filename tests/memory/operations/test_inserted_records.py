"""Records of each kind that another program inserted with the columns it knows, made whole."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from contracts import InputError
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.episodes.forming import form_episodes
from memory.episodes.listing import list_episodes, read_episode
from memory.episodes.reinforcement import note_used
from memory.episodes.retention import first_review
from memory.episodes.triples.reading import read_triple
from memory.index.record_hooks import hooks_of
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.inserted_records import complete_inserted, has_inserted
from memory.operations.jobs.manual_runs import maintain_all, maintain_one
from memory.operations.jobs.retention import DecayWork
from memory.operations.manage import update_record
from memory.records.facts import NewFact, list_facts, read_fact, write_fact
from memory.records.open_loops import (
    NewOpenLoop,
    Resolution,
    list_open_loops,
    resolve_open_loop,
    write_open_loop,
)
from memory.records.patterns import list_patterns
from memory.records.people import NewPerson, list_people, write_person
from memory.records.signals import list_signals
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import insert, keyword_places, outside
from tests.memory.episodes.facts import HOME, learn, tell, triples
from tests.memory.episodes.said import BOAT, CAKE, LATER, division, say
from tests.memory.records.stated import WRITERS

PERSON = "INSERT INTO people (name, relationship, notes) VALUES (?, ?, ?)"
PATTERN = "INSERT INTO patterns (pattern_type, description, confidence) VALUES (?, ?, ?)"
LOOP = "INSERT INTO open_loops (topic, priority) VALUES (?, ?)"
SIGNAL = "INSERT INTO signals (signal_type, value) VALUES (?, ?)"
FACT = "INSERT INTO facts (category, key, value, confidence) VALUES (?, ?, ?, ?)"
TRIPLE = "INSERT INTO semantic_memory (entity, relation, target, confidence) VALUES (?, ?, ?, ?)"
EPISODE = """INSERT INTO episodic_memory (session_id, start_message_id, end_message_id, summary)
    VALUES (?, ?, ?, ?)"""
EACH: dict[str, tuple[str, tuple[Any, ...]]] = {
    "person": (PERSON, ("Ida  Berg", "aunt", "Breeds alpacas")),
    "pattern": (PATTERN, ("habit", "Bakes sourdough on Fridays", 0.5)),
    "open_loop": (LOOP, ("Repair the pergola", 3)),
    "signal": (SIGNAL, ("energy", "Sluggish until noon")),
    "fact": (FACT, ("work", "desk", "By the oriel window", 0.9)),
    "triple": (TRIPLE, ("Ida", "has a lodge in", "Geiranger", 0.7)),
    "episode": (EPISODE, (12, 1, 2, "Ida wants to sell the marquetry.")),
}
ANYTHING = SearchOptions(mode="keyword", sources=[*EACH])
SAID: dict[str, tuple[str, tuple[Any, ...]]] = {
    "memory": (
        "INSERT INTO memories (layer, content) VALUES ('mid', ?)",
        ("User owns a theremin",),
    ),
    "turn": (
        "INSERT INTO turns (session_id, role, text) VALUES ('s1', 'assistant', ?)",
        ("The gondola creaks",),
    ),
}
WORD = {
    "person": "alpacas",
    "pattern": "sourdough",
    "open_loop": "pergola",
    "signal": "sluggish",
    "fact": "oriel",
    "triple": "geiranger",
    "episode": "marquetry",
}


def found(memory: Workspace, words: str) -> list[str]:
    return [hit.source for hit in search(memory, words, ANYTHING).results]


NEEDED = {
    "people": "name",
    "patterns": "pattern_type description",
    "open_loops": "topic",
    "signals": "signal_type value",
    "facts": "category key value confidence",
    "semantic_memory": "entity relation target confidence",
    "episodic_memory": "session_id start_message_id end_message_id summary",
}
"""The columns that docs/symbiosis.md tells another program to give."""


@pytest.mark.parametrize("table", NEEDED)
def test_a_row_needs_the_columns_that_are_told(memory: Workspace, table: str) -> None:
    columns = NEEDED[table].split()
    for left_out in columns[1:]:
        given = [name for name in columns if name != left_out]
        sql = f"INSERT INTO {table} ({', '.join(given)}) VALUES ({', '.join('1' for _ in given)})"
        refused = pytest.raises(Exception, match=rf"(?is)(?=.*not.null).*\b{left_out}\b")
        with outside(memory) as run, refused:
            run(sql)
    insert(
        memory,
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('1' * len(columns))})",
    )


@pytest.mark.parametrize("kind", EACH)
def test_an_inserted_record_is_like_any_other(memory: Workspace, kind: str) -> None:
    sql, values = EACH[kind]
    record_id = insert(memory, sql, *values)
    _, failure = maintain_all(memory)
    assert failure is None
    assert not has_inserted(memory)
    assert complete_inserted(memory).get(hooks_of(memory, kind).kind.plural, 0) == 0
    hooks = hooks_of(memory, kind)
    (record,) = hooks.page(limit=9, cursor=None).records
    assert (record.id, record.chunks) == (f"{kind}:{record_id}", 1)
    assert WORD[kind] in str(hooks.show(str(record_id))).lower()
    assert found(memory, WORD[kind])[:1] == [kind]
    assert checkup(memory).healthy
    forget(memory, ForgetRequest(text=WORD[kind]))
    assert found(memory, WORD[kind]) == []
    assert hooks.page(limit=9, cursor=None).records == []


CHANGES = {
    "fact": ("UPDATE facts SET value = 'On the veranda'", "veranda"),
    "the name of a fact": ("UPDATE facts SET key = 'Standing Lectern'", "lectern"),
    "person": ("UPDATE people SET notes = 'Restores harpsichords'", "harpsichords"),
    "the name of a person": ("UPDATE people SET name = 'Ottilie  Zwingli'", "zwingli"),
    "the other names of a person": ("UPDATE people SET aliases = '[\"Tilly\"]'", "tilly"),
    "pattern": ("UPDATE patterns SET description = 'Fences at dawn'", "fences"),
    "open_loop": ("UPDATE open_loops SET topic = 'Oil the orrery'", "orrery"),
    "the end of a loop": (
        "UPDATE open_loops SET resolution = 'Demolished'",
        "demolished",
    ),
    "signal": ("UPDATE signals SET value = 'Exuberant'", "exuberant"),
    "the series of a signal": ("UPDATE signals SET signal_type = 'Sea Legs'", "legs"),
    "turn": ("UPDATE turns SET text = 'The sampan creaks'", "sampan"),
    "a long turn": (f"UPDATE turns SET text = '{'Word after word. ' * 200}Jetty'", "jetty"),
    "episode": ("UPDATE episodic_memory SET summary = 'Ida keeps the yawl'", "yawl"),
    "triple": ("UPDATE semantic_memory SET target = 'Trondheim'", "trondheim"),
    "a long text": (f"UPDATE people SET notes = '{'Word after word. ' * 200}Regatta'", "regatta"),
}


@pytest.mark.parametrize("sql, word", CHANGES.values(), ids=CHANGES)
def test_searches_follow_a_text_that_another_program_changes(
    memory: Workspace, sql: str, word: str
) -> None:
    for insertion, values in {**EACH, "turn": SAID["turn"]}.values():
        insert(memory, insertion, *values)
    maintain_all(memory)
    before = memory.storage.database.read("SELECT id, text FROM chunks ORDER BY id")
    with outside(memory) as run:
        run(sql)
    assert maintain_one(memory, "decay").message.endswith("records indexed: 1")
    options = SearchOptions(mode="keyword", sources=[*EACH, "turn"])
    (hit,) = search(memory, word, options).results
    assert hooks_of(memory, hit.source).table == sql.split()[1]
    after = memory.storage.database.read("SELECT id, text FROM chunks ORDER BY id")
    assert len(set(before) - set(after)) == 1
    assert not has_inserted(memory)
    assert checkup(memory).healthy
    assert maintain_one(memory, "decay").message.endswith("records indexed: 0")
    assert memory.storage.database.read("SELECT id, text FROM chunks ORDER BY id") == after


def test_no_entry_of_the_next_turn_keeps_a_word_that_another_program_changed(
    memory: Workspace,
) -> None:
    say(memory, ["The gondola creaks", "It does"])
    assert len(keyword_places(memory)["gondola"]) == 2
    with outside(memory) as run:
        run("UPDATE turns SET text = 'The sampan creaks' WHERE id = 1")
    maintain_one(memory, "decay")
    assert "gondola" not in keyword_places(memory)
    assert len(keyword_places(memory)["sampan"]) == 2
    assert checkup(memory).healthy


@pytest.mark.parametrize("kind", [*EACH, "memory", "turn"])
def test_searches_find_nothing_of_a_record_that_another_program_deletes(
    memory: Workspace, kind: str
) -> None:
    for insertion, values in {**EACH, **SAID}.values():
        insert(memory, insertion, *values)
    maintain_all(memory)
    word = {**WORD, "memory": "theremin", "turn": "gondola"}[kind]
    options = SearchOptions(mode="keyword", sources=[*EACH, *SAID])
    assert [hit.source for hit in search(memory, word, options).results] == [kind]
    with outside(memory) as run:
        run(f"DELETE FROM {hooks_of(memory, kind).table}")
    assert maintain_one(memory, "decay").message.endswith(", deleted records removed: 1")
    assert search(memory, word, options).results == []
    sql = "SELECT count(*) FROM chunks WHERE source = :kind"
    assert memory.storage.database.read(sql, {"kind": kind}) == [(0,)]
    assert "deleted" not in maintain_one(memory, "decay").message


class StoppedAt(Event):
    """An end that comes when it is asked for so many times."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._left = number

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


def test_a_text_that_another_program_changes_is_found_as_before_until_it_is_indexed(
    memory: Workspace,
) -> None:
    words = "sluggish", "exuberant"
    insert(memory, SIGNAL, "mood", words[0])
    maintain_one(memory, "decay")
    with outside(memory) as run:
        run("UPDATE signals SET value = ?", words[1])
    for number in range(9):
        DecayWork(memory).run(StoppedAt(number))
        hits = [found(memory, word) for word in words]
        assert hits in ([["signal"], []], [[], ["signal"]]), number
    assert hits[1] == ["signal"]


@pytest.mark.parametrize("archived", ["archived", "deleted"])
def test_a_memory_that_another_program_archives_and_restores_is_found(
    memory: Workspace, archived: str
) -> None:
    tell(memory, "I love climbing in Bergen.")
    options = SearchOptions(mode="keyword", sources=["memory"])
    for status, number in ((archived, 0), ("active", 1)):
        with outside(memory) as run:
            run("UPDATE memories SET status = ?", status)
        maintain_one(memory, "decay")
        assert len(search(memory, "climbing", options).results) == number
    assert checkup(memory).healthy


def test_names_that_another_program_spells_in_its_own_way(memory: Workspace) -> None:
    insert(memory, SIGNAL, "Mood", "Calm")
    insert(memory, SIGNAL, "Sea  legs", "Steady")
    insert(memory, FACT, "Work", "Standing Desk", "By the oriel window", 0.9)
    insert(memory, FACT, "work", "lamp", "Brass", 0.9)
    insert(memory, FACT, "Work", "Lamp", "Pewter", 0.8)
    insert(memory, FACT, "a/b", "lamp", "Tin", 0.8)  # its name would name another fact
    maintain_all(memory)
    assert [one.value for one in list_signals(memory, signal_type="mood")] == ["Calm"]
    assert [one.value for one in list_signals(memory, signal_type="sea legs")] == ["Steady"]
    assert read_fact(memory, "work/standing desk").value == "By the oriel window"
    lamp = read_fact(memory, "work/lamp")
    assert (lamp.value, lamp.confidence) == ("Pewter", 0.8)
    assert [one.value for one in lamp.history] == ["Brass"]
    assert [one.value for one in list_facts(memory, category="work")] == [
        *("Pewter", "By the oriel window")
    ]
    assert found(memory, "pewter") == ["fact"]
    assert found(memory, "brass") == []
    assert checkup(memory).healthy


def test_a_person_of_a_known_name_or_alias_is_that_person(memory: Workspace) -> None:
    writer, sarah = WRITERS["person"]
    known = writer(memory, sarah)
    insert(memory, PERSON, "sarah  MILLER", "friend", "")
    insert(memory, PERSON, "Sal", "", "Restores harpsichords")
    insert(memory, PERSON, "Ida", "aunt", "")
    insert(memory, PERSON, " IDA ", "", "Breeds alpacas")
    complete_inserted(memory)
    ida, same = list_people(memory)
    assert (same.id, same.name, same.aliases) == (known.id, "Sarah Miller", ("Sal",))
    assert (same.relationship, same.notes) == ("friend", "Restores harpsichords")
    assert (ida.name, ida.name_key, ida.relationship) == ("Ida", "ida", "aunt")
    assert ida.notes == "Breeds alpacas"
    assert found(memory, "harpsichords")[:1] == ["person"]
    assert found(memory, "bassoon") == []  # as when new notes are written
    assert checkup(memory).healthy


RENAMED = {
    "person": ("people", "name"),
    "pattern": ("patterns", "description"),
    "open_loop": ("open_loops", "topic"),
}


@pytest.mark.parametrize("kind", RENAMED)
def test_a_record_that_another_program_renames_into_another_keeps_its_evidence(
    memory: Workspace, kind: str
) -> None:
    (table, column), turns = RENAMED[kind], tell(memory, "Ida plays", "Hello, Bea")
    writer, known = WRITERS[kind]
    writer(memory, replace(known, evidence=turns[:1]))
    name = getattr(known, column)
    other = {column: "Ida", "evidence": turns[1:]}
    writer(memory, replace(known, **(other | {"aliases": []} if kind == "person" else other)))
    with outside(memory) as run:
        run(f"UPDATE {table} SET {column} = ? WHERE {column} = 'Ida'", name)
    maintain_one(memory, "decay")
    sql = "SELECT turn_id FROM record_links WHERE source = :kind ORDER BY turn_id"
    assert memory.storage.database.read(sql, {"kind": kind}) == [(one,) for one in turns]
    assert memory.storage.database.read(f"SELECT {column} FROM {table}") == [(name,)]
    assert checkup(memory).healthy


def test_a_person_that_another_program_renames_is_merged(memory: Workspace) -> None:
    write_person(memory, NewPerson(name="Ida", aliases=("Idi",), notes="Met in 2001", tags=["kin"]))
    write_person(memory, NewPerson(name="Bea", notes="Plays the bassoon"))
    with outside(memory) as run:
        run("UPDATE people SET name = 'Bea' WHERE name = 'Ida'")
    maintain_one(memory, "decay")
    (bea,) = list_people(memory)
    assert (bea.aliases, bea.notes) == (("Idi",), "Plays the bassoon\nMet in 2001")
    assert bea.tags == ("kin",)
    assert found(memory, "bassoon") == found(memory, "2001") == found(memory, "idi") == ["person"]


def test_a_topic_that_another_program_renames_reopens_no_other(memory: Workspace) -> None:
    write_open_loop(memory, NewOpenLoop(topic="Oil the orrery"))
    done = write_open_loop(memory, NewOpenLoop(topic="Call Bo"))
    resolve_open_loop(memory, done.id, Resolution(note="She was out"))
    with outside(memory) as run:
        run("UPDATE open_loops SET topic = 'Call Bo' WHERE topic = 'Oil the orrery'")
    maintain_one(memory, "decay")
    (loop,) = list_open_loops(memory, resolved=True)
    assert (loop.id, loop.resolution, loop.mention_count) == (done.id, "She was out", 2)


def test_a_fact_that_another_program_renames_brings_its_history(memory: Workspace) -> None:
    turns = tell(memory, "Hello", "Good morning")
    for value in ("Oslo", "Rome"):
        write_fact(memory, NewFact(category="a", key="x", value=value, evidence=turns[:1]))
    write_fact(memory, NewFact(category="a", key="y", value="Paris", evidence=turns[1:]))
    with outside(memory) as run:
        run("UPDATE facts SET key = 'Y' WHERE key = 'x'")
    maintain_one(memory, "decay")
    (fact,) = list_facts(memory)
    assert (fact.key, fact.value, [one.turn_id for one in fact.evidence]) == (
        "y",
        "Paris",
        turns[1:],
    )
    assert {one.value for one in fact.history} == {"Oslo", "Rome"}
    sql = "SELECT count(*) FROM record_links WHERE source = 'former_fact' AND turn_id = :id"
    assert memory.storage.database.read(sql, {"id": turns[0]}) == [(2,)]
    assert checkup(memory).healthy


@pytest.mark.parametrize("value", ["Oslo", "Rome"])
def test_an_older_fact_of_another_program_is_a_former_value(memory: Workspace, value: str) -> None:
    known = write_fact(memory, NewFact(category="bio", key="home", value="Rome", source="user"))
    at = "INSERT INTO facts (category, key, value, confidence, updated_at) VALUES (?, ?, ?, .3, ?)"
    insert(memory, at, "Bio", "Home", value, "2020-01-01 00:00:00")
    maintain_one(memory, "decay")
    (fact,) = list_facts(memory)
    assert (fact.value, fact.confidence, fact.source) == ("Rome", 0.9, "user")
    assert (fact.id, fact.updated_at) == (known.id, known.updated_at)
    times = [(one.value, one.updated_at, one.replaced_at) for one in fact.history]
    assert times == [("Oslo", "2020-01-01T00:00:00.000Z", known.updated_at)] * (value == "Oslo")


def test_a_known_pattern_is_observed_again(memory: Workspace) -> None:
    writer, runs = WRITERS["pattern"]
    known = writer(memory, runs)
    insert(memory, PATTERN, "habit", "runs around the Reservoir on Sundays.", 0.7)
    insert(memory, PATTERN, "schedule", "runs around the reservoir on sundays", 0.5)
    complete_inserted(memory)
    first, other = sorted(list_patterns(memory), key=lambda one: one.id)
    assert (first.id, first.frequency, first.description) == (known.id, 2, known.description)
    assert first.confidence == pytest.approx(0.7 + 0.2 * 0.3)
    assert (other.pattern_type, other.frequency, other.confidence) == ("schedule", 1, 0.5)
    assert checkup(memory).healthy


def test_a_known_topic_is_mentioned_again(memory: Workspace) -> None:
    writer, passport = WRITERS["open_loop"]
    known = writer(memory, passport)
    insert(memory, LOOP, "renew the PASSPORT", 0)
    insert(memory, "INSERT INTO open_loops (topic, resolved) VALUES (?, 1)", "Call Bo")
    complete_inserted(memory)
    (loop, done) = list_open_loops(memory, resolved=True)
    assert (loop.id, loop.mention_count, loop.priority) == (known.id, 2, 4)
    assert (loop.first_mentioned < known.first_mentioned, loop.resolved) == (True, 0)
    assert loop.last_mentioned == known.last_mentioned
    assert (done.topic, done.resolved_at) == ("Call Bo", done.updated_at)
    assert checkup(memory).healthy


def test_signals_of_one_series_come_in_the_order_of_time(memory: Workspace) -> None:
    at = "INSERT INTO signals (signal_type, value, observed_at) VALUES (?, ?, ?)"
    insert(memory, SIGNAL, "mood", "Calm")
    insert(memory, at, "mood", "Tense", "2026-03-04 10:00:00")
    assert [one.value for one in list_signals(memory, signal_type="mood")] == ["Tense", "Calm"]


def test_a_fact_of_another_program_stands_for_itself(memory: Workspace) -> None:
    at = """INSERT INTO semantic_memory (entity, relation, target, confidence, created_at)
        VALUES (?, ?, ?, ?, ?)"""
    first = insert(memory, at, "Ida", "plays", "the  theremin", 1.7, "2026-03-04 10:00:00")
    insert(memory, TRIPLE, "ida", "plays", "the Theremin", 0.2)
    complete_inserted(memory)
    content = read_triple(memory, first)
    fact = content.triple
    assert (content.text, content.state) == ("Ida plays the theremin", "current")
    assert (content.memories, content.episodes) == ([], [])
    assert fact.confidence == memory.config.semantic.most_confidence
    assert fact.created_at == "2026-03-04T10:00:00.000Z"
    assert fact.occurred_at > fact.created_at  # the second statement of it
    first_use = first_review(datetime.fromisoformat(fact.occurred_at))
    assert (fact.stability, fact.difficulty) == (first_use.stability, first_use.difficulty)
    assert len(hooks_of(memory, "triple").page(limit=9, cursor=None).records) == 1
    with pytest.raises(InputError, match="triple 1 was inserted by another program"):
        update_record(memory, f"triple:{first}", tags=["x"])
    assert note_used(memory, [f"triple {first}"]).reinforced == [f"triple {first}"]
    asked = ContextRequest("s9", query="theremin", include=("triples",))
    assert ("triple", None) in {(p.kind, p.memory_id) for p in build_context(memory, asked).parts}
    assert checkup(memory).healthy


def test_a_fact_that_memories_say_is_theirs(memory: Workspace) -> None:
    said = insert(memory, TRIPLE, "User", "lives in", "Berlin", 0.2)
    complete_inserted(memory)
    turn_ids = tell(memory, HOME)
    learn(memory)
    content = read_triple(memory, said)
    assert [one.content for one in content.memories] == ["User lives in Berlin"]
    assert content.triple.confidence == memory.config.semantic.rule_confidence
    insert(memory, TRIPLE, "User", "lives in", "berlin", 0.95)
    complete_inserted(memory)
    assert read_triple(memory, said).triple.confidence == 0.95
    forget(memory, ForgetRequest(turn_ids=tuple(turn_ids)))
    assert triples(memory) == []
    assert checkup(memory).healthy


def test_an_episode_of_another_program_takes_its_turns(memory: Workspace) -> None:
    turn_ids = say(memory, (*BOAT, *CAKE))
    form_episodes(memory, now=LATER)
    (boat, cake) = {key for key, _ in division(memory)}
    ours = insert(memory, EPISODE, "s1", turn_ids[1], turn_ids[7], "They mend the marquetry.")
    assert has_inserted(memory)
    complete_inserted(memory)
    assert division(memory) == [(boat, turn_ids[:1]), (ours, turn_ids[1:8]), (cake, turn_ids[8:])]
    content = read_episode(memory, ours)
    episode, last = content.episode, content.turns[-1]
    assert (episode.message_count, episode.ended_at) == (7, last.occurred_at)
    assert episode.last_accessed_at == episode.ended_at
    assert 0 < episode.importance_score <= 1
    assert 0 < episode.surprise_score <= 1
    assert boat is not None
    assert read_episode(memory, boat).episode.message_count == 1
    assert found(memory, "marquetry") == ["episode"]
    insert(memory, EPISODE, "s1", turn_ids[0], turn_ids[7], "They sew the spinnaker.")
    complete_inserted(memory)
    left = [episode.summary for episode in list_episodes(memory).episodes]
    assert left[1:] == ["They sew the spinnaker."]
    assert found(memory, "marquetry") == []
    assert checkup(memory).healthy


@pytest.mark.parametrize("session, ends", [("s2", (1, 2)), ("s1", (3, 99)), ("none", (7, 8))])
def test_an_episode_without_its_turns_stands_for_itself(
    memory: Workspace, session: str, ends: tuple[int, int]
) -> None:
    say(memory, BOAT)
    form_episodes(memory, now=LATER)
    (before,) = division(memory)
    ours = insert(memory, EPISODE, session, *ends, "They mend the marquetry.")
    complete_inserted(memory)
    assert division(memory) == [before]
    content = read_episode(memory, ours)
    assert (content.turns, content.episode.message_count) == ([], 0)
    assert content.episode.started_at == content.episode.created_at
    assert note_used(memory, [f"episode {ours}"]).reinforced == [f"episode {ours}"]
    assert checkup(memory).healthy


@pytest.mark.parametrize("is_complete", [True, False])
def test_inserted_records_come_back_from_an_export(
    memory: Workspace, tmp_path: Path, is_complete: bool
) -> None:
    for sql, values in EACH.values():
        insert(memory, sql, *values)
    if is_complete:
        complete_inserted(memory)
    export(memory, str(tmp_path / "all.jsonl"))
    with opened(tmp_path / "other") as other:
        for _ in range(2):
            assert import_lines(other, str(tmp_path / "all.jsonl")).errors == []
        complete_inserted(other)
        for kind in EACH:
            assert found(other, WORD[kind])[:1] == [kind]
            assert len(hooks_of(other, kind).page(limit=9, cursor=None).records) == 1
        assert checkup(other).healthy


ODD = {
    "no name": (PERSON, ("  ", "", "")),
    "a name of signs": (PERSON, (" ... ", "", "")),
    "no description": (PATTERN, ("habit", "", 1.0)),
    "only signs": (PATTERN, ("habit", " ?!", 0.0)),
    "no topic": (LOOP, ("", 0)),
    "only dots": (LOOP, (" ... ", 0)),
    "long": (LOOP, ("pergola " * 2_000, 0)),
    "labels of other forms": (
        "INSERT INTO people (name, tags, metadata, aliases) VALUES (?, 'x', '[1]', '{}')",
        ("Bo",),
    ),
    "no time": ("INSERT INTO open_loops (topic, last_mentioned) VALUES (?, ?)", ("Bo", "soon")),
    "a blank entity": (TRIPLE, ("  ", "", " ", -1.0)),
    "episodes of other forms": (
        "INSERT INTO semantic_memory (entity, relation, target, confidence, source_episodic_ids) "
        "VALUES (?, 'is', 'kind', 1, ?)",
        ("Ida", '["x", 7]'),
    ),
    "no summary": (EPISODE, ("s1", 1, 2, "")),
    "a blank summary": (EPISODE, ("s1", 2, 1, "  ")),
    "an episode of no time": (
        """INSERT INTO episodic_memory (session_id, start_message_id, end_message_id, summary,
            created_at, last_accessed_at) VALUES ('s1', 1, 1, ?, 'soon', 'late')""",
        ("They mend the marquetry.",),
    ),
}


@pytest.mark.parametrize("sql, values", ODD.values(), ids=ODD)
def test_an_odd_record_is_completed_once(
    memory: Workspace, sql: str, values: tuple[Any, ...]
) -> None:
    for _ in range(2):
        insert(memory, sql, *values)
    assert has_inserted(memory)
    assert sum(complete_inserted(memory).values()) == 2
    assert not has_inserted(memory)
    assert maintain_all(memory)[1] is None
    # The fake model embeds no text without words.
    assert {one.check for one in checkup(memory).problems} <= {"missing-vectors"}


def test_doctor_names_and_completes_inserted_records(memory: Workspace) -> None:
    insert(memory, PERSON, "Ida", "aunt", "")
    (problem,) = [one for one in checkup(memory).problems if "inserted" in one.fact]
    assert problem.check == "records"
    checkup(memory, fix=True)
    assert [one.name_key for one in list_people(memory)] == ["ida"]
    assert not has_inserted(memory)
