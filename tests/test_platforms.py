"""What works without the names that Unix has and Windows lacks, and how the rest says so."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import environment
from tests.platforms import is_left_out, needs_of_unix
from tests.repository import ROOT
from tests.waiting import DEADLINE_S


@pytest.mark.parametrize(
    "name, needs",
    [
        ("cli/test_running_server.py", {"import fcntl", "import pty", "import termios"}),
        ("memory/api/test_redaction.py", {"signal.SIGHUP"}),
        ("search/test_fusion.py", set()),
    ],
)
def test_a_module_is_marked_by_what_it_needs(
    name: str, needs: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ROOT / "tests" / name
    assert set(needs_of_unix(path)) == needs
    assert not is_left_out(path)
    monkeypatch.setattr("tests.platforms.os.name", "nt")
    assert is_left_out(path) == bool(needs)


def said(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.without_unix", *arguments],
        cwd=cwd,
        env=environment(PYTHONPATH=str(ROOT)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_conversations_and_searches_need_no_unix(tmp_path: Path) -> None:
    for arguments, answer in (
        (("remember", "the spare key hangs behind the boiler"), "memory 1"),
        (("ingest", "--text", "The pump needs 3 bar."), "1 chunk"),
        (("search", "spare key"), "behind the boiler"),
        (("context", "s", "--query", "spare key"), "behind the boiler"),
        (("doctor",), ""),
    ):
        code, out, err = said(*arguments, cwd=tmp_path)
        assert (code, "Traceback" in err) == (0, False), err
        assert answer in out


@pytest.mark.slow
def test_formats_are_not_read_without_limits(tmp_path: Path) -> None:
    """Plain text is; what a library reads needs a process with limits."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nThe spare key.\n")
    assert said("sync", "docs", cwd=tmp_path)[0] == 0
    (tmp_path / "docs" / "b.html").write_text("<p>The pump needs 3 bar.</p>")
    code, _, err = said("sync", "docs", cwd=tmp_path)
    assert code == 7, err
    assert err.splitlines()[-1] == "hint: on Windows, run it in WSL 2, see docs/running.md"
