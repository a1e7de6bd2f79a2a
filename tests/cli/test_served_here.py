"""A server in a thread of the test answers commands of the same process."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cli.main import run
from cli.operations.served_commands import run_for_caller
from cli.running_server import answered
from contracts import UnavailableError
from memory.api.address import listen
from memory.api.app import create_app
from memory.api.server import Server
from memory.config.loading import load_config
from memory.local_server.address import Identity, find_address, has_addresses
from memory.local_server.client import connect
from memory.local_server.listener import MOST_AT_ONCE, LocalListener, Run
from memory.local_server.protocol import HEAD, MOST_BYTES, NONCE_BYTES
from memory.local_server.streams import streams_of_callers
from memory.local_server.values import CommandAnswer, CommandRequest
from memory.workspace import Workspace
from tests.cli.served import timeless
from tests.cli.shell import Answer, Mem
from tests.waiting import DEADLINE_S, wait_until

Ask = Callable[..., Answer | None]
WHERE = "mem serve: here"
"""The line of the server, which it prints when it answers already."""


@contextmanager
def served(run: Run) -> Iterator[Server]:
    """A server of the user's database, until the block ends."""
    workspace = Workspace(load_config())
    with streams_of_callers(), listen("127.0.0.1", 0, has_token=lambda: False) as listener:
        commands = LocalListener(workspace, run)
        server = Server(create_app(workspace), WHERE, commands=commands)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        wait_until(lambda: has_addresses() if workspace.path else server.started)
        yield server
        if not server.should_exit:
            server.handle_exit(signal.SIGTERM, None)
        thread.join(DEADLINE_S)


@pytest.fixture
def ask(synced: Mem, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """Has a server answer a command: its answer, None if it did nothing."""

    def ask(*arguments: str) -> Answer | None:
        capsys.readouterr()
        code = answered(arguments, wait_s=DEADLINE_S)
        out, err = capsys.readouterr()
        return None if code is None else Answer(code, out, err.replace(f"{WHERE}\n", ""))

    with served(run_for_caller):
        yield ask


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "getUserById", "--json"],
        ["show", "docs/setup.md:1-3"],
        ["show", "docs/none.md"],
        ["context", "s", "--query", "the installer"],
        ["recall", "tea"],
        ["search", "river", "--since", "soon"],
    ],
    ids=" ".join,
)
def test_reading(arguments: list[str], ask: Ask, mem: Mem) -> None:
    answer = ask(*arguments)
    assert answer is not None
    assert timeless(answer) == timeless(mem(*arguments))


def test_writing(ask: Ask, mem: Mem) -> None:
    said = ask("turn", "add", "my name is Otto", "--session", "s")
    assert said is not None
    assert said.out.startswith("session s turn 1\n")
    assert said.out.endswith("memory 1  User's name is Otto\n")
    kept = ask("remember", "Otto drinks tea", "--json")
    assert kept is not None
    assert kept.json["id"] == 2
    assert "Otto drinks tea" in mem("memories", "list").out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--json"],
        ["status"],
        ["--version"],
        ["turn", "list"],
        ["turn", "add", "-", "--session", "s"],
        ["search", "--help"],
        ["search", "river", "--mode", "psychic"],
        ["search", "river", "--db"],
        ["search", "river", "--config=none.json"],
        ["search", "--tag", "--db", "docs", "river"],
        ["--", "search", "river"],
    ],
    ids=" ".join,
)
def test_what_is_left_to_the_command(arguments: list[str], ask: Ask) -> None:
    assert ask(*arguments) is None


def test_text_after_two_dashes_names_no_file(ask: Ask) -> None:
    answer = ask("search", "--", "--db", "river")
    assert answer is not None
    assert answer.code == 0


def test_a_fault_of_the_program_is_told_with_its_traceback(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    request = CommandRequest(["search", "x"], None, None, str(folder), {}, "utf-8", [])
    with streams_of_callers():
        broken: Workspace = object()  # type: ignore[assignment]  # as a fault would have it
        answer = run_for_caller(broken, request)
    assert answer.code == 1
    assert "AttributeError" in answer.printed[-1][1]


def test_more_at_once_work_alone(ask: Ask) -> None:
    loaded = load_config()
    connections = [connect(loaded, wait_s=DEADLINE_S) for _ in range(MOST_AT_ONCE)]
    assert ask("search", "river") is None
    for connection in connections:
        assert connection is not None
        connection.close()
    wait_until(lambda: ask("search", "river"))


def test_a_request_without_end_is_refused(ask: Ask) -> None:
    address = find_address(Identity.of(load_config().database_path))
    assert address is not None
    with closing(socket.socket(socket.AF_UNIX)) as connection:
        connection.settimeout(DEADLINE_S)
        connection.connect(str(address.socket))
        connection.sendall(bytes(NONCE_BYTES))
        size, _ = HEAD.unpack(connection.recv(HEAD.size, socket.MSG_WAITALL))
        connection.recv(size, socket.MSG_WAITALL)
        connection.sendall(HEAD.pack(MOST_BYTES + 1, bytes(32)))
        assert connection.recv(1) == b""


def test_a_server_that_ends_is_not_waited_for(synced: Mem) -> None:
    """What was handed over and is not done within its last second is unknown."""
    begun, ended = threading.Event(), threading.Event()

    def slow(_workspace: Workspace, _request: CommandRequest) -> CommandAnswer:
        begun.set()
        ended.wait(DEADLINE_S)
        return CommandAnswer(0, [])

    def ask() -> None:
        try:
            results.append(answered(["remember", "x"], wait_s=DEADLINE_S))
        except UnavailableError as error:
            results.append(error)

    results: list[object] = []
    with served(slow) as server:
        asking = threading.Thread(target=ask)
        asking.start()
        assert begun.wait(DEADLINE_S)
        server.handle_exit(signal.SIGTERM, None)
        asking.join(DEADLINE_S)
        ended.set()
    assert [type(result) for result in results] == [UnavailableError]
    assert not has_addresses()


def test_a_database_in_memory_is_of_its_server_alone(folder: Path) -> None:
    (folder / "constitution_config.json").write_text('{"memory": {"backend": "memory"}}')
    with served(run_for_caller):
        assert not has_addresses()
    assert connect(load_config(), wait_s=DEADLINE_S) is None


def test_without_a_database_there_is_nobody_to_ask(folder: Path) -> None:
    os.makedirs(Path(os.environ["XDG_RUNTIME_DIR"]) / "symbiosis-memory", mode=0o700)  # noqa: PTH103
    assert connect(load_config(), wait_s=DEADLINE_S) is None
    assert run(["search", "x"], ask=answered) == 4
