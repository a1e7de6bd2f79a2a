"""A disk that goes while it is watched, and comes back: real mounts in a namespace of its own."""

import json
from pathlib import Path

import pytest

from tests.ingest.watching.namespaces import in_own_namespace

_STORY = """
import json, subprocess
from pathlib import Path
from memory.operations.status import read_status
from memory.files.watching.watcher import remember
from tests.memory.files.watcher_thread import finds, watching
from tests.waiting import wait_until
from tests.memory.databases import opened, write

base = Path({base!r})
disk = base / "disk"
disk.mkdir()
mount = ["mount", "-t", "tmpfs", "none", str(disk)]
subprocess.run(mount, check=True)
write(disk, {{"a.md": "A page about zeppelins."}})
with opened(base) as memory:
    remember(memory, [disk])
    with watching(memory):
        assert finds(memory, "zeppelins")
        subprocess.run(["umount", str(disk)], check=True)
        wait_until(lambda: read_status(memory).problems)
        gone = [problem.reason for problem in read_status(memory).problems]
        kept = sorted(finds(memory, "zeppelins"))
        subprocess.run(mount, check=True)
        write(disk, {{"a.md": "A page about zeppelins.", "b.md": "A page about quinces."}})
        wait_until(lambda: finds(memory, "quinces"))
        wait_until(lambda: not read_status(memory).problems)
print(json.dumps([gone, kept]))
"""


@pytest.mark.sqlite_only(
    reason="mounts in a namespace of users, which cannot reach the server's socket"
)
def test_a_disk_that_is_unmounted_and_mounted_again(tmp_path: Path) -> None:
    told = json.loads(in_own_namespace(_STORY.format(base=str(tmp_path))))
    assert told == [["vanished: no longer mounted; its files stay"], ["a.md"]]
