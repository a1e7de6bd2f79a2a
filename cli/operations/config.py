"""`mem config`: show the settings, change one, check a file, trust one."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.lazy_groups import CommandGroup
from cli.operations.init import free_name
from cli.output import counted, note, print_json, shown, warn
from cli.parameters import PathArgument
from cli.shell_completion import complete_keys, complete_values
from contracts import ConfigError, NotFoundError
from memory.config.commented_json import place
from memory.config.editing import change, find_key, read_value, write_file
from memory.config.expansion import reads_environment
from memory.config.keys import ConfigProblem, Key, all_keys, sections, value_of
from memory.config.loading import VARIABLE, FoundConfig, LoadedConfig, users_file
from memory.config.migration import Migration, migrate_config
from memory.config.parsing import ParsedConfig, empty_config, parse_config
from memory.config.trust import Restricted, give_consent, restricted_settings, without_consent

_NEEDS = {
    "now": "Commands use it from now on, and a running `mem serve` within seconds.",
    "restart": "Commands use it from now on, a running `mem serve` when restarted.",
    "reindex": "An existing database keeps the old setting until you type mem reindex.",
}

_VARIABLE_ALONE = re.compile(r"\$\{\w+\}")


@click.group(cls=CommandGroup)
def config() -> None:
    """Show the settings and change them.

    The file is the one that --config or MEM_CONFIG names, else constitution_config.json here or in
    a folder above, else the one in your configuration folder.
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

    Without a file, it makes one: the file that --config or MEM_CONFIG names, else your own.

    VALUE is JSON, or plain text: 20, true, null, '["./docs"]', auto.
    """
    setting = find_key(key)
    new = read_value(setting, value)
    found, is_new = _found_or_new(context)
    parsed = empty_config(_file_of(found)) if is_new else parse_config(_file_of(found))
    old = value_of(parsed.config, key)
    write_file(parsed.path, change(parsed, setting, new))
    restricted = restricted_settings(
        parse_config(parsed.path).config, parsed.path.parent, own_database=False
    )
    if found.merely_found:  # the user has just typed this one
        give_consent(parsed.path, [item for item in restricted if item.key == key])
    if context.json:
        report = {"key": key, "value": _masked(setting, new), "old": _masked(setting, old)}
        report |= {"needs": setting.needs, "path": str(parsed.path), "created": is_new}
        print_json(report)
        return
    was = _dumps(_masked(setting, old))
    click.echo(shown(f"{key} = {_dumps(_masked(setting, new))} (was {was})"))
    note(f"{'made' if is_new else 'changed'} {parsed.path}")
    for line in _notes(setting, found, restricted):
        note(line)


@config.command("validate")
@click.argument("path", required=False, type=PathArgument(readable=False, path_type=Path))
@pass_context
def validate_command(context: CliContext, *, path: Path | None) -> None:
    """Check the file, or the one at PATH, and list every problem."""
    found = CliContext(path).find_config() if path else context.find_config()
    parsed = parse_config(_file_of(found))
    problems = [*parsed.problems, *parsed.unset_variables(), *parsed.missing_address()]
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
    """Let the file, or the one at PATH, and its database do what they say; read the file first.

    A file found in the working directory may have come with somebody else's repository, and the
    database with it. Until you trust them, they cannot choose where text is sent, read the
    environment, read folders outside, load models, bind an address, or decide what is deleted from
    a database of yours. What changes afterwards has to be trusted again. With --db, that database.
    """
    from cli.operations.trusting import trust_all  # opens the database

    found = CliContext(path).find_config() if path else context.find_config()
    if context.db is None:
        _file_of(found)
    trusted = trust_all(found, context.db)
    if context.json:
        print_json([item.report() for item in trusted])
        return
    for item in trusted:
        click.echo(shown(f"{item.path} is trusted"))
        for restricted in item.allowed:
            click.echo(shown(f"  {restricted.key} {restricted.effect}"))


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


def _notes(key: Key, found: FoundConfig, restricted: list[Restricted]) -> Iterator[str]:
    yield _NEEDS[key.needs or "now"]
    if found.merely_found and without_consent(_file_of(found), restricted):
        yield f"{found.path} is not trusted: mem config trust"


def _found_or_new(context: CliContext) -> tuple[FoundConfig, bool]:
    """The file to change, and whether it has to be made."""
    try:
        found = context.find_config()
    except NotFoundError:
        named = context.config_path or Path(os.environ[VARIABLE])
        path = Path.cwd() / named.expanduser()
        if os.path.lexists(path):
            raise
        return FoundConfig(path, "argument" if context.config_path else "environment"), True
    if found.path is None:
        return FoundConfig(users_file(), "user"), True
    return found, False


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
