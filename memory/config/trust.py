"""Trust in a configuration file that was merely found, and in the database that it names.

Both may have come with a cloned repository. So until this user consents (`mem config trust`, or
typing the setting, the folder or the model), they cannot choose where text is sent, read the
environment, open paths outside their folder, load models, bind an address, or decide what is
deleted from a database that is not the folder's own.

A consent is to one value in one file: a file that changes asks again, for what is new in it. The
list of consents is in the user's data folder, one in JSON a line, values as digests, since they may
be secrets. It is only ever appended to, so that two processes cannot undo each other's entry.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from contracts import ForbiddenError, StorageError
from contracts.named_tuple import NamedTuple
from memory.config.expansion import reads_environment, resolve_paths
from memory.config.field_types import DELETES
from memory.config.keys import Key, all_keys, value_of
from memory.config.settings import Config
from memory.values.user_folders import user_config_folder, user_data_folder

_LIST = "trusted.jsonl"
_STORAGE = "memory.storage_path"


class Restricted(NamedTuple):
    """Something that needs consent: `memory.server.host` `chooses ...`.

    `value` is what the consent is bound to: of a path its real one, else the value as written.
    """

    key: str
    effect: str
    value: object


def restricted_settings(
    config: Config,
    base_dir: Path,
    *,
    database: Path | None = None,
    own_database: bool | None = None,
) -> list[Restricted]:
    """Return the settings of a file in `base_dir` that need consent; `config` has them as written.

    `database` stands in for `memory.storage_path`. `own_database` says whether the database came
    with the folder, which allows the settings that delete; None: find out.
    """
    resolved = resolve_paths(config, base_dir)
    if own_database is None:
        own_database = is_inside(database or resolved.memory.storage_path, base_dir)
    found: list[Restricted] = []
    for key in all_keys():
        if database is not None and key.name == _STORAGE:
            continue
        written = value_of(config, key.name)
        if effect := _effect(key, written, own_database=own_database):
            found.append(Restricted(key.name, effect, written))
        elif key.setting.path:
            outside = _paths_outside(value_of(resolved, key.name), base_dir)
            found += [Restricted(key.name, effect, real) for effect, real in outside]
    return found


def require_trust(path: Path, restricted: Iterable[Restricted]) -> None:
    """Raise ForbiddenError when a file has settings that this user did not consent to."""
    waiting = without_consent(path, restricted)
    if waiting:
        import shlex

        first, *others = waiting
        more = f" ({len(others)} more)" if others else ""
        raise ForbiddenError(
            f"{path} is not trusted, and {first.key} {first.effect}{more}",
            hint=f"read the file, then: mem config trust {shlex.quote(str(path))}",
        )


def without_consent(path: Path, restricted: Iterable[Restricted]) -> list[Restricted]:
    """Return those that this user did not consent to for the file at this path."""
    listed = list(restricted)
    lines = _lines() if listed else frozenset()
    return [item for item in listed if _line(path, item) not in lines]


def give_consent(path: Path, restricted: Iterable[Restricted]) -> None:
    """Remember that this user consents to these values in the file at this path."""
    new = dict.fromkeys(_line(path, item) for item in without_consent(path, restricted))
    if not new:
        return
    target = consent_list()
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write("".join(f"{line}\n" for line in new).encode())
    except OSError as error:
        raise _list_error(error) from error


def consent_list() -> Path:
    """Return the path of the list of consents; it need not exist."""
    return user_data_folder() / _LIST


def is_inside(path: str | Path, folder: Path) -> bool:
    """Return whether a path, links followed, is in a folder and not in the user's own folders."""
    real = Path(os.path.realpath(path))
    return real.is_relative_to(os.path.realpath(folder)) and not is_own(real)


def is_own(path: str | Path) -> bool:
    """Return whether a path, links followed, is in the user's folder of data or configuration."""
    real = Path(os.path.realpath(path))
    own = (user_data_folder(), user_config_folder())
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in own)


def _lines() -> frozenset[str]:
    try:
        return frozenset(consent_list().read_text("utf-8").splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    except OSError as error:
        raise _list_error(error) from error


def _line(path: Path, item: Restricted) -> str:
    value = json.dumps(item.value, sort_keys=True).encode()
    return json.dumps([_identity(path), item.key, _sha256(value)])


def _sha256(content: bytes) -> str:
    return str(_sha256_function()(content).hexdigest())


@cache
def _sha256_function() -> Callable[[bytes], Any]:
    """Return Python's own SHA-256, without OpenSSL, which `hashlib` loads in 2 ms."""
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        with suppress(ImportError):
            return cast(Callable[[bytes], Any], import_module(name).sha256)
    from hashlib import sha256  # another interpreter than CPython

    return sha256


def _list_error(error: OSError) -> StorageError:
    return StorageError(
        f"the list of consents cannot be used: {consent_list()}: {error.strerror}",
        hint="make that file readable and writable for you",
    )


def _identity(path: Path) -> str:
    """Return the real folder and the name of a file, as the list of consents has it.

    A link in the name itself is not followed, so that the file cannot be swapped for a link to a
    trusted one.
    """
    absolute = path.absolute()
    return str(Path(os.path.realpath(absolute.parent)) / absolute.name)


def _effect(key: Key, value: object, *, own_database: bool) -> str | None:
    if value == key.default:
        return None
    if reads_environment(value):
        return "reads the environment"
    guard = key.setting.guard
    if value in key.setting.harmless or (guard == DELETES and own_database):
        return None
    return guard


def _paths_outside(value: str | tuple[str, ...], base_dir: Path) -> Iterator[tuple[str, str]]:
    """Yield an effect and a real path for each path outside the folder, also for defaults:
    `./data` can be a link.
    """
    for text in (value,) if isinstance(value, str) else value:
        if not is_inside(text, base_dir):
            yield f"opens {text}, which is outside its folder", os.path.realpath(text)
