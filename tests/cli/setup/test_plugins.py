"""The plugin folders: whole, equal where they should be, and found to call `mem` by its path."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import memory
from memory.agents.json_entries import handlers
from memory.agents.products import ENTRY, PRODUCTS, Event
from tests.repository import ROOT

FOLDER = ROOT / "integrations"
MANIFESTS = {
    "claude-code": ".claude-plugin/plugin.json",
    "codex": ".codex-plugin/plugin.json",
    "cursor": ".cursor-plugin/plugin.json",
    "gemini-cli": "gemini-extension.json",
}
ROOTS = {
    "claude-code": "CLAUDE_PLUGIN_ROOT",
    "codex": "PLUGIN_ROOT",
    "cursor": "CURSOR_PLUGIN_ROOT",
    "gemini-cli": "extensionPath",
}
"""The variable by which each program names a plugin's folder."""

LAUNCHED = [
    (name, event) for name in MANIFESTS for event in getattr(PRODUCTS[name].hooks, "events", ())
]


def hooks_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name / "hooks/hooks.json").read_text())
    return found


def test_every_product_with_hooks_has_a_plugin() -> None:
    assert {name for name, one in PRODUCTS.items() if one.hooks} == MANIFESTS.keys()


@pytest.mark.parametrize("name, manifest", MANIFESTS.items())
def test_a_manifest_has_our_name_and_version(name: str, manifest: str) -> None:
    content = json.loads((FOLDER / name / manifest).read_text())
    assert (content["name"], content["version"]) == (ENTRY, memory.__version__)


@pytest.mark.parametrize("name", MANIFESTS)
def test_the_hooks_are_those_of_setup(name: str) -> None:
    hooks = PRODUCTS[name].hooks
    assert hooks
    launcher = f'"${{{ROOTS[name]}}}/bin/mem"'
    assert hooks_of(name)["hooks"] == {
        theirs: [hooks.item(event, f"{launcher} hook {name} {event}")]
        for event, theirs in hooks.events.items()
    }


@pytest.mark.parametrize("shared", ["bin/mem", "skills/memory/SKILL.md"])
def test_plugins_share_what_is_the_same(shared: str) -> None:
    assert len({(FOLDER / name / shared).read_bytes() for name in MANIFESTS}) == 1


def test_the_skill_says_what_it_is_for() -> None:
    head = (FOLDER / "claude-code/skills/memory/SKILL.md").read_text().split("---")[1]
    assert re.search(r"^name: memory$", head, re.MULTILINE)
    assert re.search(r"^description: .{40,1000}$", head, re.MULTILINE)


def test_commands_hand_over_what_was_typed() -> None:
    for name in ("recall", "remember"):
        assert "$ARGUMENTS" in (FOLDER / f"claude-code/commands/{name}.md").read_text()
        told = tomllib.loads((FOLDER / f"gemini-cli/commands/memory/{name}.toml").read_text())
        assert "{{args}}" in told["prompt"]
        assert told["description"]


@pytest.mark.parametrize("name, event", LAUNCHED)
def test_a_hook_runs_mem_by_its_path_and_is_silent_without_it(
    name: str, event: Event, tmp_path: Path
) -> None:
    """Whatever the working directory and PATH hold."""
    folder, hooks = FOLDER / name, PRODUCTS[name].hooks
    assert hooks
    ((_, handler),) = handlers(hooks_of(name), ["hooks", hooks.events[event]])
    line = handler["command"].replace("${extensionPath}", str(folder))  # Gemini CLI puts it in
    theirs = tmp_path / "mem"
    theirs.write_text("#!/bin/sh\necho stolen\n")
    theirs.chmod(0o755)
    environ = {"HOME": str(tmp_path), "PATH": f"{tmp_path}:.:{os.defpath}"}
    environ[ROOTS[name]] = str(folder)

    def run() -> tuple[int, str, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    if not any(Path(path, "mem").exists() for path in ("/usr/local/bin", "/opt/homebrew/bin")):
        assert run() == (0, "", "")
    ours = tmp_path / ".local/bin/mem"
    ours.parent.mkdir(parents=True)
    ours.write_text('#!/bin/sh\necho "$@"\n')
    ours.chmod(0o755)
    assert run() == (0, f"hook {name} {event}\n", "")
