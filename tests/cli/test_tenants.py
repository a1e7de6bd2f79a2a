"""`mem tenant`: several memories in one database, and the roles that own them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memory.config.loading import load_config
from memory.storage.process_locks import sync_lock
from memory.workspace import Workspace
from tests.cli.shell import Answer, Mem
from tests.postgres_server import PostgresServer, missing_packages, new_database

if not missing_packages():
    import psycopg
    from psycopg.conninfo import make_conninfo
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

Run = Callable[..., Answer]


@pytest.fixture(scope="module")
def database(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of this module's own."""
    with new_database(postgres_server, "tenants") as dsn:
        yield dsn


@pytest.fixture
def on_server(mem: Mem, folder: Path, database: str) -> Iterator[Run]:
    """Runs `mem` on that database; its tenants are dropped at the end."""
    run = running(mem, folder, database)
    yield run
    for one in run("tenant", "list", "--json").json:
        run("tenant", "drop", one["name"], "--yes")


def running(mem: Mem, folder: Path, dsn: str, schema: str = "home") -> Run:
    config = config_of(folder, dsn, schema)

    def run(*arguments: str, code: int = 0) -> Answer:
        answer = mem("--config", str(config), *arguments)
        assert answer.code == code, answer.err
        return answer

    return run


def config_of(folder: Path, dsn: str, schema: str) -> Path:
    config = folder / f"{schema}.json"
    memory = {"backend": "postgres", "dsn": dsn, "schema": schema}
    config.write_text(json.dumps({"memory": memory}), "utf-8")
    return config


@contextmanager
def superuser(dsn: str) -> Iterator[Any]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield connection


