"""`mem mcp` as a process to which a test writes lines."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.memory.api.conftest import environment
from tests.waiting import output_of


def start(folder: Path, **variables: str) -> subprocess.Popen[str]:
    """`mem mcp` over the database of that folder."""
    database = str(folder / "data/memory.db")
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", "mcp", "--db", database],
        cwd=folder,
        env={**environment(), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ask(process: subprocess.Popen[str], message: Any, *, field: str = "result") -> Any:
    """Send a request and return its response; or only write a broken line or a notification."""
    assert process.stdin is not None
    assert process.stdout is not None
    line = message if isinstance(message, str) else json.dumps(message)
    print(line, file=process.stdin, flush=True)
    if isinstance(message, str) or "id" not in message:
        return None
    answer = json.loads(process.stdout.readline())
    assert answer["id"] == message["id"]
    return answer[field]


def end(process: subprocess.Popen[str]) -> None:
    """Close its input; it ends by itself, and has nothing more to say on stdout."""
    assert output_of(process)[0] == ""
    assert process.returncode == 0
