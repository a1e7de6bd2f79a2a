"""The address that a running server leaves in the user's runtime folder.

It is a file named for the device and inode of the database, never one beside the database: a copied
or cloned folder must not name a server. Nobody but the user can read it, and a folder that others
could write to is not used.
"""

import json
import os
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from contracts import ForbiddenError
from contracts.named_tuple import NamedTuple
from memory.values.user_folders import user_runtime_folder

HAS_SOCKETS = hasattr(os, "geteuid")
"""True on Unix, where sockets have a path and files an owner; elsewhere a command works alone."""

KEY_BYTES = 32
_SOCKET = ".sock"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Identity(NamedTuple):
    """The device and inode of a database: every copy has another."""

    device: int
    inode: int

    @classmethod
    def of(cls, database: Path) -> "Identity":
        """Return that of an existing file. Raises OSError without one."""
        found = database.stat()
        return cls(found.st_dev, found.st_ino)

    @property
    def name(self) -> str:
        """The name of the file with the address."""
        return f"{self.device:x}-{self.inode:x}"


class Address(NamedTuple):
    """A socket of this machine, and the key that its server knows."""

    socket: Path
    key: bytes


def has_addresses() -> bool:
    """Return whether any server of this user has left an address; it may have ended since."""
    try:
        with os.scandir(user_runtime_folder()) as entries:
            return any(_is_name(entry.name) for entry in entries)
    except OSError:
        return False


def find_address(identity: Identity) -> Address | None:
    """Return the address that the server of a database left; None without one to be trusted."""
    folder = user_runtime_folder()
    return _read(folder / identity.name) if _is_private(folder, stat.S_ISDIR) else None


def new_address() -> Address:
    """Return an address for this process, with a new key, in a folder where others have no access.

    What killed servers left there is removed. Raises ForbiddenError for a folder that others can
    use, OSError for one that cannot be made.
    """
    folder = user_runtime_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_private(folder, stat.S_ISDIR):
        raise ForbiddenError(
            f"the folder {folder} is not yours alone",
            hint=f"see what is in it, then: chmod 700 {folder}",
        )
    _remove_stale(folder)
    return Address(folder / f"{os.urandom(4).hex()}{_SOCKET}", os.urandom(KEY_BYTES))


def leave(address: Address, identity: Identity) -> None:
    """Write the address where commands look for the server of a database.

    It replaces that of another server. Raises StorageError when the disk refuses.
    """
    from memory.storage.atomic_files import partial_copy, put_in_place  # of servers only

    path = address.socket.with_name(identity.name)
    left = {"socket": address.socket.name, "key": address.key.hex()}
    partial = partial_copy(path)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(left, file)
    put_in_place(partial, path)


def withdraw(address: Address, identity: Identity) -> None:
    """Remove the address, unless it is by now that of another server, and the socket."""
    with suppress(OSError):
        if find_address(identity) == address:
            address.socket.with_name(identity.name).unlink()
    with suppress(OSError):
        address.socket.unlink()


def _read(path: Path) -> Address | None:
    if not _is_private(path, stat.S_ISREG):
        return None
    try:
        left = json.loads(path.read_bytes())
        name, key = left["socket"], bytes.fromhex(left["key"])
        is_usable = name.endswith(_SOCKET) and os.sep not in name and len(key) == KEY_BYTES
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return Address(path.with_name(name), key) if is_usable else None


def _is_private(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Return whether something of that kind, no link to it, is the user's and nobody else's."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _OTHERS


def _remove_stale(folder: Path) -> None:
    for path in folder.iterdir():
        left = _read(path) if _is_name(path.name) else None
        if left is not None and _is_dead(left.socket):
            for file in (path, left.socket):
                with suppress(OSError):
                    file.unlink()


def _is_dead(path: Path) -> bool:
    import socket  # 2 ms, and most commands find no address

    with closing(socket.socket(socket.AF_UNIX)) as trying:
        trying.setblocking(False)
        try:
            trying.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return True
        except OSError:  # it is busy
            return False
    return False


def _is_name(name: str) -> bool:
    return not (name.startswith(".") or name.endswith(_SOCKET))
