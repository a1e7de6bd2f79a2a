"""What the token of an agent may not change over HTTP, by whatever route: what others stated."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from memory.api import create_app
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.editing import remember
from memory.conversations.retention import remove_expired
from memory.operations.tokens import create_token
from memory.records.distillation.running import distil
from memory.records.facts import list_facts
from memory.records.forms import FACTS
from memory.records.store import FORMER, History, RecordStore
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, bearer, settings


class Tokens:
    """One request after another by the owner's token, and by an agent's."""

    def __init__(self, server: TestClient, workspace: Workspace) -> None:
        self._server = server
        self._headers = {
            "owner": bearer(create_token(workspace, "phone", scope="write", owner=True).token),
            "agent": bearer(create_token(workspace, "claude", scope="write").token),
        }

    def ask(self, who: str, method: str, path: str, sent: Any = None) -> Any:
        """The answer: its data, or the `detail` of a 403."""
        given = {} if sent is None else {"json": sent}
        answer = self._server.request(method, path, headers=self._headers[who], **given)
        assert answer.status_code in (200, 403), answer.text
        return answer.json() if answer.status_code == 200 else answer.json()["detail"]

    def owner(self, method: str, path: str, sent: Any = None) -> Any:
        return self.ask("owner", method, path, sent)

    def agent(self, method: str, path: str, sent: Any = None) -> Any:
        return self.ask("agent", method, path, sent)

    def refused(self, method: str, path: str, sent: Any = None) -> str:
        """The reason why an agent may not."""
        said = self.agent(method, path, sent)
        assert isinstance(said, str), said
        assert said.endswith("claude asks as an agent")
        return said


@pytest.fixture
def app(home: Path) -> FastAPI:
    return create_app(Workspace(settings(home)))


@pytest.fixture
def workspace(app: FastAPI) -> Workspace:
    opened: Workspace = app.state.app_state.workspace
    return opened


@pytest.fixture
def server(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=BASE_URL, raise_server_exceptions=False) as server:
        yield server


@pytest.fixture
def tokens(server: TestClient, workspace: Workspace) -> Tokens:
    return Tokens(server, workspace)


def texts_of(tokens: Tokens, session_id: str) -> list[str]:
    return [
        turn["text"] for turn in tokens.owner("GET", f"/turns?session_id={session_id}")["turns"]
    ]


@pytest.mark.parametrize("path", ["/turns", "/turns/batch"])
def test_an_agent_ends_no_sessions_keeping(tokens: Tokens, workspace: Workspace, path: str) -> None:
    def sent(who: str, session_id: str, text: str, opt_in: bool | None) -> Any:
        turn = {"session_id": session_id, "text": text, "long_term_opt_in": opt_in}
        return tokens.ask(who, "POST", path, turn if path == "/turns" else {"turns": [turn]})

    sent("owner", "diary", "The apple trees are in bloom.", None)
    sent("owner", "secret", "Whisper this.", False)
    sent("agent", "scratch", "A plan that nobody needs.", False)
    assert sent("agent", "diary", "hm", False).startswith(
        "an agent cannot change whether session 'diary' is kept"
    )
    assert sent("agent", "secret", "hm", True).startswith(
        "an agent cannot change whether session 'secret' is kept"
    )
    sent("agent", "diary", "Noted.", True)
    sent("agent", "secret", "Hush.", False)

    remove_expired(workspace, now=datetime.now(UTC) + timedelta(days=400))

    assert texts_of(tokens, "diary") == ["The apple trees are in bloom.", "Noted."]
    assert texts_of(tokens, "secret") == texts_of(tokens, "scratch") == []
    sent("owner", "diary", "Forget it all.", False)
    remove_expired(workspace, now=datetime.now(UTC) + timedelta(days=400))
    assert texts_of(tokens, "diary") == []


OF_THE_OWNER = [
    {"status": "archived"},
    {"importance": 0},
    {"content": "User lives in Bergen"},
    {"content": "User sails"},
    {"tags": []},
    {"tags": ["home", "unconfirmed"]},
    {"metadata": {"certain": False, "x": 1}},
]


@pytest.mark.parametrize("change", OF_THE_OWNER, ids=str)
def test_an_agent_changes_no_memory_of_the_owner(tokens: Tokens, change: dict[str, Any]) -> None:
    home = {"content": "User lives in Oslo", "tags": ["home"]}
    written = tokens.owner("POST", "/memories", home)
    said = {"session_id": "s1", "text": "My name is Ana."}
    (found,) = tokens.owner("POST", "/turns", said)["extracted_memories"]

    for memory_id in (written["id"], found["id"]):
        before = tokens.owner("GET", f"/memories/{memory_id}")
        reason = tokens.refused("PATCH", f"/memories/{memory_id}", change)
        assert reason.startswith(f"memory {memory_id} is the owner's")
        if change.keys() <= {"tags", "metadata"}:
            tokens.refused("PATCH", f"/memory/manage/memory:{memory_id}", change)
        assert tokens.owner("GET", f"/memories/{memory_id}") == before


def test_what_an_agent_claims_waits_whatever_it_tries(tokens: Tokens) -> None:
    """Also when the owner's memory is archived, and its own is no longer contradicted."""
    home = tokens.owner("POST", "/memories", {"content": "User lives in Oslo"})
    claim = tokens.agent("POST", "/memories", {"content": "User lives in Rome", "tags": ["Agent"]})
    place = f"/memories/{claim['id']}"
    assert (claim["status"], claim["tags"]) == ("archived", ["Agent", "agent", "unconfirmed"])

    tokens.owner("PATCH", f"/memories/{home['id']}", {"status": "archived"})
    for sent in ({"status": "active"}, {"status": "active", "tags": []}):
        assert tokens.refused("PATCH", place, sent).startswith("an agent cannot restore")
    for path in (place, f"/memory/manage/memory:{claim['id']}"):
        changed = tokens.agent("PATCH", path, {"tags": ["x"], "metadata": {"y": 1}})
        assert changed["tags"] == ["x", "agent", "unconfirmed"]
        assert changed["metadata"] == {"y": 1, "agent": "claude", "certain": False}
    confirmed = tokens.owner("POST", f"{place}/confirm")
    assert (confirmed["status"], confirmed["tags"]) == ("active", ["x"])
    tokens.refused("PATCH", place, {"content": "User lives in Bari"})


def test_an_agent_rewords_its_own_into_nothing_that_is_contradicted(tokens: Tokens) -> None:
    home = tokens.owner("POST", "/memories", {"content": "User eats meat"})
    made = tokens.agent("POST", "/memories", {"content": "User sings"})
    place = f"/memories/{made['id']}"
    reason = tokens.refused("PATCH", place, {"content": "User does not eat meat"})
    assert reason.startswith(f"memory {home['id']} says otherwise")
    assert tokens.agent("PATCH", place, {"content": "User hums"})["status"] == "active"


def test_an_agent_restates_a_memory_of_the_owner_without_a_trace_in_it(tokens: Tokens) -> None:
    said = {"content": "User likes tea", "tags": ["drinks"], "metadata": {"cup": "blue"}}
    own = tokens.owner("POST", "/memories", said)
    again = {"content": "User likes tea", "tags": ["secret"], "metadata": {"cup": "red", "x": 1}}

    answer = tokens.agent("POST", "/memory/remember", {"text": again.pop("content"), **again})

    assert (answer["id"], answer["action"]) == (own["id"], "merge")
    assert {name: answer[name] for name in own} == {**own, "action": "merge"}


def test_an_agent_makes_nothing_permanent_by_saying_it_again(
    tokens: Tokens, workspace: Workspace
) -> None:
    for _ in range(9):
        made = tokens.agent("POST", "/memories", {"content": "User likes tea"})

    collect_garbage(workspace)

    kept = tokens.owner("GET", f"/memories/{made['id']}")
    assert (kept["layer"], kept["hits"]) == ("mid", 0)


def test_what_an_agent_said_first_is_the_persons_once_they_say_it(tokens: Tokens) -> None:
    made = tokens.agent("POST", "/memories", {"content": "User lives in Oslo"})
    tokens.owner("POST", "/turns", {"session_id": "s1", "text": "I live in Oslo."})

    for sent in ({"content": "User lives in Rome"}, {"status": "archived"}):
        tokens.refused("PATCH", f"/memories/{made['id']}", sent)
    assert tokens.owner("GET", f"/memories/{made['id']}")["content"] == "User lives in Oslo"


def test_an_agent_pre_dates_nothing_and_ends_nothing(tokens: Tokens, workspace: Workspace) -> None:
    """Neither what is uncertain of the owner, nor what comes to be known later."""
    early = {"timestamp": "2001-01-01", "ends": ["User likes tea"]}
    remember(workspace, "User lives in Oslo", importance=0, certain=False)
    before = tokens.owner("GET", "/memories")["memories"]

    made = tokens.agent("POST", "/memories", {"content": "User lives in Rome", "metadata": early})
    own = tokens.agent("POST", "/memories", {"content": "User sings", "metadata": early})

    assert [tokens.owner("GET", f"/memories/{one['id']}") for one in before] == before
    assert "ends" not in {**made["metadata"], **own["metadata"]}
    place = f"/memories/{own['id']}"
    ends = {"metadata": {"ends": ["User likes tea"]}}
    assert "ends" not in tokens.agent("PATCH", place, ends)["metadata"]
    reworded = {"content": "User no longer likes tea"}
    assert "ends" not in tokens.agent("PATCH", place, reworded)["metadata"]
    late = {"session_id": "s2", "text": "I like tea.", "ts": "2020-02-02"}
    found, *_ = tokens.owner("POST", "/turns", late)["extracted_memories"]
    assert (found["content"], found["action"]) == ("User likes tea", "create")


