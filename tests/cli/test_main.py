"""The entry point: help, lazy commands, global options, colour, completion."""

import io
import re
import shutil
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from cli import commands, main
from cli.commands import COMMANDS, wanted_colour
from cli.lazy_groups import LazyCommand, LazyGroup
from memory import __version__
from memory.values.user_folders import user_data_folder
from tests.cli.loaded_modules import HEAVY, imported, ours
from tests.cli.shell import Mem, python, shell

LOADED_FOR_HELP = {
    "cli": "commands errors lazy_groups main safe_path",
    "contracts": "errors installation named_tuple protocols values",
}
"""The modules of each of our packages that `mem --help` loads."""

LOADED_FOR_SEARCH = {
    "cli": "caller checked_words commands errors invocation lazy_groups main output safe_path "
    "searching searching.passage searching.results searching.search searching.snippet",
    "contracts": "errors installation lazy_regex named_tuple protocols values",
    "memory": "config config.expansion config.field_types config.keys config.loading "
    "config.sections config.sections.conversations config.sections.embeddings "
    "config.sections.files config.sections.search config.sections.server config.settings "
    "files files.kind index "
    "index.collections index.collections.reading "
    "index.configuration_warnings index.embedding index.embedding.active_model "
    "index.embedding.embedder index.embedding.model_choice retrieval "
    "retrieval.answers retrieval.answers.caveats retrieval.answers.results "
    "retrieval.query_embedding retrieval.replica_reads retrieval.searching "
    "retrieval.server_caches storage storage.base storage.database storage.meta storage.opening "
    "storage.portable storage.portable.backend storage.portable.chunks storage.portable.tokens "
    "storage.sqlite storage.sqlite.backend storage.sqlite.connection storage.sqlite.database "
    "storage.sqlite.errors storage.sqlite.header "
    "storage.sqlite.keywords storage.sqlite.keywords.fts "
    "storage.sqlite.keywords.keyword_search storage.sqlite.schema storage.sqlite.scope "
    "storage.sqlite.split_vectors storage.sqlite.statements storage.sqlite.vectors "
    "storage.values storage.vectors "
    "values values.citations "
    "values.fast_dataclass values.record_kinds values.results values.scope_parsing "
    "values.text_checks values.user_folders workspace",
    "providers": "base measurements registry settings static_model "
    "static_model.provider static_model.table static_model.vocabulary static_model.wordpiece",
    "search": "analysis analysis.function_words analysis.inflection analysis.keyword_fields "
    "analysis.letter_folding analysis.query analysis.segmentation analysis.stopwords "
    "highlighting hybrid identifiers identifiers.definitions identifiers.detection "
    "identifiers.identifier_search "
    "identifiers.kinds identifiers.matching identifiers.variants options "
    "ranking ranking.candidate_order ranking.confidence ranking.decay ranking.diversity "
    "ranking.explanation ranking.file_weight ranking.fusion ranking.hit_selection "
    "ranking.near_duplicates ranking.question_form ranking.repetition retrieval",
}
"""The modules of each of our packages that a search without a configuration file loads.

A module costs every search half a millisecond or more; import what is not always needed where it is
needed.
"""

COLLECTING = """
import gc
import os
import sys
from cli.main import main
gc.callbacks.append(lambda phase, _: os.write(2, b"looks for unreachable objects\\n"))
sys.argv = ["mem", "search", "installer"]
main()
"""


def test_a_turn_is_stored_without_the_rules_of_distillation(tmp_path: Path) -> None:
    """They are loaded where records are made of turns."""
    add = ["--db", "notes.db", "turn", "add", "--session", "s1", "I live in Oslo"]
    assert not any(name.startswith("ingest.distillation") for name in imported(add, tmp_path))
    distill = ["--db", "notes.db", "distill"]
    assert "ingest.distillation" in imported(distill, tmp_path)


@pytest.mark.parametrize("arguments", [["--help"], [], ["--version"]], ids=str)
def test_help_imports_no_command(arguments: list[str], folder: Path) -> None:
    modules = imported(arguments, folder)
    assert ours(modules) == LOADED_FOR_HELP
    assert not modules & {*HEAVY, "apsw"}


@pytest.mark.parametrize("mode", ["hybrid", "vector"])
def test_search_imports_exactly_what_it_needs(mode: str, synced: Mem, folder: Path) -> None:
    modules = imported(["search", "where is getUserById", "--mode", mode, "--explain"], folder)
    cli = LOADED_FOR_SEARCH["cli"].replace("results", "results searching.score_lines")
    memory = LOADED_FOR_SEARCH["memory"]
    if mode == "hybrid":  # the question names an identifier
        before = "storage.sqlite.errors "
        memory = memory.replace(before, f"storage.sqlite.definitions {before}")
        before = "storage.portable.tokens "
        memory = memory.replace(before, f"storage.portable.definitions {before}")
    assert ours(modules) == {**LOADED_FOR_SEARCH, "cli": cli, "memory": memory}
    assert not modules & {*HEAVY}


