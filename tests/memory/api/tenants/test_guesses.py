"""What a guess at a tenant's name or token learns: nothing, not by the work that it causes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.config.loading import LoadedConfig
from memory.operations.tenants.credentials import Credentials
from memory.operations.tenants.managing import list_tenants
from memory.workspace import Workspace
from tests.memory.api.tenants.conftest import loaded_from, tenant_token
from tests.postgres_server import OwnServer, missing_packages

if missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)
else:
    from psycopg.conninfo import make_conninfo

pytestmark = pytest.mark.slow
GUESSES = ["mem_guess.acme", "mem_guess.none", "mem_guess.no such name", "mem_guess.a\0b"]
"""A wrong secret of a tenant that is there, of one that is not, and names that none can have."""


@pytest.fixture
def logged(own_server: OwnServer, home: Path) -> LoadedConfig:
    """The settings of a server that writes down every statement, with the tenant `acme`."""
    dsn = make_conninfo(own_server.dsn, options="-clog_statement=all")
    loaded = loaded_from(home, {"backend": "postgres", "dsn": dsn, "schema": "home"})
    Workspace(loaded).close()
    if not any(tenant.name == "acme" for tenant in list_tenants(loaded)):
        tenant_token(loaded, "acme")
    return loaded


NAMES = re.compile(r"'\{.*\}'|'[0-9T:.-]+Z'|\"(tenant_acme|home)\"")
"""The name that is looked for, the time, the schema that is read."""

ROLE = re.compile(r'SET LOCAL ROLE "[^"]*"|RESET ROLE')
"""The role of the schema's owner, or of the server, for one statement."""


def statements(server: OwnServer, ask: Callable[[], object]) -> str:
    """The statements that the server runs meanwhile, whatever names are in them."""
    before = len(server.log.read_text("utf-8"))
    ask()
    lines = server.log.read_text("utf-8")[before:]
    told = re.sub(r"(?m)^.*LOG: +statement:", "statement:", lines)
    return ROLE.sub("ROLE", NAMES.sub("NAME", told))


@pytest.mark.parametrize("find", [Credentials.find_token, Credentials.find_session])
def test_a_tenant_that_is_missing_takes_the_same_statements(
    logged: LoadedConfig, own_server: OwnServer, find: Callable[[Credentials, str], object]
) -> None:
    with Workspace(logged) as workspace:
        credentials = Credentials(workspace)
        find(credentials, GUESSES[0])  # the first one also opens connections
        caused = [
            statements(own_server, lambda: find(credentials, guess))  # noqa: B023  # called at once
            for guess in GUESSES
        ]
    assert "FROM tokens" in caused[0]
    assert caused[1:] == caused[:1] * 3


def test_refusals_differ_by_the_name_alone(logged: LoadedConfig) -> None:
    with Workspace(logged) as workspace:
        credentials = Credentials(workspace)
        told = [credentials.find_token(guess) for guess in GUESSES[:2]]
    assert told[0].refused.replace("acme", "none") == told[1].refused
    assert [one._replace(refused="") for one in told[:1]] == [told[1]._replace(refused="")]
