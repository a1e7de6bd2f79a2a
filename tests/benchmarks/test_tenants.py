"""The measurement of many tenants has all its figures; nothing is said about speed."""

import pytest

from benchmarks.tenants.__main__ import main
from tests.postgres_server import missing_packages

if missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)


@pytest.mark.slow
def test_every_figure_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--quick"])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split("  ")[0] for line in lines] == [
        "create 3 tenants",
        "rows of pg_class",
        "rows of pg_attribute",
        "rows of pg_index",
        "rows of pg_constraint",
        "rows of pg_depend",
        "all catalogues",
        "relations of a tenant",
        "disk of an empty tenant",
        "mem tenant list, processor",
        "mem tenant usage, processor",
        "open a tenant, on processors",
        "run a tenant's jobs, on processors",
        "migrate 3 tenants",
        "connection that touched 1 tenants",
        "connection that touched 3 tenants",
        "process with 1 open tenants",
        "process with 3 open tenants",
    ]