def test_a_search_does_not_look_for_unreachable_objects(synced: Mem, folder: Path) -> None:
    answer = python(COLLECTING, cwd=folder)
    assert answer.code == 0
    assert "result" in answer.err
    assert "unreachable" not in answer.err


def test_search_by_words_loads_no_model(synced: Mem, folder: Path) -> None:
    modules = imported(["search", "install", "--mode", "keyword", "--json"], folder)
    assert ours(modules) == {**LOADED_FOR_SEARCH, "providers": "base registry settings"}
    assert not modules & {*HEAVY}


def test_search_of_a_database_that_is_not_the_users_own(synced: Mem, folder: Path) -> None:
    """It remembers a folder that needs consent, which is looked up without OpenSSL."""
    shutil.copy(user_data_folder() / "memory.db", folder / "other.db")
    modules = imported(["--db", "other.db", "search", "installer"], folder)
    assert "memory.index.database_trust" in modules
    assert not modules & {*HEAVY, "hashlib", "socket", "string"}


def test_show_imports_nothing_heavy(synced: Mem, folder: Path) -> None:
    assert not imported(["show", "docs/setup.md:1-2"], folder) & {*HEAVY}


def test_status_loads_no_part_that_writes(synced: Mem, folder: Path) -> None:
    modules = imported(["status"], folder)
    assert not modules & {
        "memory.files.sync",
        "memory.files.ingestion",
        "memory.index.indexing",
        "ingest.chunking",
    }
    assert not modules & {*HEAVY}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_command_says(name: str) -> None:
    with commands.mem.make_context("mem", [], resilient_parsing=True) as ctx:
        command = commands.mem.get_command(ctx, name)
    assert command is not None
    assert command.name == name
    first_sentence, _, _ = (command.help or "").partition("\n\n")
    assert " ".join(first_sentence.split()) == COMMANDS[name].summary


def test_help_lists_every_command_in_order(mem: Mem) -> None:
    answer = mem("--help")
    assert answer.code == 0
    listed = answer.out.partition("Commands:")[2].splitlines()
    names = [line.split()[0] for line in listed if line[:3].strip()]
    assert [name for name in names if name in COMMANDS] == list(COMMANDS)
    assert mem("-h") == answer
    assert mem() == answer


def test_version(mem: Mem) -> None:
    answer = mem("--version")
    assert (answer.code, answer.out, answer.err) == (0, f"mem {__version__}\n", "")
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


@pytest.mark.parametrize(
    "typed, is_word",
    [
        pytest.param(["search", "wait", "-asyncio"], True, id="word"),
        pytest.param(["search", "x", "--forld"], False, id="near an option"),
        pytest.param(["status", "-x"], False, id="no words"),
    ],
)
def test_a_word_with_a_dash_is_shown_its_place(mem: Mem, typed: list[str], is_word: bool) -> None:
    assert (f"mem {typed[0]} -- ..." in mem(*typed).err) == is_word


@pytest.mark.parametrize(
    "typed, message",
    [
        pytest.param(["seerch"], "There is no command 'seerch'. Did you mean 'search'?", id="near"),
        pytest.param(["STATUS"], "There is no command 'STATUS'. Did you mean 'status'?", id="case"),
        pytest.param(["xyzzy"], "There is no command 'xyzzy'.", id="nothing near"),
        pytest.param(["sync", "--forse"], "Did you mean '--force'?", id="option"),
        pytest.param(["--cnfig", "x"], "No such option '--cnfig'", id="global option"),
        pytest.param(["config", "gett"], "'gett'", id="inner command"),
        pytest.param(["search"], "Missing argument 'QUERY...'", id="argument"),
        pytest.param(["pattern", "add"], "'TYPE'. Choose from: habit, schedule", id="choices"),
        pytest.param(["search", "x", "--mode", "fuzzy"], "'fuzzy'", id="choice"),
        pytest.param(["search", "x", "-k", "0"], "'-k'", id="range"),
        pytest.param(["--config"], "'--config' requires an argument", id="value"),
    ],
)
def test_what_is_not_understood(mem: Mem, typed: list[str], message: str) -> None:
    answer = mem(*typed)
    fact, hint = answer.err.splitlines()
    assert (answer.code, answer.out) == (2, "")
    assert fact.startswith("mem: ")
    assert message in fact
    assert hint.startswith("hint: mem ")
    assert hint.endswith("--help")


@pytest.mark.parametrize("after", [True, False], ids=["after the name", "before the name"])
def test_global_options_stand_anywhere(mem: Mem, folder: Path, after: bool) -> None:
    (folder / "own.json").write_text('{"memory": {"search": {"max_results": 1}}}')
    given = ["--config", "own.json", "--db", "own.db", "--json"]

    def asked(*command: str) -> list[str]:
        return [*command, *given] if after else [*given, *command]

    assert mem(*asked("sync", "docs")).json["added"] == 2
    assert (folder / "own.db").exists()
    assert mem(*asked("search", "cats install", "--min-score", "0")).json["total_results"] == 1
    assert mem(*asked("config", "get")).json["settings"]["memory.search.max_results"] == 1


