"""A command as it is handed to a server, and what comes back."""

from contracts.named_tuple import NamedTuple


class CommandRequest(NamedTuple):
    """A command of this user's, and everything about its caller that its output depends on.

    arguments  as typed after the program's name
    config     the file of `--config`, as typed; None without it
    database   the file of `--db`
    folder     the working directory
    variables  those of the environment that decide colour and width
    encoding   that of stdout
    terminals  those of `stdout` and `stderr` that are terminals
    """

    arguments: list[str]
    config: str | None
    database: str | None
    folder: str
    variables: dict[str, str]
    encoding: str
    terminals: list[str]


class CommandAnswer(NamedTuple):
    """The exit code of a command, and what it printed in order, as (`stdout` or `stderr`, text).

    `code` None: nothing was done, and the caller has to do it.
    """

    code: int | None
    printed: list[tuple[str, str]]
