"""Questions that name a definition: the definition is first, its uses after it."""

import pytest

from search import HybridSearch, SearchOptions, analyse
from search.identifiers.definitions import named_definitions

OPTIONS = SearchOptions(mode="keyword", explain=True)


@pytest.fixture
def code(index):
    """Definitions with few words, and uses with many."""
    for path, text, *defines in (
        ("/a/requests/sessions.py", "class Session: get", "Session"),
        ("/a/requests/sessions.py", "def request(self): send", "Session.request"),
        ("/a/requests/adapters.py", "class HTTPAdapter", "HTTPAdapter"),
        ("/a/requests/adapters.py", "def send(self, x): pass", "HTTPAdapter.send"),
        ("/a/requests/__init__.py", "from sessions import Session"),
        ("/a/rich/pretty.py", "import os"),
        ("/a/rich/pretty.py", "def pprint(thing): pass", "pprint", "_helper"),
        ("/a/guide.md", "Session.request Session.request HTTPAdapter.send rich.pretty.pprint"),
        ("/a/uses.py", "requests.Session().request HTTPAdapter HTTPAdapter rich.pretty pprint"),
    ):
        index.add(text, path=path, owner=path, defines=tuple(defines))
    return index


@pytest.mark.parametrize(
    "query, text",
    [
        ("Session.request", "def request(self): send"),
        ("how does Session.request work", "def request(self): send"),
        ("session.REQUEST", "def request(self): send"),
        ("Session::request", "def request(self): send"),
        ("requests.Session.request()", "def request(self): send"),
        ("requests.sessions.Session.request", "def request(self): send"),
        ("requests.Session", "class Session: get"),
        ("class Session", "class Session: get"),
        ("HTTPAdapter.send", "def send(self, x): pass"),
        ("requests.adapters.HTTPAdapter", "class HTTPAdapter"),
        ("class HTTPAdapter", "class HTTPAdapter"),
        ("rich.pretty.pprint", "def pprint(thing): pass"),
        ("from rich.pretty import pprint", "def pprint(thing): pass"),
        ("where is pprint defined?", "def pprint(thing): pass"),
        ("what does pprint() do with a long list", "def pprint(thing): pass"),
        ("rich.pretty", "import os"),
        ("import rich.pretty", "import os"),
        ("requests.adapters", "class HTTPAdapter"),
    ],
)
def test_the_definition_is_first(code, query, text):
    ranking = HybridSearch(code).search(query, OPTIONS)
    first = ranking.hits[0]
    assert first.row.text == text
    assert first.explanation is not None
    assert first.explanation.identifier_match == "definition"
    assert not ranking.weak
    assert not ranking.warnings


def test_uses_come_after_the_definition(code):
    hits = HybridSearch(code).search("HTTPAdapter.send", OPTIONS).hits
    assert [hit.row.path for hit in hits[:2]] == ["/a/requests/adapters.py", "/a/guide.md"]


@pytest.mark.parametrize(
    "query, names, is_alone",
    [
        ("Session.request", ("Session.request",), True),
        ("Session::request or Session::get", ("Session.request", "Session.get"), True),
        ("where is retry handled", (), False),
        ("class dismissed by the teacher", (), False),
        ("def send", ("send",), True),
        ("the send method", ("send",), True),
        ("is `send()` slow on old disks", ("send",), False),
        ("from a.b import c", ("a.b.c",), True),
        ("version 3.14.1 of README.md", ("README.md",), False),
    ],
)
def test_names_in_questions(query, names, is_alone):
    found = named_definitions(analyse(query))
    assert found.names == names
    assert found.is_alone == (is_alone or (not names and found.is_alone))


def test_a_name_of_many_definitions_is_not_lifted_among_other_words(index):
    for number in range(30):
        index.add("def __init__", path=f"/a/{number}.py", defines=(f"C{number}.__init__",))
    index.add("how __init__ is called: the order of construction", path="/a/guide.md")
    search = HybridSearch(index).search
    asked = search("what order of construction has __init__", OPTIONS).hits[0]
    assert asked.row.path == "/a/guide.md"
    assert search("C7.__init__", OPTIONS).hits[0].row.path == "/a/7.py"


def test_a_dotted_name_whose_parts_a_text_holds_is_found(index):
    index.add("The adapter: HTTPAdapter, whose send method raises nothing.", path="/a.md")
    ranking = HybridSearch(index).search("HTTPAdapter.send", OPTIONS)
    assert not ranking.weak
    assert HybridSearch(index).search("HTTPAdapter.receive_all", OPTIONS).weak


def test_names_in_turn_get_their_definitions_also_in_one_file(code):
    code.add("def send(other)", path="/b/adapters.py", owner="/b", defines=("HTTPAdapter.send",))
    asked = "HTTPAdapter.send or HTTPAdapter with Session.request"
    hits = HybridSearch(code).search(asked, OPTIONS).hits
    assert [hit.row.text for hit in hits[:3]] == [
        "def send(self, x): pass",
        "class HTTPAdapter",
        "def request(self): send",
    ]


def test_source_comes_before_its_reference(index):
    for path in ("/docs/api.rst", "/docs/api.txt", "/a/api.py"):
        index.add(f"parse is in {path}", path=path, owner=path, defines=("api.parse",))
    hits = HybridSearch(index).search("api.parse", OPTIONS).hits
    assert [hit.row.path for hit in hits] == ["/a/api.py", "/docs/api.rst", "/docs/api.txt"]
