"""docs/cli.md says what the commands say."""

from pathlib import Path

from cli.commands import COMMANDS
from cli.reference import reference
from cli.sm import COMMANDS as SM_COMMANDS
from tests.cli.shell import ROOT, python

PAGE = ROOT / "docs" / "cli.md"


def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    # In a process of its own: click keeps the help option of a command's first use.
    code = "import runpy; runpy.run_module('cli.reference', run_name='__main__')"
    made = python(code, cwd=tmp_path).out
    assert PAGE.read_text() == made, "write it again: python -m cli.reference > docs/cli.md"


def test_the_page_names_every_command_and_global_option() -> None:
    page = reference()
    for name in (*COMMANDS, "config get", "config set", "config validate", "config trust"):
        assert f"\n## mem {name}\n" in page
    for name in SM_COMMANDS:
        assert f"\n## sm {name}\n" in page
    for option in ("--config FILE", "--db FILE", "--json", "--version"):
        assert f"| `{option}` | " in page
