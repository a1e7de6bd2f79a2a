"""The warning of folders that are not read, in a process that answers many searches."""

from pathlib import Path

import pytest

from memory.config.loading import load_config
from memory.config.trust import Restricted
from memory.index.database_trust import consent_to_roots, database_claims, trust_warnings
from memory.storage.meta import forget_root, remember_root
from memory.workspace import Workspace

DAY = "2026-01-01T00:00:00.000Z"


@pytest.fixture
def untrusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A database that was named on the command line and remembers one folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    workspace = Workspace(load_config(database=tmp_path / "came.db", cwd=tmp_path, environ={}))
    remember(workspace, tmp_path / "docs")
    return workspace


def remember(workspace: Workspace, folder: Path) -> None:
    with workspace.storage.database.transaction() as tx:
        remember_root(tx, str(folder), DAY)


def test_it_follows_the_folders_and_the_consents(untrusted: Workspace, tmp_path: Path) -> None:
    docs, more = tmp_path / "docs", tmp_path / "more"
    with untrusted:
        assert [f"therefore: {docs};" in each for each in trust_warnings(untrusted)] == [True]
        remember(untrusted, more)
        assert [f"therefore: {docs}, {more};" in each for each in trust_warnings(untrusted)] == [
            True
        ]
        consent_to_roots(untrusted, [str(docs)])
        assert [f"therefore: {more};" in each for each in trust_warnings(untrusted)] == [True]
        with untrusted.storage.database.transaction() as tx:
            forget_root(tx, str(more))
        assert trust_warnings(untrusted) == []


def test_it_is_looked_for_once_while_nothing_changes(
    untrusted: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def waiting(workspace: Workspace, claims: list[Restricted]) -> list[Restricted]:
        asked.append(claims)
        return claims

    monkeypatch.setattr("memory.index.database_trust.waiting", waiting)
    with untrusted:
        assert trust_warnings(untrusted) == trust_warnings(untrusted) != []
        assert len(asked) == 1
        assert database_claims(untrusted)[-1].value == str(tmp_path / "docs")
