"""Roles that own a tenant's schema, and no other: who has one reads no other tenant."""

from typing import Any, Final

import psycopg
from psycopg import sql

from contracts import InputError, StorageError

_ROLE_SQL: Final = """
SELECT pg_has_role(oid, 'pg_read_all_data', 'MEMBER')
    OR pg_has_role(oid, 'pg_write_all_data', 'MEMBER') FROM pg_roles WHERE rolname = %s
"""
_READS_SQL: Final = """
SELECT n.nspname FROM pg_namespace AS n JOIN pg_roles AS r ON r.rolname = %s
WHERE n.nspname <> %s AND (
    n.nspowner = r.oid OR starts_with(n.nspname::text, %s)
    AND (pg_has_role(r.oid, n.nspowner, 'MEMBER') OR has_schema_privilege(r.oid, n.oid, 'USAGE'))
) ORDER BY n.nspname LIMIT 1
"""
_RIGHTS_SQL: Final = """
SELECT rolcreaterole OR rolsuper, rolsuper, current_user FROM pg_roles WHERE rolname = current_user
"""


def checked_role(
    connection: psycopg.Connection[Any], role: str, *, schema: str, prefix: str
) -> str:
    """Return the name of a role that is missing, or reads no schema of a tenant but this one.

    `prefix` begins the names of all of them.

    Raises InputError for another one.
    """
    if not role or "\0" in role or role.startswith("pg_") or len(role.encode()) > 63:
        raise InputError(
            f"the name of the role is {role!r:.80}", hint="give 1 to 63 bytes, as in acme_memory"
        )
    found = connection.execute(_ROLE_SQL, (role,)).fetchone()
    if found is not None and found[0]:
        raise InputError(
            f"the role {role} is a superuser or uses the data of every tenant",
            hint="name a role of this tenant's own, or one that does not exist yet",
        )
    other = connection.execute(_READS_SQL, (role, schema, prefix)).fetchone()
    if other is not None:
        raise InputError(
            f"the role {role} owns or may use the schema {other[0]}, and would read both",
            hint="name a role of this tenant's own, or one that does not exist yet",
        )
    return role


def grant_role(connection: psycopg.Connection[Any], role: str) -> None:
    """Make a missing role, which cannot log in, and let the connection's role act as it.

    Raises StorageError, with the statements for an administrator, where that is not allowed.
    """
    name = sql.Identifier(role)
    is_there = connection.execute(_ROLE_SQL, (role,)).fetchone() is not None
    ((may_create, is_superuser, own),) = connection.execute(_RIGHTS_SQL).fetchall()
    if not is_there and not may_create:
        grant = sql.SQL("CREATE ROLE {}; GRANT {} TO {}").format(name, name, sql.Identifier(own))
        raise StorageError(
            f"there is no role {role}, and the role {own} may not create any",
            hint=f"let an administrator run: {grant.as_string(None)}",
        )
    if not is_there:
        connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(name))
    if not is_superuser and not is_there:
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
