"""The page of formats lists every name that a loader knows, and whether it needs the extra."""

import re

from ingest.loaders import formats
from ingest.loaders.registry import DEFAULT_PATTERNS, FORMATS
from tests.repository import ROOT

ROW = re.compile(r"^\| [^|]+ \| ([^|]+) \| (yes|no) \|$", re.MULTILINE)


def test_the_page_lists_every_format_and_its_need() -> None:
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    listed: dict[str, str] = {}
    for names, need in ROW.findall(page):
        found = re.findall(r"`([^`]+)`", names)
        assert not listed.keys() & set(found)
        listed |= dict.fromkeys(found, need)
    assert set(listed) == {pattern.removeprefix("*") for pattern in DEFAULT_PATTERNS}
    needing = {name for item in FORMATS if item.library for name in item.suffixes}
    assert {name for name, need in listed.items() if need == "yes"} == needing
    assert set(formats.CODE_SUFFIXES) <= set(listed)
