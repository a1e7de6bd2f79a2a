"""Files that weigh less: by which rules, and for which questions not."""

import pytest

from contracts import InputError
from search import HybridSearch, SearchOptions
from search.ranking.file_weight import FILE_RULES, LOWERED, FileWeights

ALL = FileWeights(FILE_RULES, ())


@pytest.mark.parametrize(
    "rule, paths",
    [
        ("tests", "/a/tests/x.py /a/test/js/x.ts /a/src/test_x.py /a/x_test.go /a/x.spec.tsx"),
        ("tests", "/a/conftest.py C:\\a\\Tests\\x.cs /a/spec/x_spec.rb /a/src/FooTest.java"),
        ("vendored", "/a/vendor/x.go /a/node_modules/b/README.md /a/pip/_vendor/x.py"),
        ("generated", "/a/x_pb2.py /a/x.pb.go /a/__generated__/x.ts /a/x.g.dart"),
        ("minified", "/a/jquery.min.js /a/app.bundle.js /a/x.css.map"),
        ("source_pages", "/docs/_modules/requests/api.html"),
        ("source_pages", "/docs/_sources/api.rst.txt"),
        ("generated", "/docs/genindex-A.html"),
        ("generated", "/site/searchindex.js"),
        ("lock_files", "/a/Cargo.lock /a/package-lock.json /a/go.sum /a/poetry.lock"),
        (None, "/a/src/x.py /a/latest.py /a/contest.go /a/testing.py /a/protest.md /a/x.js"),
        (None, "/a/tests/README.md /a/tests/plan.docx /a/block.md /a/min.js /a/modules/x.html"),
    ],
)
def test_rules(rule, paths):
    for path in paths.split():
        assert ALL.rule(path) == rule, path
        assert ALL(path) == (1.0 if rule is None else LOWERED)


def test_what_is_no_file_weighs_as_much_as_others():
    assert ALL(None) == ALL("") == 1.0


@pytest.mark.parametrize(
    "words, path",
    [
        (["Tests", "redirects"], "/a/tests/x.py"),
        (["spec"], "/a/x.spec.ts"),
        (["lockfile"], "/a/uv.lock"),
        (["vendored"], "/a/vendor/x.go"),
        (["generated"], "/a/x_pb2.py"),
    ],
)
def test_a_question_that_asks_for_them(words, path):
    assert ALL(path) == LOWERED
    assert FileWeights(FILE_RULES, words)(path) == 1.0


def test_rules_that_are_left_out_do_not_apply():
    weights = FileWeights(("vendored",), ())
    assert weights("/a/tests/x.py") == 1.0
    assert weights("/a/vendor/tests/x.py") == LOWERED
    with pytest.raises(InputError, match="the kind of files is 'test'"):
        SearchOptions(lowered_files=("test",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="lowered_files is 'tests'"):
        SearchOptions(lowered_files="tests")  # type: ignore[arg-type]


@pytest.fixture
def retry(index):
    index.add("retry handled: retry the retry", path="/a/tests/test_retry.py")
    index.add("retry is handled by the adapter, which counts", path="/a/src/adapter.py")
    return HybridSearch(index)


def test_the_source_is_before_its_tests(retry):
    options = SearchOptions(mode="keyword", explain=True)
    source, test = retry.search("where is retry handled", options).hits
    assert (source.row.path, test.row.path) == ("/a/src/adapter.py", "/a/tests/test_retry.py")
    assert source.score > test.score
    why = test.explanation
    assert (why.file_rule, why.file_weight, why.decay) == ("tests", LOWERED, 1.0)
    assert test.score == pytest.approx(why.fused * LOWERED)
    for asked in ("where do tests handle retry", "retry handled in the spec"):
        assert "tests" in retry.search(asked, options).hits[0].row.path
    assert (
        "tests"
        in retry.search("where is retry handled", SearchOptions(mode="keyword", lowered_files=()))
        .hits[0]
        .row.path
    )


def test_a_use_in_a_test_is_after_other_uses(index):
    index.add("open_pool open_pool", path="/a/tests/test_pool.py", vector=(1, 0))
    index.add("open_pool among others words that are many", path="/a/src/pool.py", vector=(0, 1))
    hits = HybridSearch(index).search("open_pool", SearchOptions(mode="keyword")).hits
    assert [hit.row.path for hit in hits] == ["/a/src/pool.py", "/a/tests/test_pool.py"]
