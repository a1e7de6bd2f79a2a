"""The first steps with an empty memory: add a folder, import chats, connect an agent."""

import os
import re
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from contracts import InputError, did_you_mean
from ingest.histories.opening import guess
from ingest.histories.values import FORMS, SYMBIOSIS, HistoryForm
from memory.agents.own_command import own_command
from memory.agents.products import PRODUCTS, Places
from memory.agents.setup import Launch, setup_changes
from memory.api.app_state import AppState, state_of
from memory.api.pages.forms import Upload, read_form, read_upload
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import render
from memory.api.routes.ingest import inside_roots
from memory.files import ingestion
from memory.files.roots import list_roots
from memory.operations.exchange.history_import import HistoryOptions, import_history
from memory.operations.exchange.history_reports import HistoryReport
from memory.workspace import Workspace

router = page_router()

_ODD: Final = re.compile(r"[^\w.-]")
_LONGEST_NAME: Final = 80


@router.get("/page/begin")
def show_steps(request: Request) -> Response:
    """Show the three steps, with the folders that may be read."""
    return render(request, "begin.html", steps_of(state_of(request)))


def steps_of(state: AppState) -> dict[str, object]:
    """Return what the steps show: the known folders and the programs with agents.

    An agent of a tenant runs on another machine, of which this one knows no files.
    """
    roots = [root for root in list_roots(state.workspace) if root.origin != "refused"]
    return {"roots": roots, "agents": list(PRODUCTS) if state.tenant is None else []}


@router.post("/page/begin/folder")
async def add_folder(request: Request) -> Response:
    """Read a known folder, or a file or folder inside one."""
    form, state = await read_form(request), state_of(request)

    def run() -> Response:
        paths = inside_roots(state.workspace, [form.get("path", "").strip()])
        done = ingestion.sync_files(
            state.workspace, paths, remember=False, progress=state.raise_if_stopping
        )
        return render(request, "begun.html", {"synced": done, "imported": None})

    return await to_thread.run_sync(run, limiter=state.limits.scans)


@router.post("/page/begin/chats")
async def add_chats(request: Request) -> Response:
    """Import the chats of another program, from the file that it exported."""
    upload, state = await read_upload(request, "file"), state_of(request)
    run = partial(_imported, state.workspace, upload)
    report = await to_thread.run_sync(run, limiter=state.limits.scans)
    return render(request, "begun.html", {"synced": None, "imported": report})


def _imported(workspace: Workspace, upload: Upload) -> HistoryReport:
    """Import an uploaded history. Raises InputError for a file of an unknown form."""
    with TemporaryDirectory(prefix="mem-upload-") as folder:
        path = Path(folder, _ODD.sub("_", upload.name)[-_LONGEST_NAME:].lstrip(".") or "chats")
        path.write_bytes(upload.data)
        named = f"{upload.name!r:.100}"
        known = ", ".join(one for one in FORMS if one != SYMBIOSIS)
        hint = f"known forms are {known}; for others see: mem import --help"
        try:
            form = guess(path)
        except InputError as error:
            raise InputError(error.message.replace(str(path), named), hint=hint) from error
        if form is None or form == SYMBIOSIS:
            told = f"{named} is not an export of chats that can be read here"
            raise InputError(told, hint=hint)
        options = HistoryOptions(me=upload.fields.get("me", "").strip() or None)
        return import_history(workspace, path, cast(HistoryForm, form), options=options)


@router.get("/page/begin/agent")
def show_agent(request: Request, name: str) -> Response:
    """Show what `mem setup` would write for an agent; nothing is written."""
    state = state_of(request)
    if state.tenant is not None:
        raise InputError(
            "the files of this machine are not those of a tenant",
            hint="connect an agent where it runs: see docs/mcp.md",
        )
    if name not in PRODUCTS:
        raise InputError(f"there is no agent {name!r:.80}", hint=did_you_mean(name, PRODUCTS))
    places = Places(Path.home(), Path.cwd(), os.environ, sys.platform)
    launch = _launch(state.workspace)
    changes = setup_changes(PRODUCTS[name], places, launch, in_project=False, with_hooks=True)
    return render(request, "agent.html", {"name": name, "changes": changes})


def _launch(workspace: Workspace) -> Launch:
    """Return how an agent starts `mem` with the configuration and database of this server."""
    loaded, options = workspace.loaded, list[str]()
    if loaded.path is not None and loaded.origin in ("argument", "environment"):
        options += ["--config", str(loaded.path)]
    if loaded.other_database is not None:
        options += ["--db", str(workspace.path)]
    return Launch(own_command(), options)
