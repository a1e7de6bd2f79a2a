"""A dry run lists what the removal then lists, and that is what has gone: no more, and no less."""

import pytest

from memory.files.ingestion import ingest_text
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import cited
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.records.distillation.running import distil
from memory.workspace import Workspace
from tests.memory.episodes.facts import learn, tell
from tests.memory.operations.forget.present_records import present
from tests.memory.records.stated import WRITERS

TOLD = (
    "I live in Oslo.",
    "My sister Ida plays the bassoon.",
    "I moved to Bergen last month.",
    "I told Marc I'd send him the slides tomorrow. I slept 5 hours.",
    "I live in Oslo again.",
    "My phone number is 020 7946 0991.",
)


@pytest.fixture
def full(memory: Workspace) -> Workspace:
    """A memory with records of every kind, and two former values of a fact."""
    for day, text in enumerate(TOLD):
        tell(memory, text, day=day)
        distil(memory)
    tell(memory, "I like chess.", day=9, session="s2")
    learn(memory)
    ingest_text(memory, "A note on the bassoon.")
    for writer, stated in WRITERS.values():
        writer(memory, stated)
    kinds = {kind for kind, _ in present(memory)}
    assert kinds == {"former_fact", *(kind.name for kind in memory.kinds)} - {"file"}
    return memory


def listed(report: ForgetReport) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.id, one.citation, one.why) for one in report.forgotten]


NAMED = {
    "a turn": ("turn 1",),
    "the turn of a former value": ("turn 3",),
    "a memory": ("memory 1",),
    "a memory of a former value": ("memory 3",),
    "a fact with its former values": ("fact biographical/home",),
    "records of all kinds": ("person Ida", "loop 1", "signal 1", "episode 1", "triple 1"),
}
REQUESTS = {
    "a text": ForgetRequest(text="Bergen"),
    "a query": ForgetRequest(query="where do I live", max_results=3),
    "a session": ForgetRequest(session_id="s1"),
    "a time": ForgetRequest(since="2026-03-04", until="2026-03-06"),
    "personal data": ForgetRequest(pii=True),
}


def checked(memory: Workspace, request: ForgetRequest) -> ForgetReport:
    before = present(memory)
    dry = forget(memory, request, dry_run=True)
    assert present(memory) == before
    report = forget(memory, request, proven=True)
    assert listed(report) == listed(dry)
    assert report.kept == dry.kept
    assert {(one.kind, one.id) for one in report.forgotten} == before - present(memory)
    assert report.ok
    return report


@pytest.mark.parametrize("names", NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("with_sources", [False, True])
def test_what_is_named(full: Workspace, names: tuple[str, ...], *, with_sources: bool) -> None:
    records = cited(full.kinds, names)
    checked(full, ForgetRequest(records=records, with_sources=with_sources))


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_what_is_chosen(full: Workspace, request_: ForgetRequest) -> None:
    assert checked(full, request_).forgotten


def test_a_former_value_is_named_by_its_fact_and_time(full: Workspace) -> None:
    report = checked(full, ForgetRequest(records=cited(full.kinds, ["memory 1"])))
    assert [one.citation for one in report.forgotten if one.kind == "former_fact"] == [
        "fact biographical/home, formerly, 2026-03-04"
    ]
