"""`mem init` and `mem config` as a user types them."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.commands import mem
from cli.operations.config import config
from cli.operations.init import local_file
from cli.sm import sm
from contracts import ConfigError, ForbiddenError, InputError, MemError, NotFoundError, StorageError
from memory.config.keys import all_keys
from memory.config.loading import FILE_NAME, load_config, users_file
from memory.config.parsing import parse_config
from memory.config.schema import schema_text
from memory.config.settings import Config
from memory.config.trust import restricted_settings, without_consent
from memory.values.user_folders import user_data_folder
from tests.cli.shell import Answer, python, start
from tests.waiting import output_of

Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(mem, arguments)
        if isinstance(result.exception, MemError):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result

    return run


def fail(*arguments: str) -> Result:
    """Run a command that raises, and keep what it printed before."""
    result = CliRunner().invoke(mem, arguments)
    assert isinstance(result.exception, MemError)
    return result


def write(content: Any) -> Path:
    return write_at(Path.cwd() / FILE_NAME, content)


def write_at(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_init_writes_the_users_own_file(run: Run, folder: Path) -> None:
    done = run("init")

    path, database = users_file(), user_data_folder() / "memory.db"
    assert done.stdout == (
        f"Wrote {path}\n"
        f"The memory of every folder is {database} (one of its own: init --here)\n"
        "Next: mem sync ./docs\n"
    )
    assert list(folder.iterdir()) == []
    assert parse_config(path).config == Config()
    assert parse_config(path).problems == ()
    assert load_config().database_path == database
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_init_hides_no_memory(run: Run, folder: Path) -> None:
    run("remember", "The spare key hangs behind the boiler")
    run("init")
    done = run("search", "spare key")
    assert "behind the boiler" in done.stdout
    assert "database" not in done.stderr


def test_init_here_gives_a_folder_a_memory_of_its_own(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "The spare key hangs behind the boiler")

    done = run("init", "--here")

    path, database = folder / FILE_NAME, folder / "data/memory.db"
    told = f"The memory of this folder, and of those below, is {database}\n"
    assert done.stdout == f"Wrote {path}\n{told}Next: mem sync ./docs\n"
    assert parse_config(path).problems == ()
    assert restricted_settings(parse_config(path).config, folder) == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    below = folder / "a/b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    missing = fail("search", "spare key")
    assert missing.stderr == f"database {database} ({path}), not your own\n"
    assert str(missing.exception).startswith(f"there is no database at {database}")
    named = f"database {database} ({path}), not your own\n"
    assert run("remember", "The boiler is in the cellar").stderr.startswith(named)
    found = run("search", "spare key boiler")
    assert "cellar" in found.stdout
    assert "spare" not in found.stdout
    assert found.stderr.startswith(named)
    assert json.loads(run("search", "boiler", "--json").stdout)["database"] == str(database)
    assert f"{database} (sqlite, " in run("status").stdout
    assert "), not your own\n" in run("status").stdout
    assert json.loads(run("status", "--json").stdout)["is_own"] is False
    monkeypatch.chdir(folder.parent)
    assert "spare key" in run("search", "spare key boiler").stdout


def test_sm_names_another_database_too(folder: Path) -> None:
    CliRunner().invoke(mem, ["init", "--here"])
    CliRunner().invoke(sm, ["remember", "--text", "The boiler is in the cellar"])
    done = CliRunner().invoke(sm, ["list"])
    assert "cellar" in done.stdout
    assert done.stderr.startswith(f"database {folder}/data/memory.db ({folder}/{FILE_NAME})")


def test_init_says_which_file_applies_in_this_folder(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init", "--here")
    assert f"warning: in this folder, {folder}/{FILE_NAME} applies" in run("init").stderr
    monkeypatch.setenv("MEM_CONFIG", str(users_file()))
    assert f"{users_file()} applies instead" in run("init", "--here", "--force").stderr
    with pytest.raises(InputError, match=r"name different files .give one of the two"):
        run("--config", "x.json", "init", "--here")


@pytest.mark.parametrize("options", [(), ("--here",)], ids=["own", "here"])
def test_init_replaces_nothing_unless_forced(
    run: Run, folder: Path, options: tuple[str, ...]
) -> None:
    path = write_at(folder / FILE_NAME if options else users_file(), {"mine": 1})
    with pytest.raises(InputError, match=r"exists \(keep it, or replace it .* mem init --force"):
        run("init", *options)
    assert path.read_text() == '{"mine": 1}'


def test_of_several_at_once_one_makes_the_file(folder: Path) -> None:
    begun = [start("init", "--here", cwd=folder) for _ in range(6)]
    said = [output_of(process) for process in begun]
    codes = [process.returncode for process in begun]
    assert sorted(codes) == [0, 2, 2, 2, 2, 2]
    assert sum(f"Wrote {folder / FILE_NAME}" in out for out, _ in said) == 1
    assert sum(f"{folder / FILE_NAME} exists" in err for _, err in said) == 5
    assert [path.name for path in folder.iterdir() if path.is_file()] == [FILE_NAME]


def test_init_keeps_what_it_replaces(run: Run, folder: Path) -> None:
    path = write({"mine": 1})
    path.chmod(0o644)

    first = json.loads(run("init", "--here", "--force", "--json").stdout)
    second = json.loads(run("--json", "init", "--here", "--force").stdout)

    assert first == {
        "path": str(path),
        "backup": f"{path}.bak1",
        "database": f"{folder}/data/memory.db",
    }
    assert second["backup"] == f"{path}.bak2"
    assert Path(first["backup"]).read_text() == '{"mine": 1}'
    assert stat.S_IMODE(Path(first["backup"]).stat().st_mode) == 0o644
    assert Path(second["backup"]).read_text() == path.read_text() == local_file()
    own = json.loads(path.read_text())  # plain JSON: host programs read the same file
    assert own["memory"]["storage_path"] == "./data/memory.db"
    assert f"Kept the old one as {path}.bak3\n" in run("init", "--here", "--force").stdout


def test_init_writes_where_it_is_told(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--config", "sub/mine.json", "init")
    assert (folder / "sub" / "mine.json").exists()
    monkeypatch.setenv("MEM_CONFIG", "variable.json")
    run("init")
    assert load_config().path == folder / "variable.json"
    assert not (folder / FILE_NAME).exists()
    assert not users_file().exists()


def test_init_does_not_replace_a_folder(run: Run, folder: Path) -> None:
    (folder / FILE_NAME).mkdir()
    with pytest.raises(InputError, match=r"is no file \(move it away; or name another file"):
        run("init", "--here", "--force")


@pytest.mark.parametrize("options", [(), ("--force",)], ids=["plain", "forced"])
def test_a_link_that_leads_nowhere_is_removed_by_its_owner(
    run: Run, folder: Path, options: tuple[str, ...]
) -> None:
    path = folder / FILE_NAME
    path.symlink_to("gone/config.json")
    said = rf"is a link that leads to no file \(remove the link: rm {path};"
    with pytest.raises(InputError, match=said):
        run("init", "--here", *options)
    path.unlink()  # as advised
    run("init", "--here", *options)
    assert path.is_file()


def test_init_without_room_for_the_copy(run: Run, folder: Path) -> None:
    long_name = "x" * 252 + ".js"  # as long as a name may be, so the copy's is too long
    Path(long_name).write_text("{}")
    with pytest.raises(StorageError, match=r"a copy of .*\.js cannot be made: File name too long"):
        run("--config", long_name, "init", "--force")
    assert Path(long_name).read_text() == "{}"


def test_get_shows_everything_in_force(run: Run, folder: Path) -> None:
    path = write({"memory": {"search": {"max_results": 3}}})
    done = run("config", "get")
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert list(rows) == [key.name for key in all_keys()]
    assert rows["memory.search.max_results"] == "3"
    assert rows["memory.storage_path"] == f'"{user_data_folder()}/memory.db"'
    assert done.stderr == f"{path} (working directory)\n"


def test_get_one_setting_or_a_section(run: Run, folder: Path) -> None:
    assert run("config", "get", "memory.search.fusion").stdout == "convex\n"
    assert run("config", "get", "memory.search.min_score").stdout == "0.3\n"
    assert run("config", "get", "memory.files.watch_directories").stdout == "[]\n"
    section = run("config", "get", "memory.server")
    assert [line.split()[0] for line in section.stdout.splitlines()] == [
        "memory.server.host",
        "memory.server.port",
        "memory.server.tokens",
        "memory.server.proxies",
        "memory.server.tenants",
    ]
    assert section.stderr == "no file, defaults only (defaults)\n"
    assert run("config", "get", "memory.embeddings.static").stdout == ""


def test_get_as_json(run: Run, folder: Path) -> None:
    assert json.loads(run("config", "get", "memory.server.port", "--json").stdout) == {
        "path": None,
        "origin": "defaults",
        "settings": {"memory.server.port": 8787},
    }
    path = write({})
    report = json.loads(run("--json", "config", "get").stdout)
    assert (report["path"], report["origin"]) == (str(path), "working directory")
    assert list(report["settings"]) == [key.name for key in all_keys()]


def test_get_knows_the_database_option(run: Run, folder: Path) -> None:
    done = run("--db", "other.db", "config", "get", "memory.storage_path")
    assert done.stdout == f"{folder}/other.db\n"


def test_get_shows_no_secret(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret-1")
    monkeypatch.setenv("PLACE", "s3cret-2")
    write(
        {
            "memory": {
                "storage_path": "./${PLACE}/m.db",
                "server": {"tokens": ["s3cret-3", "${OPENAI_API_KEY}", "s3cret-4${PLACE}"]},
                "embeddings": {"voyage": {"api_key": "s3cret-5"}},
            }
        }
    )
    run("config", "trust")
    settings = json.loads(run("config", "get", "--json").stdout)["settings"]
    assert "s3cret" not in run("config", "get").output + json.dumps(settings)
    assert settings["memory.storage_path"] == "./${PLACE}/m.db"
    assert settings["memory.server.tokens"] == ["********", "${OPENAI_API_KEY}", "********"]
    assert settings["memory.embeddings.voyage.api_key"] == "********"
    assert settings["memory.embeddings.openai.api_key"] == "${OPENAI_API_KEY}"


def test_get_of_an_unknown_key(run: Run, folder: Path) -> None:
    with pytest.raises(
        InputError, match=r"memory\.server\.prot is an unknown setting .*server\.port"
    ):
        run("config", "get", "memory.server.prot")


def test_set_changes_one_value_and_keeps_the_rest(run: Run, folder: Path) -> None:
    run("init", "--here")
    path = folder / FILE_NAME

    done = run("config", "set", "memory.search.max_results", "20")

    assert done.stdout == "memory.search.max_results = 20 (was 10)\n"
    assert done.stderr.splitlines() == [
        f"changed {path}",
        "Commands use it from now on, and a running `mem serve` within seconds.",
    ]
    assert path.read_text() == local_file().replace('"max_results": 10', '"max_results": 20')
    assert load_config().config.memory.search.max_results == 20


@pytest.mark.parametrize(
    "key, value, needs, note",
    [
        ("memory.server.port", "9000", "restart", "a running `mem serve` when restarted"),
        ("memory.embeddings.batch_size", "9", "restart", "a running `mem serve` when restarted"),
        ("memory.embeddings.prices", '{"m": 1}', None, "a running `mem serve` within seconds"),
        ("memory.chunking.chunk_size_chars", "800", "reindex", "database keeps the old setting"),
        ("memory.search.fusion", "rrf", None, "a running `mem serve` within seconds"),
    ],
)
def test_set_says_what_else_is_needed(
    run: Run, folder: Path, key: str, value: str, needs: str | None, note: str
) -> None:
    run("init", "--here")
    done = run("config", "set", key, value)
    assert note in done.stderr
    report = json.loads(run("config", "set", key, value, "--json").stdout)
    assert report["needs"] == needs
    assert report["path"] == str(folder / FILE_NAME)
    assert report["value"] == report["old"]


def test_set_shows_no_secret(run: Run, folder: Path) -> None:
    run("init", "--here")
    outputs = [
        run("config", "set", "memory.embeddings.openai.api_key", secret, *options).output
        for secret in ("s3cret-1", "s3cret-2")
        for options in ((), ("--json",))
    ]
    assert "s3cret" not in "".join(outputs)
    assert outputs[0].startswith(
        'memory.embeddings.openai.api_key = "********" (was "${OPENAI_API_KEY}")'
    )


@pytest.mark.parametrize(
    "key, value, error, message",
    [
        ("memory.server.port", "-1", InputError, "cannot be -1 .it must be a whole number from 0"),
        (
            "memory.sever.port",
            "1",
            InputError,
            "is an unknown setting .did you mean memory.server.port",
        ),
        ("memory.chunking.chunk_size_chars", "60", ConfigError, "with that, memory.chunking"),
        (
            "memory.server.proxies",
            '["nonsense"]',
            ConfigError,
            "is not an address: 'nonsense' .write it like",
        ),
    ],
)
def test_set_refuses_and_changes_nothing(
    run: Run, folder: Path, key: str, value: str, error: type[MemError], message: str
) -> None:
    run("init", "--here")
    with pytest.raises(error, match=message):
        run("config", "set", key, value)
    assert (folder / FILE_NAME).read_text() == local_file()


@pytest.mark.parametrize("named", ["--config", "MEM_CONFIG", ""], ids=["argument", "variable", ""])
def test_set_makes_the_file_that_is_missing(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    path = folder / "sub/new.json" if named else users_file()
    options = ("--config", "sub/new.json") if named == "--config" else ()
    if named == "MEM_CONFIG":
        monkeypatch.setenv("MEM_CONFIG", "sub/new.json")

    done = run(*options, "config", "set", "memory.search.max_results", "7")

    assert done.stderr.startswith(f"made {path}\n")
    assert json.loads(path.read_text()) == {"memory": {"search": {"max_results": 7}}}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    report = json.loads(
        run(*options, "config", "set", "memory.search.fold", "mmr", "--json").stdout
    )
    assert (report["created"], report["path"]) == (False, str(path))
    assert run(*options, "config", "get", "memory.search.max_results").stdout == "7\n"


def test_set_makes_no_file_for_a_setting_that_is_refused(run: Run, folder: Path) -> None:
    for key, value in (("memory.search.fusion", "best"), ("memory.search.bogus", "1")):
        with pytest.raises(InputError):
            run("config", "set", key, value)
    assert not users_file().exists()
    (folder / "taken").mkdir()
    with pytest.raises(NotFoundError, match="which is not a file"):
        run("--config", "taken", "config", "set", "memory.search.fusion", "rrf")


def test_set_does_not_trust_what_others_wrote(run: Run, folder: Path) -> None:
    path = write({"memory": {"storage_path": "/elsewhere/m.db"}})
    done = run("config", "set", "memory.search.max_results", "3")
    assert f"{path} is not trusted: mem config trust\n" in done.stderr
    with pytest.raises(ForbiddenError, match="mem config trust"):
        run("config", "get")


def test_validate_a_valid_file(run: Run, folder: Path) -> None:
    path = write({"memory": {}, "chat": {}})
    done = run("config", "validate")
    assert done.stdout == f"{path} is valid\n"
    assert done.stderr == "Not checked: chat\n"
    assert json.loads(run("config", "validate", "--json").stdout) == {
        "path": str(path),
        "valid": True,
        "problems": [],
        "not_looked_at": ["chat"],
    }
    write({})
    assert run("config", "validate").stderr == ""


BAD = """{
  "memory": {
    "backend": "sqlit",
    "searchx": {},
    "server": {"tokens": ["${NOT_SET_ANYWHERE}"]}
  }
}"""


def test_validate_lists_every_problem(folder: Path) -> None:
    path = write(BAD)
    done = fail("config", "validate")
    assert done.stdout.splitlines() == [
        f'{path}:3:16: memory.backend is "sqlit" (it must be "sqlite" or "memory" or "postgres")',
        f"{path}:4:16: memory.searchx is an unknown setting (did you mean memory.search?)",
        f"{path}:5:26: memory.server.tokens reads ${{NOT_SET_ANYWHERE}}, and NOT_SET_ANYWHERE is"
        " not set in the environment (set it: export NOT_SET_ANYWHERE=...)",
    ]
    assert isinstance(done.exception, ConfigError)
    assert done.exception.message == f"{path} has 3 problems"


def test_validate_asks_for_the_address_of_a_server(run: Run, folder: Path) -> None:
    path = folder / "server.json"
    path.write_text('{"memory": {"backend": "postgres"}}')
    done = fail("config", "validate", str(path))
    assert 'server.json:1:24: memory.backend is "postgres", and memory.dsn names no' in done.stdout
    path.write_text('{"memory": {"backend": "postgres", "dsn": "postgresql://host/name"}}')
    assert "is valid" in run("config", "validate", str(path)).stdout


def test_validate_another_file_as_json(run: Run, folder: Path) -> None:
    Path("other.json").write_text('{"privacy": {"log_retention_days": 0}}')
    done = fail("config", "validate", "other.json", "--json")
    report = json.loads(done.stdout)
    assert report["valid"] is False
    assert report["problems"] == [
        {
            "key": "privacy.log_retention_days",
            "line": 1,
            "column": 36,
            "message": "privacy.log_retention_days is 0",
            "hint": "it must be a whole number from 1 to 36500",
        }
    ]
    assert "has 1 problem (" in str(done.exception)


def test_trust_says_what_it_allows(run: Run, folder: Path) -> None:
    path = write({"memory": {"server": {"host": "0.0.0.0"}, "storage_path": "/elsewhere/m.db"}})
    with pytest.raises(ForbiddenError, match="is not trusted"):
        run("config", "get", "memory.server.host")

    done = run("config", "trust")

    assert done.stdout.splitlines() == [
        f"{path} is trusted",
        "  memory.storage_path opens /elsewhere/m.db, which is outside its folder",
        "  memory.server.host chooses the address that the server listens on",
    ]
    assert run("config", "get", "memory.server.host").stdout == "0.0.0.0\n"


def test_trust_another_file_as_json(run: Run, folder: Path) -> None:
    (folder / "sub").mkdir()
    path = folder / "sub" / FILE_NAME
    path.write_text('{"memory": {"server": {"tokens": ["s3cret"]}}}')
    done = run("config", "trust", str(path), "--json")
    allowed = [{"key": "memory.server.tokens", "effect": "decides who has access"}]
    assert json.loads(done.stdout) == [{"path": str(path), "trusted": True, "allowed": allowed}]
    assert without_consent(path, restricted_settings(parse_config(path).config, path.parent)) == []
    with pytest.raises(NotFoundError, match="which is not a file"):
        run("config", "trust", "missing.json")


def test_the_schema_is_printed(run: Run, folder: Path) -> None:
    assert run("config", "schema").stdout == schema_text()


def test_a_command_without_mem_around_it(folder: Path) -> None:
    done = CliRunner().invoke(config, ["get", "memory.search.fusion"])
    assert (done.exit_code, done.stdout) == (0, "convex\n")


def test_help_and_get_import_nothing_heavy(folder: Path) -> None:
    script = (
        "import sys\n"
        "from cli.operations.config import config\n"
        "from cli.operations.init import init\n"
        "config(['get', 'memory.search.fusion'], standalone_mode=False)\n"
        "print(*sorted({'pydantic', 'numpy', 'annotated_types', 'rich'} & set(sys.modules)))"
    )
    write({})
    assert python(script, cwd=folder) == Answer(0, "convex\n\n", "")


def test_names_cannot_command_the_terminal(run: Run, folder: Path) -> None:
    (folder / FILE_NAME).write_text('{"memory": {"search": {"fusion": "rrf"}}, "h\\u009bost": 1}')
    done = run("config", "validate")
    assert "Not checked: h\\x9bost" in done.stderr
    run("config", "set", "memory.embeddings.sentence_transformers.query_prompt", "a\u202eb")
    shown = run("config", "get", "memory.embeddings.sentence_transformers.query_prompt")
    assert shown.stdout == "a\\u202eb\n"


def test_migrate_shows_what_would_change_and_does_it_when_told(run: Run) -> None:
    path = write('{"memory": {"search": {"top_k": 7}}, "embedding_model": "small"} // mine\n')
    before = path.read_text()
    shown = run("config", "migrate").output
    assert "memory.search.top_k = 7" in shown
    assert "is now memory.search.max_results = 7" in shown
    assert "mem config migrate --write" in shown
    assert path.read_text() == before
    changed = run("config", "migrate", "--write").output
    assert "constitution_config.json.bak1" in changed
    assert path.with_name(f"{FILE_NAME}.bak1").read_text() == before
    assert path.read_text().endswith("// mine\n")
    assert parse_config(path).config.memory.search.max_results == 7
    assert "has the present form" in run("config", "migrate").output


def test_migrate_masks_keys_and_lists_what_it_does_not_know(run: Run, folder: Path) -> None:
    other = folder / "other.json"
    other.write_text('{"memory": {"dreams": 1, "embeddings": {"api_key": "sk-secret"}}}')
    result = run("config", "migrate", str(other))
    assert "sk-secret" not in result.output
    assert "memory.dreams is an unknown setting" in result.output
    report = json.loads(run("--json", "config", "migrate", str(other), "--write").output)
    assert (report["written"], report["steps"][0]["new"]) == (True, "********")
    assert report["problems"][0]["message"] == "memory.dreams is an unknown setting"
    assert "sk-secret" in other.read_text()
    with pytest.raises(NotFoundError, match="no configuration file"):
        run("config", "migrate")
