"""A running server answers for the command line, and nobody sees a difference but in the time."""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from memory.local_server.address import Identity
from tests.cli.loaded_modules import HEAVY, imported, ours
from tests.cli.served import RUN, Home, data_of, end, home_in, ran, serving, timeless
from tests.cli.shell import SETUP, Answer, environment, shell
from tests.waiting import DEADLINE_S

READING = [
    ["search", "installer minute"],
    ["search", "getUserById", "--json"],
    ["search", "river", "--explain", "-C", "1", "--path", "docs"],
    ["search", "tea", "--source", "turn,memory"],
    ["search", "nothing-is-like-this", "--mode", "keyword"],
    ["show", "docs/setup.md:1-3"],
    ["show", "docs/setup.md", "--json"],
    ["show", "memory 1"],
    ["show", "session s turn 1"],
    ["show", "docs/none.md"],
    ["context", "s", "--query", "what does Otto drink"],
    ["context", "s", "--query", "how long does the installer take", "--json"],
    ["recall", "what does Otto drink"],
    ["recall", "tea", "-k", "1", "--json"],
    ["--json", "search", "installer"],
    ["search", "installer", "--since", "soon"],
]

WRITING = [
    ["turn", "add", "my sister Eva lives in Ghent", "--session", "s"],
    ["turn", "add", "I moved to Oslo", "--session", "t", "--role", "user", "--json"],
    ["turn", "add", "x", "--session", "s", "--ts", "yesterday-ish"],
    ["remember", "the garden gate sticks in winter"],
    ["remember", "the door code is on the fridge", "--fading", "--tag", "home", "--json"],
    ["remember", "x", "--metadata", "[]"],
]

LEFT_ALONE = [
    ["files"],
    ["search", "--help"],
    ["search", "installer", "--mode", "psychic"],
    ["turn", "add", "--session", "s"],
    ["memories", "list"],
]


LOADED = {
    "cli": "caller main running_server safe_path",
    "contracts": "errors installation named_tuple protocols values",
    "memory": "config config.expansion config.field_types config.keys config.loading "
    "config.sections config.sections.conversations config.sections.embeddings "
    "config.sections.files config.sections.search config.sections.server config.settings "
    "local_server local_server.address "
    "local_server.agreement local_server.client local_server.protocol local_server.values values "
    "values.fast_dataclass values.text_checks values.user_folders",
}
"""The modules of each of our packages that a command loads when a server answers."""


