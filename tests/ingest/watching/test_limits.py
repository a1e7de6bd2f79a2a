"""Watching at the system's limits: queues, watches, instances."""

import os
import sys
import threading
from pathlib import Path

import pytest

from contracts import UnavailableError
from ingest import ScanRules
from ingest.watching import Hints, open_events
from ingest.watching.base import lies_below, topmost
from ingest.watching.inbox import Inbox
from ingest.watching.opening import _Events
from tests.ingest.watching.namespaces import in_own_namespace
from tests.ingest.watching.watched import Mirror, Watched

linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


def lower(limit: str, value: int) -> str:
    return f"echo {value} > /proc/sys/user/max_inotify_{limit}"


@linux
def test_folders_without_a_watch_are_polled(tmp_path):
    for number in range(6):
        (tmp_path / "root" / f"f{number}").mkdir(parents=True)
        (tmp_path / "root" / f"f{number}" / "a.md").write_text("there")
    code = f"""if True:
    import time
    from pathlib import Path
    from ingest.watching import open_events
    root = Path("{tmp_path}/root")
    source = open_events([root], polling_s=.05)
    print(source.method, source.watched, source.reason, sep="|")
    def until(path):
        deadline = time.monotonic() + 20
        while str(path) not in (paths := source.wait(.2).paths) and str(path.parent) not in paths:
            assert time.monotonic() < deadline, paths
    for number in range(6):
        (root / f"f{{number}}" / "a.md").write_text("changed")
        until(root / f"f{{number}}" / "a.md")
    (root / "new").mkdir()
    (root / "new" / "b.md").write_text("in a folder without a watch")
    until(root / "new")
    (root / "new" / "b.md").write_text("and changed")
    until(root / "new" / "b.md")
    print(source.reason)
    source.close()
    """
    first, second = in_own_namespace(code, before=lower("watches", 4)).splitlines()
    method, watched, reason = first.split("|")
    assert (method, watched) == ("inotify", "7")
    assert reason.startswith("no inotify watch is left for 3 folders, polled instead (fs.inotify.")
    assert second.startswith("no inotify watch is left for 4 folders")


@linux
def test_without_an_instance_everything_is_polled(tmp_path):
    (tmp_path / "root").mkdir()
    code = f"""if True:
    from ingest.watching import open_events
    source = open_events(["{tmp_path}/root"], polling_s=.05)
    print(source.method, source.reason, sep="|")
    """
    method, reason = in_own_namespace(code, before=lower("instances", 0)).strip().split("|")
    assert method == "polling"
    assert reason.startswith(
        "the system gives no events: Too many open files (fs.inotify.max_user_instances is "
    )


@linux
def test_an_overflow_is_said_and_mended(tmp_path):
    """More events than the kernel keeps come before anybody reads one."""
    from ingest.watching.inotify import InotifyPart

    kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if kept > 20_000:
        pytest.skip(f"the kernel keeps {kept} events here: too many to make in a test")
    root = tmp_path / "root"
    root.mkdir()
    inbox = Inbox()
    part = InotifyPart([str(root)], ScanRules(), inbox, only=[str(root)], refused=pytest.fail)
    fds = [os.open(root / name, os.O_CREAT | os.O_WRONLY) for name in ("a.md", "b.md")]
    for _ in range(kept // 2 + 10):  # by turns, since events that repeat are one
        for fd in fds:
            os.write(fd, b"x")
    (root / "missed").mkdir()
    part.start()
    assert inbox.take(20)[0].overflow
    part.close()
    for fd in fds:
        os.close(fd)


def test_an_overflow_makes_the_watches_anew(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    source = open_events([root], polling_s=20)
    assert isinstance(source, _Events)
    watched = Watched(root, source)
    mirror = Mirror(watched)
    source._inbox.overflow()
    assert source.wait(20).overflow
    (root / "new").mkdir()
    (root / "new" / "a.md").write_text("after the overflow")
    mirror.converge()
    assert not watched.overflow
    source.close()


def test_too_many_paths_are_an_overflow():
    inbox = Inbox(most_paths=3)
    inbox.put(["/a", "/b", "/c"])
    assert inbox.take(0) == (Hints(frozenset({"/a", "/b", "/c"})), False)
    inbox.put(["/a", "/b", "/c", "/d"])
    inbox.put(["/e"])
    assert inbox.take(0) == (Hints(frozenset({"/e"}), overflow=True), False)
    assert inbox.take(0) == (Hints(), False)


def test_a_part_that_breaks_is_no_silence(tmp_path):
    inbox = Inbox()
    threading.Timer(0.05, inbox.fail, [OSError("the disk is gone")]).start()
    for _ in range(2):
        with pytest.raises(UnavailableError, match="watching has ended: the disk is gone"):
            inbox.take(20)


def test_a_folder_speaks_for_what_is_below_it():
    assert topmost({"/a", "/a/b", "/ab", "/c/d/e", "/c/d"}) == {"/a", "/ab", "/c/d"}
    assert topmost({"/", "/a"}) == {"/"}
    assert lies_below("/a/b/c", {"/a"})
    assert not lies_below("/a", {"/a"})
