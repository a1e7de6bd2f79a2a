"""`mem init`: write a first configuration file."""

import os
from pathlib import Path

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json, shown
from contracts import InputError, StorageError
from memory.config.editing import write_file
from memory.config.loading import FILE_NAME, VARIABLE

STARTING_FILE = """\
// Settings of Symbiosis Memory. What is not here has its default: `mem config get` shows them all,
// `mem config set KEY VALUE` changes one. Relative paths start at the folder of this file.
{
  "memory": {
    "storage_path": "./data/memory.db",
    "embeddings": {
      "provider": "static" // built in; "sentence_transformers" is slower and finds more
    },
    "search": {
      "max_results": 10
    },
    "files": {
      "watch_directories": [], // folders that a plain `mem sync` works on: "./docs"
      "file_patterns": [] // such as "*.md"; empty: every kind of file that can be read
    }
  }
}
"""


@click.command()
@click.option("--force", is_flag=True, help="Replace an existing file; a copy of it is kept.")
@pass_context
def init(context: CliContext, *, force: bool) -> None:
    """Write a configuration file to start from.

    It becomes ./constitution_config.json, or the file that --config or MEM_CONFIG names.
    """
    path = _target(context)
    backup = _make_room(path, force=force)
    write_file(path, STARTING_FILE)
    if context.json:
        print_json({"path": str(path), "backup": backup and str(backup)})
        return
    click.echo(f"Wrote {shown(str(path))}")
    if backup:
        click.echo(f"Kept the old one as {shown(str(backup))}")
    click.echo("Next: mem sync ./docs")


def _target(context: CliContext) -> Path:
    named = context.config_path or os.environ.get(VARIABLE) or FILE_NAME
    return Path.cwd() / Path(named).expanduser()


def _make_room(path: Path, *, force: bool) -> Path | None:
    """Move an existing file aside and return its new path; None if there is none."""
    if not os.path.lexists(path):
        return None
    if not force or not path.is_file():
        raise InputError(
            f"{path} exists",
            hint="keep it, or replace it and keep a copy: mem init --force",
        )
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
