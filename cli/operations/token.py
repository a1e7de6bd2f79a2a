"""`mem token`: create, list and revoke the tokens of the server."""

from typing import TYPE_CHECKING, Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import note, print_json, shown, table, warn
from memory.operations.tokens import SCOPES, Token, create_token, list_tokens, revoke_token

if TYPE_CHECKING:
    from memory.workspace import Workspace

_of_tenant = click.option(
    "--tenant", metavar="TENANT", help="The memory of this tenant, and no other."
)
_HEAD = ("token", "scope", "of", "created", "last used", "expires")


@click.group(cls=CommandGroup)
def token() -> None:
    """Create, list and revoke named tokens, by which programs use the server."""


@token.command()
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    required=True,
    help="What it allows: to read; also to write; also to delete and to maintain.",
)
@click.option("--expires", metavar="WHEN", help="A day (2027-03-31), or a time from now (30d).")
@click.option(
    "--owner", is_flag=True, help="What it writes are your own words, and not those of an agent."
)
@_of_tenant
@pass_context
def create(context: CliContext, /, name: str, *, tenant: str | None, **given: Any) -> None:
    """Create the token NAME and print it, this once.

    Running servers accept it at once. As soon as a database has a token, its server answers no
    request without one. What an agent writes with its token carries NAME, and no standing
    instruction is taken from it.
    """
    with _opened(context, tenant, create=True) as workspace:
        made = create_token(workspace, name, tenant=tenant or "", **given)
    if context.json:
        print_json(made)
        return
    click.echo(made.token)
    until = f", until {made.expires_at}" if made.expires_at else ""
    note(f"{name} may {_allowed(made)}{until}; this is the only time that the token is shown")
    note("send it as the header 'Authorization: Bearer TOKEN'")


@token.command("list")
@_of_tenant
@pass_context
def list_(context: CliContext, *, tenant: str | None) -> None:
    """List tokens, without their secrets."""
    with _opened(context, tenant) as workspace:
        tokens = list_tokens(workspace)
    if context.json:
        print_json(tokens)
        return
    if not tokens:
        note("no tokens yet; create one: mem token create NAME --scope read")
        return
    rows = [
        (
            each.name,
            each.scope,
            "the owner" if each.owner else "an agent",
            each.created_at[:10],
            each.last_used_on or "never",
            each.expires_at or "never",
        )
        for each in tokens
    ]
    for line in table([_HEAD, *rows]):
        click.echo(line)


@token.command()
@click.argument("name")
@_of_tenant
@pass_context
def revoke(context: CliContext, *, name: str, tenant: str | None) -> None:
    """Revoke the token NAME, which running servers refuse at once."""
    with _opened(context, tenant) as workspace:
        gone = revoke_token(workspace, name)
        is_last = not (tenant or list_tokens(workspace) or workspace.config.server.tokens)
    if context.json:
        print_json(gone)
        return
    click.echo(f"revoked {shown(gone.name)}")
    if is_last:
        warn("no token is left: a server that starts now answers this machine without one")


def _opened(context: CliContext, tenant: str | None, *, create: bool = False) -> "Workspace":
    """Open the memory whose tokens they are."""
    if tenant is None:
        return context.open_workspace(create=create)
    from memory.operations.tenants.managing import open_tenant

    return open_tenant(context.load_config(), tenant)


def _allowed(made: Token) -> str:
    return {"read": "read", "write": "read and write", "admin": "do everything"}[made.scope]
