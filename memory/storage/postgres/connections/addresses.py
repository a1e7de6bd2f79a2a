"""Addresses of PostgreSQL servers, as settings give them."""

import psycopg
from psycopg.conninfo import conninfo_to_dict

from contracts import ConfigError


def checked_dsn(dsn: str, setting: str = "memory.dsn", *, is_one_server: bool = False) -> None:
    """Raise ConfigError for an address that the driver cannot read, without repeating it.

    One that must be of one server may not list several.
    """
    try:
        fields = conninfo_to_dict(dsn)
    except psycopg.Error:
        fields = {}
    if not fields:
        raise ConfigError(
            f"{setting} is not an address of PostgreSQL",
            hint='write it like "postgresql://user:${PASSWORD}@host:5432/database"',
        )
    hosts = (str(fields.get(name, "")) for name in ("host", "hostaddr"))
    if is_one_server and any("," in host for host in hosts):
        raise ConfigError(
            f"{setting} names several servers",
            hint="give each replica an entry of its own",
        )
