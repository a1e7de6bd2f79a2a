"""`mem search` and `mem show`."""

import os
from dataclasses import fields
from pathlib import Path

import pytest

from cli.searching.search import SearchArguments
from memory.config.settings import RerankConfig, SearchConfig, TimeDecayConfig
from memory.values.results import Freshness, SearchResponse, SearchResult
from search.options import SearchOptions
from tests.cli.shell import SETUP, Mem, at_a_terminal, shell


def citations(mem: Mem, *arguments: str) -> list[str]:
    """The places that a search finds by its words."""
    answer = mem("search", *arguments, "--json", "--min-score", "1")
    return [hit["citation"] for hit in answer.json["results"]]


def test_a_result_for_people(synced: Mem) -> None:
    answer = synced("search", "run", "the", "installer")
    assert answer.code == 0
    assert answer.out == (
        " 1. docs/setup.md:1-10  1.00 strong\n"
        "    Setup\n"
        "    ## Install\n"
        "    Run the installer and wait.\n"
        "    It takes a minute.\n"
    )
    summary = answer.err.strip()
    assert summary.startswith("1 result in ")
    assert summary.endswith("s ago")
    assert "(hybrid); synced " in summary


def test_a_result_as_json(synced: Mem, folder: Path) -> None:
    answer = synced("search", "getUserById", "--json", "--explain")
    assert (answer.code, answer.err) == (0, "")
    response = answer.json
    assert list(response) == [item.name for item in fields(SearchResponse)]
    assert list(response["freshness"]) == [item.name for item in fields(Freshness)]
    (hit,) = response["results"]
    assert list(hit) == [item.name for item in fields(SearchResult)]
    assert hit["file_path"] == str(folder / "docs" / "setup.md")
    assert hit["citation"] == "docs/setup.md:1-10"
    assert hit["explanation"]["identifier_match"] == "exact"
    assert response["total_results"] == 1
    assert response["query"] == "getUserById"
    assert response["cached"] is False


def test_words_need_no_quotes_and_dashes_come_after_two(synced: Mem) -> None:
    assert synced("search", "cats", "river", "--json").json["query"] == "cats river"
    assert synced("search", "--json", "--", "-cats", "river").json["query"] == "-cats river"
    assert citations(synced, '"dogs share"') == ["docs/animals.md:1"]


@pytest.mark.parametrize(
    "options, found",
    [
        pytest.param([], ["animals.md", "setup.md"], id="all"),
        pytest.param(["-k", "1"], ["animals.md"], id="the first"),
        pytest.param(["--path", "docs"], ["animals.md", "setup.md"], id="a folder"),
        pytest.param(["--path", "docs/setup.md"], ["setup.md"], id="a file"),
        pytest.param(["--path", "./docs/../docs/setup.md"], ["setup.md"], id="a crooked path"),
        pytest.param(["--path", "set*"], ["setup.md"], id="a pattern"),
        pytest.param(["--path", "docs/s*.md"], ["setup.md"], id="a pattern with a folder"),
        pytest.param(["--path", "elsewhere"], [], id="a folder without anything"),
        pytest.param(["--path", "elsewhere", "--path", "docs"], ["animals.md", "setup.md"], id="2"),
        pytest.param(["--source", "file"], ["animals.md", "setup.md"], id="a source"),
        pytest.param(["--source", "text"], [], id="another source"),
        pytest.param(["--source", "md", "--path", "docs"], ["animals.md", "setup.md"], id="both"),
        pytest.param(["--source", "md", "--path", "void"], [], id="one, not the other"),
        pytest.param(["--since", "1h"], ["animals.md", "setup.md"], id="young"),
        pytest.param(["--until", "1h"], [], id="old"),
        pytest.param(["--since", "2000", "--until", "2001-02"], [], id="between"),
        pytest.param(["--tag", "x"], [], id="a tag nobody has"),
    ],
)
def test_what_may_answer(synced: Mem, options: list[str], found: list[str]) -> None:
    names = [place.partition(":")[0] for place in citations(synced, "cats installer", *options)]
    assert sorted(names) == [f"docs/{name}" for name in found]


def test_a_path_that_looks_like_a_pattern(mem: Mem, folder: Path) -> None:
    for name in ("a[1]", "a1"):
        place = folder / name
        place.mkdir()
        (place / "cat.md").write_text(f"a cat in {name}\n")
        (folder / f"{name}.md").write_text(f"a cat beside {name}\n")
    mem("sync", ".")
    assert citations(mem, "cat", "--path", "a[1]") == ["a[1]/cat.md:1"]
    assert citations(mem, "cat", "--path", "a[1].md") == ["a[1].md:1"]
    assert citations(mem, "cat", "--path", "a[1]*d") == ["a1/cat.md:1", "a1.md:1"]


