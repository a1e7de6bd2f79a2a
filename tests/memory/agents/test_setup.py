"""Setup and removal on configuration files as each product's users have them."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from contracts import BusyError, ConfigError, ForbiddenError, InputError, StorageError
from memory.agents.json_entries import plain_of
from memory.agents.products import ENTRY, PRODUCTS, Places, Product
from memory.agents.setup import (
    FileChange,
    Launch,
    apply_change,
    removal_changes,
    setup_changes,
)

MEM = "/home/ana/.local/bin/mem"
LAUNCH = Launch([MEM])
REMOTE = Launch([MEM], ["--db", "/d b.db"], {"MEM_SERVER_URL": "http://127.0.0.1:8787"})

FILES = {
    "claude-code": {
        ".claude.json": '{\n  "numStartups": 7,\n  "mcpServers": {},\n  "projects": {}\n}',
        ".claude/settings.json": (
            '{\n  // mine\n  "hooks": {\n    "SessionStart": [\n      {\n        "matcher": '
            '"startup",\n        "hooks": [{"type": "command", "command": "date"}]\n'
            "      }\n    ]\n  },\n}\n"
        ),
    },
    "codex": {
        ".codex/config.toml": (
            'model = "o" # the best\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = [\n  "-y",\n]\n'
        ),
        ".codex/hooks.json": '{"hooks": {"Stop": []}}\n',
    },
    "cursor": {
        ".cursor/mcp.json": '{ "mcpServers": { "x": { "url": "https://example.org/mcp" } } }',
        ".cursor/hooks.json": (
            '{\n  "version": 1,\n  "hooks": {\n    "stop": [{"command": "./s.sh"}]\n  }\n}\n'
        ),
    },
    "vscode": {
        ".config/Code/User/mcp.json": (
            '{\r\n\t"servers": {\r\n\t\t// "old": {},\r\n\t\t"x": {"url": "https://x"},\r\n\t},'
            '\r\n\t"inputs": []\r\n}'
        ),
    },
    "gemini-cli": {
        ".gemini/settings.json": '{\n  "ui": {"theme": "Dark"}, // dark\n  "tools": {}\n}\n',
    },
    "opencode": {
        ".config/opencode/opencode.jsonc": (
            '{\n  "$schema": "https://opencode.ai/config.json",\n  /* servers */\n'
            '  "mcp": {\n  },\n}\n'
        ),
    },
    "zed": {
        ".config/zed/settings.json": (
            '// Zed settings\n//\n{\n  "theme": "One Dark",\n'
            '  "context_servers": {\n    "x": {}\n  },\n'
            '  // keep\n  "vim_mode": true,\n}\n'
        ),
    },
    "claude-desktop": {
        ".config/Claude/claude_desktop_config.json": '{"globalShortcut": "", "mcpServers": {}}',
    },
}
"""Files that the products' documentation names, with what their owners wrote."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project").mkdir()
    return Places(tmp_path, tmp_path / "project", {}, "linux")


