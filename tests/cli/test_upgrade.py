"""The change to a better model on the command line: offered once, and told by `mem status`."""

import json
import sys
from pathlib import Path

import pytest

from contracts import install_hint
from memory.config.loading import load_config
from memory.storage.meta import UPGRADE_RATE, write_meta
from memory.workspace import Workspace
from tests.cli.shell import Mem, at_a_terminal

OFFER = "mem reindex --provider minilm (about 1 minute)"


def upgrade_line(mem: Mem) -> str:
    lines = [line for line in mem("status").out.splitlines() if line.startswith("upgrade")]
    return lines[0].removeprefix("upgrade").strip() if lines else ""


def test_a_sync_offers_it_once_at_a_terminal(
    mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docs" / "more.md").write_text("# More\n\nOf the same.\n", "utf-8")
    assert OFFER in at_a_terminal("sync", "docs", monkeypatch=monkeypatch)
    (folder / "docs" / "third.md").write_text("# Third\n\nAnd again.\n", "utf-8")
    assert "minilm" not in at_a_terminal("sync", "docs", monkeypatch=monkeypatch)


def test_the_report_has_the_offer_too(
    mem: Mem,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def offered(*arguments: str) -> str | None:
        capsys.readouterr()
        at_a_terminal("sync", "docs", "--json", *arguments, monkeypatch=monkeypatch)
        offer: str | None = json.loads(capsys.readouterr().out)["offer"]
        return offer

    assert offered("--dry-run") is None
    assert OFFER in (offered() or "")
    assert offered("--force") is None


def test_a_program_is_offered_nothing(synced: Mem) -> None:
    again = synced("sync", "docs", "--force")
    assert "minilm" not in again.out + again.err
    assert synced("sync", "docs", "--force", "--json").json["offer"] is None


def test_no_offer_where_it_is_off(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    mem("config", "set", "memory.embeddings.upgrade", "off")
    assert "minilm" not in at_a_terminal("sync", "docs", monkeypatch=monkeypatch)
    assert upgrade_line(mem) == ""


def test_status_tells_what_is_to_come_and_what_was_done(synced: Mem) -> None:
    by = "mem serve or mem watch does it while nobody is waiting"
    before = synced("status", "--json").json["upgrade"]
    total = before["chunks_total"]
    assert upgrade_line(synced) == f"to minilm, 0 of {total} chunks embedded; {by}"
    with Workspace(load_config()) as opened, opened.storage.database.transaction() as tx:
        write_meta(tx, UPGRADE_RATE, 0.01)
    minutes = round(total / 0.01 / 60)
    assert f"embedded, about {minutes} minutes left; {by}" in upgrade_line(synced)
    synced("maintain", "upgrade")
    assert upgrade_line(synced).startswith("changed to minilm; the static vectors go at 20")


def test_status_tells_what_it_would_need(synced: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    needed = "the embedding provider minilm needs the library onnxruntime, which is not installed"
    expected = f"to minilm, for better answers: {needed} ({install_hint('onnx')})"
    assert upgrade_line(synced) == expected
    assert "minilm" not in at_a_terminal("sync", "docs", "--force", monkeypatch=monkeypatch)
    assert synced("maintain", "upgrade", "--json").json[0]["message"] == "nothing to do"
    assert synced("status", "--json").json["errors"] == []
