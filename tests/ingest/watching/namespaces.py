"""Code that runs as root of a user namespace of its own, with limits and mounts of its own."""

import os
import subprocess
import sys

import pytest

from tests.repository import ROOT


def in_own_namespace(code: str, *, before: str = "true") -> str:
    """The output of some Python code there; the shell runs `before` first."""
    script = f'{before} && exec {sys.executable} -c "$CODE"'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CODE": code},
    )
    if done.returncode and ("unshare:" in done.stderr or "cannot create" in done.stderr):
        pytest.skip(f"no user namespace of our own here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return done.stdout
