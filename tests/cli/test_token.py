"""`mem token`: a secret is printed once; a restore and an untrusted folder bring no token in."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.config.loading import load_config
from memory.operations.tokens import find_token, tokens_of
from memory.storage import utc_now
from memory.workspace import Workspace
from tests.cli.shell import Mem


def test_a_token_is_shown_once(mem: Mem) -> None:
    made = mem("token", "create", "claude", "--scope", "write", "--expires", "30d")
    assert made.code == 0
    assert made.out.startswith("mem_")
    assert len(made.out.split()) == 1
    assert "the only time that the token is shown" in made.err
    owners = mem("token", "create", "me", "--scope", "admin", "--owner", "--json").json
    assert owners["token"].startswith("mem_")
    assert owners["owner"] is True
    listed = mem("token", "list")
    assert made.out.strip() not in listed.out + listed.err
    until = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    today = datetime.now(UTC).date().isoformat()
    first = [line.split() for line in listed.out.splitlines()][1]
    assert first[:6] == ["claude", "write", "an", "agent", today, "never"]
    assert first[6].startswith(until)
    both = mem("token", "list", "--json").json
    assert [(each["name"], each["owner"]) for each in both] == [("claude", False), ("me", True)]
    assert all("token" not in each and "hash" not in each for each in both)
    assert mem("token", "revoke", "me").out == "revoked me\n"
    last = mem("token", "revoke", "claude")
    assert "no token is left" in last.err
    assert mem("token", "list", "--json").json == []
    assert "no tokens yet" in mem("token", "list").err


@pytest.mark.parametrize(
    "arguments, code, fact",
    [
        pytest.param(("create", "a b", "--scope", "read"), 2, "the name is 'a b'", id="name"),
        pytest.param(("create", "a.b", "--scope", "read"), 2, "the name is 'a.b'", id="dot"),
        pytest.param(("create", "a"), 2, "--scope", id="no scope"),
        pytest.param(("create", "a", "--scope", "all"), 2, "'all'", id="no such scope"),
        pytest.param(("create", "a", "--scope", "read", "--expires", "2020"), 2, "past", id="past"),
        pytest.param(
            ("create", "a", "--scope", "read", "--expires", "soon"), 2, "not a time", id="time"
        ),
        pytest.param(("create", "there", "--scope", "read"), 2, "already", id="name in use"),
        pytest.param(("revoke", "nobody"), 4, "no token 'nobody'", id="unknown"),
    ],
)
def test_mistakes_are_named(mem: Mem, arguments: tuple[str, ...], code: int, fact: str) -> None:
    mem("token", "create", "there", "--scope", "read")
    answer = mem("token", *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert fact in answer.err


def test_a_day_is_included(mem: Mem) -> None:
    made = mem("token", "create", "a", "--scope", "read", "--expires", "2999-03", "--json").json
    assert made["expires_at"] == "2999-03-31T23:59:59.999Z"


def test_a_restore_revives_no_revoked_token(mem: Mem) -> None:
    for name in ("kept", "revoked"):
        mem("token", "create", name, "--scope", "read")
    mem("remember", "The boiler is behind the shelf.")
    assert mem("backup", "saved.db").code == 0
    mem("token", "revoke", "revoked")
    mem("token", "create", "new", "--scope", "read")
    assert mem("restore", "saved.db").code == 0
    assert [each["name"] for each in mem("token", "list", "--json").json] == ["kept", "new"]


@pytest.mark.parametrize("cut", [20_000, 0, None], ids=["cut short", "empty", "removed"])
def test_no_token_is_revived_where_nothing_says_which_were_revoked(
    mem: Mem, folder: Path, cut: int | None
) -> None:
    """They expire, and stay: without any token a server answers everybody on this machine."""
    for name in ("kept", "revoked"):
        mem("token", "create", name, "--scope", "read")
    mem("token", "create", "old", "--scope", "read", "--expires", "2999")
    mem("remember", "The boiler is behind the shelf.")
    place = Path(mem("status", "--json").json["database"])
    assert mem("backup", "saved.db").code == 0
    mem("token", "revoke", "revoked")
    if cut is None:
        place.unlink()
    else:
        os.truncate(place, cut)
    told = mem("restore", "saved.db")
    assert told.code == 0
    assert "3 tokens of the backup expired" in told.err
    now = utc_now()
    listed = mem("token", "list", "--json").json
    assert [each["name"] for each in listed] == ["kept", "old", "revoked"]
    assert all(each["expires_at"] <= now for each in listed)


def test_a_token_that_came_with_a_database_needs_trust(mem: Mem, folder: Path) -> None:
    mem("--db", "theirs.db", "token", "create", "ours", "--scope", "read")
    secret = mem("--db", "theirs.db", "token", "create", "theirs", "--scope", "admin").out.strip()
    (folder / "theirs.db").rename(folder / "came.db")  # nobody created anything in this one
    loaded = load_config(database=folder / "came.db")
    assert not loaded.trusts_database
    with Workspace(loaded, create=False) as workspace:
        found = find_token(tokens_of(workspace), secret)
        assert "is not trusted" in found.refused
        assert found.any_token
        told = mem("--db", "came.db", "config", "trust")
        assert "lets in who has the token theirs" in told.out
        assert find_token(tokens_of(workspace), secret).refused == ""
        assert find_token(tokens_of(workspace), secret[:-1]).token is None