def write(places: Places, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = places.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def read(places: Places) -> dict[str, str]:
    return {
        path.relative_to(places.home).as_posix(): path.read_bytes().decode()
        for path in places.home.rglob("*")
        if path.is_file()
    }


def put(product: Product, places: Places, launch: Launch = LAUNCH) -> list[FileChange]:
    changes = setup_changes(product, places, launch, in_project=False, with_hooks=True)
    for change in changes:
        apply_change(change)
    return changes


def take(product: Product, places: Places) -> list[FileChange]:
    changes = removal_changes(product, places, in_project=False)
    for change in changes:
        apply_change(change)
    return changes


def entry_in(product: Product, text: str) -> Any:
    content = tomllib.loads(text) if product.is_toml else plain_of(text, name="f")
    for key in product.keys:
        content = content[key]
    return content[ENTRY]


EXPECTED: dict[str, Any] = {
    "claude-code": {"type": "stdio", "command": MEM, "args": ["mcp"]},
    "codex": {"command": MEM, "args": ["mcp"]},
    "cursor": {"type": "stdio", "command": MEM, "args": ["mcp"]},
    "vscode": {"type": "stdio", "command": MEM, "args": ["mcp"]},
    "gemini-cli": {"command": MEM, "args": ["mcp"]},
    "opencode": {"type": "local", "command": [MEM, "mcp"], "enabled": True},
    "zed": {"command": MEM, "args": ["mcp"]},
    "claude-desktop": {"command": MEM, "args": ["mcp"]},
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_setup_adds_its_entry_and_removal_restores_every_byte(name: str, places: Places) -> None:
    product, files = PRODUCTS[name], FILES[name]
    write(places, files)

    put(product, places)

    after = read(places)
    assert after.keys() == files.keys()
    assert entry_in(product, after[next(iter(files))]) == EXPECTED[name]
    for path, text in files.items():
        kept = iter(after[path])
        assert all(char in kept for char in text), "something of the old text is gone"
    assert {one.action for one in put(product, places)} == {"unchanged"}
    assert read(places) == after
    put(product, places, REMOTE)
    take(product, places)
    assert read(places) == files
    assert {one.action for one in take(product, places)} == {"unchanged"}


@pytest.mark.parametrize("name", PRODUCTS)
def test_files_made_by_setup_are_removed_and_empty_ones_are_empty_again(
    name: str, places: Places
) -> None:
    product = PRODUCTS[name]
    put(product, places)
    made = read(places)
    assert made
    assert {(places.home / path).stat().st_mode & 0o777 for path in made} == {0o600}
    take(product, places)
    assert read(places) == {}

    write(places, dict.fromkeys(made, ""))
    put(product, places)
    take(product, places)
    assert read(places) == dict.fromkeys(made, "")


EVENTS = {
    "claude-code": {
        "SessionStart": ("session-start", 5),
        "UserPromptSubmit": ("prompt", 5),
        "SessionEnd": ("session-end", 10),
    },
    "codex": {
        "SessionStart": ("session-start", 5),
        "UserPromptSubmit": ("prompt", 5),
        "Stop": ("session-end", 10),
    },
    "gemini-cli": {
        "SessionStart": ("session-start", 5000),
        "BeforeAgent": ("prompt", 5000),
        "SessionEnd": ("session-end", 10000),
    },
}


@pytest.mark.parametrize("name", EVENTS)
def test_hooks_are_grouped_commands_with_absolute_paths(name: str, places: Places) -> None:
    product = PRODUCTS[name]
    put(product, places, REMOTE)
    assert product.hooks
    content = plain_of(product.hooks.file(places).read_text(), name="f")
    assert content["hooks"] == {
        theirs: [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": f"{MEM} --db '/d b.db' hook {name} {event}",
                        "timeout": timeout,
                    }
                ]
            }
        ]
        for theirs, (event, timeout) in EVENTS[name].items()
    }


def test_hooks_of_cursor_are_commands_alone(places: Places) -> None:
    put(PRODUCTS["cursor"], places)
    assert json.loads((places.home / ".cursor/hooks.json").read_text()) == {
        "version": 1,
        "hooks": {
            "sessionStart": [{"command": f"{MEM} hook cursor session-start"}],
            "stop": [{"command": f"{MEM} hook cursor session-end"}],
        },
    }


def test_an_older_hook_is_replaced_and_one_beside_it_stays(places: Places) -> None:
    path = places.home / ".claude/settings.json"
    write(
        places,
        {
            ".claude/settings.json": '{"hooks": {"SessionEnd": [{"matcher": "*", "hooks": [\n'
            '  {"command": "say bye"},\n'
            '  {"command": "/old/mem hook claude-code session-end --max-tokens 5"}]}]}}'
        },
    )
    put(PRODUCTS["claude-code"], places)
    (group,) = plain_of(path.read_text(), name="f")["hooks"]["SessionEnd"]
    assert [one["command"] for one in group["hooks"]] == [
        "say bye",
        f"{MEM} hook claude-code session-end",
    ]
    take(PRODUCTS["claude-code"], places)
    assert path.read_text() == (
        '{"hooks": {"SessionEnd": [{"matcher": "*", "hooks": [\n  {"command": "say bye"}]}]}}'
    )


def test_without_hooks_and_in_a_project_only_the_entry_is_written(places: Places) -> None:
    product = PRODUCTS["claude-code"]
    (alone,) = setup_changes(product, places, LAUNCH, in_project=False, with_hooks=False)
    assert alone.path == places.home / ".claude.json"
    (shared,) = setup_changes(product, places, LAUNCH, in_project=True, with_hooks=True)
    assert shared.path == places.project / ".mcp.json"
    assert read(places) == {}, "planning writes nothing"


@pytest.mark.parametrize("name", ["zed", "claude-desktop"])
def test_a_scope_that_a_product_lacks_is_refused(name: str, places: Places) -> None:
    with pytest.raises(InputError, match="has no file of a project"):
        setup_changes(PRODUCTS[name], places, LAUNCH, in_project=True, with_hooks=True)


