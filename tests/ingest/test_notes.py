"""Properties of notes: front matter, tags, links and dates, whatever the text is."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import link_name, load_bytes, path_names, reloaded, time_of_note
from ingest.loaders import LoadedText
from ingest.loaders.layout import layout_of, note_in
from ingest.loaders.notes.values import NoteProperties


def note(text: str) -> NoteProperties:
    loaded = load_bytes(text.encode(), "a.md")
    assert isinstance(loaded, LoadedText)
    assert loaded.text == text
    return loaded.note or NoteProperties()


@pytest.mark.parametrize(
    "text, metadata, tags",
    [
        pytest.param(
            "---\ntitle: Sourdough\naliases: [levain, wild yeast]\ntags: [bread, a/b]\n"
            "date: 2024-05-06\ndraft: true\nweight: 3\ncountry: no\n---\nx\n",
            {
                "title": "Sourdough",
                "aliases": ["levain", "wild yeast"],
                "date": "2024-05-06",
                "draft": True,
                "weight": 3,
                "country": "no",
            },
            ("bread", "a/b", "a"),
            id="yaml",
        ),
        pytest.param(
            "---\r\ntitle: 'A: b'\r\ntags: red, blue green\r\nalias: one, two\r\n---\r\nx",
            {"title": "A: b", "aliases": ["one", "two"]},
            ("red", "blue green"),
            id="yaml with carriage returns and lists as text",
        ),
        pytest.param(
            "---\ntags:\n  - '#x'\n  - y z\ncreated: 2024-05-06T07:08:09+02:00\n---\n",
            {"created": "2024-05-06T07:08:09+02:00"},
            ("x", "y z"),
            id="yaml with a list in lines",
        ),
        pytest.param(
            '+++\ntitle = "Ovens"\ndate = 2024-05-06T07:08:09Z\ntags = ["fire"]\n'
            '[params]\nauthor = "Ana"\n+++\nx\n',
            {
                "title": "Ovens",
                "date": "2024-05-06T07:08:09+00:00",
                "params": {"author": "Ana"},
            },
            ("fire",),
            id="toml",
        ),
        pytest.param(
            "title:: Garden\nalias:: [[Yard]], plot\ntags:: [[green]], soil\n\n- a block\n",
            {"title": "Garden", "aliases": ["Yard", "plot"]},
            ("green", "soil"),
            id="properties of a page",
        ),
        pytest.param("---\nagent: evil\nimported: x\n---\nx", {}, (), id="reserved keys"),
        pytest.param("Not front matter\n---\nkey: value\n---\n", {}, (), id="no front matter"),
        pytest.param("---\nA ruler, and words\n\n---\n", {}, (), id="a ruler"),
    ],
)
def test_front_matter(text: str, metadata: dict[str, Any], tags: tuple[str, ...]) -> None:
    found = note(text)
    assert (dict(found.metadata), found.tags, found.warnings) == (metadata, tags, ())


BOMB = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 30))


@pytest.mark.parametrize(
    "matter, reason",
    [
        pytest.param("a: [1, 2\nb: 3\n", "line", id="malformed"),
        pytest.param("l0: &l0 lol\n" + BOMB, "alias", id="alias bomb"),
        pytest.param("a: &x 1\nb: *x\n", "alias", id="one alias"),
        pytest.param("title: a\nother: b\ntitle: c\n", "occurs twice, again in line 4", id="twice"),
        pytest.param("a: " + "[" * 50 + "]" * 50 + "\n", "nested", id="deep"),
        pytest.param("a: [" + "1, " * 5000 + "1]\n", "more than 2,000 values", id="many"),
        pytest.param("? [a, b]\n: 1\nc: d\n", "", id="a key that is a list"),
        pytest.param("a: b\n" + "c" * 40_000 + "\n", "32 KiB", id="too long"),
        pytest.param("date: 2026-02-31\n", "its date is not a date", id="impossible date"),
        pytest.param("created: soon\n", "its created is not a date", id="no date"),
        pytest.param("a: !!python/object/apply:os.getpid []\nb: [\n", "", id="tag and malformed"),
    ],
)
def test_bad_front_matter_is_text_with_a_warning(matter: str, reason: str) -> None:
    found = note(f"---\n{matter}---\nwords #kept\n")
    if not matter.startswith("?"):
        (warning,) = found.warnings
        assert reason in warning
    assert found.tags == ("kept",)
    assert not found.metadata


def test_a_yaml_tag_makes_no_object() -> None:
    found = note("---\nx: !!python/object/apply:os.getpid []\n---\n")
    assert dict(found.metadata) == {"x": []}


@pytest.mark.parametrize("matter", ["a = [1\n", "a = 1\na = 2\n", "a = " + "[" * 3000 + "\n"])
def test_bad_toml_is_text_with_a_warning(matter: str) -> None:
    (warning,) = note(f"+++\n{matter}+++\nwords\n").warnings
    assert "TOML" in warning


def test_tags_and_links_outside_code() -> None:
    text = (
        "Intro #one and (#two/three). No: a#b, #1234, \\#no, # no\n"
        "[[Target|shown words]] ![[Picture.png]] [[Folder/Note#Part]]\n"
        '[path](sub/a%20b.md) [titled](c.md "T") [angled](<d e.md>) [web](https://x.org/#y)\n'
        '[ref]({{< ref "posts/hello.md" >}}) #[[long tag]] `#code [[code]]` \n'
        "```python\n#comment [[no]]\n```\n#last\n"
    )
    found = note(text)
    assert found.tags == ("one", "two/three", "two", "long tag", "last")
    assert [(link.target, link.words, link.line, link.name) for link in found.links] == [
        ("Target", "shown words", 2, "target"),
        ("Picture.png", "Picture.png", 2, "picture.png"),
        ("Folder/Note#Part", "Note", 2, "note"),
        ("sub/a b.md", "path", 3, "a b"),
        ("c.md", "titled", 3, "c"),
        ("d e.md", "angled", 3, "d e"),
        ("posts/hello.md", "ref", 4, "hello"),
    ]


@pytest.mark.parametrize(
    "path, date, expected",
    [
        ("/v/2026-03-04.md", None, "2026-03-04 00:00"),
        ("/v/2026_03_04.md", None, "2026-03-04 00:00"),
        ("/v/20260304.md", None, "2026-03-04 00:00"),
        ("/v/2026-03-04-a-post.md", None, "2026-03-04 00:00"),
        ("/v/202603041230 Ovens.md", None, "2026-03-04 12:30"),
        ("/v/20260304123059.md", None, "2026-03-04 12:30"),
        ("/v/2026-03-04.md", "2020-01-02", "2020-01-02 00:00"),
        ("/v/a.md", "2020-01-02T01:00:00+01:00", "2020-01-02 00:00"),
        ("/v/2026-02-31.md", None, None),
        ("/v/2026-13-01.md", None, None),
        ("/v/20263.md", None, None),
        ("/v/1234567890.md", None, None),
        ("/v/a.md", "2026-02-31", None),
        ("/v/a.md", 7, None),
    ],
)
def test_the_date_of_a_note(path: str, date: object, expected: str | None) -> None:
    moment = time_of_note(date, path)
    assert (moment and f"{moment:%Y-%m-%d %H:%M}") == expected


@pytest.mark.parametrize(
    "path, target",
    [
        ("/v/Ovens.md", "ovens"),
        ("/v/Ovens.md", "kitchen/Ovens#Stone"),
        ("/v/posts/hello/index.md", "posts/hello/"),
        ("/v/202603041230 Ovens.md", "202603041230"),
        ("/v/pages/kitchen___Ovens.md", "kitchen/Ovens"),
        ("/v/journals/2026_03_04.md", "2026-03-04"),
        ("/v/Cafe\u0301.md", "Caf\u00e9"),
    ],
)
def test_a_link_has_a_name_of_its_note(path: str, target: str) -> None:
    assert link_name(target) in path_names(path)


def test_what_a_note_says_survives_storage_and_workers() -> None:
    loaded = load_bytes(b"---\ntitle: A\ntags: [t]\n---\n[[B]]\n", "a.md")
    assert isinstance(loaded, LoadedText)
    layout = layout_of(loaded, "a.md")
    assert note_in(layout) == NoteProperties({"title": "A"}, ("t",))
    assert reloaded(loaded.text, "a.md", layout) == loaded == pickle.loads(pickle.dumps(loaded))
    assert layout_of(load_bytes(b"plain", "a.md"), "a.md") == ""  # type: ignore[arg-type]


PARTS = st.sampled_from(
    ["---\n", "+++\n", "a: b\n", "a = 1\n", "[[", "]]", "[a](", ")", "|", "#t", "`", "```\n", "::"]
)


@given(st.lists(PARTS | st.text(max_size=8), max_size=30).map("".join))
def test_no_text_fails(text: str) -> None:
    clean = text.encode("utf-8", "ignore").decode()
    if clean.strip() and "\0" not in clean:
        load_bytes(clean.encode(), "a.md")