class World(NamedTuple):
    """A folder with its data, another copy of the data, and the server of the first."""

    folder: Path
    home: Home
    other_home: Home
    server: "subprocess.Popen[str]"

    @property
    def database(self) -> Path:
        return data_of(self.home) / "memory.db"

    @property
    def runtime(self) -> Path:
        return Path(self.home["XDG_RUNTIME_DIR"], "symbiosis-memory")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server of a database with two files, a turn and a memory; tests write to it."""
    folder = tmp_path_factory.mktemp("w")
    (folder / "docs").mkdir()
    (folder / "docs" / "setup.md").write_text(SETUP)
    (folder / "docs" / "animals.md").write_text("Cats and dogs share a house by the river – née.\n")
    home, other_home = home_in(folder / "a"), home_in(folder / "b")
    for arguments in (
        ["sync", "docs"],
        ["reindex", "--provider", "static"],  # chosen by hand, it stays
        ["turn", "add", "I drink green tea, my name is Otto", "--session", "s"],
        ["remember", "Otto drinks tea without sugar"],
    ):
        assert shell(*arguments, cwd=folder, **home).code == 0
    shutil.copytree(home["XDG_DATA_HOME"], other_home["XDG_DATA_HOME"])
    server = serving(folder, **home)
    yield World(folder, home, other_home, server)
    end(server)


def alone(world: World, *arguments: str, cwd: Path | None = None, **changes: str) -> Answer:
    """The answer of a command about the copy, which has no server."""
    found = ran(*arguments, cwd=cwd or world.folder, **world.other_home, **changes)
    assert not found.served
    return found.answer


@pytest.mark.parametrize("arguments", READING + WRITING, ids=" ".join)
def test_the_output_is_the_same(arguments: list[str], world: World) -> None:
    found = ran(*arguments, cwd=world.folder, **world.home)
    by_itself = alone(world, *arguments)
    assert timeless(found.answer) == timeless(by_itself)
    assert found.served == (arguments[-1] != "[]")  # a wrong word is found before the database


@pytest.mark.parametrize("arguments", LEFT_ALONE, ids=" ".join)
def test_other_commands_and_wrong_words_stay_here(arguments: list[str], world: World) -> None:
    found = ran(*arguments, cwd=world.folder, **world.home)
    assert timeless(found.answer) == timeless(
        ran(*arguments, cwd=world.folder, **world.other_home).answer
    )


def test_a_served_command_imports_exactly_what_it_needs(world: World) -> None:
    found = ran("search", "installer", cwd=world.folder, **world.home)
    assert ours(found.modules) == LOADED
    assert not found.modules & {*HEAVY, "apsw", "click", "hashlib"}


def test_without_a_server_a_command_imports_little_more(world: World) -> None:
    """Two modules, of which one finds out that no server has left an address."""
    home = {**world.home, "XDG_RUNTIME_DIR": str(world.folder / "none")}
    asked = ran("search", "installer", cwd=world.folder, **home)
    alone = imported(["search", "installer"], world.folder, **home)
    more = {name for name in asked.modules - alone if name.startswith(("cli.", "memory."))}
    assert more == {"cli.running_server", "memory.local_server", "memory.local_server.address"}
    assert "socket" not in asked.modules


def test_a_command_repeated_says_the_same(world: World) -> None:
    first, second = (
        ran("search", "Configure", "--json", cwd=world.folder, **world.home) for _ in "ab"
    )
    assert timeless(first.answer) == timeless(second.answer)


@pytest.mark.parametrize("inside", ["docs", "."])
def test_citations_are_relative_to_the_callers_folder(inside: str, world: World) -> None:
    found = ran("search", "river", cwd=world.folder / inside, **world.home)
    assert found.served
    assert f" 1. {'' if inside == 'docs' else 'docs/'}animals.md:1 " in found.answer.out
    shown = ran("show", "animals.md", cwd=world.folder / inside, **world.home)
    assert shown.served
    assert shown.answer.code == (0 if inside == "docs" else 4)


def test_callers_in_several_folders_at_once(world: World) -> None:
    def search(inside: str) -> str:
        return ran("search", "river", cwd=world.folder / inside, **world.home).answer.out

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(search, ["docs", "."] * 3))
    assert [("docs/animals" in answer, "animals" in answer) for answer in answers] == [
        (False, True),
        (True, True),
    ] * 3


def at_a_terminal(columns: int, *arguments: str, cwd: Path, **changes: str) -> str:
    """What a terminal shows of a command."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    seen: list[bytes] = []

    def watch() -> None:
        with suppress(OSError):  # Linux ends the reading so when the other end is closed
            while part := os.read(ours, 65536):
                seen.append(part)

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = RUN.format(arguments=list(arguments), wait_s=DEADLINE_S, before="").replace(
        "print(*sorted(sys.modules), file=sys.stderr)", "print('memory.workspace' in sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=environment(**changes),
        stdout=theirs,
        stderr=theirs,
        timeout=DEADLINE_S,
        check=True,
    )
    os.close(theirs)
    watcher.join()
    os.close(ours)
    return b"".join(seen).decode()


