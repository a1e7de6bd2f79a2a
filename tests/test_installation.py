"""Every hint and page names a command that installs an extra from this checkout."""

import re
import subprocess
import sys

import pytest

from contracts.installation import EXTRAS_MB, checkout, install_command, install_hint
from tests.repository import ROOT, files_of_the_repository


@pytest.mark.parametrize(
    "prefix, command",
    [
        ("/work/.venv", "pip install '.[documents]'"),
        ("/home/ana/pipxes/.venv", "pip install '.[documents]'"),
        (
            "/home/ana/.local/share/pipx/venvs/symbiosis-memory",
            "pipx install --force '.[documents]'",
        ),
        (
            "/home/ana/.local/share/uv/tools/symbiosis-memory",
            "uv tool install --force '.[documents]'",
        ),
    ],
)
def test_the_command_is_that_of_the_installer(
    prefix: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert install_command("documents") == command


def test_the_hint_names_the_checkout_and_the_size() -> None:
    assert install_hint("voyage").endswith(f"(in {checkout()}, 120 MB)")
    assert install_hint("bench").endswith(f"'.[bench]' (in {checkout()})")


def test_the_command_is_accepted_where_the_hint_says() -> None:
    """pip reads the checkout's extras; it need not fetch them."""
    code = "import sys; from contracts.installation import checkout; print(checkout())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(ROOT)
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{extra} = [" in declared for extra in EXTRAS_MB)


def test_nothing_names_a_package_that_is_on_no_index() -> None:
    wrong = re.compile(r"(?:(?<!un)install|inject)[^\n]{0,40} '?symbiosis-memory(?:\[|\b(?! \.))")
    found = [
        name
        for name in files_of_the_repository()
        if name.endswith((".py", ".md", ".json"))
        and not name.startswith("tests/")
        and wrong.search((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert found == []
