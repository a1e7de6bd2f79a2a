"""Every route through the whole application, with either backend."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from memory.api.routes.search import search_options
from memory.api.schemas.search import MemorySearchRequest
from memory.config.settings import SearchConfig
from memory.files.collections import checked_collection, name_collection
from memory.retrieval.reranking import Reranking
from memory.values import reports, results, status_reports
from providers.rerankers.fake import FakeReranker
from tests.waiting import wait_until


def search(client: TestClient, query: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/memory/search", json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def the_id(client: TestClient, name: str) -> str:
    records = client.get("/memory/manage").json()["records"]
    return next(str(item["id"]) for item in records if (item["path"] or "").endswith(name))


def names(kind: type) -> set[str]:
    return {item.name for item in fields(kind)}


def test_a_hit_has_the_documented_fields(client: TestClient, home: Path) -> None:
    answer = search(client, "bricks Zürich", max_results=1)
    assert answer.keys() == names(results.SearchResponse)
    (hit,) = answer["results"]
    assert hit.keys() == names(results.SearchResult) - {"explanation", "before", "after"}
    assert hit["file_path"] == str(home / "docs/setup.md")
    assert hit["file_id"] == the_id(client, "setup.md")
    assert hit["citation"].startswith("docs/setup.md:")
    text = (home / "docs/setup.md").read_text("utf-8")
    assert hit["text"] == text[hit["start_char"] : hit["end_char"]]
    assert "Zürich" in hit["text"]
    assert answer["query"] == "bricks Zürich"
    assert answer["total_results"] == 1
    assert answer["mode_used"] == "hybrid"
    assert answer["freshness"]["pending"] == 0
    assert answer["freshness"]["indexed_at"]


def test_a_repeated_request_is_known(client: TestClient) -> None:
    first, again = (search(client, "bricks", explain=True) for _ in range(2))
    assert (first.pop("cached"), again.pop("cached")) == (False, True)
    assert first.pop("search_time_ms") != again.pop("search_time_ms")
    assert again == first
    known = client.get("/memory/status").json()["query_cache"]
    assert (known["hits"], known["misses"], known["hit_rate"]) == (1, 1, 0.5)
    assert known["answers"] == 1
    client.post("/memory/ingest/text", json={"text": "More about bricks."})
    assert not search(client, "bricks", explain=True)["cached"]


def test_a_repeated_request_of_the_last_days_is_known(client: TestClient) -> None:
    """The minute may change between two of them, and hardly between two times two."""
    known = [search(client, "bricks", since="7d", until="0min")["cached"] for _ in range(3)]
    assert known[0] is False
    assert any(known)


def test_the_tags_of_a_note_limit_searches_and_lists(client: TestClient, home: Path) -> None:
    (home / "docs/oven.md").write_text("---\ntags: [kiln]\n---\nBricks hold heat. #fire\n")
    assert client.post("/memory/ingest", json={"path": str(home / "docs")}).status_code == 200
    (hit,) = search(client, "bricks", tags=["kiln", "fire"])["results"]
    assert Path(hit["file_path"]).name == "oven.md"
    listed = client.get("/memory/manage", params={"tags": ["kiln"]}).json()["records"]
    assert [record["tags"] for record in listed] == [["kiln", "fire"]]


def test_a_named_folder_explains_its_hits(client: TestClient, home: Path) -> None:
    workspace = cast(FastAPI, client.app).state.app_state.workspace
    about = checked_collection(workspace, home / "docs", name="manuals", about="How to build it")
    name_collection(workspace, about)
    answer = search(client, "bricks", collection="manuals")
    assert {hit["collection"] for hit in answer["results"]} == {"manuals"}
    assert answer["collections"] == [
        {"name": "manuals", "path": str(home / "docs"), "about": "How to build it"}
    ]
    unknown = client.post("/memory/search", json={"query": "bricks", "collection": "manual"})
    assert (unknown.status_code, "manuals" in unknown.json()["hint"]) == (404, True)


def test_explanations_come_when_asked_for(client: TestClient) -> None:
    (hit,) = search(client, "bricks", max_results=1, explain=True)["results"]
    assert hit["explanation"]["keyword_rank"] == 1


def test_reranking_comes_when_asked_for(client: TestClient) -> None:
    workspace = cast(FastAPI, client.app).state.app_state.workspace
    workspace.put(Reranking(FakeReranker, name="fake"))
    told = search(client, "bricks", rerank=True)["warnings"]
    assert told in (
        [],
        [
            "not reranked, the order is the search's own: the model fake is still "
            "being loaded; ask again in some seconds"
        ],
    )
    wait_until(lambda: client.get("/memory/status").json()["reranker"]["state"] == "ready")
    (hit,) = search(client, "bricks", max_results=1, rerank=True, explain=True)["results"]
    assert (hit["score"], hit["explanation"]["rerank"]) == (1, 1)
    (plain,) = search(client, "bricks", max_results=1, rerank=False, explain=True)["results"]
    assert plain["explanation"]["rerank"] is None


@pytest.mark.parametrize("mode", ["vector", "keyword", "hybrid"])
def test_modes(client: TestClient, mode: str) -> None:
    assert search(client, "bricks", mode=mode, min_score=0)["mode_used"] == mode


@pytest.mark.parametrize(
    "narrowed, found",
    [
        pytest.param({"sources": ["file"]}, {"setup.md", "code.py"}, id="source"),
        pytest.param({"sources": [".py"]}, {"code.py"}, id="type"),
        pytest.param({"sources": ["docs/deep"]}, {"code.py"}, id="folder"),
        pytest.param({"path": "docs/deep"}, {"code.py"}, id="path"),
        pytest.param({"path": "docs", "sources": ["*.md"]}, {"setup.md"}, id="path and type"),
        pytest.param({"sources": ["text"]}, {None}, id="texts"),
        pytest.param({"tags": ["a", "b"]}, {None}, id="tags"),
        pytest.param({"without_tags": ["b"]}, {"setup.md", "code.py"}, id="without tags"),
        pytest.param({"until": "2001-12-31"}, {None}, id="until, the day included"),
        pytest.param({"since": "2002-01-01"}, {"setup.md", "code.py"}, id="since"),
        pytest.param({"session_id": 7}, set(), id="session"),
    ],
)
def test_what_may_answer(client: TestClient, narrowed: dict[str, Any], found: set[Any]) -> None:
    note = {"text": "A pump in a note.", "tags": ["a", "b", "c"]}
    client.post(
        "/memory/ingest/text", json={**note, "metadata": {"timestamp": "2001-12-31T23:00:00"}}
    ).raise_for_status()
    hits = search(client, "pump pump_rate", mode="keyword", **narrowed)["results"]
    assert {hit["file_path"] and Path(hit["file_path"]).name for hit in hits} == found


def test_all_chunks_of_a_document_may_answer(client: TestClient) -> None:
    text = "\n\n".join(f"# Part {n}\n\nThe walrus sings. {'word ' * 150}" for n in range(3))
    client.post("/memory/ingest/text", json={"text": text}).raise_for_status()
    assert search(client, "walrus")["total_results"] == 1
    assert search(client, "walrus", all_chunks=True)["total_results"] >= 3


def test_copies_are_folded_unless_the_request_says_otherwise(client: TestClient) -> None:
    ids = []
    for year in (2019, 2020):
        body = {"text": f"Copyright {year} Heron\n\nThe walrus may be copied, and sings."}
        ids.append(client.post("/memory/ingest/text", json=body).json()["id"])
    (hit,) = search(client, "walrus", mode="keyword")["results"]
    (copy,) = hit["duplicates"]
    assert copy.keys() == names(results.Duplicate)
    assert {hit["citation"], copy["citation"]} == {f"text {key}" for key in ids}
    hits = search(client, "walrus", mode="keyword", fold="none")["results"]
    assert [hit["duplicates"] for hit in hits] == [[], []]
    assert search(client, "walrus", mode="keyword", fold="mmr")["total_results"] == 2
    refused = client.post("/memory/search", json={"query": "x", "fold": "all"})
    assert refused.status_code == 422


def test_neighbours_come_when_asked_for(client: TestClient) -> None:
    text = "\n\n".join(f"# Part {n}\n\nwalrus{n} sings. {'word ' * 150}" for n in range(3))
    client.post("/memory/ingest/text", json={"text": text}).raise_for_status()
    (hit,) = search(client, "walrus1", mode="keyword", neighbours=1)["results"]
    (before,), (after,) = hit["before"], hit["after"]
    assert before.keys() == after.keys() == names(results.Neighbour)
    assert "walrus0" in before["text"]
    assert before["start_char"] < hit["start_char"] < after["start_char"] < hit["end_char"] + 3
    refused = client.post("/memory/search", json={"query": "x", "neighbours": 11})
    assert refused.status_code == 422


def test_what_a_request_leaves_out_is_configured() -> None:
    config = SearchConfig(max_results=3, min_score=0.7, hybrid_enabled=False, fold="none")
    options = search_options(MemorySearchRequest(query="x"), config, cwd=Path())
    assert (options.max_results, options.min_score, options.mode) == (3, 0.7, "keyword")
    assert options.fold == "none"
    asked = MemorySearchRequest(query="x", max_results=5, min_score=0, mode="vector")
    options = search_options(asked, config, cwd=Path())
    assert (options.max_results, options.min_score, options.mode) == (5, 0, "vector")


@pytest.mark.parametrize("route", ["/memory/ingest/text", "/ingest_text", "/memory/ingest"])
def test_a_text_is_ingested_once(client: TestClient, route: str) -> None:
    body = {"text": "Schlüssel 鍵 🔑 hängt am Haken", "metadata": {"who": "Jürgen", "n": [1, None]}}
    first = client.post(route, json=body).json()
    assert first["chunks"] == 1
    assert client.post(route, json=body).json() == first
    (hit,) = search(client, "Schlüssel", sources=["text"])["results"]
    assert hit["file_path"] is None
    assert hit["file_id"] == first["id"]
    assert hit["citation"] == f"text {first['id']}"
    assert hit["text"] == body["text"]
    assert hit["metadata"] == body["metadata"]


@pytest.mark.parametrize(
    "body, detail",
    [
        pytest.param({"text": " \n"}, "empty", id="nothing visible"),
        pytest.param({"text": "x", "metadata": {"timestamp": "soon"}}, "timestamp", id="no time"),
        pytest.param({"text": "x", "metadata": []}, "metadata", id="metadata is no object"),
        pytest.param({"text": 7}, "text", id="text is a number"),
        pytest.param({}, "text: Field required", id="no text"),
    ],
)
def test_a_text_that_cannot_be_ingested(client: TestClient, body: Any, detail: str) -> None:
    answer = client.post("/memory/ingest/text", json=body)
    assert answer.status_code == 422
    assert detail in answer.json()["detail"]


def test_one_route_takes_a_file_too(client: TestClient, home: Path) -> None:
    (home / "docs/new.md").write_text("# New\n\nA wombat digs.\n", "utf-8")
    body = {"path": "docs/new.md", "metadata": {"by": "me"}}
    answer = client.post("/memory/ingest", json=body).json()
    assert answer == client.post("/memory/ingest/file", json=body).json() | {"added": 1}
    assert search(client, "wombat")["results"][0]["file_id"] == answer["file_ids"][0]


@pytest.mark.parametrize(
    "body, status, detail",
    [
        pytest.param({}, 422, "text: Field required", id="neither"),
        pytest.param({"path": "docs", "text": "x"}, 422, "text: there is no such", id="both"),
        pytest.param({"path": "/etc/hostname"}, 403, "lies outside", id="outside"),
        pytest.param({"path": "docs", "tags": []}, 422, "tags: there is no such", id="tags"),
        pytest.param([], 422, "body: Input should be", id="a list"),
    ],
)
def test_bad_bodies_of_the_one_route(
    client: TestClient, body: Any, status: int, detail: str
) -> None:
    answer = client.post("/memory/ingest", json=body)
    assert answer.status_code == status
    assert detail in answer.json()["detail"]


def test_the_one_route_needs_json(client: TestClient) -> None:
    headers = {"Content-Type": "text/plain"}
    answer = client.post("/memory/ingest", content='{"text": "x"}', headers=headers)
    assert answer.status_code == 415


def test_metadata_that_json_cannot_hold_is_refused(client: TestClient) -> None:
    answer = client.post(
        "/memory/ingest/text",
        content='{"text": "x", "metadata": {"n": NaN}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert "metadata" in answer.json()["detail"]


def test_a_file_is_ingested_with_metadata(client: TestClient, home: Path) -> None:
    (home / "docs/new.md").write_text("# New\n\nA wombat digs.\n", "utf-8")
    body = {"path": "docs/new.md", "metadata": {"project": "Zoo"}}
    done = client.post("/memory/ingest/file", json=body).json()
    nothing = {"failed": [], "refused": 0, "warnings": []}
    assert done == {"file_ids": [the_id(client, "new.md")], "added": 1, **nothing}
    (hit,) = search(client, "wombat", max_results=1)["results"]
    assert hit["metadata"] == {"project": "Zoo"}


def test_a_folder_is_ingested_and_lists_what_failed(client: TestClient, home: Path) -> None:
    (home / "docs/deep/blob.md").write_bytes(b"\0\1\2\3" * 100)
    done = client.post("/memory/ingest/file", json={"path": str(home / "docs/deep")}).json()
    assert done["file_ids"] == [the_id(client, "code.py")]
    assert [(Path(item["path"]).name, item["state"]) for item in done["failed"]] == [
        ("blob.md", "skipped")
    ]
    refused = client.post(
        "/memory/ingest/file", json={"path": str(home / "docs"), "recursive": False}
    )
    assert refused.status_code == 422


def test_sync_reports_what_changed(client: TestClient, home: Path) -> None:
    (home / "docs/setup.md").write_text("# Setup\n\nNow with a turbine.\n", "utf-8")
    (home / "docs/deep/code.py").unlink()
    planned = client.post("/memory/sync", json={"dry_run": True}).json()
    assert planned.keys() == names(reports.SyncStats)
    assert (planned["updated"], planned["deleted"], planned["dry_run"]) == (1, 1, True)
    inner = client.post("/memory/sync", json={"paths": [str(home / "docs/deep")]}).json()
    assert (inner["updated"], inner["deleted"]) == (0, 1)
    assert client.post("/memory/sync", json={}).json()["updated"] == 1
    assert client.post("/memory/sync", json={"force": True}).json()["unchanged"] == 0


def test_sync_over_http_adds_no_root(client: TestClient, home: Path) -> None:
    client.post("/memory/sync", json={"paths": ["docs/deep"]}).raise_for_status()
    assert client.get("/memory/status").json()["roots"] == [str(home / "docs")]
    (home / "docs/deep").rename(home / "deep")
    assert client.post("/memory/sync").json()["deleted"] == 1


@pytest.mark.parametrize(
    "lines, text, first, last",
    [
        pytest.param("3-5", "The pump in Zürich needs bricks.\n\n## Later", 3, 5, id="range"),
        pytest.param("1", "# Setup", 1, 1, id="one"),
        pytest.param("5-", "## Later\n\nAsk 田中さん.", 5, 7, id="to the end"),
        pytest.param("7-99", "Ask 田中さん.", 7, 7, id="cut at the end"),
    ],
)
def test_lines_of_a_file(client: TestClient, lines: str, text: str, first: int, last: int) -> None:
    answer = client.get(f"/memory/files/{the_id(client, 'setup.md')}", params={"lines": lines})
    content = answer.json()
    assert content["text"] == text
    assert (content["start_line"], content["end_line"], content["total_lines"]) == (first, last, 7)
    wanted = f"docs/setup.md:{first}-{last}" if last > first else f"docs/setup.md:{first}"
    assert content["citation"] == wanted


def test_a_whole_file_and_whether_it_is_stale(client: TestClient, home: Path) -> None:
    path, file_id = home / "docs/setup.md", the_id(client, "setup.md")
    before = client.get(f"/memory/files/{file_id}").json()
    assert before.keys() == names(reports.FileContent) | {"citation"}
    assert (before["text"], before["stale"]) == (path.read_text("utf-8"), False)
    path.write_text("# Other\n", "utf-8")
    after = client.get(f"/memory/files/{file_id}").json()
    assert (after["text"], after["stale"]) == (before["text"], True)


@pytest.mark.parametrize("lines", ["", "0-3", "5-3", "a-b", "-3", "1-2-3", "٣", "9" * 5000, "99"])
def test_lines_that_are_none(client: TestClient, lines: str) -> None:
    answer = client.get(f"/memory/files/{the_id(client, 'setup.md')}", params={"lines": lines})
    assert answer.status_code == 422


def test_records_come_in_pages(client: TestClient) -> None:
    for n in range(5):
        client.post("/memory/ingest/text", json={"text": f"note {n}"}).raise_for_status()
    everything = client.get("/memory/manage").json()
    assert everything["next_cursor"] is None
    found: list[Any] = []
    cursor: str | None = None
    while cursor is not None or not found:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = client.get("/memory/manage", params=query).json()
        assert len(page["records"]) <= 2
        found += page["records"]
        cursor = page["next_cursor"]
    assert found == everything["records"]
    assert len(found) == 7
    assert found[0].keys() == names(reports.Record)


@pytest.mark.parametrize(
    "query, found",
    [
        pytest.param({"source": "file"}, ["code.py", "setup.md"], id="source"),
        pytest.param({"path": "docs/deep"}, ["code.py"], id="path"),
        pytest.param({"source": "turn"}, [], id="nothing of that source yet"),
    ],
)
def test_records_are_narrowed(client: TestClient, query: dict[str, str], found: list[str]) -> None:
    records = client.get("/memory/manage", params=query).json()["records"]
    assert [Path(item["path"]).name for item in records] == found


@pytest.mark.parametrize(
    "query", [{"source": "nix"}, {"limit": 0}, {"limit": 1001}, {"limit": "many"}, {"path": "\0"}]
)
def test_lists_that_cannot_be_made(client: TestClient, query: dict[str, Any]) -> None:
    assert client.get("/memory/manage", params=query).status_code == 422


def test_a_record_is_changed(client: TestClient) -> None:
    url = f"/memory/manage/{the_id(client, 'setup.md')}"
    changed = client.patch(url, json={"tags": ["house"], "metadata": {"owner": "Ana"}}).json()
    assert (changed["tags"], changed["metadata"]) == (["house"], {"owner": "Ana"})
    kept = client.patch(url, json={"metadata": {}}).json()
    assert (kept["tags"], kept["metadata"]) == (["house"], {})
    assert client.get(url).json() == {**kept, "updated_at": client.get(url).json()["updated_at"]}
    (hit,) = search(client, "pump", tags=["house"])["results"]
    assert hit["file_path"].endswith("setup.md")
    refused = client.patch(url, json={"tag": ["x"]})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "tag"
    assert "'tags'" in refused.json()["detail"]


def test_a_record_is_removed_until_its_folder_is_synced(client: TestClient, home: Path) -> None:
    url = f"/memory/manage/{the_id(client, 'setup.md')}"
    answer = client.delete(url).json()
    assert answer["record"]["path"] == str(home / "docs/setup.md")
    assert "next sync" in answer["note"]
    assert client.get(url).status_code == 404
    assert search(client, "bricks", mode="keyword")["results"] == []
    assert client.post("/memory/sync").json()["added"] == 1
    assert search(client, "bricks", mode="keyword")["total_results"] == 1


def test_a_removed_text_is_gone(client: TestClient) -> None:
    made = client.post("/memory/ingest/text", json={"text": "A wombat."}).json()
    assert "gone" in client.delete(f"/memory/manage/{made['id']}").json()["note"]
    assert client.delete(f"/memory/manage/{made['id']}").status_code == 404


@pytest.mark.parametrize("url", ["/memory/manage/nix", "/memory/files/nix", "/memory/files/ü"])
def test_what_does_not_exist(client: TestClient, url: str) -> None:
    answer = client.get(url)
    assert answer.status_code == 404
    assert answer.json()["hint"]


def test_status(client: TestClient, home: Path) -> None:
    status = client.get("/memory/status").json()
    assert status.keys() == names(status_reports.MemoryStatus)
    assert status["files"] == {"indexed": 2}
    assert status["roots"] == [str(home / "docs")]
    assert status["model"]["configured"] is True
    assert status["sync"] is None
    index = status["vector_index"]
    assert index.keys() == names(status_reports.VectorIndexStatus)
    assert (index["kind"], index["vectors"]) == ("sqlite", status["vectors"])
    assert index["reason"].startswith("it is ")  # being built, or as quick for so few


def test_health_counts_where_there_is_no_token(client: TestClient) -> None:
    health = client.get("/memory/health").json()
    assert health["status"] == "ok"
    assert health["files"] == {"indexed": 2}
    assert health["chunks"] == sum(client.get("/memory/status").json()["chunks"].values())


def test_answers_are_as_the_schema_says(client: TestClient) -> None:
    """The dataclasses document the answers; the answers are written without them."""
    document = client.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    status = client.get("/memory/status").json()
    assert status.keys() == schemas["MemoryStatus"]["properties"].keys()
    operation = document["paths"]["/memory/search"]["post"]
    assert operation["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/SearchResponse"
    }
    for status_code in (
        "400",
        "401",
        "403",
        "404",
        "409",
        "413",
        "415",
        "422",
        "500",
        "503",
        "507",
    ):
        content = operation["responses"][status_code]["content"]
        assert content.keys() == {"application/problem+json"}
    assert "HTTPValidationError" not in json.dumps(document)


def test_the_docs_page_loads_nothing_and_names_every_route(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<script" not in page.text
    assert "http" not in page.text
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page.text
    for word in ("max_results", "array of SearchResult", "hybrid | keyword | vector or null"):
        assert word in page.text


def test_turns_and_memories_are_records_and_hits_with_citations(client: TestClient) -> None:
    said = {"session_id": "s1", "text": "I live in Oslo", "ts": "2024-03-04T10:00:00Z"}
    turn_id = client.post("/turns", json={**said, "speaker": "Cleo"}).json()["turn_id"]
    url = f"/memory/manage/turn:{turn_id}"
    assert client.get(url).json()["modified_at"] == "2024-03-04T10:00:00.000Z"
    listed = client.get("/memory/manage", params={"source": "turn"}).json()["records"]
    assert [record["id"] for record in listed] == [f"turn:{turn_id}"]
    (memory,) = client.get("/memory/manage", params={"source": "memory"}).json()["records"]
    assert client.patch(url, json={"tags": ["met"]}).json()["tags"] == ["met"]
    answer = search(client, "Oslo", sources=["turn"], tags=["met"], session_id="s1", neighbours=1)
    (hit,) = answer["results"]
    assert hit["citation"] == f"session s1 turn {turn_id}, 2024-03-04"
    assert (hit["file_id"], hit["file_path"]) == (None, None)
    assert search(client, "Oslo", sources=["memory"])["results"][0]["citation"] == (
        memory["id"].replace(":", " ")
    )
    assert "derived from it alone" in client.delete(url).json()["note"]
    assert client.get(url).status_code == 404
    assert client.get(f"/memory/manage/{memory['id']}").status_code == 404