def test_an_option_of_the_command_is_not_added_twice() -> None:
    @click.command()
    @click.option("--json", "as_json", is_flag=True)
    def own(as_json: bool) -> None:
        """Say something."""

    group = LazyGroup("g", table={"own": LazyCommand(f"{__name__}:own", "Say something.")})
    globals()["own"] = own
    try:
        with click.Context(group) as ctx:
            for _ in range(2):
                command = group.get_command(ctx, "own")
                assert command is own
    finally:
        del globals()["own"]
    assert [item.opts for item in own.params] == [["--json"], ["--config"], ["--db"]]


@pytest.mark.parametrize(
    "environ, wanted",
    [
        pytest.param({}, None, id="a terminal decides"),
        pytest.param({"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": "", "FORCE_COLOR": ""}, None, id="empty is none"),
        pytest.param({"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, id="NO_COLOR wins"),
        pytest.param({"TERM": "dumb"}, False, id="a dumb terminal"),
    ],
)
def test_who_decides_about_colour(environ: dict[str, str], wanted: bool | None) -> None:
    assert wanted_colour(environ) is wanted


def test_colour_reaches_the_output(synced: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in synced("search", "installer").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = synced("search", "installer")
    assert "\x1b[1mdocs/setup.md:1-10\x1b[0m" in coloured.out
    assert "\x1b[33m\x1b[1minstaller\x1b[0m" in coloured.out
    assert "\x1b[" in synced("search", "nothing", "--path", "void").err
    monkeypatch.setenv("NO_COLOR", "1")
    plain = synced("search", "installer")
    assert "\x1b[" not in plain.out + plain.err


@pytest.mark.parametrize(
    "typed, beginning, offered",
    [
        ([], "s", ["sync", "search", "show", "signal", "status", "serve", "service", "setup"]),
        ([], "--v", ["--version"]),
        (["search"], "--m", ["--max-results", "--mode", "--min-score", "--md"]),
        (["search", "--mode"], "k", ["keyword"]),
        (["config"], "s", ["schema", "set"]),
        (["config", "set"], "memory.search.fus", ["memory.search.fusion"]),
        (["config", "get"], "memory.files.watch_m", ["memory.files.watch_method"]),
        (["config", "set", "memory.search.fusion"], "", ["convex", "rrf"]),
        (["config", "set", "memory.fts.enabled"], "t", ["true"]),
        (["config", "set", "memory.files.workers"], "", ["auto"]),
        (["config", "set", "memory.storage_path"], "", []),
        (["config", "set", "memory.nothing"], "", []),
    ],
    ids=str,
)
def test_what_completion_offers(typed: list[str], beginning: str, offered: list[str]) -> None:
    completer = ShellComplete(commands.mem, {}, "mem", "_MEM_COMPLETE")
    found = completer.get_completions(typed, beginning)
    assert [item.value for item in found] == offered


def test_shell_completion(folder: Path) -> None:
    script = shell(cwd=folder, _MEM_COMPLETE="bash_source")
    assert (script.code, "_MEM_COMPLETE" in script.out) == (0, True)
    asked = {"_MEM_COMPLETE": "bash_complete", "COMP_WORDS": "mem sy", "COMP_CWORD": "1"}
    assert shell(cwd=folder, **asked).out == "plain,sync\n"


def test_completion_of_indexed_paths(synced: Mem, folder: Path) -> None:
    def offered(typed: str) -> list[str]:
        completer = ShellComplete(commands.mem, {}, "mem", "_MEM_COMPLETE")
        return [item.value for item in completer.get_completions(["show"], typed)]

    assert offered("docs/set") == ["docs/setup.md"]
    assert offered(f"{folder}/docs/set") == [f"{folder}/docs/setup.md"]
    assert offered("docs/no") == offered("/etc/") == []


def test_completion_says_nothing_of_a_database(synced: Mem, folder: Path) -> None:
    path = synced("status", "--json").json["database"]
    asked = {"_MEM_COMPLETE": "bash_complete", "COMP_CWORD": "4"}
    done = shell(cwd=folder, COMP_WORDS=f"mem --db {path} show docs/set", **asked)
    assert (done.code, done.out, done.err) == (0, "plain,docs/setup.md\n", "")


def test_without_a_database_no_path_is_completed(folder: Path) -> None:
    asked = {"_MEM_COMPLETE": "bash_complete", "COMP_WORDS": "mem show d", "COMP_CWORD": "2"}
    done = shell(cwd=folder, **asked)
    assert (done.code, done.out, done.err) == (0, "\n", "")


def test_streams_are_made_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    main.prepare_streams()
    assert sys.stdout.write("nobody reads this") > 0
    sys.stdout.close()
    assert sys.stderr.errors == "backslashreplace"
