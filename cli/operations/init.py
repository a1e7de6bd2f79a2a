"""`mem init`: write a first configuration file, the user's own or a folder's."""

import os
from pathlib import Path
from shlex import quote

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json, shown, warn
from contracts import InputError, StorageError
from memory.config.commented_json import parse
from memory.config.editing import set_value, write_file
from memory.config.loading import FILE_NAME, VARIABLE, load_config, users_file

STARTING_FILE = """\
{
  "memory": {
    "embeddings": {
      "provider": "auto"
    },
    "search": {
      "max_results": 10
    },
    "files": {
      "watch_directories": [],
      "file_patterns": []
    }
  }
}
"""
"""Plain JSON: a host program may read the same file with any parser."""


@click.command()
@click.option("--here", is_flag=True, help="Give the working directory its own file and database.")
@click.option("--force", is_flag=True, help="Replace an existing file; a copy of it is kept.")
@pass_context
def init(context: CliContext, *, here: bool, force: bool) -> None:
    """Write a configuration file to start from.

    It becomes your own, constitution_config.json in your configuration folder, or the file that
    --config or MEM_CONFIG names. Nothing needs it: without one, everything has its default.

    Every folder shares one memory, your own. With --here, the working directory and the folders
    below get another: ./constitution_config.json is written and names ./data/memory.db.
    """
    path = _target(context, here=here)
    backup = _make_room(path, force=force)
    try:
        write_file(path, local_file() if here else STARTING_FILE, is_new=backup is None)
    except FileExistsError:
        raise _exists(path) from None
    database = str(load_config(path).database_path)
    if context.json:
        print_json({"path": str(path), "backup": backup and str(backup), "database": database})
        return
    click.echo(f"Wrote {shown(str(path))}")
    if backup:
        click.echo(f"Kept the old one as {shown(str(backup))}")
    applying = context.find_config().path
    if applying != path:
        warn(f"in this folder, {applying} applies instead")
    elif here:
        click.echo(shown(f"The memory of this folder, and of those below, is {database}"))
    else:
        click.echo(shown(f"The memory of every folder is {database} (one of its own: init --here)"))
    click.echo("Next: mem sync ./docs")


def local_file() -> str:
    """The starting file of a folder with its own database."""
    root = parse(STARTING_FILE, name=FILE_NAME)
    return set_value(STARTING_FILE, root, name="memory.storage_path", value="./data/memory.db")


def _target(context: CliContext, *, here: bool) -> Path:
    if here and context.config_path is not None:
        raise InputError(
            "--here and --config name different files", hint="give one of the two options"
        )
    named = context.config_path or os.environ.get(VARIABLE) or users_file()
    return Path.cwd() / (FILE_NAME if here else Path(named).expanduser())


def _exists(path: Path) -> InputError:
    if path.is_file():
        hint = "keep it, or replace it and keep a copy: mem init --force"
        return InputError(f"{path} exists", hint=hint)
    is_link = path.is_symlink() and not path.exists()
    what = "a link that leads to no file" if is_link else "no file"
    step = f"remove the link: rm {quote(str(path))}" if is_link else "move it away"
    return InputError(f"{path} is {what}", hint=f"{step}; or name another file with --config")


def _make_room(path: Path, *, force: bool) -> Path | None:
    """Move an existing file aside and return its new path; None if there is none."""
    if not os.path.lexists(path):
        return None
    if not force or not path.is_file():
        raise _exists(path)
    try:
        backup = free_name(path)
        backup.write_bytes(path.read_bytes())
        backup.chmod(path.stat().st_mode & 0o777)
    except OSError as error:
        raise StorageError(
            f"a copy of {path} cannot be made: {error.strerror}",
            hint="make the folder writable for you",
        ) from error
    return backup


def free_name(path: Path) -> Path:
    """The first of `FILE.bak1`, `FILE.bak2`, ... that does not exist."""
    number = 1
    while (backup := path.with_name(f"{path.name}.bak{number}")).exists():
        number += 1
    return backup
