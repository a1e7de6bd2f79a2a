"""An audit finds what should not be remembered, says why, and changes nothing."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError
from ingest import Candidate
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory, Origin
from memory.conversations.memories.writing import MemoryWriter
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn, Turn
from memory.files.ingestion import ingest_text, sync_files
from memory.index.record_chunks import RecordVectors
from memory.operations.audit import AuditFinding, audit
from memory.workspace import Workspace
from tests.memory.conversations.memories.conversing import consolidate_turn
from tests.memory.databases import opened

KEY = "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY"
NOW = datetime.now(UTC)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path) as database:
        yield database


def said(workspace: Workspace, text: str, role: str = "user", session: str = "s1") -> Turn:
    (added,) = add_turns(workspace, [NewTurn(session, text, role=role, auto_extract=False)])
    return added.turn


def remembered(
    workspace: Workspace,
    *contents: str,
    turn: Turn | None = None,
    origin: Origin = "user",
    tags: tuple[str, ...] = (),
) -> list[int]:
    """Memories of these contents, one for each: nothing of it merges or contradicts."""
    ids = []
    for content in contents:
        done = consolidate_turn(workspace, turn, [Candidate(content, tags=tags)], origin=origin)
        ids += [one.id for one in done if one.action == "create" and one.id is not None]
    return ids


def written(workspace: Workspace, memory_id: int, **changes: object) -> None:
    """Change columns of a memory behind everybody's back, as an older version may have done."""
    sql = f"UPDATE memories SET {', '.join(f'{name} = :{name}' for name in changes)} WHERE id = :id"
    with workspace.storage.database.transaction() as tx:
        tx.run(sql, {**changes, "id": memory_id})


def copied(workspace: Workspace, memory_id: int, **changes: object) -> int:
    """A second memory beside one, other in some columns; nothing of it merges."""
    kept = MemoryStore(workspace.storage).get(memory_id)
    assert isinstance(kept, Memory)
    with workspace.storage.database.transaction() as tx:
        writer = MemoryWriter(workspace, tx, RecordVectors())
        made = writer.insert(kept)
        writer.finish()
    if changes:
        written(workspace, made.id, **changes)
    return made.id


def told(findings: Sequence[AuditFinding]) -> list[tuple[str, list[str]]]:
    return [(finding.kind, finding.ids) for finding in findings]


def test_nothing_is_found_where_all_is_well(workspace: Workspace) -> None:
    turn = said(workspace, "I like tea and I live in Bonn")
    remembered(workspace, "User likes tea", "User lives in Bonn", turn=turn, origin="rules")
    report = audit(workspace, files=True)
    assert (report.clean, report.findings) == (True, [])
    assert set(report.counts.values()) == {0}
    assert report.examined == {"memories": 2, "turns": 1, "chunks": 0}


def test_memories_that_say_the_same_are_one_group(workspace: Workspace) -> None:
    (first,) = remembered(workspace, "User has a red bicycle")
    second, third = copied(workspace, first, hits=4), copied(workspace, first)
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("duplicate", [f"memory:{n}" for n in (second, first, third)])]
    assert finding.why == "they say the same"
    assert finding.commands == [f'mem forget "memory {n}"' for n in (first, third)]
    assert (finding.citation, finding.excerpt) == (f"memory {second}", "User has a red bicycle")


def test_memories_that_nearly_say_the_same_may_be_one(workspace: Workspace) -> None:
    ids = remembered(
        workspace,
        "User owns a small old wooden cabin near the lake",
        "User owns a cabin near the lake",
        "User likes tea",
    )
    (finding,) = audit(workspace, kinds=["duplicate"]).findings
    assert sorted(finding.ids) == [f"memory:{n}" for n in ids[:2]]
    assert finding.why == "they probably say the same"


@pytest.mark.parametrize(
    "one, other",
    [
        ("User likes tea", "User likes coffee"),
        ("User has two cats", "User has three cats"),
        ("User's sister lives in Oslo", "User's brother lives in Oslo"),
        ("User runs every Tuesday", "User runs every Thursday"),
    ],
)
def test_what_differs_is_no_duplicate(workspace: Workspace, one: str, other: str) -> None:
    remembered(workspace, one, other)
    assert audit(workspace).clean


