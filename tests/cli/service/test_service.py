"""`mem service`: what it writes, checked by the systems' own tools, and what it has them do.

The managers themselves are scripts that note what they were told; the user's own systemd is used
where one answers.
"""

import json
import os
import plistlib
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.invocation import CliContext
from cli.service.description import NAME, ServiceDescription, config_home, describe
from cli.service.launchd import Launchd
from cli.service.systemd import UNIT, Systemd
from tests.cli.shell import Mem
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs systemd or launchd")

MANAGER = """\
#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
case "$*" in
    *show-environment*|*"print gui/"*) [ -e "{log}.dead" ] && echo "no bus" >&2 && exit 1 ;;
    *" show "*) if [ -e "{log}.on" ]; then echo ActiveState=active; echo MainPID=77; fi
        echo SubState=running; echo UnitFileState=enabled; echo Result=success ;;
    *restart*) touch "{log}.on" ;;
    *disable*) rm -f "{log}.on" ;;
esac
exit 0
"""

OWN_FOLDERS = {name: os.environ.get(name) for name in ("XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
"""As they were before any test."""

HOSTILE = 'a "b" 100%h $HOME \\x; é'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return home


@pytest.fixture
def told(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the managers note what they are told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    log = tmp_path / "told"
    log.touch()
    for name in ("systemctl", "launchctl", "journalctl"):
        (folder / name).write_text(MANAGER.format(log=log))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return log


def unit_of(home: Path) -> Path:
    return home / ".config/systemd/user" / UNIT


def described(home: Path, **changes: object) -> ServiceDescription:
    usual = describe(CliContext(), host=None, port=None, workers=1)
    return replace(usual, home=home, **changes)


linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's paths of systemd")


@linux
def test_install_is_idempotent_and_removal_leaves_the_data(
    mem: Mem, home: Path, told: Path
) -> None:
    first = mem("service", "install", "--port", "8799")
    assert (first.code, first.out.splitlines()[1]) == (0, "running, process 77 (running, enabled)")
    unit, variables = unit_of(home), home / ".config/symbiosis-memory/service.env"
    text = unit.read_text()
    assert f"EnvironmentFile=-{variables}\n" in text
    assert " serve --port 8799\n" in text
    assert stat.S_IMODE(variables.stat().st_mode) == 0o600
    acted = told.read_text()
    assert acted.count("restart") == acted.count("daemon-reload") == 1
    again = mem("service", "install", "--port", "8799")
    assert again.out.splitlines()[0] == "unchanged"
    assert told.read_text().count("restart") == 1
    variables.write_text("OPENAI_API_KEY=k\n")
    os.utime(variables, (time.time() + 5, time.time() + 5))
    assert mem("service", "install", "--port", "8799").code == 0
    assert told.read_text().count("restart") == 2, "started again with the new variables"
    assert variables.read_text() == "OPENAI_API_KEY=k\n"
    assert mem("service", "install").code == 0
    assert "--port" not in unit.read_text()
    assert mem("service", "status", "--json").json["running"] is True
    removed = mem("service", "remove")
    assert (removed.code, removed.out) == (0, f"removed {unit}\n")
    assert not unit.exists()
    assert variables.exists()
    assert f"disable --now {UNIT}" in told.read_text()
    assert mem("service", "remove").out == "no service is installed\n"


@linux
def test_what_is_not_installed_has_no_state(mem: Mem, home: Path, told: Path) -> None:
    for command in ("status", "logs"):
        answer = mem("service", command)
        assert answer.code == 4
        assert "hint: install it: mem service install" in answer.err


@linux
def test_a_system_without_a_manager_is_named(mem: Mem, home: Path, told: Path) -> None:
    Path(f"{told}.dead").touch()
    answer = mem("service", "install")
    assert answer.code == 7
    assert "the user's systemd does not answer: no bus" in answer.err
    assert not unit_of(home).exists()


@linux
def test_a_configuration_with_a_fault_is_not_installed(mem: Mem, home: Path, told: Path) -> None:
    (home / "own.json").write_text('{"memory": {"rankin": {}}}')
    answer = mem("--config", str(home / "own.json"), "service", "install")
    assert answer.code == 3
    assert "rankin" in answer.err
    assert told.read_text() == ""


@linux
def test_logs_are_those_of_the_journal(home: Path, told: Path) -> None:
    manager = Systemd(home)
    assert manager.log_command(7, follow=True) == [
        *("journalctl", "--user", "--unit", UNIT, "--lines", "7", "--no-pager", "--follow")
    ]


def test_paths_are_absolute_and_secrets_are_elsewhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("MEM_CONFIG", "own.json")
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    service = describe(CliContext(db=Path("m.db")), host="::1", port=1, workers=2)
    program, *rest = service.command
    assert Path(program).is_absolute()
    assert rest[-11:] == [
        *("--config", f"{home}/own.json", "--db", f"{home}/m.db"),
        *("serve", "--host", "::1", "--port", "1", "--workers", "2"),
    ]
    for text in (Systemd(home).written(service), Launchd(home).written(service)):
        assert "sk-secret" not in text
        assert "/srv/data" in text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("name", ["plain", HOSTILE], ids=["plain", "hostile"])
def test_systemd_accepts_the_unit(name: str, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    program = tmp_path / "its $HOME 100%h é" / "mem"  # systemd runs none with quotes in its path
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    service = described(
        folder,
        command=(str(program), "--config", f"{folder}/$c.json", "serve"),
        variables=(("XDG_DATA_HOME", str(folder)),),
        variables_file=folder / "service.env",
    )
    unit = tmp_path / UNIT
    unit.write_text(Systemd(home).written(service))
    command = ["systemd-analyze", "verify", "--user", "--man=no", "--generators=no", str(unit)]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_of_launchd_runs_the_program_with_its_variables(home: Path) -> None:
    """The property list is read back, and its command run as launchd would."""
    folder = home / HOSTILE
    folder.mkdir()
    variables = folder / "service.env"
    code = "import os, sys; print(os.environ.get('KEY'), *sys.argv[1:], sep='|')"
    service = described(
        folder,
        command=(sys.executable, "-c", code, HOSTILE, "serve"),
        variables_file=variables,
        variables=(("XDG_DATA_HOME", HOSTILE),),
    )
    agent = plistlib.loads(Launchd(home).written(service).encode())
    assert agent["Label"] == "local.symbiosis-memory"
    assert agent["EnvironmentVariables"] == {"XDG_DATA_HOME": HOSTILE}
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert (agent["RunAtLoad"], agent["Umask"]) == (True, 0o077)
    assert Path(agent["StandardErrorPath"]).is_absolute()

    def ran() -> str:
        command = agent["ProgramArguments"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert ran() == f"None|{HOSTILE}|serve\n"
    variables.write_text("# a key\nKEY=k-1\n")
    assert ran() == f"k-1|{HOSTILE}|serve\n"


def test_other_systems_are_told_what_to_do(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    answer = mem("service", "install")
    assert answer.code == 7
    assert "schtasks /Create /SC ONLOGON" in answer.err


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/memory/health", timeout=5) as found:
            return bool(found.status == 200)
    except OSError:
        return False


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def users_systemd(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The user's own systemd, which knows the user's own folders, without a unit of ours."""
    for name, value in OWN_FOLDERS.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    command = ["systemctl", "--user", "show-environment"]
    if (
        not shutil.which("systemctl")
        or subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    ):
        pytest.skip("no systemd of this user answers here")
    variables = config_home(Path.home()) / NAME / "service.env"
    if Systemd(Path.home()).file.exists() or variables.exists():
        pytest.skip("this user has the service installed")
    yield
    variables.unlink(missing_ok=True)


@pytest.mark.slow
@linux
def test_the_users_systemd_runs_it(users_systemd: None, tmp_path: Path, mem: Mem) -> None:
    """It answers, reads a page in a process of its own, is started again, and is removed."""
    docs, port, database = tmp_path / "pages", free_port(), tmp_path / "memory.db"
    docs.mkdir()
    (docs / "a.html").write_text("<p>The pump needs 3 bar.</p>")
    try:
        installed = mem("--db", str(database), "service", "install", "--port", str(port))
        assert installed.code == 0, installed.err
        wait_until(lambda: answers(port))
        assert mem("--db", str(database), "sync", str(docs)).code == 0
        (docs / "b.html").write_text("<p>The boiler is serviced in March.</p>")
        first = mem("service", "status", "--json").json
        assert first["running"] is True
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/memory/sync", data=b"{}", method="POST"
        )
        asked.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(asked, timeout=60) as found:
            assert json.load(found)["failed"] == 0
        assert "boiler" in mem("--db", str(database), "search", "serviced in March").out
        os.kill(first["pid"], signal.SIGKILL)
        wait_until(lambda: mem("service", "status", "--json").json["pid"] != first["pid"])
        wait_until(lambda: answers(port))
    finally:
        assert mem("service", "remove").code == 0
    assert not answers(port)
    assert database.exists()