def stated(value: str, **more: Any) -> dict[str, Any]:
    return {"category": "preference", "key": "coffee", "value": value, **more}


@pytest.mark.parametrize("source", ["user", None, "calendar"])
def test_an_agent_replaces_no_fact_of_the_owner(tokens: Tokens, source: str | None) -> None:
    own = stated("oat latte", source=source, confidence=1, tags=["drinks"], metadata={"x": 1})
    before = tokens.owner("POST", "/memory/fact", own)
    past = "2020-01-01"
    claims: list[dict[str, Any]] = [
        stated("espresso", confidence=1),
        stated("oat latte", confidence=0, tags=[], metadata={}),
        stated("oat latte", expires_at=past),
        stated("Oat latte", expires_at=past, confidence=0),
    ]
    for claim in claims:
        answer = tokens.agent("POST", "/memory/fact", claim)
        fields = before.keys() - {"action", "history"}
        assert answer["action"] == "kept"
        assert {name: answer[name] for name in fields} == {name: before[name] for name in fields}
    assert [one["value"] for one in answer["history"]] == ["Oat latte", "espresso"]
    assert {one["source"] for one in answer["history"]} == {"agent claude"}
    for change in ({"metadata": {"certain": False}}, {"tags": []}, {"tags": ["secret"]}):
        reason = tokens.refused("PATCH", f"/memory/manage/fact:{before['id']}", change)
        assert reason.startswith("fact preference/coffee is not an agent's")
    assert tokens.owner("POST", "/memory/fact", stated("mocha"))["action"] == "replaced"


def test_a_fact_of_an_agent_is_its_own_until_somebody_else_states_it(tokens: Tokens) -> None:
    made = tokens.agent("POST", "/memory/fact", stated("espresso", metadata={"certain": True}))
    assert made["metadata"] == {"agent": "claude", "certain": False}
    assert tokens.agent("POST", "/memory/fact", stated("mocha"))["action"] == "replaced"
    place = f"/memory/manage/fact:{made['id']}"
    washed = tokens.agent("PATCH", place, {"metadata": {"certain": True, "y": 1}, "tags": ["z"]})
    assert washed["metadata"] == {"y": 1, "agent": "claude", "certain": False}

    mine = tokens.owner("POST", "/memory/fact", stated("mocha"))
    assert (mine["action"], mine["source"]) == ("reinforced", "api")
    assert mine["metadata"] == {"y": 1}
    assert tokens.agent("POST", "/memory/fact", stated("espresso"))["action"] == "kept"


def test_a_fact_of_an_agent_is_not_current_in_place_of_what_is_certain(tokens: Tokens) -> None:
    home = tokens.owner("POST", "/memories", {"content": "User lives in Oslo"})
    claim = {"category": "identity", "key": "home_city", "value": "Rome", "confidence": 1}

    made = tokens.agent("POST", "/memory/fact", claim)

    assert made["state"] == "superseded"
    assert tokens.owner("GET", f"/memories/{home['id']}")["superseded"] is None


def test_a_refused_claim_is_kept_once_for_each_who_says_it(
    tokens: Tokens, workspace: Workspace
) -> None:
    tokens.owner("POST", "/memory/fact", stated("oat latte", source="user", confidence=1))
    said = [
        tokens.agent("POST", "/turns", {"session_id": "s1", "role": "assistant", "text": text})
        for text in ("One.", "Two.")
    ]
    for turn in (*said, *said):
        claim = stated("espresso", evidence=[turn["turn_id"]], confidence=turn["turn_id"] / 9)
        kept = tokens.agent("POST", "/memory/fact", claim)
    distilled = stated("espresso", source="distillation")
    for _ in range(2):
        kept = tokens.owner("POST", "/memory/fact", distilled)
    rows = [(one["value"], one["source"]) for one in kept["history"]]
    assert rows == [("espresso", "distillation"), ("espresso", "agent claude")]
    (links,) = History(workspace.storage.database).of([kept["id"]]).values()
    found = RecordStore(workspace.storage.database, FACTS).links(links, source=FORMER)
    assert [len(each) for each in found.values()] == [2]


