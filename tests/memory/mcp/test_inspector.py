"""The protocol's reference inspector, a program in another language, against both transports."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from tests.memory.api.conftest import Serve, environment
from tests.waiting import DEADLINE_S

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
TOOLS = ["search", "read", "context", "remember", "forget"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def inspector() -> Path:
    """The program, installed once on this machine into a folder for files that may go."""
    folder = Path(tempfile.gettempdir()) / "symbiosis-memory-tests" / INSPECTOR.replace("/", "-")
    program = folder / "node_modules/.bin/mcp-inspector"
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"{INSPECTOR} needs npm, which is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "install.lock"):
        if not program.exists():
            command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", INSPECTOR]
            try:
                subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
            except (subprocess.SubprocessError, OSError) as error:
                pytest.skip(f"npm cannot install {INSPECTOR} here: {error}")
    return program


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, home: Path, serve_live: Serve) -> list[str]:
    """The words that name a server to the inspector."""
    if request.param == "http":
        url = serve_live(config={"server": {"tokens": ["a-token"]}}).url
        return [f"{url}/mcp", "--transport", "http", "--header", "Authorization: Bearer a-token"]
    database = str(home / "data/memory.db")
    command = [sys.executable, "-m", "cli.main", "mcp", "--db", database]
    return [*command, "-e", f"PYTHONPATH={environment()['PYTHONPATH']}", "--cwd", str(home)]


@pytest.mark.parametrize("protocol", ["legacy", "modern"])
def test_the_reference_inspector(
    inspector: Path, target: list[str], protocol: str, home: Path
) -> None:
    def inspect(method: str, *words: str) -> Any:
        command = [str(inspector), "--cli", *target, "--protocol-era", protocol]
        command += ["--connect-timeout", str(DEADLINE_S * 1000)]
        done = subprocess.run(
            [*command, "--method", method, *words],
            env={**os.environ, "HOME": str(home)},
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return json.loads(done.stdout)

    tools = inspect("tools/list", "--strict")["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    call = ("tools/call", "--tool-name")
    kept = inspect(*call, "remember", "--tool-arg", "text=User owns a boiler")
    assert kept["structuredContent"]["citation"] == "memory 1"
    found = inspect(*call, "search", "--tool-arg", "query=boiler")["structuredContent"]
    assert [hit["citation"] for hit in found["results"]] == ["memory 1"]
    read = inspect("resources/read", "--uri", "mem:///memory 1")
    assert "User owns a boiler" in read["contents"][0]["text"]