PROJECT_FILES = {
    "claude-code": ".mcp.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "gemini-cli": ".gemini/settings.json",
    "opencode": "opencode.json",
}


@pytest.mark.parametrize("name, file", PROJECT_FILES.items())
def test_a_project_has_a_file_of_its_own(name: str, file: str, places: Places) -> None:
    assert PRODUCTS[name].file(places, in_project=True) == places.project / file


HOME = Path("/h")
MAC, WINDOWS = "Library/Application Support", "AppData/Roaming"
ELSEWHERE = [
    ("vscode", "darwin", {}, f"/h/{MAC}/Code/User/mcp.json"),
    ("vscode", "win32", {}, f"/h/{WINDOWS}/Code/User/mcp.json"),
    ("vscode", "win32", {"APPDATA": "/r"}, "/r/Code/User/mcp.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "/c"}, "/c/Code/User/mcp.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "here"}, "/h/.config/Code/User/mcp.json"),
    ("claude-desktop", "darwin", {}, f"/h/{MAC}/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", {}, f"/h/{WINDOWS}/Claude/claude_desktop_config.json"),
    ("zed", "darwin", {}, "/h/.config/zed/settings.json"),
    ("zed", "win32", {}, f"/h/{WINDOWS}/Zed/settings.json"),
    ("claude-code", "darwin", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
    ("codex", "linux", {"CODEX_HOME": "/c"}, "/c/config.toml"),
    ("opencode", "darwin", {}, "/h/.config/opencode/opencode.json"),
]


@pytest.mark.parametrize("name, platform, environ, path", ELSEWHERE)
def test_files_on_other_systems(
    name: str, platform: str, environ: dict[str, str], path: str
) -> None:
    places = Places(HOME, Path("/p"), environ, platform)
    assert PRODUCTS[name].file(places, in_project=False) == Path(path)


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_file_that_cannot_be_understood_is_refused_before_any_is_written(
    name: str, places: Places
) -> None:
    product, files = PRODUCTS[name], dict(FILES[name])
    broken = list(files)[-1]
    files[broken] += '{"half": '
    write(places, files)
    with pytest.raises(ConfigError, match=f"{re.escape(Path(broken).name)}:"):
        put(product, places)
    with pytest.raises(ConfigError, match=r"nothing was changed|correct this place"):
        take(product, places)
    assert read(places) == files


def test_a_file_that_is_not_utf8_or_no_file_is_refused(places: Places) -> None:
    path = places.home / ".claude.json"
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError, match="is not UTF-8 text, at byte 7"):
        put(PRODUCTS["claude-code"], places)
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError, match="cannot be read: Is a directory"):
        put(PRODUCTS["claude-code"], places)


def test_a_link_stays_a_link_and_a_mode_stays(places: Places) -> None:
    target = places.home / "dotfiles.json"
    target.write_text("{}")
    target.chmod(0o640)
    link = places.home / ".claude.json"
    link.symlink_to(target)
    put(PRODUCTS["claude-code"], places)
    assert link.is_symlink()
    assert ENTRY in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    take(PRODUCTS["claude-code"], places)
    assert (link.is_symlink(), target.read_text()) == (True, "{}")


def test_a_projects_link_out_of_it_is_not_followed(places: Places) -> None:
    outside = places.home / "outside.json"
    outside.write_text("{}")
    (places.project / ".mcp.json").symlink_to(outside)
    with pytest.raises(ForbiddenError, match="leads out of the project"):
        setup_changes(PRODUCTS["claude-code"], places, LAUNCH, in_project=True, with_hooks=True)


def test_a_file_that_changes_meanwhile_is_not_written(places: Places) -> None:
    write(places, {".claude.json": "{}"})
    change, *_ = setup_changes(
        PRODUCTS["claude-code"], places, LAUNCH, in_project=False, with_hooks=False
    )
    write(places, {".claude.json": '{"by": "another"}'})
    with pytest.raises(BusyError, match="has just changed"):
        apply_change(change)
    assert read(places) == {".claude.json": '{"by": "another"}'}


def test_a_folder_that_is_a_file_is_named(places: Places) -> None:
    write(places, {".codex": "a file"})
    with pytest.raises(StorageError, match=r"config\.toml cannot be read: Not a directory"):
        put(PRODUCTS["codex"], places)
