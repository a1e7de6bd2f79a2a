import math
from dataclasses import replace
from pathlib import Path

import pytest

from contracts import InputError, Scope
from search import SOURCE_NAMES, SearchOptions, parse_sources


def test_the_defaults_are_the_published_ones():
    options = SearchOptions()
    assert (options.mode, options.max_results, options.min_score) == ("hybrid", 10, 0.3)
    assert options.fusion == "convex"
    assert options.given_weight is None


@pytest.mark.parametrize(
    "vector,keyword,weight",
    [
        (None, None, None),
        (0.7, 0.3, 0.7),
        (7, 1, 0.875),
        (0.4, None, 0.4),
        (None, 0.4, 0.6),
        (0, 1, 0),
        (1, 0, 1),
    ],
)
def test_given_weights_are_made_to_sum_to_one(vector, keyword, weight):
    options = SearchOptions(vector_weight=vector, keyword_weight=keyword)
    assert options.given_weight == (weight if weight is None else pytest.approx(weight))


@pytest.mark.parametrize(
    "values,message",
    [
        ({"mode": "hybird"}, r"mode is 'hybird' \(did you mean 'hybrid'"),
        ({"mode": "fts"}, "there are: hybrid, keyword, vector"),
        ({"mode": None}, "mode is None"),
        ({"fusion": "rff"}, "did you mean 'rrf'"),
        ({"rerank_candidates": 201}, "rerank_candidates is 201 .*whole number from 1 to 200"),
        ({"rerank_deadline_ms": 1}, "rerank_deadline_ms is 1 .*from 10 to 600000"),
        ({"scope": None}, r"the scope is None .*Scope\(\)"),
        ({"scope": {"paths": ["/a"]}}, "the scope is {'paths'"),
        ({"scope": Scope(paths="/a")}, "the scope's paths are '/a' .*tuple"),  # type: ignore[arg-type]
        ({"scope": Scope(tags=None)}, "the scope's tags are None"),  # type: ignore[arg-type]
        ({"scope": Scope(globs=(1,))}, r"the scope's globs are \(1,\)"),  # type: ignore[arg-type]
        ({"scope": Scope(paths=("",))}, "one of the scope's paths is empty"),
        ({"scope": Scope(globs=("*.md", " "))}, "one of the scope's globs is empty"),
        ({"scope": Scope(within=("",))}, "one of the scope's within is empty"),
        ({"scope": Scope(sources=("files",))}, "the source is 'files' .*did you mean 'file'"),
        ({"scope": Scope(session_id=1)}, "the scope's session_id is 1"),  # type: ignore[arg-type]
        ({"scope": Scope(since=0)}, "the scope's since is 0"),  # type: ignore[arg-type]
        ({"explain": "yes"}, "explain is 'yes' .*give a bool"),
        ({"all_chunks": 1}, "all_chunks is 1"),
        ({"rerank": None}, "rerank is None"),
        ({"decay": None}, "decay is None .*give a TimeDecay"),
        ({"now": "2026"}, "now is '2026' .*give a datetime or NoneType"),
        ({"max_results": None}, "max_results is None"),
        ({"min_score": None}, "min_score is None"),
        ({"max_results": 0}, "max_results is 0 .*whole number from 1 to 1000"),
        ({"max_results": 1001}, "max_results is 1001"),
        ({"max_results": 2.5}, "max_results is 2.5"),
        ({"max_results": 10.0}, "max_results is 10.0 .*whole number"),
        ({"max_results": True}, "max_results is True"),
        ({"max_results": "5"}, "max_results is '5'"),
        ({"min_score": -0.1}, "min_score is -0.1 .*from 0 to 1"),
        ({"min_score": 1.1}, "min_score is 1.1"),
        ({"min_score": math.nan}, "min_score is nan"),
        ({"fold": "shingle"}, "the fold is 'shingle' .*did you mean 'shingles'"),
        ({"mmr_lambda": 1.5}, "mmr_lambda is 1.5 .*from 0 to 1"),
        ({"neighbours": -1}, "neighbours is -1 .*whole number from 0 to 10"),
        ({"neighbours": 11}, "neighbours is 11"),
        ({"neighbours": 1.5}, "neighbours is 1.5"),
        ({"vector_weight": -1}, "vector_weight is -1"),
        ({"keyword_weight": math.inf}, "keyword_weight is inf"),
        ({"vector_weight": 10**400}, "vector_weight is 1000"),
        ({"vector_weight": 1.5}, "vector_weight is 1.5, keyword_weight None"),
        ({"keyword_weight": 1.5}, "keyword_weight 1.5"),
        ({"vector_weight": 0, "keyword_weight": 0}, "both and not both 0"),
    ],
)
def test_values_that_cannot_be_used(values, message):
    with pytest.raises(InputError, match=message):
        SearchOptions(**values)


