"""The address that a server leaves for commands: who may have left it, and what it may say."""

import json
import os
from pathlib import Path

import pytest

from contracts import ForbiddenError
from memory.local_server.address import (
    Address,
    Identity,
    find_address,
    has_addresses,
    leave,
    new_address,
    withdraw,
)
from memory.values.user_folders import user_data_folder, user_runtime_folder


@pytest.fixture
def identity(tmp_path: Path) -> Identity:
    database = tmp_path / "memory.db"
    database.touch()
    return Identity.of(database)


@pytest.fixture
def left(identity: Identity) -> Address:
    """An address that was left, with its socket."""
    address = new_address()
    address.socket.touch()
    leave(address, identity)
    return address


def test_what_was_left_is_found(left: Address, identity: Identity) -> None:
    assert find_address(identity) == left
    assert has_addresses()
    folder = user_runtime_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / identity.name).stat().st_mode & 0o777 == 0o600


def test_every_file_has_an_identity_of_its_own(tmp_path: Path, identity: Identity) -> None:
    (tmp_path / "copy.db").write_bytes((tmp_path / "memory.db").read_bytes())
    assert Identity.of(tmp_path / "copy.db") != identity
    (tmp_path / "memory.db").rename(tmp_path / "moved.db")
    assert Identity.of(tmp_path / "moved.db") == identity


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        json.dumps({"socket": "a.sock", "key": "12"}).encode(),
        json.dumps({"socket": "a.sock", "key": "x" * 64}).encode(),
        json.dumps({"socket": "../a.sock", "key": "00" * 32}).encode(),
        json.dumps({"socket": "memory", "key": "00" * 32}).encode(),
        json.dumps({"socket": 7, "key": "00" * 32}).encode(),
    ],
    ids=str,
)
def test_another_content_is_no_address(content: bytes, left: Address, identity: Identity) -> None:
    (user_runtime_folder() / identity.name).write_bytes(content)
    assert find_address(identity) is None


def test_a_link_is_no_address(left: Address, identity: Identity, tmp_path: Path) -> None:
    file = user_runtime_folder() / identity.name
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert find_address(identity) is None


def test_a_linked_folder_is_not_used(left: Address, identity: Identity, tmp_path: Path) -> None:
    folder = user_runtime_folder()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert find_address(identity) is None
    with pytest.raises(ForbiddenError, match="is not yours alone"):
        new_address()


def test_nothing_is_left_where_no_server_was(identity: Identity) -> None:
    assert not has_addresses()
    assert find_address(identity) is None


def test_an_address_is_withdrawn(left: Address, identity: Identity) -> None:
    withdraw(left, identity)
    assert not any(user_runtime_folder().iterdir())
    withdraw(left, identity)  # once more: nothing is there


def test_the_address_of_a_later_server_stays(left: Address, identity: Identity) -> None:
    later = Address(left.socket.with_name("later.sock"), os.urandom(32))
    leave(later, identity)
    withdraw(left, identity)
    assert find_address(identity) == later
    assert not left.socket.exists()


def test_without_a_runtime_folder_the_data_folder_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_RUNTIME_DIR", value)
        assert user_runtime_folder() == user_data_folder() / "run"
