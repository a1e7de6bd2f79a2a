"""Put our entries into the files of a program with agents, or take them out.

Every file is read and changed in memory first: one that cannot be understood is refused before any
is written.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from contracts import BusyError, ConfigError, ForbiddenError, InputError, StorageError
from memory.agents.json_entries import handlers, plain_of, replaced, with_item, with_member, without
from memory.agents.products import ENTRY, Event, Hooks, Places, Product
from memory.agents.toml_entries import toml_content, with_table, without_table
from memory.config.editing import write_file

Action: TypeAlias = Literal["written", "removed", "unchanged"]

_HOOKS: Final = "hooks"


@dataclass(frozen=True, slots=True)
class Launch:
    """The way in which a program starts us.

    program  the absolute path of `mem`, or of Python with its arguments
    options  the global options of `mem`
    env      variables of the environment for `mem mcp`
    """

    program: Sequence[str]
    options: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        """Return the words of a command."""
        return [*self.program, *self.options, *arguments]

    def line(self, *arguments: str) -> str:
        """Return a command as one line for the shell of this system."""
        words = self.command(*arguments)
        return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file of a program: `entry` is put in or taken out.

    `before` is the text as it is, None without a file; `after` the text to write, None: no file.
    """

    path: Path
    entry: str
    before: str | None
    after: str | None

    @property
    def action(self) -> Action:
        """The effect of writing this change."""
        if self.before == self.after:
            return "unchanged"
        return "written" if self.entry else "removed"


def setup_changes(
    product: Product, places: Places, launch: Launch, *, in_project: bool, with_hooks: bool
) -> list[FileChange]:
    """Return the changes that put our entries in; nothing is written.

    Hooks go into the user's own file only: they are a person's choice. Raises ConfigError for a
    file that cannot be understood, InputError for a scope that the program does not have.
    """
    files = _Files(places, in_project=in_project)
    path = _entry_file(product, places, in_project=in_project)
    value = product.shape(launch.command("mcp"), launch.env)
    files.put_entry(product, path, value)
    if product.hooks and with_hooks and not in_project:
        files.put_hooks(product, product.hooks, launch)
    return files.changes()


def removal_changes(product: Product, places: Places, *, in_project: bool) -> list[FileChange]:
    """Return the changes that take our entries out; nothing is written. Raises as above."""
    files = _Files(places, in_project=in_project)
    files.remove_entry(product, _entry_file(product, places, in_project=in_project))
    if product.hooks and not in_project:
        files.remove_hooks(product, product.hooks)
    return files.changes()


def apply_change(change: FileChange) -> None:
    """Write a change, atomically; modes and links stay.

    Raises BusyError when the file has changed meanwhile, StorageError when the disk refuses.
    """
    if _read(change.path) != change.before:
        raise BusyError(f"{change.path} has just changed", hint="nothing was written; run it again")
    if change.after is not None:
        write_file(change.path, change.after, elsewhere="put the entry in by hand: see --print")
        return
    try:
        Path(os.path.realpath(change.path)).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{change.path} cannot be removed: {error.strerror}", hint="remove it by hand"
        ) from error


