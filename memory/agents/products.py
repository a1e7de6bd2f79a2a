"""The programs that `mem setup` knows: the file of each, the key, and the shape of its entry.

docs/setup.md says the same to users.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple

ENTRY: Final = "symbiosis-memory"
"""The name of our entry; `memory` is that of another well-known server."""

Event: TypeAlias = Literal["session-start", "prompt", "session-end"]
Shape: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], dict[str, Any]]
"""Makes an entry of a command with its arguments, and of variables of the environment."""

CONTEXT_TIMEOUT_S: Final = 5
END_TIMEOUT_S: Final = 10
"""The time after which a program ends a hook; ours end long before."""


class Places(NamedTuple):
    """The folders in which programs look for their files.

    home      the user's home folder
    project   the folder of a project
    environ   the environment
    platform  as `sys.platform`
    """

    home: Path
    project: Path
    environ: Mapping[str, str]
    platform: str

    def named(self, variable: str, otherwise: Path) -> Path:
        """Return the absolute folder that a variable names, else `otherwise`."""
        given = self.environ.get(variable, "")
        return Path(given) if given and Path(given).is_absolute() else otherwise

    @property
    def applications(self) -> Path:
        """The folder of the user's settings of applications."""
        if self.platform == "win32":
            return self.named("APPDATA", self.home / "AppData/Roaming")
        if self.platform == "darwin":
            return self.home / "Library/Application Support"
        return self.xdg

    @property
    def xdg(self) -> Path:
        """The folder that programs use for settings which follow the XDG specification."""
        return self.named("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def claude(self) -> Path:
        """The folder of Claude Code."""
        return self.named("CLAUDE_CONFIG_DIR", self.home / ".claude")

    @property
    def codex(self) -> Path:
        """The folder of Codex."""
        return self.named("CODEX_HOME", self.home / ".codex")


class Hooks(NamedTuple):
    """The hooks of a program.

    file      the user's file, in JSON, with the hooks below the member `hooks`
    events    the program's name of each of our events
    grouped   whether the commands of an event are in groups, each with a list `hooks`
    timeouts  units in a second of `timeout`; None: its unit is undocumented, and it is left out
    required  a member that the file must have
    """

    file: Callable[[Places], Path]
    events: Mapping[Event, str]
    grouped: bool = True
    timeouts: int | None = 1
    required: tuple[str, Any] | None = None

    def item(self, event: Event, command: str) -> dict[str, Any]:
        """Return an item of an event's list that runs a command."""
        handler: dict[str, Any] = {"command": command}
        if self.grouped:
            handler = {"type": "command", **handler}
        if self.timeouts is not None:
            seconds = END_TIMEOUT_S if event == "session-end" else CONTEXT_TIMEOUT_S
            handler["timeout"] = seconds * self.timeouts
        return {"hooks": [handler]} if self.grouped else handler


class Product(NamedTuple):
    """A program with agents.

    keys     the names that lead to the servers' entries in its file
    user     the user's file
    project  the project's file, relative to it; None where there is none
    """

    name: str
    title: str
    keys: tuple[str, ...]
    user: Callable[[Places], Path]
    project: str | None
    shape: Shape
    hooks: Hooks | None = None
    is_toml: bool = False

    def file(self, places: Places, *, in_project: bool) -> Path | None:
        """Return the file of a scope, None if there is none."""
        if not in_project:
            return self.user(places)
        return None if self.project is None else places.project / self.project


def _plain(command: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": command[0], "args": list(command[1:])}
    return {**entry, "env": dict(env)} if env else entry


def _typed(command: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(command, env)}


def _opencode(command: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    entry = {"type": "local", "command": list(command), "enabled": True}
    return {**entry, "environment": dict(env)} if env else entry


def _claude_file(places: Places) -> Path:
    inside = places.claude / ".claude.json"
    return inside if places.claude != places.home / ".claude" else places.home / ".claude.json"


def _opencode_file(places: Places) -> Path:
    folder = places.xdg / "opencode"
    with_comments = folder / "opencode.jsonc"
    return with_comments if with_comments.is_file() else folder / "opencode.json"


def _zed_file(places: Places) -> Path:
    folder = places.applications / "Zed" if places.platform == "win32" else places.xdg / "zed"
    return folder / "settings.json"


_PRODUCTS: Final = (
    Product(
        "claude-code",
        "Claude Code",
        ("mcpServers",),
        _claude_file,
        ".mcp.json",
        _typed,
        Hooks(
            lambda places: places.claude / "settings.json",
            {
                "session-start": "SessionStart",
                "prompt": "UserPromptSubmit",
                "session-end": "SessionEnd",
            },
        ),
    ),
    Product(
        "codex",
        "Codex",
        ("mcp_servers",),
        lambda places: places.codex / "config.toml",
        ".codex/config.toml",
        _plain,
        Hooks(
            lambda places: places.codex / "hooks.json",
            {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "session-end": "Stop"},
        ),
        is_toml=True,
    ),
    Product(
        "cursor",
        "Cursor",
        ("mcpServers",),
        lambda places: places.home / ".cursor/mcp.json",
        ".cursor/mcp.json",
        _typed,
        Hooks(
            lambda places: places.home / ".cursor/hooks.json",
            {"session-start": "sessionStart", "session-end": "stop"},
            grouped=False,
            timeouts=None,
            required=("version", 1),
        ),
    ),
    Product(
        "vscode",
        "Visual Studio Code",
        ("servers",),
        lambda places: places.applications / "Code/User/mcp.json",
        ".vscode/mcp.json",
        _typed,
    ),
    Product(
        "gemini-cli",
        "Gemini CLI",
        ("mcpServers",),
        lambda places: places.home / ".gemini/settings.json",
        ".gemini/settings.json",
        _plain,
        Hooks(
            lambda places: places.home / ".gemini/settings.json",
            {
                "session-start": "SessionStart",
                "prompt": "BeforeAgent",
                "session-end": "SessionEnd",
            },
            timeouts=1000,
        ),
    ),
    Product("opencode", "opencode", ("mcp",), _opencode_file, "opencode.json", _opencode),
    Product("zed", "Zed", ("context_servers",), _zed_file, None, _plain),
    Product(
        "claude-desktop",
        "Claude Desktop",
        ("mcpServers",),
        lambda places: places.applications / "Claude/claude_desktop_config.json",
        None,
        _plain,
    ),
)

PRODUCTS: Final[Mapping[str, Product]] = {product.name: product for product in _PRODUCTS}
"""Every program by the name that `mem setup` takes."""
