"""Code run by a Python of its own, in which nothing is loaded yet."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

REPOSITORY = Path(__file__).parents[2]


def run_python(
    code: str, *options: str, path: Path | None = None, **variables: str
) -> tuple[str, str]:
    """Its output on stdout and stderr; `path` is searched first for modules."""
    environment = os.environ | variables | {"PYTHONPATH": str(path or "")}
    done = subprocess.run(
        [sys.executable, *options, "-c", f"import sys; sys.path.insert(0, '.')\n{dedent(code)}"],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr
