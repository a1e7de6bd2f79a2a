"""The context of a conversation from the running server, before a deadline, or not at all.

A hook opens no database and loads no model. It believes the user's own configuration, or the one
that its command names, and never one that lies in the working directory of the agent.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

from contracts import UnavailableError
from memory.agents.hook_payloads import HookCall
from memory.config.loading import LoadedConfig, load_config, load_found, users_config
from memory.local_server.client import connect
from memory.local_server.values import CommandRequest

NO_SERVER = "no server of this database answers in time"


def trusted_config(config: Path | None, database: Path | None) -> LoadedConfig:
    """Return the settings of a named file, else of the user's own, else the defaults.

    Neither the working directory nor MEM_CONFIG decides. Raises as `load_config`.
    """
    if config is not None:
        return load_config(config, database=database)
    home = Path.home()
    return load_found(users_config(), environ=os.environ, cwd=home, database=database)


def context_from_server(
    call: HookCall,
    *,
    config: Path | None,
    database: Path | None,
    max_tokens: int,
    until: float,
) -> str:
    """Return the context as one text, empty when nothing matters for the prompt.

    Raises UnavailableError when no server answers `until` then, by the monotonic clock.
    """
    loaded = trusted_config(config, database)
    server = connect(loaded, wait_s=max(0.001, until - time.monotonic()))
    if server is None:
        raise UnavailableError(NO_SERVER, hint="start one: mem serve")
    files = {"--config": config, "--db": database}
    named = [word for name, file in files.items() if file for word in (name, str(file))]
    request = CommandRequest(
        arguments=[*named, *_command(call, max_tokens)],
        config=None if config is None else str(config),
        database=None if database is None else str(database),
        folder=str(call.folder or Path.home()),
        variables={},
        encoding="utf-8",
        terminals=[],
    )
    answer = server.run(request, until=until)
    if answer is None or answer.code != 0:
        raise UnavailableError("the server gave no context", hint="see what it prints: mem serve")
    return _useful("".join(text for name, text in answer.printed if name == "stdout"), call)


def _command(call: HookCall, max_tokens: int) -> list[str]:
    query = [f"--query={call.prompt}"] if call.prompt.strip() else []
    options = ["--json", "-k", "10", "--without-own", f"--max-tokens={max_tokens}"]
    return ["context", *options, *query, "--", call.session]


def _useful(printed: str, call: HookCall) -> str:
    """Return the text, or nothing when it does not answer the prompt.

    Instructions and facts are there at the start of a session; every prompt need not repeat them.
    """
    found: dict[str, Any] = json.loads(printed)
    parts = found["parts"]
    if call.prompt.strip():
        parts = [one for one in parts if found["matched"] and one["kind"] != "instruction"]
    return str(found["markdown"]) if parts else ""