@pytest.mark.parametrize("name", ["api", "user", "distillation", "calendar"])
def test_an_agent_by_the_name_of_a_source_is_not_that_source(
    server: TestClient, workspace: Workspace, name: str
) -> None:
    owner = bearer(create_token(workspace, "phone", scope="write", owner=True).token)
    agent = bearer(create_token(workspace, name, scope="write").token)

    def send(path: str, sent: dict[str, Any], token: dict[str, str]) -> Any:
        return server.post(path, json=sent, headers=token)

    own = send("/memory/fact", stated("oat latte", source=name), owner).json()
    claim = send("/memory/fact", stated("espresso"), agent).json()
    assert (claim["action"], claim["value"], claim["tags"]) == ("kept", "oat latte", [])
    place = f"/memory/manage/fact:{own['id']}"
    assert server.patch(place, json={"tags": ["x"]}, headers=agent).status_code == 403
    loop = {"topic": "Renew the passport", "priority": 4, "source": name}
    send("/memory/open-loop", loop, owner)
    counted = send("/memory/open-loop", {**loop, "priority": 0, "source": None}, agent).json()
    assert counted["priority"] == 4


def test_a_fact_that_is_over_can_be_stated_by_an_agent(tokens: Tokens) -> None:
    tokens.owner("POST", "/memory/fact", stated("tea", expires_at="2020-01-01"))
    made = tokens.agent("POST", "/memory/fact", stated("tea"))
    assert (made["action"], made["source"], made["expires_at"]) == ("reinforced", "claude", None)
    assert made["metadata"] == {"agent": "claude", "certain": False}


def test_an_agent_changes_no_person_of_the_owner(tokens: Tokens) -> None:
    known = {"relationship": "sister", "notes": "Sings.", "aliases": ["Sal"], "source": "user"}
    before = tokens.owner("POST", "/memory/person", {"name": "Sarah", **known})
    for change in (
        {"relationship": "", "notes": ""},
        {"aliases": ["Mum"]},
        {"tags": ["x"]},
        {"metadata": {"x": 1}},
        {"sentiment": "negative"},
    ):
        reason = tokens.refused("POST", "/memory/person", {"name": "sal", **change})
        assert reason.startswith("what is known of Sarah is the owner's")
    assert tokens.agent("POST", "/memory/person", {"name": "Sal"}) == before
    tokens.refused("PATCH", f"/memory/manage/person:{before['id']}", {"tags": ["x"]})

    made = tokens.agent("POST", "/memory/person", {"name": "Bo", "notes": "Tall."})
    assert (made["source"], made["metadata"]) == ("claude", {"agent": "claude"})
    changed = tokens.agent("POST", "/memory/person", {"name": "Bo", "notes": "Short."})
    assert changed["notes"] == "Short."
    mine = tokens.owner("POST", "/memory/person", {"name": "Bo", "relationship": "friend"})
    assert (mine["source"], mine["metadata"]) == ("api", {})
    tokens.refused("POST", "/memory/person", {"name": "Bo", "notes": "Gone."})


def test_an_agent_counts_and_resolves_what_the_owner_stated(
    tokens: Tokens, workspace: Workspace
) -> None:
    loop = {"topic": "Renew the passport", "priority": 4, "tags": ["papers"]}
    first = tokens.owner("POST", "/memory/open-loop", loop)
    again = {"topic": "renew the passport", "priority": 0, "tags": [], "metadata": {"x": 1}}
    counted = tokens.agent("POST", "/memory/open-loop", again)
    assert (counted["mention_count"], counted["priority"]) == (2, 4)
    assert (counted["tags"], counted["metadata"]) == (["papers"], {})
    place = f"/memory/open-loop/{first['id']}/resolve"
    assert tokens.agent("POST", place, {"note": "It came by post."})["resolved"] == 1
    tokens.owner("POST", place, {"note": "Fetched it."})
    assert tokens.agent("POST", place, {"note": ""})["resolution"] == "Fetched it."
    mentioned = tokens.agent("POST", "/memory/open-loop", again)
    assert (mentioned["resolved"], mentioned["mention_count"]) == (1, 3)
    assert mentioned["resolution"] == "Fetched it."

    pattern = {"pattern_type": "habit", "description": "Runs on Sundays", "confidence": 0.5}
    tokens.owner("POST", "/memory/pattern", pattern)
    claim = {**pattern, "confidence": 1, "metadata": {"certain": False}, "tags": ["x"]}
    seen = tokens.agent("POST", "/memory/pattern", claim)
    assert (seen["frequency"], seen["confidence"], seen["tags"]) == (2, 0.6, [])
    assert seen["metadata"] == {}
    for record in (f"pattern:{seen['id']}", f"open_loop:{first['id']}"):
        tokens.refused("PATCH", f"/memory/manage/{record}", {"tags": ["x"]})


