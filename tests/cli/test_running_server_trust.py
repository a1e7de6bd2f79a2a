"""Servers that must not be used: of others, stopped, killed, without the key, or lost on the way."""

import os
import signal
from pathlib import Path

import pytest

from tests.cli.served import Home, end, home_in, left_of, ran, serving
from tests.cli.shell import SECONDS, shell, start


@pytest.fixture
def short_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Folders of this test's own; the name of a socket may have about a hundred characters."""
    return home_in(tmp_path_factory.mktemp("h"))


def test_the_log_holds_no_text_of_commands(tmp_path: Path, short_home: Home) -> None:
    home = short_home
    assert shell("remember", "first", cwd=tmp_path, **home).code == 0
    server = serving(tmp_path, **home)
    assert ran("remember", "the zebra naps", cwd=tmp_path, **home).served
    assert ran("search", "zebra", cwd=tmp_path, **home).served
    server.send_signal(signal.SIGTERM)
    out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, out) == (0, "")
    assert "zebra" not in err
    assert list(Path(home["XDG_RUNTIME_DIR"], "symbiosis-memory").iterdir()) == []


def test_what_a_killed_server_left_is_ignored_and_cleaned(tmp_path: Path, short_home: Home) -> None:
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    end(serving(tmp_path, **short_home))
    stale = set(left_of(short_home).iterdir())
    assert len(stale) == 2
    found = ran("search", "zebra", cwd=tmp_path, **short_home)
    assert (found.served, found.answer.code) == (False, 0)
    server = serving(tmp_path, **short_home)
    assert len([*left_of(short_home).iterdir()]) == 2
    assert ran("search", "zebra", cwd=tmp_path, **short_home).served
    end(server)


def test_a_stopped_server_is_not_waited_for(tmp_path: Path, short_home: Home) -> None:
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, **short_home)
    server.send_signal(signal.SIGSTOP)
    found = ran("search", "zebra", cwd=tmp_path, wait_s=0.05, **short_home)
    server.send_signal(signal.SIGCONT)
    assert (found.served, found.answer.code) == (False, 0)
    end(server)


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_can_enter_is_not_used(
    mode: int, tmp_path: Path, short_home: Home
) -> None:
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, **short_home)
    left_of(short_home).chmod(mode)
    found = ran("search", "zebra", cwd=tmp_path, **short_home)
    assert (found.served, found.answer.code) == (False, 0)
    end(server)


def test_a_server_uses_no_folder_that_others_can_enter(tmp_path: Path, short_home: Home) -> None:
    left_of(short_home).mkdir(parents=True)
    left_of(short_home).chmod(0o755)
    process = start("serve", "--port", "0", cwd=tmp_path, **short_home)
    assert process.stderr is not None
    said = process.stderr.readline()
    assert said.startswith("mem serve: commands do not use this server: "), said
    assert "chmod 700" in said
    assert "http://" in process.stderr.readline()
    assert list(left_of(short_home).iterdir()) == []
    end(process)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
@pytest.mark.parametrize("whose", ["folder", "address"])
def test_what_another_user_left_is_not_used(whose: str, tmp_path: Path, short_home: Home) -> None:
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, **short_home)
    left = left_of(short_home)
    address = next(path for path in left.iterdir() if path.suffix != ".sock")
    os.chown(left if whose == "folder" else address, 12345, 12345)
    found = ran("search", "zebra", cwd=tmp_path, **short_home)
    assert (found.served, found.answer.code) == (False, 0)
    end(server)


def test_trust_of_a_file_holds_as_without_a_server(tmp_path: Path, short_home: Home) -> None:
    """A server of a file that its user named is none for a command that merely finds the file."""
    found_file = tmp_path / "constitution_config.json"
    found_file.write_text('{"memory": {"storage_path": "./memory.db"}}')
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, "--config", str(found_file), **short_home)
    assert not ran("search", "zebra", cwd=tmp_path, **short_home).served
    named = ran("search", "zebra", "--config", found_file.name, cwd=tmp_path, **short_home)
    assert (named.served, named.answer.code) == (True, 0)
    end(server)
