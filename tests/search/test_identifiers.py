import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import (
    Level,
    identifier_field,
    identifiers_in,
    looks_like_identifier,
    match_level,
    split_identifier,
)
from search.identifiers.detection import LONGEST, is_distinctive, is_identifier
from search.identifiers.variants import compact_form, file_name

IDENTIFIERS = r"""
getUserById HybridSearch parseXML XMLParser HTTPServer toString SQLite JavaScript MicroRNA
user_id user_id_1 user_id_10 MAX_RESULTS __init__ _private snake_case_name größe_max имя_файла
os.path.join pathlib.Path memory.search.max_results server.port np.dot example.com Node.js
setup.py my-config.json README.md .gitignore .env.local archive.tar.gz main.c
src/app/main.py /etc/hosts ./run.sh ../lib/x.so ~/notes.txt docs/user_guide C:\Users\x
https://example.com/a/b git+ssh://host/repo
v2 v2.1 v2.1.0 1.2.3 1.2.3-rc1 2024.1.15 192.168.1.1 v1.0.0+build.5
3f2a9bc 9fceb02d0ae598e95dc970b74767f19372d61af8 DEADBEEF01 0x1F 0xdeadbeef
123e4567-e89b-12d3-a456-426614174000 F47AC10B-58CC-4372-A567-0E02B2C3D479
E1234 TS2304 ERR_CONN_REFUSED ORA-00942 CVE-2024-3094 HTTP404
ABC-123 PROJ-7 my-config-2 gpt-4 claude-3-haiku-20240307 p53 IL-6 sha256 utf-8 log4j i18n
user@example.com first.last+tag@mail.example.co.uk
--dry-run --max-results @dataclass @types/node $HOME std::vector Foo::bar::baz
"""

PROSE = """
the word Word WORDS state-of-the-art well-known up-to-date e.g i.e U.S a.m Ph.D M.Sc et.al
1990s 1990 42 3.14 2.5 1,000 10% 1st 2nd 3D 10am 5kg 100ms 16GB 20-year-old mid-1990s post-2008
under-18 page-3 and/or he/she input/output TCP/IP km/h 24/7 12/05/2024 10:30 1:2 don't it's
IDs URLs PhD APIs C++ C# -v -5 -- ... end... wait...what _emphasis_ *bold* 中国 naïve café
"""

DISTINCTIVE = """
getUserById HybridSearch toString parseXML XMLParser user_id src/main.py /tmp v2.1.0 1.2.3 E1234
TS2304 ABC-12 CVE-2024-3094 3f2a9bc a@b.org --dry-run std::vector os.path main.c setup.py
my-config-2 0xff
"""

UNITS = "_ a_ - a- a-1 . a. a.b 1. aB a1 / a/ :: a:: @ a@ v1. 1- 0a --a e1"

WORDS_TOO = "p53 IL-6 PD-1 CX3CR1 iTunes mRNAs python3 gpt-4 H2A.Z v2"


@pytest.mark.parametrize("name", IDENTIFIERS.split())
def test_identifiers_are_found_alone_and_amid_prose(name):
    assert identifiers_in(name) == (name,)
    assert identifiers_in(f"Where is {name}?") == (name,)
    assert identifiers_in(f"see ({name}), then stop.") == (name,)
    assert identifiers_in(f"It is `{name}`.") == (name,)
    assert identifiers_in(f"在「{name}」里") == (name,)


@pytest.mark.parametrize("word", PROSE.split())
def test_prose_is_not(word):
    assert identifiers_in(word) == ()
    assert identifiers_in(f"He said {word}, and left.") == ()
    assert identifiers_in(f"In the end {word}.") == ()


