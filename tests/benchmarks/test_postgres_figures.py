"""The measurement of PostgreSQL beside SQLite has all its figures; nothing is said about speed."""

from pathlib import Path

import pytest

from benchmarks.postgres import main
from tests.postgres_server import missing_packages

if missing := missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing), allow_module_level=True)


@pytest.mark.slow
def test_every_figure_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main(["--quick", "--clients", "1,2", "--work", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()[1:]
    told = [line.split("  ")[0].removesuffix(", 1,000 chunks, p50") for line in lines]
    told = [one.removesuffix(", 1,000 chunks") for one in told]
    made = ["indexing", "peak memory of mem sync", "size"]
    asked = [
        f"{mode}, {by}, {clients}"
        for by in ("database alone", "mem serve")
        for mode in ("keyword", "hybrid")
        for clients in ("1 client", "2 clients")
    ]
    served = "peak memory of mem serve"
    assert told == [
        *(f"{name}, {what}" for name in ("SQLite", "PostgreSQL") for what in made),
        *(f"SQLite, {what}" for what in [*asked, served]),
        *(f"PostgreSQL, {what}" for what in [*asked, served]),
        "PostgreSQL, memory of the server then",
        "PostgreSQL, recall@10 of the index",
    ]
    (recall,) = [line for line in lines if "recall@10" in line]
    assert "met" in recall.split()
