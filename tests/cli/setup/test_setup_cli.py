"""`mem setup` as it is typed: its files, its output, and where a token may not be."""

import json
from pathlib import Path

import pytest

from cli.commands import COMMANDS
from cli.setup.setup import AGENTS
from memory.agents.own_command import own_command
from memory.agents.products import ENTRY, PRODUCTS
from tests.cli.shell import Mem

TOKEN = "mem_0123456789abcdef"


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home folder; the working directory is another."""
    home = folder / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    return home


def test_the_command_knows_every_product() -> None:
    assert tuple(PRODUCTS) == AGENTS
    assert {"setup", "hook"} <= COMMANDS.keys()


@pytest.mark.parametrize("agent", AGENTS)
def test_setup_print_and_removal(agent: str, home: Path, mem: Mem) -> None:
    shown = mem("setup", agent, "--print")
    assert (shown.code, list(home.iterdir())) == (0, [])
    assert ENTRY in shown.out

    done = mem("setup", agent)
    assert done.code == 0
    assert "restart the program" in done.err
    written = [path for path in home.rglob("*") if path.is_file()]
    assert sorted(f"written    {path}" for path in written) == sorted(done.out.splitlines())
    for path in written:
        assert path.read_text().strip() in shown.out

    removed = mem("setup", agent, "--remove", "--json")
    assert {one["action"] for one in removed.json} == {"removed"}
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_the_program_has_an_absolute_path(home: Path, mem: Mem) -> None:
    mem("setup", "claude-desktop", "--no-hooks")
    (path,) = (path for path in home.rglob("*.json"))
    entry = json.loads(path.read_text())["mcpServers"][ENTRY]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-1] == "mcp"


def test_a_link_to_the_program_stays_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "env" / "mem"
    real.parent.mkdir()
    real.write_text("#!/bin/sh\n")
    real.chmod(0o755)
    link = tmp_path / "mem"
    link.symlink_to(real)
    monkeypatch.setattr("sys.argv", [str(link), "setup"])
    assert own_command() == [str(link)]
    monkeypatch.setattr("sys.argv", [str(tmp_path / "none" / "mem")])
    assert own_command()[0] != str(tmp_path / "none" / "mem")
    assert Path(own_command()[0]).is_absolute()


def test_a_project_gets_the_entry_alone(home: Path, folder: Path, mem: Mem) -> None:
    assert mem("setup", "claude-code", "--scope", "project").code == 0
    assert ENTRY in json.loads((folder / ".mcp.json").read_text())["mcpServers"]
    assert list(home.iterdir()) == []
    refused = mem("setup", "zed", "--scope", "project")
    assert refused.code == 2
    assert "has no file of a project" in refused.err


def test_the_configuration_named_now_is_the_one_used_later(
    home: Path, folder: Path, mem: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that merely lies in the working directory is not."""
    config = folder / "constitution_config.json"
    config.write_text("{}")
    args = [f'"--config", "{config}"']
    assert args[0] not in mem("setup", "zed", "--print").out
    assert args[0] in mem("--config", str(config), "setup", "zed", "--print").out
    monkeypatch.setenv("MEM_CONFIG", str(config))
    assert args[0] in mem("setup", "zed", "--print").out
    assert f'"--db", "{folder}/d.db"' in mem("setup", "zed", "--print", "--db", "d.db").out


def test_a_token_is_named_by_its_file_and_never_written(home: Path, folder: Path, mem: Mem) -> None:
    file = folder / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    url = "http://127.0.0.1:8787"
    reached = ["--server", url, "--token-file", "token"]
    for agent in AGENTS:
        assert mem("setup", agent, *reached).code == 0
    assert mem("setup", "cursor", "--scope", "project", *reached).code == 0
    texts = [
        path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path != file and "docs" not in path.parts
    ]
    assert not any(TOKEN in text for text in texts)
    with_file = [text for text in texts if f'"{file}"' in text]
    assert len(with_file) == len(AGENTS) + 1
    assert all("MEM_SERVER_TOKEN_FILE" in text and url in text for text in with_file)


@pytest.mark.parametrize(
    "options, code, fault",
    [
        (["--token-file", "token"], 2, "--token-file needs --server"),
        (["--server", "localhost"], 3, "MEM_SERVER_URL is 'localhost'"),
        (["--server", "http://u:p@h"], 5, "the address of the server holds a secret"),
        (["--server", "http://h/?token=x"], 5, "the address of the server holds a secret"),
        (["--server", "http://h", "--token-file", "none"], 3, "cannot be read"),
        (["--server", "http://h", "--token-file", "open"], 5, "is not yours alone"),
        (["--server", "http://h", "--token-file", "two"], 3, "does not hold one token"),
    ],
    ids=str,
)
def test_a_wrong_server_or_token_changes_nothing(
    options: list[str], code: int, fault: str, home: Path, folder: Path, mem: Mem
) -> None:
    (folder / "open").write_text(TOKEN)
    (folder / "open").chmod(0o640)
    (folder / "two").write_text(f"{TOKEN}\n{TOKEN}\n")
    (folder / "two").chmod(0o600)
    refused = mem("setup", "codex", *options)
    assert refused.code == code
    assert fault in refused.err
    assert TOKEN not in refused.err
    assert list(home.iterdir()) == []


def test_a_file_that_cannot_be_understood_is_named_with_its_line(home: Path, mem: Mem) -> None:
    path = home / ".claude.json"
    path.write_text('{\n  "mcpServers": {]\n}')
    refused = mem("setup", "claude-code")
    assert refused.code == 3
    assert f"{path}:2:18: " in refused.err
    assert path.read_text() == '{\n  "mcpServers": {]\n}'
    assert list(home.iterdir()) == [path]