@pytest.mark.parametrize(
    "entries,scope",
    [
        ([], Scope()),
        (["turn", "memory", "turn"], Scope(sources=("turn", "memory"))),
        ([" file "], Scope(sources=("file",))),
        ([".md"], Scope(globs=("*.md",))),
        (["md"], Scope(globs=("*.md",))),
        (["*.md"], Scope(globs=("*.md",))),
        (["docs/"], Scope(paths=("{cwd}/docs",))),
        (["docs"], Scope(paths=("{cwd}/docs",), globs=("*.docs",))),
        (["./text"], Scope(paths=("{cwd}/text",))),
        (["text/"], Scope(paths=("{cwd}/text",))),
        (["text"], Scope(sources=("text",))),
        (["./files"], Scope(paths=("{cwd}/files",))),
        (["docs/../other/a.md"], Scope(paths=("{cwd}/other/a.md",))),
        (["/srv/notes/"], Scope(paths=("/srv/notes",))),
        (["."], Scope(paths=("{cwd}",))),
        (["setup.py"], Scope(globs=("*/setup.py",))),
        (["report-?.txt"], Scope(globs=("*/report-?.txt",))),
        (["docs/*.py"], Scope(globs=("{cwd}/docs/*.py",))),
        (["./docs/[ab]*"], Scope(globs=("{cwd}/docs/[ab]*",))),
        (["/srv/*.py"], Scope(globs=("/srv/*.py",))),
        (["*/src/*.py"], Scope(globs=("*/src/*.py",))),
        (
            ["file", ".md", "docs/", "*.py", "./text"],
            Scope(sources=("file",), paths=("{cwd}/docs", "{cwd}/text"), globs=("*.md", "*.py")),
        ),
    ],
)
def test_sources_as_users_write_them(entries, scope, tmp_path):
    (tmp_path / "docs").mkdir()
    cwd = str(tmp_path.resolve())
    parsed = parse_sources(entries, cwd=tmp_path)
    assert parsed == Scope(
        sources=scope.sources,
        paths=tuple(path.format(cwd=cwd) for path in scope.paths),
        globs=tuple(pattern.format(cwd=cwd) for pattern in scope.globs),
    )


def test_the_home_folder_and_links_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert parse_sources(["link/"], cwd=tmp_path).paths == (str((tmp_path / "real").resolve()),)
    assert parse_sources(["~/notes"], cwd=tmp_path).paths == (str(Path.home().resolve() / "notes"),)


def test_a_folder_with_the_characters_of_patterns_is_taken_literally(tmp_path):
    odd = tmp_path / "a[b]*"
    odd.mkdir()
    (pattern,) = parse_sources(["x/*.py"], cwd=odd).globs
    assert pattern == f"{tmp_path.resolve()}/a[[]b][*]/x/*.py"


@pytest.mark.parametrize("name", SOURCE_NAMES)
def test_every_source_is_known(name, tmp_path):
    assert parse_sources([name], cwd=tmp_path) == Scope(sources=(name,))


@pytest.mark.parametrize(
    "entries,message",
    [
        ([""], "a source is ''"),
        (["  "], "name a source, a folder"),
        (["a\0b"], "a source is"),
        (["turns"], "no source 'turns' .*the source is 'turn'; the folder is './turns'"),
        (["memories"], "the source is 'memory'"),
        (["turn", "docs/"], "choose among files, and the sources are turn"),
        (["turn", ".md"], "add 'file' to the sources"),
        (["~nobody-of-this-name/x"], "not a usable path"),
        (["x" * 5000], "not a usable path"),
    ],
)
def test_sources_that_cannot_be_used(entries, message, tmp_path):
    with pytest.raises(InputError, match=message):
        parse_sources(entries, cwd=tmp_path)


def test_sources_are_those_of_the_other_doors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for entries in (["file", "docs/", "*.md"], ["turn", "memory"], [".py"], []):
        options = SearchOptions(sources=entries, max_results=3)
        assert options.scope == parse_sources(entries, cwd=tmp_path)
        assert options == SearchOptions(scope=options.scope, max_results=3)
    beside = SearchOptions(scope=Scope(session_id="s1", tags=("a",)), sources=["turn"])
    assert beside.scope == Scope(sources=("turn",), session_id="s1", tags=("a",))


def test_changed_options_keep_their_sources(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = SearchOptions(sources=["docs/"])
    monkeypatch.chdir("/")
    assert replace(options, max_results=2).scope.paths == (str(tmp_path.resolve() / "docs"),)


@pytest.mark.parametrize(
    "sources,message",
    [
        ("docs", "the sources are 'docs' .*list of texts"),
        ({"docs": 1}, "the sources are {'docs'"),
        (5, "the sources are 5"),
        ([5], "a source is 5"),
        ([None], "a source is None"),
        ([b"docs"], "a source is b'docs'"),
        ([""], "a source is ''"),
        (["turns"], "no source 'turns'"),
        (["turn", "docs/"], "choose among files"),
    ],
)
def test_sources_of_options_that_cannot_be_used(sources, message):
    with pytest.raises(InputError, match=message):
        SearchOptions(sources=sources)


def test_sources_do_not_widen_a_scope():
    with pytest.raises(InputError, match=r"both the sources .* and a scope"):
        SearchOptions(scope=Scope(paths=("/a",)), sources=["/b/"])