def test_tenants_are_made_listed_measured_and_dropped(
    on_server: Run, mem: Mem, folder: Path, database: str
) -> None:
    assert "no tenants yet" in on_server("tenant", "list").err
    assert on_server("tenant", "list", "--json").json == []
    made = on_server("tenant", "create", "acme")
    assert made.out == "created acme: schema tenant_acme, role postgres\n"
    assert "mem token create TOKEN --scope write --tenant acme" in made.err
    on_server("tenant", "create", "blue", "--json")
    (acme, blue) = on_server("tenant", "list", "--json").json
    assert (acme["name"], acme["schema"], acme["role"]) == ("acme", "tenant_acme", "postgres")
    assert acme["number"] != blue["number"]
    assert [line.split()[0] for line in on_server("tenant", "list").out.splitlines()] == [
        "tenant",
        "acme",
        "blue",
    ]

    inside = running(mem, folder, database, "tenant_acme")
    inside("remember", "The zebra key is under the mat")
    inside("sync", "docs")
    (used, empty) = on_server("tenant", "usage", "--json").json
    assert used["records"] == {"files": 2, "memories": 1}
    assert used["chunks"] >= 3
    assert used["size_bytes"] > empty["size_bytes"] > 0
    assert used["last_write"] is not None
    assert empty == {
        "tenant": "blue",
        "records": {},
        "chunks": 0,
        "tokens": 0,
        "size_bytes": empty["size_bytes"],
        "last_write": None,
    }
    shown = on_server("tenant", "usage", "acme").out.splitlines()
    assert shown[1].split()[:2] == ["acme", "3"]
    assert len(shown) == 2

    refused = on_server("tenant", "drop", "acme", code=2)
    assert "acme holds 3 records" in refused.err
    assert "confirmation needed" in refused.err
    assert "dropped acme" in on_server("tenant", "drop", "acme", "--yes").out
    assert [one["name"] for one in on_server("tenant", "list", "--json").json] == ["blue"]
    again = running(mem, folder, database, "tenant_acme")
    assert "there is no memory in the schema tenant_acme" in again("search", "zebra", code=4).err


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        pytest.param(("create", "Acme"), 2, "the name of the tenant is 'Acme'", id="capital"),
        pytest.param(("create", "a-b"), 2, "give 1 to 40 of a-z", id="dash"),
        pytest.param(("create", ""), 2, "the name of the tenant is ''", id="empty"),
        pytest.param(("create", "a" * 41), 2, "give 1 to 40", id="long"),
        pytest.param(("create", 'x"; DROP'), 2, "the name of the tenant", id="quote"),
        pytest.param(("create", "there"), 2, "there is a tenant there already", id="used"),
        pytest.param(("create", "b", "--role", ""), 2, "the name of the role is ''", id="role"),
        pytest.param(("create", "b", "--role", "postgres"), 2, "is a superuser", id="superuser"),
        pytest.param(("drop", "none", "--yes"), 4, "there is no tenant 'none'", id="drop"),
        pytest.param(("usage", "none"), 4, "mem tenant list", id="usage"),
    ],
)
def test_mistakes_are_named(
    on_server: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    on_server("tenant", "create", "there")
    assert said in on_server("tenant", *arguments, code=code).err


def test_a_token_is_of_one_tenant(on_server: Run) -> None:
    on_server("tenant", "create", "acme")
    on_server("tenant", "create", "blue")
    made = on_server("token", "create", "phone", "--scope", "write", "--tenant", "acme").out.strip()
    assert made.startswith("mem_")
    assert made.endswith(".acme")
    listed = on_server("token", "list", "--tenant", "acme", "--json").json
    assert [one["name"] for one in listed] == ["phone"]
    assert on_server("token", "list", "--tenant", "blue", "--json").json == []
    assert on_server("tenant", "usage", "acme", "--json").json[0]["tokens"] == 1
    on_server("token", "revoke", "phone", "--tenant", "blue", code=4)
    assert on_server("token", "revoke", "phone", "--tenant", "acme").err == ""
    unknown = on_server("token", "create", "a", "--scope", "read", "--tenant", "none", code=4)
    assert "there is no tenant 'none'" in unknown.err


def test_a_file_has_no_tenants(mem: Mem) -> None:
    for arguments in (("list",), ("create", "a"), ("usage",), ("drop", "a", "--yes")):
        answer = mem("tenant", *arguments)
        assert answer.code == 3
        assert 'memory.backend is "sqlite", which has no tenants' in answer.err
        assert "mem config set memory.backend postgres" in answer.err


def test_other_schemas_are_no_tenants(on_server: Run, database: str) -> None:
    on_server("remember", "The home memory has no prefix")
    with superuser(database) as connection:
        connection.execute("CREATE SCHEMA tenant_foreign; CREATE TABLE tenant_foreign.t (x int)")
        assert on_server("tenant", "list", "--json").json == []
        taken = on_server("tenant", "create", "foreign", code=8)
        assert "belongs to another program" in taken.err
        on_server("tenant", "drop", "foreign", "--yes", code=4)
        assert connection.execute("SELECT count(*) FROM tenant_foreign.t").fetchone() == (0,)
        connection.execute("DROP SCHEMA tenant_foreign CASCADE")


def test_a_tenant_in_use_is_not_dropped(
    on_server: Run, mem: Mem, folder: Path, database: str
) -> None:
    on_server("tenant", "create", "busy")
    config = config_of(folder, database, "tenant_busy")
    with Workspace(load_config(config)) as workspace:
        tables = workspace.storage.database
        with sync_lock(tables, None):
            refused = on_server("tenant", "drop", "busy", "--yes", code=6)
            assert "the tenant busy is in use by a running sync" in refused.err
        with tables.transaction():
            refused = on_server("tenant", "drop", "busy", "--yes", code=6)
            assert "the tenant busy is written to" in refused.err
    on_server("tenant", "drop", "busy", "--yes")


@pytest.fixture
def app_role(database: str) -> Iterator[str]:
    """The address for a role that is not a superuser and may make roles and schemas."""
    with superuser(database) as connection:
        name = connection.info.dbname
        connection.execute("CREATE ROLE mem_app LOGIN CREATEROLE")
        connection.execute(f'GRANT CREATE ON DATABASE "{name}" TO mem_app')
        yield make_conninfo(database, user="mem_app")
        for owned in ("red_memory", "green_memory", "mem_app"):
            connection.execute(f"DROP OWNED BY {owned} CASCADE")
        for owned in ("red_memory", "green_memory", "mem_app", "blue_member", "blue_reader"):
            connection.execute(f"DROP ROLE IF EXISTS {owned}")


@pytest.mark.slow
def test_a_role_of_its_own_reads_no_other_tenant(
    mem: Mem, folder: Path, database: str, app_role: str
) -> None:
    """The server's role works in both, each tenant's role in its own alone."""
    app = running(mem, folder, app_role, "app")
    for name in ("red", "green"):
        made = app("tenant", "create", name, "--role", f"{name}_memory", "--json").json
        assert made["role"] == f"{name}_memory"
        inside = running(mem, folder, app_role, f"tenant_{name}")
        inside("remember", f"The secret of {name} is under the mat")
        inside("sync", "docs")
        inside("forget", "--id", "1", "--verify")
    refused = app("tenant", "create", "blue", "--role", "red_memory", code=2)
    assert "red_memory owns or may use the schema tenant_red" in refused.err
    with superuser(database) as connection:
        connection.execute("CREATE ROLE blue_member IN ROLE red_memory")
        connection.execute("CREATE ROLE blue_reader IN ROLE pg_read_all_data")
    for role, why in (
        ("blue_member", "owns or may use the schema tenant_red"),
        ("blue_reader", "is a superuser or uses the data of every tenant"),
    ):
        refused = app("tenant", "create", "blue", "--role", role, code=2)
        assert f"the role {role} {why}" in refused.err

    with superuser(database) as connection:
        owners = """SELECT DISTINCT tableowner, schemaname FROM pg_tables
            WHERE starts_with(schemaname, 'tenant_') ORDER BY 1"""
        assert connection.execute(owners).fetchall() == [
            ("green_memory", "tenant_green"),
            ("red_memory", "tenant_red"),
        ]
        connection.execute("ALTER ROLE red_memory LOGIN")
    red = make_conninfo(database, user="red_memory")
    own = running(mem, folder, red, "tenant_red")
    own("remember", "Red may write what is its own")
    assert "Red may write" in own("search", "red", "--mode", "keyword").out
    refused = running(mem, folder, red, "tenant_green")("search", "secret", code=9)
    assert "the role red_memory may not use the schema tenant_green" in refused.err
    with psycopg.connect(red, autocommit=True) as connection:
        for statement in (
            "SELECT * FROM tenant_green.memories",
            "SET ROLE green_memory",
            "SET ROLE mem_app",
            "CREATE TABLE tenant_green.mine (x int)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
                connection.execute(statement)
    for name in ("red", "green"):
        app("tenant", "drop", name, "--yes")
    assert app("tenant", "list", "--json").json == []


def test_who_may_make_no_role_is_told_the_statements(mem: Mem, folder: Path, database: str) -> None:
    with superuser(database) as connection:
        connection.execute("CREATE ROLE mem_plain LOGIN")
        try:
            plain = running(mem, folder, make_conninfo(database, user="mem_plain"), "plain")
            refused = plain("tenant", "create", "a", "--role", "a_memory", code=9)
        finally:
            connection.execute("DROP ROLE mem_plain")
    assert "there is no role a_memory, and the role mem_plain may not create any" in refused.err
    assert 'CREATE ROLE "a_memory"; GRANT "a_memory" TO "mem_plain"' in refused.err
