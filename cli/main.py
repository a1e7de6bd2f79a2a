"""The entry point of `mem`: a running server answers, or the command runs in this process.

Click and the commands are imported only then; `sm` (`cli.sm`) enters here too. An interruption
while modules are imported is quiet, so this module imports hardly any.
"""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from cli.safe_path import protect_children

if TYPE_CHECKING:
    import click

_INTERRUPTED = 130
"""`cli.errors.INTERRUPTED`, which costs an import of click."""

_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""New objects before Python looks for unreachable ones. A search makes fewer, nearly all of them
modules and classes that stay, and looking at them again and again takes a twentieth of its time.
"""


def run(
    arguments: Sequence[str],
    *,
    group: "click.Group | None" = None,
    name: str = "mem",
    ask: Callable[[Sequence[str]], int | None] | None = None,
) -> int:
    """Run `mem`, or another group, with these arguments; return the exit code.

    `ask` may run the command elsewhere and returns its exit code; None: it is run here.
    """
    from contracts import MemError

    failure: BaseException | None = None
    try:
        code = None if ask is None else ask(arguments)
    except (MemError, OSError, KeyboardInterrupt) as error:
        code, failure = None, error
    if code is not None:
        return code
    from cli.errors import guarded

    def command() -> None:
        if failure is not None:
            raise failure
        chosen = _mem() if group is None else group
        with chosen.make_context(name, list(arguments)) as ctx:
            chosen.invoke(ctx)

    return guarded(command, arguments, program=name)


def main(name: str = "mem") -> NoReturn:
    """The `mem` of the shell, or `sm`."""
    try:
        code = _run_in_shell(name)
    except KeyboardInterrupt:  # no command had begun, or it had ended
        code = _INTERRUPTED
    # Tearing down the interpreter costs a search a twelfth of its time and gains nothing.
    os._exit(code)


def run_sm() -> NoReturn:
    """The `sm` of the shell."""
    main("sm")


def _run_in_shell(name: str) -> int:
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    completion = f"_{name.upper()}_COMPLETE"
    group = _sm() if name == "sm" else None
    if completion in os.environ:
        (group or _mem()).main(prog_name=name, complete_var=completion)
    protect_children(os.environ)
    prepare_streams()
    from cli.running_server import answered

    return run(sys.argv[1:], group=group, name=name, ask=answered if group is None else None)


def _mem() -> "click.Group":
    from cli.commands import mem  # not needed where a server answers

    group: click.Group = mem
    return group


def _sm() -> "click.Group":
    from cli.sm import sm

    group: click.Group = sm
    return group


def prepare_streams() -> None:
    """Make nothing fail because of the output's encoding or a stream closed before the start.

    Characters that the encoding lacks are escaped. A closed stdin is empty.
    """
    from pathlib import Path

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # to the end
            setattr(sys, name, nowhere)
        elif mode == "w":
            getattr(sys, name).reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