@pytest.mark.parametrize(
    "text,found",
    [
        ("call self.load_all(x, y=3)", ("self.load_all",)),
        ("在getUserById里", ("getUserById",)),
        ("a_b then a_b and c_d", ("a_b", "c_d")),
        ("LATS1/2 and UreD/UreH", ("LATS1", "UreD", "UreH")),
        ("the key 'max_tokens': 1", ("max_tokens",)),
        ("x" * (LONGEST + 1) + "_1", ()),
        ("[link](docs/user_guide.md)", ("docs/user_guide.md",)),
        ("", ()),
    ],
)
def test_identifiers_in_running_text(text, found):
    assert identifiers_in(text) == found


@given(st.text())
def test_any_text_can_be_read(text):
    found = identifiers_in(text)
    assert len(set(found)) == len(found)
    assert all(name in text for name in found)
    identifier_field(text, name=text)
    for name in found:
        assert match_level(name, text) >= Level.CASELESS


@pytest.mark.parametrize("unit", UNITS.split())
@pytest.mark.parametrize("tail", ["", "!", ".", "@", "/"])
def test_repetitions_are_read_in_reasonable_time(unit, tail):
    token = (unit * LONGEST)[: LONGEST - 1] + tail  # a pattern that backtracks would not return
    assert is_identifier(token) in (True, False)
    assert match_level(token[:30], token * 10) in Level


@pytest.mark.parametrize(
    "identifier,parts",
    [
        ("getUserById", "get user by id"),
        ("get_user_by_id", "get user by id"),
        ("HTTPServer", "http server"),
        ("parseXMLFile", "parse xml file"),
        ("IDs", "i ds"),
        ("MAX_RESULTS", "max results"),
        ("user_id_10", "user id 10"),
        ("sha256sum", "sha 256 sum"),
        ("docs/user-guide.md", "docs user guide md"),
        ("v2.1.0", "v 2 1 0"),
        ("größeMax", "größe max"),
        ("---", ""),
    ],
)
def test_parts(identifier, parts):
    assert split_identifier(identifier) == tuple(parts.split())


def test_two_spellings_are_one_word_of_the_index():
    assert (
        compact_form("getUserById")
        == compact_form("get_user_by_id")
        == compact_form("GET-USER-BY-ID")
    )
    assert compact_form("user_id_1") != compact_form("user_id_10")
    assert [file_name(p) for p in ("a/b.c", "a\\b.c", "b.c", "a/")] == ["b.c", "b.c", "b.c", ""]


@pytest.mark.parametrize(
    "text,words",
    [
        ("plain words only", ""),
        ("call getUserById", "getuserbyid get user by id"),
        ("call get_user_by_id", "getuserbyid"),
        ("self.user_id_1", "selfuserid1 userid1"),
        ("src/app/userService.py", "srcappuserservicepy userservice user service userservicepy"),
        ("p53 and IL-6", "il6"),
        ("os.path.join", "ospathjoin"),
    ],
)
def test_the_column_of_identifiers(text, words):
    assert set(identifier_field(text).split()) == set(words.split())


def test_a_file_is_found_by_its_name_whole_and_in_parts():
    words = identifier_field("no identifiers", name="Quarterly-Report2024.pdf").split()
    assert {"quarterlyreport2024pdf", "quarterly", "report", "pdf"} <= set(words)
    assert identifier_field("", name="Makefile").split() == ["makefile"]


