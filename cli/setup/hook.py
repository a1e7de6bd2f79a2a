"""`mem hook`: the command that agents run at the start of a session, at a prompt and at its end.

Whatever happens, it ends with code 0 before its deadline, and prints nothing but an answer that is
complete: another code, or other words, would stop or disturb the agent.
"""

import json
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, cast

import click

from cli.invocation import CliContext, pass_context
from memory.agents.own_command import own_command

CONTEXT_S = 0.3
"""The time for a context, from the start of the process."""

END_S = 1.0
"""The time to begin a capture. Claude Code ends hooks of a session's end after 1.5 s."""

CAPTURE_S = 900.0
"""The time of a capture, which nobody waits for."""

PRINTING_S = 0.2
TOKENS = 1000
_NOT_A_CALL = "unknown agent or event"


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("agent")
@click.argument("event")
@click.option("--max-tokens", metavar="N", help=f"Most tokens of a context; default: {TOKENS}.")
@click.option(
    "--deadline-ms",
    metavar="N",
    help=f"Time to answer; default: {CONTEXT_S * 1000:.0f}, at a session's end {END_S * 1000:.0f}.",
)
@pass_context
def hook(
    context: CliContext,
    agent: str,
    event: str,
    *,
    max_tokens: str | None,
    deadline_ms: str | None,
) -> None:
    """Answer a hook of AGENT: its payload comes on stdin, JSON for the agent goes to stdout.

    EVENT is session-start or prompt, which add what the running server knows, or session-end, which
    has the conversation captured in the background; capture does so at once. `mem setup` configures
    the hooks. They use your own configuration, or that of --config, and never one of the folder in
    which the agent works. Why a hook had nothing to say is in hooks.log in your data folder.
    """
    run = _Run(context, agent, event)
    try:
        seconds = END_S if event == "session-end" else CONTEXT_S
        run.limit(seconds if deadline_ms is None else int(deadline_ms) / 1000)
        run.answer(TOKENS if max_tokens is None else int(max_tokens))
    except Exception as error:  # noqa: BLE001  # a fault of ours must not fail the agent
        run.log(_reason(error))
    finally:
        run.end()


class _Run:
    """One run of a hook, with its deadline."""

    def __init__(self, context: CliContext, agent: str, event: str) -> None:
        self._context = context
        self._agent = agent
        self._event = event
        self._began = time.monotonic() - _age_s()
        self._until = self._began + CAPTURE_S
        self._ends = threading.Lock()
        self._guard: threading.Timer | None = None

    def limit(self, seconds: float) -> None:
        """End the process, with nothing printed, that long after its start.

        A capture has no such limit.
        """
        if self._event == "capture":
            return
        self._until = self._began + seconds
        left = max(0.0, self._until - time.monotonic())
        self._guard = threading.Timer(left, self._end_late)
        self._guard.daemon = True
        self._guard.start()

    def end(self) -> None:
        """Lift the deadline."""
        if self._guard is not None:
            self._guard.cancel()

    def answer(self, max_tokens: int) -> None:
        """Do what the event asks for. May raise anything."""
        from memory.agents.hook_payloads import MOST_PAYLOAD, answer_of, read_call
        from memory.agents.products import PRODUCTS, Event

        product = PRODUCTS.get(self._agent)
        known = product.hooks.events if product and product.hooks else {}
        if product is None or self._event not in {*known, "capture"}:
            self.log(_NOT_A_CALL)
            return
        call = read_call(sys.stdin.buffer.read(MOST_PAYLOAD + 1))
        if self._event in ("session-end", "capture"):
            self._capture(call.session, call.transcript)
            return
        from memory.agents.server_context import context_from_server

        found = context_from_server(
            call,
            config=self._context.config_path,
            database=self._context.db,
            max_tokens=max_tokens,
            until=self._until,
        )
        if found:
            self._print(answer_of(product, cast("Event", self._event), found))

    def log(self, reason: str) -> None:
        """Note why there is no answer."""
        from memory.agents.hook_log import log_hook

        after_s = time.monotonic() - self._began
        log_hook(self._agent, self._event, reason, after_s=after_s)

    def _print(self, answer: dict[str, object]) -> None:
        """Print an answer whole: the deadline waits for an agent that is about to read it."""
        with self._ends:
            click.echo(json.dumps(answer))
            sys.stdout.flush()

    def _end_late(self) -> NoReturn:
        self._ends.acquire(timeout=PRINTING_S)
        with suppress(Exception):
            self.log("the deadline is over")
        os._exit(0)

    def _capture(self, session: str, transcript: Path | None) -> None:
        if transcript is None or not transcript.is_file():
            self.log("no transcript")
        elif self._event == "session-end":
            payload = {"session_id": session, "transcript_path": str(transcript)}
            _start_alone(self._command("hook", self._agent, "capture"), json.dumps(payload))
        else:
            self._capture_now(session, transcript)

    def _capture_now(self, session: str, transcript: Path) -> None:
        import subprocess  # a context, which is waited for, does not need it

        done = subprocess.run(  # noqa: S603  # our own program
            self._command(
                *("chats", "capture", "--format", self._agent),
                *("--transcript", str(transcript), "--session", session),
            ),
            cwd=transcript.anchor,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=CAPTURE_S,
            check=False,
        )
        if done.returncode:
            self.log(f"the capture ended with exit code {done.returncode}")

    def _command(self, *arguments: str) -> list[str]:
        """Return a command of ours with the configuration that this one uses."""
        from memory.config.loading import users_config

        config = self._context.config_path or users_config().path
        options = {"--config": config, "--db": self._context.db}
        named = [word for name, file in options.items() if file for word in (name, str(file))]
        return [*own_command(), *named, *arguments]


def _start_alone(command: list[str], payload: str) -> None:
    """Start a process that outlives this one and its terminal, and give it a payload."""
    import subprocess

    new_group = {"start_new_session": True}
    if sys.platform == "win32":
        new_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(  # noqa: S603  # our own program
        command,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **new_group,  # type: ignore[call-overload]  # one of two keywords
    )
    with process.stdin:
        process.stdin.write(payload.encode())


def _environment() -> dict[str, str]:
    """Return the environment without the configuration that it names."""
    return {name: value for name, value in os.environ.items() if name != "MEM_CONFIG"}


def _age_s() -> float:
    """Return the seconds since this process began; elsewhere than on Linux its processor time."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError, IndexError):
            fields = (
                Path("/proc/self/stat").read_text("ascii", "replace").rpartition(")")[2].split()
            )
            began = int(fields[19]) / os.sysconf("SC_CLK_TCK")
            return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    return time.process_time()


def _reason(error: Exception) -> str:
    """Return what is logged of an error; those of libraries may quote what they were given."""
    from contracts import MemError

    if isinstance(error, MemError):
        return f"{error.code}: {error.message}"
    return type(error).__name__
