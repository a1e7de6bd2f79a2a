"""Records of all five kinds: found, cited, managed, moved, forgotten with proof, examined."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, NotFoundError
from memory.conversations.retention import remove_expired
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.audit import audit
from memory.operations.doctor import checkup
from memory.operations.doctor.salvage import salvage
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.manage import delete_record, get_record, list_records, show, update_record
from memory.records.facts import NewFact, list_facts, read_fact, write_fact
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.changed_export import export_changed
from tests.memory.databases import loaded, opened
from tests.memory.engines import residue
from tests.memory.records.stated import CITATIONS, COFFEE, NOW, WORDS, WRITERS, state_all

KEYWORD = SearchOptions(mode="keyword")
KINDS = list(CITATIONS)
FIRST = "The quokka lives in the greenhouse."
SECOND = "The quokka moved to the orangery."


@pytest.fixture
def stated(memory: Workspace) -> Workspace:
    """One record of each kind."""
    state_all(memory)
    return memory


def say(workspace: Workspace, *texts: str, session: str = "s1") -> list[int]:
    turns = [NewTurn(session, text, ts=NOW.isoformat()) for text in texts]
    return [added.turn.id for added in add_turns(workspace, turns)]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_one_record_in_both_forms_of_its_accents(memory: Workspace, kind: str) -> None:
    """The field that names it ends in a letter with an accent, composed or decomposed."""
    write, new = WRITERS[kind]
    named = {
        **{"fact": "key", "person": "name", "pattern": "description"},
        **{"open_loop": "topic", "signal": "value"},
    }[kind]
    shown = [
        write(memory, replace(new, **{named: f"{getattr(new, named)} caf{letter}"}))
        for letter in ("\u00e9", "e\u0301")
    ]
    assert len({each.id for each in shown}) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_found_by_its_words_and_cited(stated: Workspace, kind: str) -> None:
    (hit,) = search(stated, WORDS[kind], KEYWORD).results
    assert (hit.source, hit.citation, hit.file_id) == (kind, CITATIONS[kind], None)
    narrowed = SearchOptions(mode="keyword", sources=[kind])
    assert [each.citation for each in search(stated, WORDS[kind], narrowed).results] == [
        CITATIONS[kind]
    ]
    assert (
        search(stated, WORDS[kind], SearchOptions(mode="keyword", sources=["turn"])).results == []
    )


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_shown_by_its_citation_and_its_number(stated: Workspace, kind: str) -> None:
    shown: Any = show(stated, CITATIONS[kind])
    assert (shown.id, shown.citation) == (1, CITATIONS[kind])
    assert show(stated, f"{kind}:1") == shown
    with pytest.raises(NotFoundError, match=r"there is no (open )?\w+ 9"):
        show(stated, f"{kind}:9")


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_managed(stated: Workspace, kind: str) -> None:
    (listed,) = list_records(stated, source=kind).records
    assert (listed.id, listed.state, listed.chunks) == (f"{kind}:1", "indexed", 1)
    changed = update_record(stated, f"{kind}:1", tags=["own"], metadata={"by": "Bo"})
    assert (changed.tags, changed.metadata) == (["own"], {"by": "Bo"})
    tagged = SearchOptions(mode="keyword", scope=KEYWORD.scope._replace(tags=("own",)))
    assert [hit.source for hit in search(stated, WORDS[kind], tagged).results] == [kind]
    assert get_record(stated, f"{kind}:1") == changed
    assert delete_record(stated, f"{kind}:1") == changed
    assert search(stated, WORDS[kind], KEYWORD).results == []
    with pytest.raises(NotFoundError, match="there is no"):
        get_record(stated, f"{kind}:1")


def test_personal_data_in_it_is_tagged(memory: Workspace) -> None:
    found = write_fact(memory, replace(COFFEE, value="ask ada@example.org"))
    assert found.tags == ("pii",)
    assert update_record(memory, "fact:1", tags=["mine"]).tags == ["mine", "pii"]
    again = write_fact(memory, replace(COFFEE, value="ask at the bar"))
    assert again.tags == ("mine",)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["cited", "by its words"])
def test_it_is_forgotten_and_that_is_proved(stated: Workspace, kind: str, way: str) -> None:
    kinds = stated.kinds
    name = kinds.named(CITATIONS[kind])
    assert name is not None
    request = ForgetRequest(records=(name,))
    if way == "by its words":
        request = ForgetRequest(text=WORDS[kind].upper())
    report = forget(stated, request, proven=True)
    assert [gone.citation for gone in report.forgotten] == [CITATIONS[kind]]
    assert [check for check in report.checks if not check.ok] == []
    assert residue(stated, WORDS[kind]) == {}
    others = [each for each in KINDS if each != kind]
    assert all(show(stated, CITATIONS[each]) for each in others)
    with pytest.raises(NotFoundError, match="there is no"):
        forget(stated, ForgetRequest(records=(name,)))


def test_a_former_value_is_forgotten_by_its_words(memory: Workspace) -> None:
    write_fact(memory, replace(COFFEE, value="A flat white with cardamom"))
    write_fact(memory, replace(COFFEE, value="Oat milk latte"))
    report = forget(memory, ForgetRequest(text="cardamom"), proven=True)
    assert [gone.kind for gone in report.forgotten] == ["fact", "former_fact"]
    assert report.ok
    assert residue(memory, "cardamom") == {}


def test_a_replaced_text_leaves_nothing_that_a_later_forgetting_misses(memory: Workspace) -> None:
    for notes in ("Keeps a cassowary", "Plays tennis"):
        write, given = WRITERS["person"]
        write(memory, replace(given, notes=notes))
    assert forget(memory, ForgetRequest(records=(RecordName("person", "Sal"),)), proven=True).ok
    assert residue(memory, "cassowary") == {}


@pytest.mark.parametrize("kind", KINDS)
def test_what_rests_on_forgotten_turns_alone_goes_with_them(memory: Workspace, kind: str) -> None:
    one, two = say(memory, FIRST, SECOND)
    write, given = WRITERS[kind]
    write(memory, replace(given, evidence=[f"turn:{one}", two]))
    shown: Any = show(memory, CITATIONS[kind])
    assert [each.citation for each in shown.evidence] == [
        f"session s1 turn {key}, 2050-03-04" for key in (one, two)
    ]
    forget(memory, ForgetRequest(turn_ids=(one,)))
    shown = show(memory, CITATIONS[kind])
    assert [each.turn_id for each in shown.evidence] == [two]
    report = forget(memory, ForgetRequest(turn_ids=(two,)), proven=True)
    assert report.ok
    assert [(gone.citation, gone.why) for gone in report.forgotten][-1] == (
        CITATIONS[kind],
        "source",
    )


def test_what_the_user_stated_stays(memory: Workspace) -> None:
    (turn,) = say(memory, FIRST)
    write_fact(memory, replace(COFFEE, source="user", evidence=[turn]))
    report = forget(memory, ForgetRequest(turn_ids=(turn,)), proven=True)
    assert [gone.kind for gone in report.forgotten] == ["turn"]
    assert read_fact(memory, "preference/coffee_order").evidence == []


def test_a_former_value_goes_with_its_turns(memory: Workspace) -> None:
    one, two = say(memory, FIRST, SECOND)
    pet = NewFact(category="home", key="quokka", value="in the greenhouse", evidence=[one])
    write_fact(memory, pet)
    write_fact(memory, replace(pet, value="in the orangery", evidence=[two]))
    assert [old.value for old in read_fact(memory, "home/quokka").history] == ["in the greenhouse"]
    assert forget(memory, ForgetRequest(turn_ids=(one,)), proven=True).ok
    fact = read_fact(memory, "home/quokka")
    assert (fact.value, fact.history) == ("in the orangery", [])
    assert residue(memory, "greenhouse") == {}


def test_forgetting_with_sources_takes_the_turns(memory: Workspace) -> None:
    (turn,) = say(memory, FIRST)
    write_fact(memory, replace(COFFEE, evidence=[turn]))
    request = ForgetRequest(records=(RecordName("fact", "preference/coffee_order"),))
    assert forget(memory, request, dry_run=True).kept == [f"session s1 turn {turn}, 2050-03-04"]
    report = forget(memory, replace(request, with_sources=True))
    assert {gone.kind for gone in report.forgotten} == {"turn", "fact"}


@pytest.mark.parametrize(
    "request_",
    [ForgetRequest(session_id="s1"), ForgetRequest(since="2050-03-04", until="2050-03-04")],
    ids=["session", "time"],
)
def test_it_is_forgotten_by_session_and_by_time(memory: Workspace, request_: ForgetRequest) -> None:
    (turn,) = say(memory, FIRST)
    for write, given in WRITERS.values():
        write(memory, replace(given, evidence=[turn]))
    later = NOW + timedelta(days=9)
    write_fact(memory, replace(COFFEE, key="tea", now=later))
    report = forget(memory, request_)
    assert {gone.kind for gone in report.forgotten} == {"turn", *KINDS}
    assert [fact.key for fact in list_facts(memory)] == ["tea"]


def test_retention_takes_no_record(tmp_path: Path) -> None:
    with opened(tmp_path, long_term_opt_in=False) as memory:
        (turn,) = say(memory, FIRST)
        for write, given in WRITERS.values():
            write(memory, replace(given, evidence=[turn]))
        assert remove_expired(memory, now=NOW + timedelta(days=3650)).turns == 1
        for citation in CITATIONS.values():
            shown: Any = show(memory, citation)
            assert shown.evidence == []


@pytest.mark.parametrize("evidence", [["turn:9"], [9]])
def test_evidence_must_exist(memory: Workspace, evidence: list[Any]) -> None:
    with pytest.raises(NotFoundError, match="there is no turn 9"):
        write_fact(memory, replace(COFFEE, evidence=evidence))


@pytest.mark.parametrize("evidence", ["turn:1", ["memory 1"], [True], [None]])
def test_evidence_must_be_turns(memory: Workspace, evidence: Any) -> None:
    with pytest.raises(InputError, match=r"evidence is|names no turn"):
        write_fact(memory, replace(COFFEE, evidence=evidence))


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        if (row := json.loads(line))["type"] in KINDS:
            yield row


def test_all_are_exported_and_imported(memory: Workspace, tmp_path: Path) -> None:
    say(memory, "Nothing rests on this.")
    (turn,) = say(memory, FIRST)
    for write, given in WRITERS.values():
        write(memory, replace(given, evidence=[turn]))
    write_fact(memory, replace(COFFEE, value="Tea", now=NOW + timedelta(days=1)))
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    export(memory, str(one))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        assert import_lines(other, str(one)).errors == []
        for kind, citation in CITATIONS.items():
            assert show(other, citation) == show(memory, citation)
            if kind != "fact":
                found = search(other, WORDS[kind]).results
                assert found == search(memory, WORDS[kind]).results
        export(other, str(two))
        assert list(lines_of(one)) == list(lines_of(two))
        again = import_lines(other, str(one))
        assert (again.errors, again.unchanged) == ([], 2 + len(KINDS))
        assert checkup(other).problems == []


def test_of_two_the_one_that_changed_later_stays(memory: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    write_fact(memory, replace(COFFEE, value="Tea", now=NOW + timedelta(days=1)))
    write_fact(memory, replace(COFFEE, key="cake", value="Lemon"))
    export(memory, str(path))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        write_fact(other, replace(COFFEE, key="cake", value="Plum", now=NOW + timedelta(days=2)))
        write_fact(other, replace(COFFEE, value="Water"))
        import_lines(other, str(path))
        facts = {fact.key: fact for fact in list_facts(other)}
        assert {key: fact.value for key, fact in facts.items()} == {
            "coffee_order": "Tea",
            "cake": "Plum",
        }
        assert [hit.citation for hit in search(other, "tea", KEYWORD).results] == [
            "fact preference/coffee_order"
        ]
        assert search(other, "water", KEYWORD).results == []


@pytest.mark.parametrize(
    "kind, change, reason",
    [
        ("fact", {"confidence": 1.5}, "its confidence is 1.5"),
        ("fact", {"expires_at": "soon"}, "its expires_at is 'soon'"),
        ("fact", {"history": [1]}, "one of its former values is 1"),
        ("person", {"sentiment": "cold"}, "its sentiment is 'cold'"),
        ("person", {"aliases": "Sal"}, "its aliases is 'Sal'"),
        ("pattern", {"frequency": 0}, "its frequency is 0"),
        ("open_loop", {"priority": 6}, "its priority is 6"),
        ("signal", {"links": [{"reason": "x"}]}, "its reason is 'x'"),
        ("signal", {"links": ["x"]}, "one of its links is 'x'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_line_is_named(
    stated: Workspace, tmp_path: Path, kind: str, change: dict[str, Any], reason: str
) -> None:
    path = export_changed(stated, tmp_path / "all.jsonl", kind, change)
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        (error,) = import_lines(other, str(path)).errors
        assert error.reason == reason


def test_the_audit_finds_secrets_in_them(stated: Workspace) -> None:
    assert audit(stated, kinds=["secret"]).clean
    write_fact(stated, replace(COFFEE, value="my password is hunter2xyz"))
    write_fact(stated, COFFEE)
    write, given = WRITERS["person"]
    write(stated, replace(given, notes="Her password is swordfish77"))
    found = audit(stated, kinds=["secret"]).findings
    assert [(one.ids, one.commands) for one in found] == [
        (["fact:1"], ['mem forget "fact preference/coffee_order"']),
        (["person:1"], ['mem forget "person Sarah Miller"']),
    ]
    assert all("swordfish" not in one.excerpt and "hunter2" not in one.excerpt for one in found)


@pytest.mark.sqlite_only(reason="salvages a file")
def test_all_are_salvaged(stated: Workspace, tmp_path: Path) -> None:
    (turn,) = say(stated, FIRST)
    write_fact(stated, replace(COFFEE, value="Tea", evidence=[turn]))
    shown = {citation: show(stated, citation) for citation in CITATIONS.values()}
    stated.storage.compact()
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert (report.incomplete, report.skipped) == ([], {})
    with opened(tmp_path / "new") as other:
        assert {citation: show(other, citation) for citation in CITATIONS.values()} == shown
        assert search(other, WORDS["signal"], KEYWORD).results != []


def test_the_doctor_examines_them(stated: Workspace) -> None:
    assert checkup(stated).problems == []
    with stated.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE source = 'fact'")
        tx.run("DELETE FROM signals")
    facts = [problem.fact for problem in checkup(stated).problems]
    assert facts[0] == "chunks of missing records: 1"
    assert facts[1:] == ["facts that no search finds: 1 (1)"]
    assert checkup(stated, fix=True).healthy
    assert [hit.source for hit in search(stated, "latte", KEYWORD).results] == ["fact"]
