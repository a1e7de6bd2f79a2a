"""Generate the documentation of the settings from the settings themselves.

Run after changing a setting in `memory/config/`: `python -m tools.config_docs`. A test compares.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from memory.config.field_types import describe
from memory.config.keys import Key, all_keys
from memory.config.schema import schema_text

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "configuration.md"
SCHEMA = ROOT / "docs" / "constitution_config.schema.json"
BEGIN = "<!-- settings: made by tools/config_docs.py -->"
END = "<!-- end of settings -->"


def page_with_settings(page: str) -> str:
    """`page` with the tables between its two marks replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{settings_text()}\n{END}{after}"


def settings_text() -> str:
    """One table for each section, in the order of the file."""
    sections = dict.fromkeys(key.section for key in all_keys())
    return "\n".join(line for section in sections for line in _table(section))


def _table(section: str) -> Iterator[str]:
    yield f"### `{section}`"
    yield ""
    yield "| key | default | allowed | after a change | meaning |"
    yield "|---|---|---|---|---|"
    for key in all_keys():
        if key.section == section:
            yield _row(key)
    yield ""


def _row(key: Key) -> str:
    default = json.dumps(key.default, ensure_ascii=False)
    cells = (
        f"`{key.name.rpartition('.')[2]}`",
        f"`{default}`",
        describe(key.kind),
        key.needs or "",
        key.setting.meaning,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main() -> int:
    """Write both files."""
    PAGE.write_text(page_with_settings(PAGE.read_text("utf-8")), "utf-8")
    SCHEMA.write_text(schema_text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
