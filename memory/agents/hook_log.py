"""The log of hooks: why one had nothing to say. It never holds text of a conversation."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory.values.user_folders import user_data_folder

MOST_BYTES: Final = 128 * 1024
"""The size at which the log becomes `hooks.log.1`, in the place of an older one."""

_MOST_REASON: Final = 200


def hook_log() -> Path:
    """Return the path of the log; it need not exist."""
    return user_data_folder() / "hooks.log"


def log_hook(agent: str, event: str, reason: str, *, after_s: float) -> None:
    """Add a line. A log that cannot be written is not written: a hook never fails its agent."""
    now = datetime.now(UTC).isoformat(timespec="seconds").removesuffix("+00:00")
    words = " ".join(f"{agent} {event}: {reason}".split())[:_MOST_REASON]
    line = f"{now}Z {words} ({after_s * 1000:.0f} ms)\n"
    path = hook_log()
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(line.encode("utf-8", "backslashreplace"))