class _Files:
    """The texts of the files, before and after, and what is put into each."""

    def __init__(self, places: Places, *, in_project: bool) -> None:
        self._places = places
        self._in_project = in_project
        self._before: dict[Path, str | None] = {}
        self._after: dict[Path, str] = {}
        self._entries: dict[Path, str] = {}

    def changes(self) -> list[FileChange]:
        return [
            FileChange(path, self._entries[path], before, self._written(path))
            for path, before in self._before.items()
        ]

    def put_entry(self, product: Product, path: Path, value: dict[str, Any]) -> None:
        text, name, keys = self._text(path), str(path), (*product.keys, ENTRY)
        if product.is_toml:
            self._entries[path] = with_table("", keys, value, name=name)
            content: Any = toml_content(text, name=name)
        else:
            self._entries[path] = with_member("", keys, value, name=name)
            content = plain_of(text, name=name)
        if _value(content, keys) == value:
            return
        put = with_table if product.is_toml else with_member
        self._after[path] = put(text, keys, value, name=name)

    def put_hooks(self, product: Product, hooks: Hooks, launch: Launch) -> None:
        path = hooks.file(self._places)
        text, shown = self._text(path), self._entries.get(path, "")
        self._after[path] = _with_hooks(text, product, hooks, launch, name=str(path))
        self._entries[path] = _with_hooks(shown, product, hooks, launch, name=str(path))

    def remove_entry(self, product: Product, path: Path) -> None:
        text, name, keys = self._text(path), str(path), (*product.keys, ENTRY)
        self._entries[path] = ""
        content = toml_content(text, name=name) if product.is_toml else plain_of(text, name=name)
        if _value(content, keys) is not None:
            take = without_table if product.is_toml else without
            self._after[path] = take(text, keys, name=name)

    def remove_hooks(self, product: Product, hooks: Hooks) -> None:
        path = hooks.file(self._places)
        text, name = self._text(path), str(path)
        self._entries.setdefault(path, "")
        before = text
        for event, theirs in hooks.events.items():
            while found := _hooks_of(plain_of(text, name=name), product, event, theirs):
                text = without(text, found[0], name=name)
        if text != before and hooks.required and _is_made(text, hooks.required, name=name):
            text = without(text, hooks.required[:1], name=name)
        self._after[path] = text

    def _text(self, path: Path) -> str:
        """Return the text of a file as changed so far, empty without a file."""
        if path not in self._before:
            if self._in_project:
                _require_inside(path, self._places.project)
            self._before[path] = text = _read(path)
            self._after[path] = text or ""
        return self._after[path]

    def _written(self, path: Path) -> str | None:
        """Return the text to write; None for a file that was made here and holds nothing else.

        A file that was made here ends its only line; one that was there and empty does not.
        """
        before, after = self._before[path], self._after[path]
        if before is None:
            return f"{after}\n" if after else None
        was_made_here = before.startswith(("{", "[")) and before.endswith("\n")
        return None if before != after and was_made_here and not after.strip() else after


def _with_hooks(text: str, product: Product, hooks: Hooks, launch: Launch, *, name: str) -> str:
    """Return `text` with one hook of ours for each event, in the place of an older one."""
    if hooks.required and hooks.required[0] not in plain_of(text, name=name):
        text = with_member(text, hooks.required[:1], hooks.required[1], name=name)
    for event, theirs in hooks.events.items():
        keys = (_HOOKS, theirs)
        item = hooks.item(event, launch.line("hook", product.name, event))
        content = plain_of(text, name=name)
        found = _hooks_of(content, product, event, theirs)
        if not found:
            text = with_item(text, keys, item, name=name)
            continue
        value = item if len(found[0]) == len(keys) + 1 else item[_HOOKS][0]
        if _value(content, found[0]) != value:
            text = replaced(text, found[0], value, name=name)
    return text


def _hooks_of(
    content: dict[str, Any], product: Product, event: Event, theirs: str
) -> list[tuple[str | int, ...]]:
    """Return the paths of our hooks of an event."""
    ours = re.compile(rf"\bhook {re.escape(product.name)} {event}(?=\s|$)")
    return [
        path
        for path, handler in handlers(content, (_HOOKS, theirs))
        if isinstance(handler.get("command"), str) and ours.search(handler["command"])
    ]


def _is_made(text: str, member: tuple[str, Any], *, name: str) -> bool:
    """Return whether a member is all that is left, as it was put in."""
    made = with_member("", member[:1], member[1], name=name)
    return text.strip() == made.strip()


def _entry_file(product: Product, places: Places, *, in_project: bool) -> Path:
    path = product.file(places, in_project=in_project)
    if path is None:
        raise InputError(
            f"{product.title} has no file of a project for MCP servers",
            hint=f"use your own: mem setup {product.name} --scope user",
        )
    return path


def _require_inside(path: Path, project: Path) -> None:
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(project)):
        raise ForbiddenError(
            f"{path} leads out of the project, to {os.path.realpath(path)}",
            hint="nothing was changed; see why it is a link, or use --scope user",
        )


def _read(path: Path) -> str | None:
    """Return the text of a file, None without one."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(
            f"{path} cannot be read: {error.strerror}", hint="make it a file that you can read"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8 text, at byte {error.start}",
            hint="nothing was changed; save the file as UTF-8",
        ) from error


def _value(content: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        if isinstance(content, dict):
            content = content.get(part)
        elif isinstance(content, list) and isinstance(part, int):
            content = content[part]
        else:
            return None
    return content
