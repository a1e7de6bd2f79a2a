"""`mem tenant`: create, list, measure and drop the tenants of a PostgreSQL database."""

import sys

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import ago, counted, note, print_json, shown, size, table
from contracts import InputError
from memory.operations.tenants.managing import create_tenant, drop_tenant, list_tenants, read_usage
from memory.storage.capabilities.tenants import TenantUsage

_HEAD = ("tenant", "schema", "role", "version")
_USAGE_HEAD = ("tenant", "records", "chunks", "tokens", "size", "last write")


@click.group(cls=CommandGroup)
def tenant() -> None:
    """Keep several memories in one PostgreSQL database, apart from each other."""


@tenant.command()
@click.argument("name")
@click.option(
    "--role",
    metavar="ROLE",
    help="A role of this tenant alone, which owns its schema; made if it is missing.",
)
@pass_context
def create(context: CliContext, *, name: str, role: str | None) -> None:
    """Create the tenant NAME with an empty memory, in a schema of its own."""
    made = create_tenant(context.load_config(), name, role=role)
    if context.json:
        print_json(made._asdict())
        return
    click.echo(f"created {shown(made.name)}: schema {shown(made.schema)}, role {shown(made.role)}")
    note(f"give somebody access: mem token create TOKEN --scope write --tenant {made.name}")


@tenant.command("list")
@pass_context
def list_(context: CliContext) -> None:
    """List the tenants of the configured database."""
    tenants = list_tenants(context.load_config())
    if context.json:
        print_json([one._asdict() for one in tenants])
        return
    if not tenants:
        note("no tenants yet; create one: mem tenant create NAME")
        return
    rows = [
        tuple(map(shown, (one.name, one.schema, one.role, str(one.version)))) for one in tenants
    ]
    for line in table([_HEAD, *rows], right=frozenset({3})):
        click.echo(line)


@tenant.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@pass_context
def usage(context: CliContext, *, names: tuple[str, ...]) -> None:
    """Show the records, the bytes and the last write of tenants, all of them by default."""
    found = read_usage(context.load_config(), names)
    if context.json:
        print_json(found)
        return
    rows = [
        (
            shown(one.tenant),
            f"{sum(one.records.values()):,}",
            f"{one.chunks:,}",
            str(one.tokens),
            size(one.size_bytes),
            ago(one.last_write) if one.last_write else "never",
        )
        for one in found
    ]
    for line in table([_USAGE_HEAD, *rows], right=frozenset({1, 2, 3, 4})):
        click.echo(line)


@tenant.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@pass_context
def drop(context: CliContext, *, name: str, yes: bool) -> None:
    """Drop the tenant NAME with all its records and tokens, for good.

    It is refused while somebody writes to the tenant or a job of it runs. A running server closes
    it with its next request. The role that owned it stays.
    """
    loaded = context.load_config()
    if not yes:
        (present,) = read_usage(loaded, [name])
        _confirm(context, present)
    gone = drop_tenant(loaded, name)
    if context.json:
        print_json(gone._asdict())
        return
    click.echo(f"dropped {shown(gone.name)}")
    note(f"the role {gone.role} is still there; backups keep what they have")


def _confirm(context: CliContext, present: TenantUsage) -> None:
    """Say what would be dropped, and ask. Raises InputError without a terminal."""
    number = counted(sum(present.records.values()), "record")
    tokens = counted(present.tokens, "token")
    holds = f"{present.tenant} holds {number}, {size(present.size_bytes)}, {tokens}"
    if context.json or not sys.stdin.isatty():
        raise InputError(
            f"{holds}: confirmation needed, but there is no terminal",
            hint="look with mem tenant usage, then add --yes",
        )
    click.echo(shown(holds))
    click.confirm("Drop it for good?", abort=True)
