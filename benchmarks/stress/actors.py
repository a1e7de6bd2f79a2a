"""One of the processes that use a database at once: `python -m ...actors ROLE BASE SEED`.

Each repeats its operation until it is killed, and prints an `Event` before and after.
"""

import contextlib
import http.client
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.stress.actor import Actor
from benchmarks.stress.conversations import collectors, importers, talkers
from benchmarks.stress.values import SERVER_AWAY, TEXTS, Base, text_of
from contracts import NotFoundError
from memory.config.loading import load_config
from memory.files.ingestion import ingest_text, sync_files
from memory.index.spaces.reindex import reindex
from memory.operations.backup import back_up
from memory.operations.doctor import checkup
from memory.operations.manage import delete_record
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search.options import MODES, SearchOptions

_HTTP_TIMEOUT_S = 90
_AWAY_S = 0.3
_GONE = (ConnectionError, http.client.HTTPException, TimeoutError, FileNotFoundError, ValueError)
"""A client's errors for a server that is killed, or a port that is not written yet."""


def sync(actor: Actor) -> None:
    """Sync, occasionally with everything indexed again."""
    force = actor.random.random() < 0.05
    with actor.telling("sync"), actor.opened() as workspace:
        sync_files(workspace, force=force)
    actor.rest(0, 0.3)


def searches(actor: Actor) -> None:
    """Search, in a process that has the database open for a while."""
    with actor.opened() as workspace:
        for _ in range(20):
            words = actor.random.sample(("ferry", "pump", "winter", "signal", "harbour", "note"), 2)
            mode = actor.random.choice(MODES)
            with actor.telling("search"):
                found = search(workspace, " ".join(words), SearchOptions(mode=mode))
                if any(not hit.text.strip() for hit in found.results):
                    raise RuntimeError("a hit without a text")
        with actor.telling("status"):
            read_status(workspace)


def texts(actor: Actor) -> None:
    """Add texts, find them at once, and remove some again."""
    with actor.opened() as workspace:
        for _ in range(10):
            number = actor.random.randrange(TEXTS)
            text = text_of(actor.role, number)
            if actor.random.random() < 0.6:
                with actor.telling("ingest", text):
                    record_id = ingest_text(workspace, text).id
                with actor.telling("find"):
                    hits = search(workspace, f"{actor.role}x{number}").results
                    if all(hit.text != text for hit in hits):
                        raise RuntimeError(f"{record_id} was ingested and is not found")
            else:
                with actor.telling("delete", text):
                    record_id = ingest_text(workspace, text).id
                    delete_record(workspace, record_id)


def reindexes(actor: Actor) -> None:
    """Cut all texts in one way, then in the other."""
    for number in (1, 0):
        with actor.telling("reindex"), actor.opened(number) as workspace:
            reindex(workspace)
        actor.rest(0.2, 1.0)


def doctors(actor: Actor) -> None:
    """Check for damage while all the others write."""
    with actor.telling("doctor"), actor.opened() as workspace:
        _examine(workspace)
    actor.rest(0.2, 1.0)


def _examine(workspace: Workspace) -> None:
    report = checkup(workspace)
    if not report.healthy:
        raise AssertionError("; ".join(finding.fact for finding in report.problems))


def backups(actor: Actor) -> None:
    """Copy the database while all the others write, and check the copy for damage."""
    with actor.telling("backup"), actor.opened() as workspace:
        saved = back_up(workspace, actor.base.backups, keep=2)
    loaded = load_config(actor.base.config(0), database=Path(saved.path))
    with actor.telling("doctor"), Workspace(loaded) as copy:
        _examine(copy)
    time.sleep(actor.random.uniform(0.5, 2.0))


def clients(actor: Actor) -> None:
    """Ask a server to search, to sync, to store texts and to forget them."""
    number = actor.random.randrange(TEXTS)
    text = text_of(actor.role, number)
    op = actor.random.choice(("search", "search", "search", "ingest", "delete", "sync"))
    about = text if op in ("ingest", "delete") else None
    with actor.telling(f"http {op}", about):
        try:
            _ask(actor, op, text)
        except _GONE as error:
            time.sleep(_AWAY_S)
            raise ConnectionError(SERVER_AWAY) from error
    actor.rest(0, 0.05)


def _ask(actor: Actor, op: str, text: str) -> None:
    if op == "search":
        _request(actor, "POST", "/memory/search", {"query": text[:30]})
    elif op == "sync":
        _request(actor, "POST", "/memory/sync", {})
    else:
        record_id = _request(actor, "POST", "/memory/ingest/text", {"text": text})["id"]
        if op == "delete":
            with contextlib.suppress(NotFoundError):
                _request(actor, "DELETE", f"/memory/manage/{record_id}", None)


def _request(actor: Actor, method: str, path: str, body: object) -> dict[str, str]:
    port = int(actor.base.port_file.read_text("ascii"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_HTTP_TIMEOUT_S)
    with contextlib.closing(connection):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, headers)
        answer = connection.getresponse()
        read = answer.read()
    if answer.status >= 400:
        raise RuntimeError(f"{answer.status} {read[:200]!r}")
    found: dict[str, str] = json.loads(read)
    return found


ROLES: dict[str, Callable[[Actor], None]] = {
    "sync": sync,
    "search": searches,
    "text": texts,
    "reindex": reindexes,
    "doctor": doctors,
    "backup": backups,
    "client": clients,
    "talk": talkers,
    "gc": collectors,
    "import": importers,
}


def main() -> None:
    """Perform the role for ever."""
    role, folder, seed = sys.argv[1:]
    actor = Actor(role, Base(Path(folder)), int(seed))
    while True:
        ROLES[role.rstrip("0123456789")](actor)


if __name__ == "__main__":
    main()
