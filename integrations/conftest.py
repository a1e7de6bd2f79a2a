"""A real server for the tests of these packages.

`MEM` names the program, or it is the one on the path: the packages only know its address, so it
may be installed in another environment.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from symbiosis_memory_client import MemoryClient

TOKEN = "an-admin-token-of-the-tests"
GUIDE = "# Boiler\n\nThe spare key hangs behind the boiler. The pump needs 3 bar.\n"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of one document, which wants a token."""
    program = os.environ.get("MEM") or shutil.which("mem")
    if program is None:
        pytest.fail("the program `mem` is not on the path; name it: MEM=.venv/bin/mem")
    home = tmp_path_factory.mktemp("home")
    (home / "docs").mkdir()
    (home / "docs" / "boiler.md").write_text(GUIDE, encoding="utf-8")
    config = home / "config.json"
    settings = {"memory": {"server": {"tokens": [TOKEN]}}}
    config.write_text(json.dumps(settings), encoding="utf-8")
    folders = {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA")}
    environment = {**os.environ, **folders, "XDG_RUNTIME_DIR": str(home / "run")}
    command = [str(Path(program).absolute()), "--config", str(config)]
    subprocess.run([*command, "sync", "docs"], cwd=home, env=environment, check=True)
    process = subprocess.Popen(
        [*command, "serve", "--port", "0"],
        cwd=home,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = next(line for line in process.stderr if "http://" in line)
        yield next(word for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture
def client(server: str) -> MemoryClient:
    """A client that may do everything."""
    return MemoryClient(server, token=TOKEN)


@pytest.fixture
def session_id() -> str:
    """A session that no other test has."""
    return f"session-{uuid4().hex}"
