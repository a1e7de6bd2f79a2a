"""A running `mem serve`, and a client that asks it as another program would."""

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import environment, stop

_ADDRESS = re.compile(r"http://(?P<host>[^:/\s]+):(?P<port>\d+)")
_ANSWER_S = 60
_BUILD_S = 300
_LOOK_S = 0.1
BUILDING = "being built"
"""The status's reason for an index that is not in use yet."""

_USER_TICKS = 11
"""Place of `utime` in proc(5) stat, counted from the field after the name; `stime` follows."""


class Client:
    """One connection that is kept open. Every answer but 200 raises RuntimeError."""

    def __init__(self, host: str, port: int) -> None:
        self._connection = HTTPConnection(host, port, timeout=_ANSWER_S)

    def health(self) -> None:
        """Ask for the server's health."""
        self._connection.request("GET", "/memory/health")
        self._answer()

    def status(self) -> dict[str, Any]:
        """The server's status of its database and indexes."""
        status: dict[str, Any] = self.get("/memory/status")
        return status

    def search(self, query: str, **options: object) -> dict[str, Any]:
        """The answer to a hybrid search, or one with these options, as sent by the server."""
        body = {"query": query, "mode": "hybrid", **options}
        answer: dict[str, Any] = self.post("/memory/search", body)
        return answer

    def get(self, path: str) -> Any:
        """The server's answer for that path."""
        self._connection.request("GET", path)
        return json.loads(self._answer())

    def post(self, path: str, body: object) -> Any:
        """The server's answer to a JSON body."""
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST", path, json.dumps(body).encode(), headers)
        return json.loads(self._answer())

    def wait_until_built(self, *, timeout_s: float = _BUILD_S) -> None:
        """Wait until the server has built its indexes and read its words ahead.

        Raises RuntimeError if it takes too long.
        """
        deadline = time.monotonic() + timeout_s
        while _is_building(self.status()):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the server is still building an index after {timeout_s} s")
            time.sleep(_LOOK_S)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _answer(self) -> bytes:
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"the server answered {answer.status}: {body[:500]!r}")
        return body


def _is_building(status: dict[str, Any]) -> bool:
    is_reading_ahead = status.get("keyword_index", {}).get("is_reading_ahead", False)
    return is_reading_ahead or BUILDING in json.dumps(status)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers, and its start-up time."""

    process: subprocess.Popen[str]
    host: str
    port: int
    ready_s: float

    @contextlib.contextmanager
    def client(self) -> Iterator[Client]:
        """A client, closed at the end of the block."""
        client = Client(self.host, self.port)
        try:
            yield client
        finally:
            client.close()

    def peak_bytes(self) -> int | None:
        """Peak resident memory so far; None without /proc."""
        return self._bytes("VmHWM")

    def own_bytes(self) -> int | None:
        """Resident memory not backed by files; None without /proc."""
        return self._bytes("RssAnon")

    def _bytes(self, name: str) -> int | None:
        found = re.search(rf"^{name}:\s+(\d+) kB", self._told("status"), re.MULTILINE)
        return int(found[1]) * 1024 if found else None

    def processor_s(self) -> float:
        """Processor seconds of the server; 0 without /proc."""
        return processor_s_of(self.process.pid)

    def _told(self, name: str) -> str:
        return _told_of(self.process.pid, name)


def processor_s_of_ended_children(pid: int) -> float:
    """Processor seconds of the ended children of a process; 0 without /proc."""
    after_name = _told_of(pid, "stat").rpartition(")")[2].split()
    ticks = sum(map(int, after_name[_USER_TICKS + 2 : _USER_TICKS + 4]))
    return ticks / os.sysconf("SC_CLK_TCK")


def processor_s_of(pid: int) -> float:
    """Processor seconds of a process; 0 without /proc."""
    after_name = _told_of(pid, "stat").rpartition(")")[2].split()
    ticks = sum(map(int, after_name[_USER_TICKS : _USER_TICKS + 2]))  # in the kernel, too
    return ticks / os.sysconf("SC_CLK_TCK")


def _told_of(pid: int, name: str) -> str:
    file = Path(f"/proc/{pid}/{name}")
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


@contextlib.contextmanager
def running_server(
    bench: Bench, database: Path | None, *, settings: Path | None = None, workers: int = 1
) -> Iterator[Server]:
    """A server of that database, or of the one that the settings name, on a free port of this
    machine; stopped at the end of the block.
    """
    options = ["--config", str(settings or bench.settings())]
    options += ["--db", str(database)] if database else []
    command = [*bench.mem, *options, "serve", "--port", "0", "--workers", str(workers)]
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=bench.work,
        env=environment(bench.work),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            host, port = _address(process)
            server = Server(process, host, port, 0.0)
            with server.client() as client:
                client.health()
            yield Server(process, host, port, time.perf_counter() - started)
        finally:
            stop(process)


def _address(process: subprocess.Popen[str]) -> tuple[str, int]:
    """The address that the server prints once it answers."""
    said = []
    for line in process.stderr or ():
        said.append(line)
        if found := _ADDRESS.search(line):
            return found["host"], int(found["port"])
    raise RuntimeError(f"the server ended and said:\n{''.join(said)}")
