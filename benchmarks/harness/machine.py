"""Describe the machine on which the figures were measured."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.harness.processes import ROOT


def machine() -> dict[str, Any]:
    """The machine and the versions that the figures depend on."""
    import apsw

    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "cores_of_machine": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "load_average": os.getloadavg(),
    }


def occasion() -> dict[str, Any]:
    """The time and the version of the program; `-dirty` if files differ from it."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _git("describe", "--always", "--dirty", "--abbrev=10"),
    }


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None  # no repository, as in an unpacked archive
    return done.stdout.strip()


def _cpu() -> str:
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", listed.read_text("utf-8"), re.MULTILINE)
        if found:
            return found[1]
    return platform.processor() or platform.machine()
