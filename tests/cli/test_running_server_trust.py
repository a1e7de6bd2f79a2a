"""Servers that must not be used: stopped, killed, of others, without the key, lost on the way."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from memory.config.loading import load_config
from memory.local_server.address import Address, Identity, leave
from memory.local_server.agreement import agreement
from memory.local_server.protocol import GREETING, HEAD, NONCE_BYTES, Proofs
from tests.cli.served import RUN, Home, data_of, end, home_in, left_of, ran, serving
from tests.cli.shell import environment, shell, start, unmeasured
from tests.waiting import DEADLINE_S, output_of


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
    out, err = output_of(server)
    assert (server.returncode, out) == (0, "")
    assert "zebra" not in err
    assert list(Path(home["XDG_RUNTIME_DIR"], "symbiosis-memory").iterdir()) == []


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_stopped_server_is_not_waited_for(tmp_path: Path, short_home: Home) -> None:
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, **short_home)
    server.send_signal(signal.SIGSTOP)
    found = ran("search", "zebra", cwd=tmp_path, wait_s=0.05, **short_home)
    server.send_signal(signal.SIGCONT)
    assert (found.served, found.answer.code) == (False, 0)
    end(server)


def test_a_server_uses_no_folder_that_others_can_enter(tmp_path: Path, short_home: Home) -> None:
    left_of(short_home).mkdir(parents=True)
    left_of(short_home).chmod(0o755)
    process = start("serve", "--port", "0", cwd=tmp_path, **short_home)
    assert process.stderr is not None
    assert "http://" in process.stderr.readline()
    said = process.stderr.readline()
    assert said.startswith("mem serve: commands do not use this server: "), said
    assert "chmod 700" in said
    assert list(left_of(short_home).iterdir()) == []
    end(process)


def test_trust_of_a_file_holds_as_without_a_server(tmp_path: Path, short_home: Home) -> None:
    """A server of a file that its user named is not for a command that merely finds the file."""
    found_file = tmp_path / "constitution_config.json"
    found_file.write_text('{"memory": {"storage_path": "./memory.db"}}')
    assert shell("remember", "the zebra naps", cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, "--config", str(found_file), **short_home)
    assert not ran("search", "zebra", cwd=tmp_path, **short_home).served
    named = ran("search", "zebra", "--config", found_file.name, cwd=tmp_path, **short_home)
    assert (named.served, named.answer.code) == (True, 0)
    end(server)


KEY, OTHER_KEY = bytes(32), bytes([1]) * 32
SECRET = "the zebra naps at noon"


class FakeServer:
    """A socket at the address that a database's server would have, and all that it was sent.

    `key` is the one it knows, which is the right one if it is KEY; `greets` says if it answers.
    """

    def __init__(self, home: Home, *, key: bytes, greets: bool = True) -> None:
        self.received = b""
        self.has_request = threading.Event()
        self.goes_on = threading.Event()
        self._key, self._greets = key, greets
        database = data_of(home) / "memory.db"
        self._identity = Identity.of(database)
        left_of(home).mkdir(mode=0o700, parents=True)
        address = Address(left_of(home) / "fake.sock", KEY)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(address.socket))
        self._listener.listen()
        leave(address, self._identity)
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError), closing(self._listener.accept()[0]) as connection:
            connection.settimeout(DEADLINE_S)
            self.received += connection.recv(NONCE_BYTES, socket.MSG_WAITALL)
            if self._greets:
                proofs = Proofs(self._key, self.received)
                agreed = agreement(load_config(), self._identity, KEY)
                nonce = os.urandom(NONCE_BYTES)
                greeting = {"nonce": nonce.hex(), "agreement": agreed}
                connection.sendall(proofs.frame(GREETING, greeting))
            while part := connection.recv(65_536):
                self.received += part
                size = HEAD.size + NONCE_BYTES
                if len(self.received) >= size + HEAD.unpack(self.received[NONCE_BYTES:size])[0]:
                    break
            self.has_request.set()
            self.goes_on.wait(DEADLINE_S)

    def close(self) -> None:
        self.goes_on.set()
        with suppress(OSError):  # ends the wait for a command
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(DEADLINE_S)


@pytest.fixture
def fake(
    short_home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Callable[..., FakeServer]:
    """Makes a fake server of a database that holds SECRET."""
    for variable, place in short_home.items():
        monkeypatch.setenv(variable, place)
    assert shell("remember", SECRET, cwd=folder).code == 0

    def fake(*, key: bytes, greets: bool = True) -> FakeServer:
        server = FakeServer(short_home, key=key, greets=greets)
        request.addfinalizer(server.close)
        return server

    return fake


@pytest.mark.parametrize("greets", [True, False])
def test_who_does_not_know_the_key_gets_no_text(
    greets: bool, fake: Callable[..., FakeServer], folder: Path
) -> None:
    server = fake(key=OTHER_KEY, greets=greets)
    found = ran("search", "zebra", cwd=folder, wait_s=DEADLINE_S if greets else 0.05)
    assert (found.served, found.answer.code) == (False, 0)
    assert len(server.received) == NONCE_BYTES


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
@pytest.mark.parametrize("what", ["folder", "address"])
def test_what_others_can_use_is_not_used(
    what: str, mode: int, fake: Callable[..., FakeServer], folder: Path, short_home: Home
) -> None:
    server = fake(key=KEY)
    place_of(what, short_home).chmod(mode)
    found = ran("search", "zebra", cwd=folder)
    assert (found.served, found.answer.code) == (False, 0)
    assert server.received == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
@pytest.mark.parametrize("what", ["folder", "address"])
def test_what_another_user_left_is_not_used(
    what: str, fake: Callable[..., FakeServer], folder: Path, short_home: Home
) -> None:
    server = fake(key=KEY)
    os.chown(place_of(what, short_home), 12345, 12345)
    found = ran("search", "zebra", cwd=folder)
    assert (found.served, found.answer.code) == (False, 0)
    assert server.received == b""


def place_of(what: str, home: Home) -> Path:
    left = left_of(home)
    return left if what == "folder" else left / Identity.of(data_of(home) / "memory.db").name


def test_a_lost_server_leaves_reading_to_the_command(
    fake: Callable[..., FakeServer], folder: Path
) -> None:
    server = fake(key=KEY)
    server.goes_on.set()
    found = ran("search", "zebra", cwd=folder)
    assert b"zebra" in server.received
    assert (found.served, found.answer.code) == (False, 0)
    assert SECRET in found.answer.out


@pytest.mark.parametrize(
    "arguments", [["remember", "a new thing"], ["turn", "add", "a new thing", "--session", "s"]]
)
def test_a_lost_server_is_told_of_where_something_was_to_be_written(
    arguments: list[str], fake: Callable[..., FakeServer], folder: Path
) -> None:
    server = fake(key=KEY)
    server.goes_on.set()
    found = ran(*arguments, cwd=folder)
    assert b"a new thing" in server.received
    assert (found.served, found.answer.code, found.answer.out) == (True, 7, "")
    assert found.answer.err == (
        "mem: the running server ended before it answered\n"
        "hint: it may have done it; look before you run it again: mem recall WORDS\n"
    )
    assert "a new thing" not in shell("memories", "list", cwd=folder).out


def test_the_loss_is_told_in_json_too(fake: Callable[..., FakeServer], folder: Path) -> None:
    fake(key=KEY).goes_on.set()
    found = ran("remember", "a new thing", "--json", cwd=folder)
    assert (found.answer.out, found.answer.error["exit_code"]) == ("", 7)


@pytest.mark.parametrize("word, hint", [("search", "run it again"), ("remember", "may have")])
def test_an_interrupt_ends_the_wait(
    word: str, hint: str, fake: Callable[..., FakeServer], folder: Path
) -> None:
    server = fake(key=KEY)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN.format(arguments=[word, "zebra"], wait_s=DEADLINE_S, before="")],
        cwd=folder,
        env=unmeasured(environment()),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.has_request.wait(DEADLINE_S)
    process.send_signal(signal.SIGINT)
    out, err = output_of(process)
    assert (process.returncode, out) == (130, "")
    assert hint in err.splitlines()[1]


def test_a_request_without_its_proof_is_not_run(tmp_path: Path, short_home: Home) -> None:
    """A peer that knows the socket and not the key."""
    assert shell("remember", SECRET, cwd=tmp_path, **short_home).code == 0
    server = serving(tmp_path, **short_home)
    with closing(socket.socket(socket.AF_UNIX)) as connection:
        connection.settimeout(DEADLINE_S)
        connection.connect(str(next(left_of(short_home).glob("*.sock"))))
        proofs = Proofs(OTHER_KEY, os.urandom(NONCE_BYTES))
        connection.sendall(proofs.nonces)
        size, _ = HEAD.unpack(connection.recv(HEAD.size, socket.MSG_WAITALL))
        greeting = connection.recv(size, socket.MSG_WAITALL)
        assert b"zebra" not in greeting
        connection.sendall(proofs.frame(2, {"arguments": ["search", "zebra"]}))
        assert connection.recv(1) == b""
    assert ran("search", "zebra", cwd=tmp_path, **short_home).served
    end(server)
