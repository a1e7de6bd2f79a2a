"""Trust in a configuration file that was merely found in the working directory.

Such a file may have come with a cloned repository. So until this user trusts it (`mem config
trust`, or `mem init`, which makes it), it cannot choose where text is sent, read the environment,
open paths outside its folder, load models, or bind an address. The list of trusted files is in the
user's configuration folder, one path in JSON a line; it is only ever appended to, so that two
processes cannot undo each other's entry.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from contracts import ForbiddenError, StorageError
from memory.config.expansion import reads_environment, resolve_paths
from memory.config.keys import Key, all_keys, value_of
from memory.config.settings import Config
from memory.values.user_folders import user_config_folder

_LIST = "trusted.jsonl"


class Restricted(NamedTuple):
    """A setting that needs trust, and its effect: `memory.server.host` `chooses ...`."""

    key: str
    effect: str


def restricted_settings(
    config: Config, base_dir: Path, *, ignore: frozenset[str] = frozenset()
) -> list[Restricted]:
    """Return the settings of a file in `base_dir` that need trust; `config` has them as written."""
    found: list[Restricted] = []
    resolved = resolve_paths(config, base_dir)
    for key in all_keys():
        if key.name in ignore:
            continue
        effects = _effects(key, value_of(config, key.name))
        if key.setting.path:
            effects = [*effects, *_paths_outside(value_of(resolved, key.name), base_dir)]
        found += [Restricted(key.name, effect) for effect in effects[:1]]
    return found


def require_trust(path: Path, restricted: list[Restricted]) -> None:
    """Raise ForbiddenError when a file has restricted settings and is not trusted."""
    if restricted and not is_trusted(path):
        import shlex

        first = restricted[0]
        raise ForbiddenError(
            f"{path} is not trusted, and {first.key} {first.effect}",
            hint=f"read the file, then: mem config trust {shlex.quote(str(path))}",
        )


def is_trusted(path: Path) -> bool:
    """Return whether this user has trusted the file at this path."""
    try:
        lines = trusted_list().read_text("utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _list_error(error) from error
    return json.dumps(_identity(path)) in lines


def trust(path: Path) -> None:
    """Remember that this user trusts the file at this path, whatever it will hold."""
    if is_trusted(path):
        return
    target = trusted_list()
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(json.dumps(_identity(path)).encode() + b"\n")
    except OSError as error:
        raise _list_error(error) from error


def trusted_list() -> Path:
    """Return the path of the list of trusted files; it need not exist."""
    return user_config_folder() / _LIST


def _list_error(error: OSError) -> StorageError:
    return StorageError(
        f"the list of trusted files cannot be used: {trusted_list()}: {error.strerror}",
        hint="make that file readable and writable for you",
    )


def _identity(path: Path) -> str:
    """Return the real folder and the name of a file, as the list of trusted files has it.

    A link in the name itself is not followed, so that the file cannot be swapped for a link to a
    trusted one.
    """
    absolute = path.absolute()
    return str(Path(os.path.realpath(absolute.parent)) / absolute.name)


def _effects(key: Key, value: object) -> list[str]:
    if value == key.default:
        return []
    if reads_environment(value):
        return ["reads the environment"]
    guard = key.setting.guard
    return [guard] if guard and value not in key.setting.harmless else []


def _paths_outside(value: str | tuple[str, ...], base_dir: Path) -> Iterator[str]:
    """Yield an effect for each path outside the folder, also for defaults: `./data` can be a
    link.
    """
    folder = os.path.realpath(base_dir)
    for text in (value,) if isinstance(value, str) else value:
        if not Path(os.path.realpath(text)).is_relative_to(folder):
            yield f"opens {text}, which is outside its folder"
