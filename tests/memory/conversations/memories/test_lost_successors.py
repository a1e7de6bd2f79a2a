"""A memory that refers to a successor that is not there, as another program may write it."""

from contextlib import closing

import apsw
import pytest

from memory.conversations.memories.editing import MemoryChange, edit_memory, get_memory, remember
from memory.conversations.memories.why import why
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.triples.extraction import extract_facts
from memory.operations.doctor import checkup
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.jobs.manual_runs import maintain_all
from memory.records.distillation.running import distil
from memory.retrieval.searching import search
from memory.workspace import Workspace

pytestmark = pytest.mark.sqlite_only(reason="breaks a reference that PostgreSQL holds")


@pytest.fixture(params=[99, 0, -1, "abc", b"\0", 1.5, 2**63 - 1], ids=repr)
def lost(memory: Workspace, request: pytest.FixtureRequest) -> Workspace:
    """Two homes and a job, of which another program has written the successor."""
    said = ("I live in Oslo", "I work at Bosch", "I moved to Bergen")
    process_turns(memory, [NewTurn("s1", text) for text in said])
    with closing(apsw.Connection(str(memory.path))) as other:  # it holds no foreign keys
        other.execute("UPDATE memories SET superseded_by = ? WHERE id <> 2", (request.param,))
    return memory


def test_the_doctor_tells_of_it_until_the_memory_is_written(lost: Workspace) -> None:
    checks = {problem.check for problem in checkup(lost).problems}
    assert checks in ({"references"}, {"values"})
    edit_memory(lost, 1, MemoryChange(tags=["old"]))
    edit_memory(lost, 3, MemoryChange(tags=["new"]))
    assert checkup(lost).healthy


def test_the_doctor_removes_the_reference(lost: Workspace) -> None:
    report = checkup(lost, fix=True)
    assert report.healthy or {problem.check for problem in report.problems} == {"values"}
    assert search(lost, "where do I live").results


def test_everything_goes_on(lost: Workspace) -> None:
    assert search(lost, "where do I live").results
    assert why(lost, 1).memory.id == 1
    for status in ("archived", "active"):
        edit_memory(lost, 3, MemoryChange(status=status))  # type: ignore[arg-type]
    edit_memory(lost, 1, MemoryChange(tags=["old"]))
    remember(lost, "User lives in Rome")
    process_turns(lost, [NewTurn("s1", "just kidding"), NewTurn("s1", "I live in Trondheim")])
    distil(lost)
    form_episodes(lost)
    extract_facts(lost)
    _, failure = maintain_all(lost)
    assert failure is None
    assert get_memory(lost, 1).tags == ("old",)
    forget(lost, ForgetRequest(memory_ids=(3,)))
    assert lost.storage.database.read("PRAGMA foreign_key_check") == []