@pytest.mark.parametrize("changes", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_shows_the_same(changes: dict[str, str], world: World) -> None:
    """In its width and colours, with stdout and stderr in the order in which they were written."""
    arguments = ("search", "getUserById", "--explain")
    screens = [
        at_a_terminal(44, *arguments, cwd=world.folder, **{"TERM": "xterm"} | changes | home)
        for home in (world.home, world.other_home)
    ]
    assert [screen.splitlines()[-1] for screen in screens] == ["False", "True"]
    shown = [
        timeless(Answer(0, screen.rpartition("\r\n")[0].rpartition("\r\n")[0], ""))
        for screen in screens
    ]
    assert shown[0] == shown[1]
    assert ("\x1b[" in shown[0][1]) == (not changes)


@pytest.mark.parametrize(
    "changes",
    [{"PYTHONIOENCODING": "ascii"}, {"FORCE_COLOR": "1"}, {"COLUMNS": "30"}],
    ids=str,
)
def test_the_callers_environment_counts(changes: dict[str, str], world: World) -> None:
    for arguments in (["search", "river", "--json"], ["search", "river"]):
        found = ran(*arguments, cwd=world.folder, **world.home, **changes)
        assert found.served
        assert timeless(found.answer) == timeless(alone(world, *arguments, **changes))


def test_text_from_stdin_is_read_here(world: World) -> None:
    answer = shell(
        "turn",
        "add",
        "-",
        "--session",
        "in",
        cwd=world.folder,
        stdin="we met in Rome",
        **world.home,
    )
    assert answer.out.startswith("session in turn ")
    assert "we met in Rome" in shell("context", "in", cwd=world.folder, **world.home).out


def test_a_closed_reader_ends_it_quietly(world: World) -> None:
    code = RUN.format(arguments=["search", "river"], wait_s=DEADLINE_S, before="")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=world.folder,
        env=environment(**world.home),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 141
    assert "memory.workspace" not in done.stderr.split()


CONFIG = '{"memory": {"search": {"max_results": 7}}}'


def test_another_configuration_works_alone(world: World) -> None:
    named = world.folder / "named.json"
    named.write_text(CONFIG)
    found = ran("--config", str(named), "search", "river", cwd=world.folder, **world.home)
    assert (found.served, found.answer.code) == (False, 0)
    found = ran("search", "river", cwd=world.folder, MEM_CONFIG=str(named), **world.home)
    assert (found.served, found.answer.code) == (False, 0)


@pytest.mark.parametrize("variable", ["HF_HOME", "OPENAI_API_KEY", "SYMBIOSIS_MEMORY_TESTS"])
def test_another_environment_works_alone(variable: str, world: World) -> None:
    found = ran("search", "river", cwd=world.folder, **world.home, **{variable: "other"})
    assert (found.served, found.answer.code) == (False, 0)


def test_another_version_works_alone(world: World) -> None:
    before = "import memory; memory.__version__ = '0.0.9'"
    found = ran("search", "river", cwd=world.folder, before=before, **world.home)
    assert (found.served, found.answer.code) == (False, 0)


def test_a_copied_folder_names_no_server(world: World, tmp_path: Path) -> None:
    """Not even with all the files of the server in it."""
    copied = home_in(tmp_path)
    shutil.copytree(data_of(world.home), data_of(copied))
    shutil.copytree(
        world.runtime,
        Path(copied["XDG_RUNTIME_DIR"], "symbiosis-memory"),
        ignore=shutil.ignore_patterns("*.sock"),
    )
    assert not ran("search", "river", cwd=world.folder, **copied).served
    aimed = {**copied, "XDG_RUNTIME_DIR": world.home["XDG_RUNTIME_DIR"]}
    assert not ran("search", "river", cwd=world.folder, **aimed).served
    database = str(data_of(copied) / "memory.db")
    assert not ran("--db", database, "search", "river", cwd=world.folder, **world.home).served


def test_the_server_of_one_database_is_not_that_of_another(world: World, tmp_path: Path) -> None:
    """An address under the name of another database leads to a server that does not agree."""
    other = Identity.of(data_of(world.other_home) / "memory.db")
    left = world.runtime / Identity.of(world.database).name
    shutil.copy2(left, world.runtime / other.name)
    aimed = {**world.other_home, "XDG_RUNTIME_DIR": world.home["XDG_RUNTIME_DIR"]}
    found = ran("search", "river", cwd=world.folder, **aimed)
    (world.runtime / other.name).unlink()
    assert (found.served, found.answer.code) == (False, 0)


def test_only_the_command_itself_knows_which_files_it_names(world: World) -> None:
    """`--db` as the value of another option: the server finds that out, and does nothing."""
    arguments = ["search", "--tag", "--db", str(world.database), "river"]
    found = ran(*arguments, cwd=world.folder, **world.home)
    assert not found.served
    assert timeless(found.answer) == timeless(alone(world, *arguments))
