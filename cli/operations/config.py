"""`mem config`: show the settings, change one, check a file, trust one."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cli.completion import complete_keys, complete_values
from cli.invocation import CliContext, pass_context
from cli.operations.init import free_name
from cli.output import counted, note, print_json, shown, warn
from cli.parameters import PathArgument
from contracts import ConfigError, NotFoundError
from memory.config.commented_json import place
from memory.config.editing import change, find_key, read_value, write_file
from memory.config.expansion import reads_environment
from memory.config.keys import ConfigProblem, Key, all_keys, sections, value_of
from memory.config.loading import FoundConfig, LoadedConfig
from memory.config.migration import Migration, migrate_config
from memory.config.parsing import ParsedConfig, parse_config
from memory.config.trust import Restricted, restricted_settings, trust

_NEEDS = {
    "restart": "A running `mem serve` takes it over when restarted.",
    "reindex": "An existing database keeps the old setting until you type mem reindex.",
}

_VARIABLE_ALONE = re.compile(r"\$\{\w+\}")


@click.group()
def config() -> None:
    """Show the settings and change them.

    The file is the one that --config or MEM_CONFIG names, else ./constitution_config.json, else the
    one in your configuration folder.
    """


@config.command("get")
@click.argument("key", required=False, shell_complete=complete_keys)
@pass_context
def get_command(context: CliContext, *, key: str | None) -> None:
    """Show a setting in force, those of a section, or all. Secrets are masked."""
    loaded = context.load_config()
    keys = _selected(key)
    if context.json:
        print_json(_report_of(loaded, keys))
    elif [item.name for item in keys] == [key]:
        value = shown_value(loaded, keys[0])
        click.echo(shown(value if isinstance(value, str) else _dumps(value)))
    else:
        note(f"{loaded.path or 'no file, defaults only'} ({loaded.origin})")
        width = max((len(item.name) for item in keys), default=0)
        for item in keys:
            click.echo(shown(f"{item.name:<{width}}  {_dumps(shown_value(loaded, item))}"))


@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key", shell_complete=complete_keys)
@click.argument("value", shell_complete=complete_values)
@pass_context
def set_command(context: CliContext, *, key: str, value: str) -> None:
    """Change one setting in the file; comments and layout stay.

    VALUE is JSON, or plain text: 20, true, null, '["./docs"]', auto.
    """
    setting = find_key(key)
    found = context.find_config()
    parsed = parse_config(_file_of(found))
    new = read_value(setting, value)
    old = value_of(parsed.config, key)
    write_file(parsed.path, change(parsed, setting, new))
    if context.json:
        report = {"key": key, "value": _masked(setting, new), "old": _masked(setting, old)}
        print_json({**report, "needs": setting.setting.needs, "path": str(parsed.path)})
        return
    was = _dumps(_masked(setting, old))
    click.echo(shown(f"{key} = {_dumps(_masked(setting, new))} (was {was})"))
    for line in _notes(setting, found):
        note(line)


@config.command("validate")
@click.argument("path", required=False, type=PathArgument(readable=False, path_type=Path))
@pass_context
def validate_command(context: CliContext, *, path: Path | None) -> None:
    """Check the file, or the one at PATH, and list every problem."""
    found = CliContext(path).find_config() if path else context.find_config()
    parsed = parse_config(_file_of(found))
    problems = [*parsed.problems, *parsed.unset_variables()]
    if context.json:
        print_json(_validation(parsed, problems))
    for problem in [] if context.json else problems:
        click.echo(shown(f"{parsed.describe(problem)} ({problem.hint})"))
    if problems:
        count = counted(len(problems), "problem")
        raise ConfigError(f"{parsed.path} has {count}", hint="fix the listed problems")
    if context.json:
        return
    click.echo(shown(f"{parsed.path} is valid"))
    if parsed.foreign_sections:
        note(f"Not checked: {', '.join(parsed.foreign_sections)}")


@config.command("migrate")
@click.argument("path", required=False, type=PathArgument(readable=False, path_type=Path))
@click.option("--write", is_flag=True, help="Change the file; a copy of it is kept.")
@pass_context
def migrate_command(context: CliContext, *, path: Path | None, write: bool) -> None:
    """Bring a file of an older form to the present one.

    Shows the changes; --write makes them. Renamed or moved settings get their present names,
    comments and layout stay, and unknown settings are listed.
    """
    file = _file_of(CliContext(path).find_config() if path else context.find_config())
    text = parse_config(file).text
    done = migrate_config(text, name=str(file))
    kept = None
    if write and done.steps:
        kept = free_name(file)
        write_file(kept, text)
        write_file(file, done.text)
    if context.json:
        print_json(_migration(file, done, kept))
        return
    for step in done.steps:
        click.echo(shown(f"{step.before} = {_secretly(step.before, step.old)}"))
        click.echo(shown(f"  is now {step.after} = {_secretly(step.after, step.new)}"))
    for problem in done.problems:
        warn(f"{problem.fact} ({problem.hint})")
    if kept is not None:
        note(f"{file} is changed; a copy of the old file is {kept}")
    elif done.steps:
        named = f" {shlex.quote(str(path))}" if path else ""
        note(f"nothing is changed yet: mem config migrate --write{named}")
    else:
        click.echo(shown(f"{file} has the present form"))


@config.command("trust")
@click.argument("path", required=False, type=PathArgument(readable=False, path_type=Path))
@pass_context
def trust_command(context: CliContext, *, path: Path | None) -> None:
    """Let the file, or the one at PATH, do everything; read it first.

    A file found in the working directory may have come with somebody else's repository. Until you
    trust it, it cannot choose where text is sent, read the environment, open paths outside its
    folder, load models, or bind an address.
    """
    found = CliContext(path).find_config() if path else context.find_config()
    parsed = parse_config(_file_of(found))
    restricted = restricted_settings(parsed.config, parsed.path.parent)
    trust(parsed.path)
    if context.json:
        allowed = [item._asdict() for item in restricted]
        print_json({"path": str(parsed.path), "trusted": True, "allowed": allowed})
        return
    click.echo(shown(f"{parsed.path} is trusted"))
    for line in _allowances(restricted):
        click.echo(shown(line))


@config.command("schema")
def schema_command() -> None:
    """Print the JSON schema of the file, for editors."""
    from memory.config.schema import schema_text

    click.echo(schema_text(), nl=False)


def shown_value(loaded: LoadedConfig, key: Key) -> Any:
    """A setting in force as displayed: a value from the environment is shown as `${VAR}`."""
    written = value_of(loaded.written, key.name)
    if reads_environment(written):
        return _masked(key, written)
    return _masked(key, value_of(loaded.config, key.name))


def _selected(name: str | None) -> list[Key]:
    if name is None:
        return list(all_keys())
    if name in sections():
        return [key for key in all_keys() if key.name.startswith(f"{name}.")]
    return [find_key(name)]


def _report_of(loaded: LoadedConfig, keys: list[Key]) -> dict[str, Any]:
    return {
        "path": str(loaded.path) if loaded.path else None,
        "origin": loaded.origin,
        "trusted": loaded.trusted,
        "settings": {key.name: shown_value(loaded, key) for key in keys},
    }


def _validation(parsed: ParsedConfig, problems: list[ConfigProblem]) -> dict[str, Any]:
    return {
        "path": str(parsed.path),
        "valid": not problems,
        "problems": [_problem_report(parsed, problem) for problem in problems],
        "not_looked_at": parsed.foreign_sections,
    }


def _problem_report(parsed: ParsedConfig, problem: ConfigProblem) -> dict[str, Any]:
    line, column = (None, None)
    if problem.offset is not None:
        line, column = place(parsed.text, problem.offset)
    return {
        "key": problem.key,
        "line": line,
        "column": column,
        "message": problem.fact,
        "hint": problem.hint,
    }


def _migration(file: Path, done: Migration, kept: Path | None) -> dict[str, Any]:
    return {
        "path": str(file),
        "written": kept is not None,
        "copy": str(kept) if kept else None,
        "steps": [
            {
                "before": step.before,
                "after": step.after,
                "old": _unshown(step.before, step.old),
                "new": _unshown(step.after, step.new),
            }
            for step in done.steps
        ],
        "problems": [{"message": item.fact, "hint": item.hint} for item in done.problems],
    }


def _secretly(name: str, value: Any) -> str:
    return _dumps(_unshown(name, value))


def _unshown(name: str, value: Any) -> Any:
    """A value of either form as displayed."""
    is_secret = name.rpartition(".")[2] in ("api_key", "tokens")
    is_key = is_secret and isinstance(value, str) and not _VARIABLE_ALONE.fullmatch(value)
    return "********" if is_key else value


def _notes(key: Key, found: FoundConfig) -> Iterator[str]:
    if key.setting.needs:
        yield _NEEDS[key.setting.needs]
    if not found.trusted:
        yield f"{found.path} is not trusted: mem config trust"


def _allowances(restricted: list[Restricted]) -> Iterator[str]:
    for item in restricted:
        yield f"  {item.key} {item.effect}"


def _file_of(found: FoundConfig) -> Path:
    if found.path is None:
        raise NotFoundError("there is no configuration file yet", hint="make one: mem init")
    return found.path


def _masked(key: Key, value: Any) -> Any:
    """A value as displayed: a secret is masked, or shown as its `${VAR}`."""
    if not key.setting.secret or not value:
        return _as_json(value)
    if isinstance(value, str):
        return value if _VARIABLE_ALONE.fullmatch(value) else "********"
    return [_masked(key, item) for item in value]


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