def test_no_evidence_of_an_agent_makes_a_record_of_the_owner_go_with_it(tokens: Tokens) -> None:
    loop = {"topic": "Renew the passport"}
    tokens.owner("POST", "/memory/open-loop", loop)
    turn = tokens.agent("POST", "/turns", {"session_id": "s1", "text": "hm"})
    given = {**loop, "evidence": [turn["turn_id"]]}
    assert tokens.agent("POST", "/memory/open-loop", given)["evidence"] == []


def test_an_agent_labels_only_what_agents_wrote(
    tokens: Tokens, workspace: Workspace, home: Path
) -> None:
    said = {"session_id": "s1", "text": "The key is under the mat."}
    own = tokens.owner("POST", "/turns", said)["turn_id"]
    its = tokens.agent("POST", "/turns", said)["turn_id"]
    note = {"text": "The safe is green.", "tags": ["secret"], "metadata": {"title": "Safe"}}
    text = tokens.owner("POST", "/memory/ingest/text", note)["id"]
    for place in (f"turn:{own}", text):
        before = tokens.owner("GET", f"/memory/manage/{place}")
        for change in ({"tags": []}, {"metadata": {}}, {"tags": ["secret", "x"]}):
            tokens.refused("PATCH", f"/memory/manage/{place}", change)
        assert tokens.owner("GET", f"/memory/manage/{place}") == before
    again = {"text": note["text"], "metadata": {"title": "Open"}, "tags": []}
    tokens.agent("POST", "/memory/ingest/text", again)
    kept = tokens.owner("GET", f"/memory/manage/{text}")
    assert (kept["tags"], kept["metadata"]) == (["secret"], {"title": "Safe"})
    assert tokens.agent("PATCH", f"/memory/manage/turn:{its}", {"tags": ["x"]})["tags"] == ["x"]


def test_an_agent_takes_no_secret_from_a_file(tokens: Tokens, home: Path) -> None:
    (home / "docs").mkdir(exist_ok=True)
    (home / "docs" / "safe.md").write_text("The safe is green.\n")
    tokens.owner("POST", "/memory/sync")
    files = tokens.owner("GET", "/memory/manage?source=file")["records"]
    (place,) = [f"/memory/manage/{one['id']}" for one in files if one["path"].endswith("safe.md")]
    tokens.agent("PATCH", place, {"tags": ["house", "secret"]})
    tokens.refused("PATCH", place, {"tags": ["house"]})
    assert tokens.agent("PATCH", place, {"tags": ["secret"]})["tags"] == ["secret"]


def test_an_agent_changes_a_distilled_person_but_not_its_labels(
    tokens: Tokens, workspace: Workspace
) -> None:
    tokens.owner("POST", "/turns", {"session_id": "s1", "text": "My brother Bruno rang."})
    distil(workspace)
    known = tokens.owner("GET", "/memory/person/Bruno")
    assert known["source"] == "distillation"
    tokens.refused("PATCH", f"/memory/manage/person:{known['id']}", {"tags": ["x"]})
    changed = tokens.agent("POST", "/memory/person", {"name": "Bruno", "notes": "Sails."})
    assert (changed["notes"], changed["source"]) == ("Sails.", "claude")
    assert changed["metadata"] == {"agent": "claude"}


def test_distillation_takes_over_what_an_agent_stated(tokens: Tokens, workspace: Workspace) -> None:
    claim = {"category": "biographical", "key": "home", "value": "Rome"}
    tokens.agent("POST", "/memory/fact", claim)
    tokens.owner("POST", "/turns", {"session_id": "s1", "text": "I live in Oslo."})
    distil(workspace)
    (fact,) = list_facts(workspace, category="biographical")
    assert (fact.value, fact.source, fact.metadata) == ("Oslo", "distillation", {})
    assert tokens.agent("POST", "/memory/fact", claim)["action"] == "kept"


def test_a_token_named_as_a_source_is_no_such_source(
    app: FastAPI, workspace: Workspace, tokens: Tokens
) -> None:
    named = bearer(create_token(workspace, "user", scope="write").token)
    with TestClient(app, base_url=BASE_URL) as server:
        made = server.post("/memory/fact", json=stated("tea"), headers=named).json()
    assert (made["source"], made["confidence"]) == ("agent user", 0.6)