def test_two_values_of_what_can_be_true_once_contradict(workspace: Workspace) -> None:
    (home,) = remembered(workspace, "User lives in Berlin")
    newer = copied(
        workspace, home, content="User lives in Oslo", words="live oslo", value="oslo",
        occurred_at="2999-01-01T00:00:00.000Z",
    )  # fmt: skip
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("contradiction", [f"memory:{newer}", f"memory:{home}"])]
    assert finding.why == "only one can be true of user/home: oslo, berlin"
    assert finding.commands == [f"mem memories edit {home} --status archived"]


def test_what_tells_more_of_one_thing_is_neither(workspace: Workspace) -> None:
    remembered(workspace, "User works as a nurse", "User works as a nurse at Charité")
    remembered(workspace, "User lives in Berlin, Germany", "User moved to Berlin in 2019")
    assert audit(workspace).clean


def test_one_memory_denies_another(workspace: Workspace) -> None:
    (eats,) = remembered(workspace, "User eats meat on Sundays")
    denial = copied(workspace, eats, content="User does not eat meat on Sundays", words="x")
    findings = audit(workspace, kinds=["contradiction"]).findings
    assert [sorted(finding.ids) for finding in findings] == [[f"memory:{eats}", f"memory:{denial}"]]
    assert findings[0].why == "one denies the other"


def test_what_only_an_assistant_said_is_an_echo(workspace: Workspace) -> None:
    turn = said(workspace, "You seem to love the sea", role="assistant")
    (memory,) = remembered(workspace, "User loves the sea", turn=turn, origin="rules")
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("echo", [f"memory:{memory}"])]
    assert finding.why == "only the assistant said it, no user"


def test_what_an_assistant_said_first_in_the_same_words_is_an_echo(workspace: Workspace) -> None:
    text = "I grew up on a farm near Bath."
    said(workspace, f"Here is your letter:\n{text} Yours", role="assistant")
    turn = said(workspace, text)
    (memory,) = remembered(workspace, "User grew up on a farm near Bath", turn=turn, origin="rules")
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("echo", [f"memory:{memory}"])]
    assert f"before turn {turn.id}" in finding.why


@pytest.mark.parametrize("session", ["s1", "s2"])
def test_what_the_user_said_first_is_none(workspace: Workspace, session: str) -> None:
    """Nor is it one if an assistant said it in another conversation."""
    text = "I grew up on a farm near Bath."
    if session == "s2":
        said(workspace, text, role="assistant", session=session)
    turn = said(workspace, text)
    said(workspace, f"You said: {text}", role="assistant")
    remembered(workspace, "User grew up on a farm near Bath", turn=turn, origin="rules")
    assert audit(workspace).clean


def test_a_memory_that_came_back_from_a_context_is_an_echo(workspace: Workspace) -> None:
    turn = said(workspace, "[memory] User loves the sea.\nNow tell me about whales")
    (memory,) = remembered(workspace, "User loves the sea", turn=turn, origin="rules")
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("echo", [f"memory:{memory}"])]
    assert "word for word" in finding.why


def test_secrets_are_found_and_not_shown(workspace: Workspace) -> None:
    turn = said(workspace, f"my key is {KEY}, keep it")
    (memory,) = remembered(workspace, f"User's key is {KEY}")
    tagged = said(workspace, "swordfish")
    with workspace.storage.database.transaction() as tx:
        sql = 'UPDATE turns SET tags = \'["pii", "secret"]\' WHERE id = :id'
        tx.run(sql, {"id": tagged.id})
    report = audit(workspace, kinds=["secret"])
    assert [finding.citation for finding in report.findings] == [
        f"memory {memory}",
        f"session s1 turn {turn.id}",
        f"session s1 turn {tagged.id}",
    ]
    shown = str(report)
    assert KEY not in shown
    assert "swordfish" not in shown
    assert report.findings[1].why == "it holds a key"
    assert report.findings[1].commands == [f'mem forget "turn {turn.id}"']