@pytest.mark.parametrize(
    "options, message",
    [
        (["--since", "yesterday"], "'yesterday' is not a time"),
        (["--until", ""], "'' is not a time"),
        (["--source", "files"], "there is no source 'files'"),
        (["--source", "text", "--path", "docs"], "a path chooses among files"),
        (["--min-score", "nan"], "min_score is nan"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wishes_that_cannot_be_used(synced: Mem, options: list[str], message: str) -> None:
    answer = synced("search", "cats", *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_what_is_not_wished_for_is_configured() -> None:
    config = SearchConfig(
        hybrid_enabled=False,
        max_results=3,
        min_score=0.7,
        vector_weight=0.2,
        time_decay=TimeDecayConfig(half_life_days=5),
    )
    configured = SearchArguments().applied_to(config)
    assert (configured.mode, configured.max_results, configured.min_score) == ("keyword", 3, 0.7)
    assert (configured.vector_weight, configured.decay.half_life_days) == (0.2, 5)
    wished = SearchArguments(
        mode="vector", max_results=9, min_score=0.0, all_chunks=True, explain=True
    )
    options = wished.applied_to(config)
    assert (options.mode, options.max_results, options.min_score) == ("vector", 9, 0.0)
    assert (options.all_chunks, options.explain) == (True, True)
    assert SearchArguments(fold="none").applied_to(SearchConfig(fold="mmr")).fold == "none"
    assert SearchArguments().applied_to(SearchConfig(fold="mmr")).fold == "mmr"
    assert SearchArguments(rerank=True).applied_to(config).rerank
    assert SearchArguments().applied_to(SearchConfig()) == SearchOptions()


def test_more_than_one_chunk_of_a_file(mem: Mem, folder: Path) -> None:
    parts = [f"# Part {part}\n\n" + f"cats {part} sleep here. " * 60 for part in range(4)]
    (folder / "docs" / "long.md").write_text("\n\n".join(parts))
    mem("sync", "docs/long.md")
    assert len(citations(mem, "cats")) == 1
    assert len(citations(mem, "cats", "--all-chunks")) >= 4


def test_copies_are_named_below_the_result_they_repeat(mem: Mem, folder: Path) -> None:
    for number in range(6):
        place = folder / "docs" / f"p{number}"
        place.mkdir()
        (place / "LICENCE").write_text(f"(c) {2000 + number} Heron\n\nTake this walrus home.\n")
    mem("sync", "docs")
    answer = mem("search", "walrus", "--mode", "keyword")
    assert answer.out == (
        " 1. docs/p0/LICENCE:1-3  1.00 strong\n"
        "    (c) 2000 Heron\n"
        "    Take this walrus home.\n"
        "    and 5 more like it: docs/p1/LICENCE:1-3, docs/p2/LICENCE:1-3, "
        "docs/p3/LICENCE:1-3, ...\n"
    )
    assert len(citations(mem, "walrus", "--fold", "none")) == 6
    (hit,) = mem("search", "walrus", "--mode", "keyword", "--json").json["results"]
    assert len(hit["duplicates"]) == 5
    assert hit["duplicates"][0]["citation"] == "docs/p1/LICENCE:1-3"
    out = mem("search", "walrus", "--fold", "mmr", "--explain").out
    assert "; novelty 1.000 x weight 0.30" in out


def test_a_result_between_its_neighbours(mem: Mem, folder: Path) -> None:
    parts = [f"# Part {n}\n\nbadger{n} digs.\n" + f"{n} holes are dug. " * 50 for n in range(3)]
    (folder / "docs" / "long.md").write_text("\n\n".join(parts))
    mem("sync", "docs")
    out = mem("search", "badger1", "-C", "1", "--mode", "keyword").out
    for n in range(3):
        assert out.count(f"    # Part {n}\n\n    badger{n} digs.\n    {n} holes are dug.") == 1
        assert " ".join(out.split()).count(f"{n} holes are dug.") == 50
    assert "\n\n    # Part 1\n" in out
    assert "badger0" not in mem("search", "badger1", "-C", "0", "--mode", "keyword").out
    (hit,) = mem("search", "badger1", "--neighbours", "1", "--mode", "keyword", "--json").json[
        "results"
    ]
    assert [len(hit["before"]), len(hit["after"])] == [1, 1]
    assert mem("search", "badger1", "-C", "11").code == 2


def test_shared_text_is_shown_once(mem: Mem, folder: Path) -> None:
    words = [f"badger{n}" for n in range(400)]
    (folder / "docs" / "long.txt").write_text(" ".join(words))
    mem("sync", "docs")
    out = mem("search", "badger150", "-C", "1", "--mode", "keyword").out
    shown = [word for word in out.split() if word.startswith("badger")]
    assert shown == words[int(shown[0][6:]) :][: len(shown)]
    assert len(shown) > 200


def test_explanations_for_people(synced: Mem) -> None:
    out = synced("search", "getUserById", "--explain").out
    assert "words    bm25 " in out
    assert ", rank 1; 1.000 x weight 0.65\n" in out
    assert "meaning  cosine " in out
    assert "fused    convex 1.000\n" in out
    assert "getUserById is in it (exact), which lifts it to the top\n" in out
    keyword = synced("search", "cats", "--explain", "--mode", "keyword").out
    assert "meaning  not found by it\n" in keyword
    assert "is in it" not in keyword


def test_reranked_results(synced: Mem, folder: Path) -> None:
    (folder / "constitution_config.json").write_text(
        '{"memory": {"search": {"rerank": {"provider": "fake"}}}}'
    )
    synced("sync", "docs")
    out = synced("search", "cats house", "--rerank", "--explain").out
    assert "rerank   1.000\n" in out
    assert "rerank" not in synced("search", "cats", "--explain").out
    assert "reranker" not in synced("status").out
    (folder / "constitution_config.json").write_text(
        '{"memory": {"search": {"rerank": {"enabled": true, "provider": "fake"}}}}'
    )
    assert "rerank   " in synced("search", "cats", "--explain").out
    assert "rerank   " not in synced("search", "cats", "--explain", "--no-rerank").out
    model = RerankConfig().model
    assert f"reranker  {model} (idle)\n" in synced("status").out


def test_a_terminal_is_told_that_a_model_is_loaded(
    synced: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "constitution_config.json").write_text(
        '{"memory": {"search": {"rerank": {"provider": "fake"}}}}'
    )
    said = f"loading {RerankConfig().model} to rerank"
    synced("sync", "docs")
    monkeypatch.setenv("TERM", "dumb")
    seen = at_a_terminal("search", "cats", "--rerank", monkeypatch=monkeypatch)
    assert seen.index(said) < seen.index("1 result in")
    assert said not in at_a_terminal("search", "cats", monkeypatch=monkeypatch)
    quiet = at_a_terminal("search", "cats", "--rerank", "--json", monkeypatch=monkeypatch)
    assert said not in quiet
    assert said not in synced("search", "cats", "--rerank").err


def test_a_reranker_that_is_not_there_is_a_warning(synced: Mem, folder: Path) -> None:
    plain = synced("search", "cats").out
    answer = shell("search", "cats", "--rerank", cwd=folder, HF_HUB_OFFLINE="1")
    assert (answer.code, answer.out) == (0, plain)
    assert "warning: not reranked, the order is the search's own: " in answer.err


def test_a_weak_answer_says_so(synced: Mem) -> None:
    answer = synced("search", "cats in ancient Egyptian temple rituals")
    assert answer.code == 0
    assert "warning: nothing here seems to answer this: the best match holds 1 of" in answer.err
    assert "animals.md" in answer.out
    weak = synced("search", "cats in ancient Egyptian temple rituals", "--json").json
    assert (weak["weak"], len(weak["results"])) == (True, 1)
    assert synced("search", "cats", "--json").json["weak"] is False


def test_explanations_of_fading(synced: Mem, folder: Path) -> None:
    old = folder / "docs" / "animals.md"
    os.utime(old, (946_684_800, 946_684_800))
    (folder / "constitution_config.json").write_text(
        '{"memory": {"search": {"time_decay": {"sources": ["file"]}}}}'
    )
    synced("sync", "docs")
    out = synced("search", "cats", "--explain").out
    assert ", by age x 0.300" in out


def test_explanations_of_the_form_of_a_question(synced: Mem, folder: Path) -> None:
    (folder / "docs" / "pets.md").write_text("# Why are cats kept?\n\nCats hunt mice.\n")
    synced("sync", "docs")
    out = synced("search", "why are cats kept", "--explain").out
    assert out.count(", no question x 0.92") == 1


def test_no_match(synced: Mem) -> None:
    answer = synced("search", "xylophone", "--mode", "keyword")
    assert (answer.code, answer.out) == (0, "")
    said = answer.err.splitlines()
    assert said[0] == "no match"
    assert said[1] == "hint: try other words, or see what is indexed: mem files"
    assert synced("search", "xylophone", "--mode", "keyword", "--json").json["results"] == []


def test_no_match_in_a_narrow_scope(synced: Mem) -> None:
    answer = synced("search", "cats", "--path", "void", "--tag", "x", "--since", "1d")
    assert "hint: ask without --path, --since, --tag, or see" in answer.err


def test_no_match_in_an_empty_database(mem: Mem, folder: Path) -> None:
    (folder / "void").mkdir()
    mem("sync", "void")
    assert "hint: nothing is indexed yet: mem sync PATH" in mem("search", "cats").err


def test_nothing_to_look_for(synced: Mem) -> None:
    answer = synced("search", "?!")
    assert answer.code == 0
    assert "warning: the query has no searchable word" in answer.err


def test_no_database(mem: Mem, folder: Path) -> None:
    for command in (["search", "x"], ["show", "x"], ["status"], ["files"], ["sync"]):
        answer = mem(*command, "--db", "none.db")
        assert (answer.code, answer.out) == (4, "")
        assert answer.err == (
            f"mem: there is no database at {folder}/none.db\nhint: make one: mem sync PATH\n"
        )
    assert not (folder / "none.db").exists()


def test_what_is_behind_is_said(synced: Mem, folder: Path) -> None:
    docs = folder / "docs"
    (docs / "broken.md").write_bytes("größe".encode("utf-16-le") + b"\xff")
    (docs / "bad\udcff.md").write_text("x")
    synced("sync")
    answer = synced("search", "cats")
    assert "; 1 file failed: mem files --failed" in answer.err


def test_long_lines_fit_the_terminal(synced: Mem, folder: Path) -> None:
    (folder / "docs" / "long.md").write_text("badger " * 100)
    synced("sync")
    answer = shell("search", "badger", cwd=folder, COLUMNS="40")
    assert max(map(len, answer.out.splitlines())) <= 40
    assert shell("search", "badger", cwd=folder, COLUMNS="3").code == 0
    assert shell("search", "badger", cwd=folder, COLUMNS="wide").code == 0


def test_files_cannot_command_the_terminal(mem: Mem, folder: Path) -> None:
    docs = folder / "docs"
    (docs / "evil\n\x1b[2J.md").write_text("badger \x1b]0;owned\x07 text\n")
    mem("sync", "docs")
    for command in (["search", "badger"], ["files"], ["show", str(docs / "evil\n\x1b[2J.md")]):
        answer = mem(*command)
        assert answer.code == 0
        assert not set("\x1b\x07") & set(answer.out + answer.err)
    assert "docs/evil\\n\\x1b[2J.md" in mem("search", "badger").out


def test_show_numbers_the_lines(synced: Mem) -> None:
    answer = synced("show", "docs/setup.md:9-10")
    assert answer.code == 0
    assert answer.out == (
        " 9\n10  Set max_results to 20. The function getUserById returns a user.\n"
    )
    assert answer.err == ""


def test_show_whole_files_and_texts(synced: Mem) -> None:
    whole = synced("show", "docs/setup.md")
    assert [line[4:] for line in whole.out.splitlines()] == SETUP.splitlines()
    ingested = synced("ingest", "--text", "One.\nTwo.").out
    citation = ingested.partition("  ")[0]
    assert synced("show", citation).out == "1  One.\n2  Two.\n"
    assert synced("show", *citation.split()).out == "1  One.\n2  Two.\n"
    assert synced("show", citation.split()[1]).code == 0


def test_show_as_json(synced: Mem) -> None:
    shown = synced("show", "docs/setup.md:3", "--json").json
    assert (shown["text"], shown["start_line"], shown["end_line"]) == ("## Install", 3, 3)
    assert (shown["total_lines"], shown["stale"]) == (10, False)
    assert shown["citation"] == "docs/setup.md:3"


def test_show_what_search_printed(synced: Mem) -> None:
    place = synced("search", "cats").out.split()[1]
    assert synced("show", place).out == "1  Cats and dogs share a house by the river.\n"


def test_show_takes_a_name_as_it_was_printed(mem: Mem, folder: Path) -> None:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / "a\nb\x1b\u202e.md").write_text("An okapi sleeps.\n")
    mem("sync", "docs")
    place = mem("search", "okapi").out.split()[1]
    assert place == "docs/a\\nb\\x1b\\u202e.md:1"
    assert mem("show", place).out == "1  An okapi sleeps.\n"
    assert mem("show", place.replace("x1b", "x00").replace("u202e", "udcff")).code == 4


def test_show_says_why_there_is_nothing(synced: Mem, folder: Path) -> None:
    (folder / "docs" / "zero.md").write_bytes(b"\0" * 9)
    synced("sync")
    answer = synced("show", "docs/zero.md")
    assert (answer.code, answer.out) == (4, "")
    assert f"{folder}/docs/zero.md is not indexed: binary" in answer.err


def test_show_says_what_is_stale(synced: Mem, folder: Path) -> None:
    animals = folder / "docs" / "animals.md"
    animals.write_text("Nobody lives here now.\n")
    changed = synced("show", "docs/animals.md")
    assert "Cats and dogs" in changed.out
    assert changed.err == ("warning: docs/animals.md has changed since it was indexed: mem sync\n")
    animals.unlink()
    assert "docs/animals.md is gone since" in synced("show", "docs/animals.md").err


@pytest.mark.parametrize(
    "citation, code, message",
    [
        ("docs/nothing.md:3", 4, "nothing indexed is called 'docs/nothing.md:3'"),
        ("docs/setup.md:30-40", 2, "line 30 is past the end"),
        ("docs/setup.md:0", 2, "lines 0-0 are not a valid range"),
        ("docs/setup.md:5-2", 2, "lines 5-2 are not a valid range"),
    ],
)
def test_show_what_is_not_there(synced: Mem, citation: str, code: int, message: str) -> None:
    answer = synced("show", citation)
    assert (answer.code, answer.out) == (code, "")
    assert message in answer.err


def test_show_expands_tabs_and_drops_carriage_returns(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "dos.md").write_bytes(b"one\ttwo\r\nthree\r\n")
    mem("sync", "docs")
    assert mem("show", "docs/dos.md").out == "1  one two\n2  three\n"


def test_show_several_citations_and_patterns(synced: Mem) -> None:
    several = synced("show", "docs/setup.md:3", "docs/animals.md", "text nothing")
    assert several.code == 0
    assert several.out == (
        "docs/setup.md:3\n3  ## Install\n\n"
        "docs/animals.md:1\n1  Cats and dogs share a house by the river.\n"
    )
    missing = "text nothing cannot be shown: nothing indexed is called 'text nothing'"
    assert several.err == f"warning: {missing}\n"
    everything = synced("show", "docs/*.md").out.splitlines()
    assert [line for line in everything if line.startswith("docs/")] == [
        "docs/animals.md:1",
        "docs/setup.md:1-10",
    ]
    nothing = synced("show", "docs/*.rs", "docs/gone.md")
    assert (nothing.code, nothing.out) == (4, "")
    assert "no indexed file matches 'docs/*.rs'" in nothing.err


def test_show_within_a_budget_of_bytes(synced: Mem) -> None:
    cut = synced("show", "docs/setup.md:3-10", "docs/animals.md", "--max-bytes", "45")
    assert cut.out == ("docs/setup.md:3-5\n3  ## Install\n4\n5  Run the installer and wait.\n")
    assert cut.err.splitlines() == [
        "warning: left out for want of bytes: docs/setup.md:6-10",
        "warning: left out for want of bytes: docs/animals.md",
    ]
    told = synced("show", "docs/setup.md", "--max-bytes", "9", "--json").json
    assert [one["next"] for one in told["records"]] == ["docs/setup.md:3-10"]
    assert told["size_bytes"] == len(told["records"][0]["text"].encode()) <= 9
    assert synced("show", "docs/setup.md", "--max-bytes", "1").out == ""


def test_show_lines_around_the_cited_ones(synced: Mem) -> None:
    assert synced("show", "docs/setup.md:5", "--context", "1").out == (
        "4\n5  Run the installer and wait.\n6  It takes a minute.\n"
    )
    assert synced("show", "docs/setup.md:5", "-C", "99").out == synced("show", "docs/setup.md").out
    both = synced("show", "docs/setup.md:3", "docs/animals.md:1", "-C", "1").out
    assert both.splitlines()[0] == "docs/setup.md:2-4"


def test_the_confidence_in_a_hit_does_not_depend_on_the_number_of_results(
    mem: Mem, folder: Path
) -> None:
    for name in ("one", "two", "three"):
        (folder / "docs" / f"{name}.md").write_text(f"The badger of burrow {name} sleeps.\n")
    mem("sync", "docs")
    words = [
        mem("search", "badger burrow sleeps", "-k", str(number), "--json").json["results"]
        for number in (1, 2, 3)
    ]
    assert [len(hits) for hits in words] == [1, 2, 3]
    assert {hits[0]["confidence"] for hits in words} == {"fair"}