@pytest.mark.parametrize(
    "identifier,text,level",
    [
        ("user_id_1", "set user_id_1 = 3", "EXACT"),
        ("user_id_1", "self.user_id_1.save()", "EXACT"),
        ("user_id_1", "set user_id_10 = 3", "NONE"),
        ("user_id_1", "set my_user_id_1 = 3", "PART"),
        ("user_id_1", "user_id_10 and user_id_1", "EXACT"),
        ("user_id", "user_id_10", "PART"),
        ("user_id", "USER_ID", "CASELESS"),
        ("user_id", "userId", "SPELLING"),
        ("user_id", "user id", "NONE"),
        ("getUserById", "get_user_by_id()", "SPELLING"),
        ("getUserById", "GetUserById", "CASELESS"),
        ("getUserById", "getuserbyid", "PART"),
        ("getUserById", "get-user-by-id", "SPELLING"),
        ("getUserById", "get-user-by-id-now", "PART"),
        ("os.path", "os-path", "NONE"),
        ("--dry-run", "--DRY-RUN", "CASELESS"),
        ("--dry-run", "dry_run", "SPELLING"),
        ("getUserById", "forgetUserById", "NONE"),
        ("getUserById", "getUserByIdentity", "NONE"),
        ("getUserById", "tryGetUserByIdNow", "PART"),
        ("HTTPServer", "MyHTTPServerFactory", "PART"),
        ("ABC-12", "ABC-123", "NONE"),
        ("ABC-123", "see ABC-123.", "EXACT"),
        ("ABC-123", "see XABC-123", "NONE"),
        ("ABC-123", "see abc-123", "CASELESS"),
        ("ABC-123", "ABC-123-4", "PART"),
        ("1.2.3", "version 1.2.3.", "EXACT"),
        ("1.2.3", "version 1.2.3.4", "PART"),
        ("1.2.3", "version 11.2.3", "NONE"),
        ("1.2.3", "version v1.2.3", "PART"),
        ("v2", "v2.1", "EXACT"),
        ("main.py", "src/main.py", "EXACT"),
        ("main.py", "domain.py", "NONE"),
        ("main.py", "main.pyc", "NONE"),
        ("main.py", "main.py.bak", "PART"),
        ("config.json", "my-config.json", "EXACT"),
        ("app/main.py", "/srv/app/main.py", "EXACT"),
        ("src/app", "src/app/main.py", "PART"),
        ("os.path", "os.path.join", "PART"),
        ("os.path", "os.path()", "EXACT"),
        ("a@b.org", "mail a@b.org.", "EXACT"),
        ("a@b.org", "mail c.a@b.org", "PART"),
        ("--dry-run", "use --dry-run now", "EXACT"),
        ("--dry-run", "use --dry-run-all", "PART"),
        ("std::vector", "std::vector<int>", "EXACT"),
        ("/etc/hosts", "cat /etc/hosts", "EXACT"),
        ("3f2a9bc", "commit 3f2a9bc", "EXACT"),
        ("3f2a9bc", "commit 3f2a9bc0d4e5f60718293a4b5c6d7e8f90123456", "PART"),
        ("3f2a9bc", "commit a3f2a9bc", "NONE"),
        ("::", "std", "NONE"),
        ("", "anything", "NONE"),
        ("x_y", "", "NONE"),
    ],
)
def test_match_levels(identifier, text, level):
    assert match_level(identifier, text).name == level


@pytest.mark.parametrize("name", DISTINCTIVE.split())
def test_distinctive(name):
    assert is_distinctive(name)


@pytest.mark.parametrize("name", WORDS_TOO.split())
def test_words_as_well_as_names(name):
    assert not is_distinctive(name)


@pytest.mark.parametrize(
    "query,answer",
    [
        ("tbl_orders_001", True),
        ("my-config.json", True),
        ("getUserById", True),
        ("state-of-the-art", True),
        ("in the 1990s", True),
        ("user123", True),
        ("123user", True),
        ("notes.md", True),
        ("a" * 20, True),
        ("what is X?", False),
        ("my-config", False),
        ("How do I configure SSL?", False),
        ("", False),
    ],
)
def test_the_detector_of_sem_mem(query, answer):
    assert looks_like_identifier(query) is answer


@pytest.mark.parametrize(
    "text, names",
    [
        ("set network-linker-removed to 1", ("network-linker-removed",)),
        ("the x-request-id header", ("x-request-id",)),
        ("a well-known, state-of-the-art, end-to-end test", ()),
        ("step-by-step, day-to-day, one-size-fits-all", ()),
        ("Mother-in-law and New-York-style", ()),
    ],
    ids=["three words", "one letter", "adjectives", "more adjectives", "capitals"],
)
def test_names_in_kebab_case_have_three_words(text, names):
    assert identifiers_in(text) == names
