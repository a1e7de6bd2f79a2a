"""The global options of `mem`, handed to the command that follows."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.caller import caller
from cli.output import note
from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from memory.config.loading import FoundConfig, LoadedConfig, find_config, load_config

if TYPE_CHECKING:
    from memory.workspace import Workspace


_FIRST_STEPS = {"sm": "make one: sm remember --text TEXT"}
"""The hint where no database exists, for programs other than `mem`."""


class CliContext(NamedTuple):
    """The global options. None means not given."""

    config_path: Path | None = None
    db: Path | None = None
    json: bool = False
    program: str = "mem"

    def load_config(self) -> LoadedConfig:
        """The settings in force, with `--db` in place of `memory.storage_path`."""
        return load_config(self.config_path, database=self.db)

    def find_config(self) -> FoundConfig:
        """The configuration file that applies, not yet read."""
        return find_config(self.config_path)

    def name_database(self, loaded: LoadedConfig) -> None:
        """Tell people which database answers, unless it is the user's own."""
        other = loaded.other_database
        if other is not None and not self.json:
            by = "--db" if self.db else loaded.path or "the defaults"
            note(f"database {other} ({by}), not your own")

    def open_workspace(self, *, create: bool = False) -> "Workspace":
        """The database, open. Raises NotFoundError when there is none, unless `create`."""
        if (elsewhere := caller()) is not None:
            workspace = elsewhere.open(self.config_path, self.db)
            self.name_database(workspace.loaded)
            return workspace
        from memory.workspace import Workspace  # opens SQLite, which reading settings does not need

        loaded = self.load_config()
        try:
            workspace = Workspace(loaded, create=create)
        except NotFoundError as error:
            if self.db is None:  # else the user has just typed it
                self.name_database(loaded)
            hint = _FIRST_STEPS.get(self.program, error.hint)
            raise NotFoundError(error.message, hint=hint) from error
        workspace.on_wait = None if self.json else note
        self.name_database(loaded)
        return workspace


pass_context = click.make_pass_decorator(CliContext, ensure=True)
"""Hand a command its CliContext, one without options if there is no `mem` around it."""
