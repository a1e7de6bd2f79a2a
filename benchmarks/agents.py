"""Measure what an agent waits for: `python -m benchmarks.agents DATABASE QUERIES`.

The handshake of `mem mcp`, its memory, and the time of a search over MCP beside the server's own,
asked in turn: the same query to POST /memory/search, POST /mcp, `mem mcp` alone, and `mem mcp` in
front of the server. No answer comes from a cache: each asks with its own word. Then the hook
of a prompt, which is a separate process and has 300 ms.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.harness.processes import mem_command
from benchmarks.harness.serving import processor_s_of

_MIB = 1024
_BEGIN: Mapping[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}


class Agent:
    """A client of a `mem mcp` process."""

    def __init__(self, database: Path, **variables: str) -> None:
        started = time.perf_counter()
        kept = {name: text for name, text in os.environ.items() if not name.startswith("MEM_")}
        self.process = subprocess.Popen(
            [*mem_command(), "--db", str(database), "mcp"],
            env={**kept, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.ask(_BEGIN)
        self.handshake_s = time.perf_counter() - started
        self.handshake_cpu_s = processor_s_of(self.process.pid)

    def ask(self, message: Mapping[str, Any]) -> Any:
        """Send a message, and return the response."""
        print(json.dumps(message), file=self.process.stdin, flush=True)
        return json.loads(next(iter(self.process.stdout or ())))

    def search(self, query: str) -> None:
        """Search by the tool."""
        self.ask(_call(query))

    def mib(self, name: str) -> int:
        """A figure of the process's memory: `VmRSS`, or `RssAnon` without mapped files."""
        told = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(told.partition(f"{name}:")[2].split()[0]) // _MIB

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def _call(query: str) -> Mapping[str, Any]:
    params = {"name": "search", "arguments": {"query": query, "max_results": 8}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """A server of that database; its address."""
    command = [*mem_command(), "--db", str(database), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield next(line.split()[2] for line in process.stderr or () if "http://" in line)
        finally:
            process.terminate()


def _post(connection: HTTPConnection, path: str, body: Mapping[str, Any]) -> None:
    connection.request("POST", path, json.dumps(body).encode(), _HEADERS)
    answer = connection.getresponse()
    told = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}: {told[:300]!r}")


def measure(database: Path, queries: Sequence[str], *, handshakes: int) -> None:
    """Print the figures."""
    with ExitStack() as open_, serving(database) as url:
        for name, variables in (("alone", {}), ("in front of a server", {"MEM_SERVER_URL": url})):
            agents = [Agent(database, **variables) for _ in range(handshakes)]
            wall = median(agent.handshake_s for agent in agents)
            cpu = median(agent.handshake_cpu_s for agent in agents)
            print(f"handshake {name:22} {wall:6.2f} s wall, {cpu:5.2f} s of the processor")
            for agent in agents:
                agent.close()
        alone, front = Agent(database), Agent(database, MEM_SERVER_URL=url)
        open_.callback(alone.close)
        open_.callback(front.close)
        connection = HTTPConnection(url.removeprefix("http://"))
        ways = {
            "POST /memory/search": lambda query: _post(
                connection, "/memory/search", {"query": query, "max_results": 8}
            ),
            "POST /mcp": lambda query: _post(connection, "/mcp", _call(query)),
            "mem mcp, alone": alone.search,
            "mem mcp, server": front.search,
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for number, query in enumerate([*queries[:20], *queries]):  # the first ones warm up
            for place, (name, ask) in enumerate(ways.items()):
                started = time.perf_counter()
                ask(f"{query} {number}{'abcd'[place]}")
                if number >= len(queries[:20]):
                    times[name].append((time.perf_counter() - started) * 1000)
        for name, taken in times.items():
            p95 = quantiles(taken, n=20)[-1]
            print(f"search    {name:22} p50 {median(taken):6.1f} ms, p95 {p95:6.1f} ms")
        _measure_hooks(database, queries)
        for name, agent in (("mem mcp, alone", alone), ("mem mcp, server", front)):
            own, resident = agent.mib("RssAnon"), agent.mib("VmRSS")
            print(f"memory    {name:22} {own:4} MiB of its own, {resident:4} with mapped files")


def _measure_hooks(database: Path, queries: Sequence[str]) -> None:
    """Print the time of `mem hook` at a prompt, and how often it answers before its deadline."""
    command = [*mem_command(), "--db", str(database), "hook", "claude-code", "prompt"]
    walls, cpus, answered = [], [], 0
    for number, query in enumerate([*queries[:5], *queries]):  # the first ones warm up
        payload = {"session_id": "a-session", "prompt": f"{query} {number}h"}
        used, started = os.times(), time.perf_counter()
        done = subprocess.run(
            command, input=json.dumps(payload), capture_output=True, text=True, check=True
        )
        if number >= len(queries[:5]):
            walls.append((time.perf_counter() - started) * 1000)
            spent = os.times()
            ours = spent.children_user + spent.children_system
            cpus.append((ours - used.children_user - used.children_system) * 1000)
            answered += bool(done.stdout)
    p95 = quantiles(walls, n=20)[-1]
    print(
        f"hook      at a prompt            p50 {median(walls):6.1f} ms, p95 {p95:6.1f} ms, "
        f"{median(cpus):.0f} ms of the processor, {answered} of {len(walls)} answered"
    )


def main(given: Sequence[str]) -> None:
    """Read the command line, and measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agents", description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("queries", type=Path, help="a text file with a query on each line")
    parser.add_argument("--handshakes", type=int, default=7)
    options = parser.parse_args(given)
    queries = options.queries.read_text(encoding="utf-8").splitlines()
    measure(options.database, queries, handshakes=options.handshakes)


if __name__ == "__main__":
    main(sys.argv[1:])