def test_files_are_looked_into_when_asked(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "docs" / "notes.md"
    path.parent.mkdir()
    path.write_text(f"# Notes\n\nNothing here.\n\nkey {KEY}\n", encoding="utf-8")
    sync_files(workspace, [str(path)])
    text_id = ingest_text(workspace, f"the key: {KEY}").id
    assert audit(workspace).clean
    report = audit(workspace, kinds=["secret"], files=True)
    assert KEY not in str(report)
    assert {finding.citation.rpartition("/")[2] for finding in report.findings} == {
        "notes.md:5",
        f"text {text_id}",
    }
    assert {tuple(finding.commands) for finding in report.findings} == {
        (f'mem sync "{path}"',),
        (f'mem forget "text {text_id}"',),
    }


def test_a_memory_whose_turns_are_gone_is_stale(workspace: Workspace) -> None:
    turn = said(workspace, "I own a boat")
    (memory,) = remembered(workspace, "User owns a boat", turn=turn, origin="rules")
    with workspace.storage.database.transaction() as tx:
        tx.run("DELETE FROM turns WHERE id = :id", {"id": turn.id})
    (finding,) = audit(workspace).findings
    assert told([finding]) == [("stale", [f"memory:{memory}"])]
    assert finding.commands == [f'mem forget "memory {memory}"']


@pytest.mark.parametrize(
    "date, gone",
    [
        ((NOW - timedelta(days=1)).date().isoformat(), True),
        (NOW.date().isoformat(), False),
        ((NOW + timedelta(days=1)).date().isoformat(), False),
        (f"{NOW:%Y-%m}", False),
        ((NOW - timedelta(days=32)).strftime("%Y-%m"), True),
        (f"the week of {NOW - timedelta(days=6):%Y-%m-%d}", False),
        (f"the week of {NOW - timedelta(days=7):%Y-%m-%d}", True),
        (f"the weekend of {NOW - timedelta(days=2):%Y-%m-%d}", True),
        ("0000-00-00", True),
    ],
)
def test_a_plan_is_stale_when_its_day_is_gone(
    workspace: Workspace, date: str, *, gone: bool
) -> None:
    remembered(workspace, f"User is flying to Rome on {date}", tags=("plan",))
    report = audit(workspace, now=NOW)
    assert report.counts["stale"] == gone
    assert report.clean is not gone


def test_what_was_said_once_is_told_by_its_age(workspace: Workspace) -> None:
    old, quiet, young, seen = remembered(
        workspace, "User likes tea", "User likes jazz", "User likes chess", "User likes fog"
    )
    for memory, days in ((old, 400), (quiet, 40), (young, 2), (seen, 400)):
        at = (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        written(workspace, memory, created_at=at, hits=int(memory == seen))
    report = audit(workspace)
    assert told(report.findings) == [
        ("stale", [f"memory:{old}"]),
        ("never-recalled", [f"memory:{quiet}"]),
    ]
    assert "400 days old" in report.findings[0].why


def test_of_each_kind_so_many_are_listed_and_all_are_counted(workspace: Workspace) -> None:
    for number in range(5):
        said(workspace, f"password: hunter{number}secret")
    report = audit(workspace, limit=2)
    assert (report.counts["secret"], len(report.findings)) == (5, 2)
    report = audit(workspace, limit=0, kinds=["secret", "echo"])
    assert (report.counts, report.findings, report.clean) == ({"secret": 5, "echo": 0}, [], False)


def test_what_there_is_not_cannot_be_asked_for(workspace: Workspace) -> None:
    with pytest.raises(InputError, match=r"no kind 'echos'.*did you mean 'echo'"):
        audit(workspace, kinds=["echos"])
    with pytest.raises(InputError, match="the limit is -1"):
        audit(workspace, limit=-1)


def test_an_audit_changes_nothing(workspace: Workspace) -> None:
    remembered(workspace, "User likes tea", "User likes tea very much", f"User's key is {KEY}")
    before = workspace.storage.database.read("SELECT * FROM memories ORDER BY id")
    audit(workspace, files=True)
    assert workspace.storage.database.read("SELECT * FROM memories ORDER BY id") == before
