"""`GET /metrics` is what Prometheus reads, and says what the status says."""

from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient


def samples(client: TestClient) -> dict[str, dict[tuple[str, ...], float]]:
    """Every sample by its name and the values of its labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.documentation
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


def test_metrics_say_what_the_status_says(client: TestClient) -> None:
    for _ in range(2):
        client.post("/memory/search", json={"query": "pump"})
    client.post("/memory/search", json={"query": "bricks", "mode": "keyword"})
    status = client.get("/memory/status").json()
    found = samples(client)
    assert found["symbiosis_memory_files"] == {("indexed",): 2.0}
    assert found["symbiosis_memory_chunks"] == {("file",): float(status["chunks"]["file"])}
    assert found["symbiosis_memory_vectors"] == {(): float(status["vectors"])}
    assert found["symbiosis_memory_running"][("sync",)] == 0.0
    assert found["symbiosis_memory_last_sync_timestamp_seconds"][()] > 1.7e9
    assert found["symbiosis_memory_database_bytes"][("file",)] > 0
    assert found["symbiosis_memory_query_cache_total"] == {("true",): 1.0, ("false",): 2.0}
    counts = found["symbiosis_memory_search_seconds_count"]
    assert counts[("search",)] == 2.0
    assert counts[("keyword",)] == 2.0
    assert counts[("vector",)] == 1.0
    assert counts[("cached",)] == 1.0
    assert found["symbiosis_memory_search_seconds_sum"][("search",)] > 0
    buckets = found["symbiosis_memory_search_seconds_bucket"]
    of_search = [value for labels, value in buckets.items() if "search" in labels]
    assert of_search == sorted(of_search)
    assert of_search[-1] == 2.0
    assert found["process_resident_memory_bytes"][()] > 1e6
    assert list(found["symbiosis_memory_info"].values()) == [1.0]


def test_metrics_are_told_before_the_first_search(client: TestClient) -> None:
    found = samples(client)
    assert found["symbiosis_memory_search_seconds_count"][("search",)] == 0.0


def test_metrics_need_the_token(guarded: TestClient) -> None:
    assert guarded.get("/metrics").status_code == 401
    headers = {"Authorization": "Bearer first-token"}
    assert guarded.get("/metrics", headers=headers).status_code == 200


def test_statistics_come_along_when_asked_for(client: TestClient) -> None:
    client.post("/memory/search", json={"query": "pump"})
    assert client.get("/memory/status").json()["statistics"] is None
    found = client.get("/memory/status?stats=true").json()["statistics"]
    legs = {item["leg"]: item["number"] for item in found["latencies"]}
    assert legs["search"] == 1
    stored = client.get("/memory/status").json()["chunks"]["file"]
    assert sum(day["chunks"] for day in found["growth"]) == stored
