"""A table in TOML that others own: nothing else changes, and taking it out restores the text."""

import tomllib

import pytest

from contracts import ConfigError
from memory.agents.toml_entries import toml_content, with_table, without_table

PATH = ("mcp_servers", "symbiosis-memory")
TABLE = {"command": 'C:\\x\\"mem"', "args": ["mcp"], "env": {"A B": "\x7fé"}}
TEXTS = [
    "",
    "\n",
    "# mine\n",
    "a = 1\n",
    "a = 1",
    "a = 1\n\n",
    "a = 1\r\n[b]\r\nc = 2\r\n",
    '[mcp_servers.x]\ncommand = "y" # c\n',
    "[mcp_servers]\n[other]\nb = 2\n# tail\n",
    'x = """\n[fake]\n"""\n[[list]]\na = [\n  ["b"],\n]\n',
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_goes_in_and_out(text: str) -> None:
    after = with_table(text, PATH, TABLE, name="f")
    assert after.startswith(text)
    assert tomllib.loads(after)["mcp_servers"]["symbiosis-memory"] == TABLE
    assert without_table(after, PATH, name="f") == text


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_is_replaced(text: str) -> None:
    once = with_table(text, PATH, TABLE, name="f")
    after = with_table(once, PATH, {"command": "m"}, name="f")
    assert tomllib.loads(after)["mcp_servers"]["symbiosis-memory"] == {"command": "m"}
    assert without_table(after, PATH, name="f") == text


def test_what_follows_a_table_and_its_comments_stay() -> None:
    before = 'a = 1\n\n[mcp_servers.symbiosis-memory]\ncommand = "m"\n'
    inner = '\n[mcp_servers.symbiosis-memory.env]\nA = "b"\n'
    tail = "\n# of b\n[b]\nc = 2\n"
    assert without_table(before + inner + tail, PATH, name="f") == f"a = 1\n{tail}"


@pytest.mark.parametrize(
    "text, put, take",
    [
        ("mcp_servers = {}\n", True, False),
        ('mcp_servers = { symbiosis-memory = { command = "m" } }\n', True, True),
        ('[mcp_servers]\nsymbiosis-memory.command = "m"\n', True, True),
        ('[mcp_servers.symbiosis-memory]\ncommand = """\n[b]\n"""\n', True, True),
    ],
)
def test_a_layout_that_is_not_understood_is_refused(text: str, put: bool, take: bool) -> None:
    if put:
        with pytest.raises(ConfigError, match="leaves no way to change the entry alone"):
            with_table(text, PATH, {"command": "n"}, name="f")
    if take:
        with pytest.raises(ConfigError, match="leaves no way to change the entry alone"):
            without_table(text, PATH, name="f")


def test_a_file_that_is_not_toml_is_refused_with_its_line() -> None:
    with pytest.raises(ConfigError, match=r"^f: .*line 2"):
        toml_content("a = 1\nb = = 2\n", name="f")
