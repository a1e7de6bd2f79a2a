"""`mem service`: install, look at and remove the server as a service of this user."""

import subprocess
import sys
from pathlib import Path

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.output import note, print_json, shown
from cli.service.commands import ServiceManager
from cli.service.description import VARIABLES_FILE, describe
from contracts import NotFoundError, UnavailableError


@click.group(cls=CommandGroup)
def service() -> None:
    """Run the server in the background, from each login on (systemd, launchd)."""


@service.command()
@click.option("--host", metavar="H", help="Listen on this address instead of the configured one.")
@click.option("--port", type=click.IntRange(1, 65535), metavar="P", help="Listen on this port.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, metavar="N", help="Answer with N processes."
)
@click.option("--print", "only_print", is_flag=True, help="Show the file and write nothing.")
@pass_context
def install(
    context: CliContext, *, host: str | None, port: int | None, workers: int, only_print: bool
) -> None:
    """Install the server as a service and start it; again with the same options changes nothing.

    It serves your own memory, or the one that --config, MEM_CONFIG or --db names. Keys and
    tokens go into the file of variables that it names, which only you may read.
    """
    manager = _manager()
    wanted = describe(context, host=host, port=port, workers=workers)
    text = manager.written(wanted)
    if only_print:
        click.echo(text, nl=False)
        return
    context.load_config()  # what is wrong with it is said here, not in a log
    manager.check()
    changed = not manager.file.exists() or manager.file.read_text(encoding="utf-8") != text
    _write_variables(wanted.variables_file)
    if changed:
        _write(manager.file, text)
    if changed or not manager.state().is_running or _is_newer(wanted.variables_file, manager.file):
        manager.start()
        manager.file.touch()
    _print_state(context, manager, f"installed {manager.file}" if changed else "unchanged")
    if (more := manager.note()) and not context.json:
        note(more)


@service.command()
@pass_context
def status(context: CliContext) -> None:
    """Show whether the service runs."""
    manager = _installed()
    _print_state(context, manager, shown(str(manager.file)))


@service.command()
@click.option(
    "-n", "--lines", type=click.IntRange(1), default=50, metavar="N", help="Newest lines."
)
@click.option("-f", "--follow", is_flag=True, help="Go on with what is written, until Ctrl-C.")
def logs(*, lines: int, follow: bool) -> None:
    """Print what the service wrote to its log. It never holds texts or queries."""
    command = _installed().log_command(lines, follow=follow)
    try:
        code = subprocess.run(command, check=False).returncode  # noqa: S603  # fixed names
    except FileNotFoundError as error:
        raise UnavailableError(
            f"{command[0]} is not installed here", hint="install it, or look at the log by hand"
        ) from error
    sys.exit(code)


@service.command()
@pass_context
def remove(context: CliContext) -> None:
    """Stop the service and remove it. The memory, the settings and the variables stay."""
    manager = _manager()
    is_there = manager.file.exists()
    if is_there:
        manager.check()
        manager.stop()
        manager.file.unlink()
        manager.removed()
    if context.json:
        print_json({"removed": is_there, "file": str(manager.file)})
        return
    click.echo(f"removed {manager.file}" if is_there else "no service is installed")


def _manager() -> ServiceManager:
    system: str = sys.platform
    if system == "linux":
        from cli.service.systemd import Systemd

        return Systemd(Path.home())
    if system == "darwin":
        from cli.service.launchd import Launchd

        return Launchd(Path.home())
    raise UnavailableError(
        f"mem service knows systemd and launchd, which {system} does not have",
        hint="on Windows: schtasks /Create /SC ONLOGON /TN symbiosis-memory /TR "
        f'"{Path(sys.executable).with_name("mem.exe")} serve"',
    )


def _installed() -> ServiceManager:
    manager = _manager()
    if not manager.file.exists():
        raise NotFoundError("no service is installed", hint="install it: mem service install")
    manager.check()
    return manager


def _print_state(context: CliContext, manager: ServiceManager, first: str) -> None:
    state = manager.state()
    if context.json:
        told = {"running": state.is_running, "pid": state.pid, "detail": state.detail}
        print_json({**told, "file": str(manager.file)})
        return
    click.echo(first)
    what = f"running, process {state.pid}" if state.is_running else "not running"
    click.echo(f"{what} ({state.detail})")
    if not state.is_running:
        note("its log says why: mem service logs")


def _write(path: Path, text: str) -> None:
    """Replace a file by a whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _write_variables(path: Path) -> None:
    """Make the file of variables, for this user alone; one that is there keeps its content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(VARIABLES_FILE, encoding="utf-8")
    path.chmod(0o600)


def _is_newer(path: Path, than: Path) -> bool:
    return path.stat().st_mtime_ns > than.stat().st_mtime_ns
