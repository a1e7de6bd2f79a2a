"""Chunking of JSON, JSON Lines, YAML, TOML, INI and subtitles."""

import json

import pytest

from ingest import ChunkSettings, LoadedText, Piece, chunk, load_bytes


def cut(text: str, name: str, size: int = 200) -> list[Piece]:
    loaded = load_bytes(text.encode(), name)
    assert isinstance(loaded, LoadedText)
    return chunk(loaded, ChunkSettings(size, 0))


def paths(pieces: list[Piece]) -> list[str]:
    return [" > ".join(piece.headings) for piece in pieces]


def servers(count: int) -> dict[str, object]:
    hosts = {f"host{n}": {"address": f"10.0.0.{n}", "role": "web" * 8} for n in range(count)}
    return {"title": "Network", "servers": hosts, "owner": {"name": "Ann"}}


@pytest.mark.parametrize("indent", [2, None], ids=["pretty", "one-line"])
def test_json_keys_are_headings_and_entries_stay_whole(indent):
    text = json.dumps(servers(9), indent=indent)
    pieces = cut(text, "a.json")
    assert paths(pieces)[0] == "title"
    assert {path.split(" > ")[0] for path in paths(pieces)} == {"title", "servers", "owner"}
    hosts = {
        f"host{n}": json.dumps({"address": f"10.0.0.{n}", "role": "web" * 8}) for n in range(9)
    }
    for host, entry in hosts.items():
        squeezed = f'"{host}":{entry}'.replace(" ", "")
        assert any(squeezed in "".join(piece.text.split()) for piece in pieces), host


def test_a_long_entry_is_named_by_the_keys_around_it():
    text = json.dumps({"a": {"b": {"c": "word " * 100}, "d": 1}}, indent=1)
    assert paths(cut(text, "a.json"))[1:-1] == ["a > b > c"] * (len(cut(text, "a.json")) - 2)


def test_brackets_and_quotes_in_strings_open_nothing():
    two, three = json.dumps({"x": "a" * 150}), json.dumps({"y": "b" * 150})
    text = '{"one": "}]{[\\"", // it\'s }\n "two": ' + two + ',\n "three": ' + three + "}"
    assert paths(cut(text, "a.jsonc", size=185)) == ["one", "two", "three"]


def test_broken_json_is_cut():
    text = '{"a": [1, 2, "open\n' + '{"b": "%s"}\n' % ("x" * 60) * 9
    assert cut(text, "a.json")[-1].text.endswith("}")


def test_a_record_a_line_is_never_torn():
    records = [json.dumps({"id": n, "text": "w " * (n * 7 % 90)}) for n in range(60)]
    pieces = cut("\n".join(records) + "\n", "a.jsonl", size=300)
    assert [line for piece in pieces for line in piece.text.split("\n")] == records
    assert max(len(piece.text) for piece in pieces) > 200


def test_a_record_that_is_too_long_is_cut_between_its_entries():
    record = json.dumps({"id": 7, "first": "a" * 150, "second": "b" * 150})
    pieces = cut(f'{{"id": 1}}\n{record}\n{{"id": 2}}\n', "a.jsonl")
    assert [piece.text[:10] for piece in pieces] == [
        '{"id": 1}',
        '{"id": 7, ',
        '"second": ',
        '{"id": 2}',
    ]


_YAML = """\
# About the whole.
version: 3

# Who serves.
services:
  # The web.
  web:
    image: "nginx: latest"
    command: |
      run: this
      and that
    ports:
    - 80
    - 443
  database:
    image: postgres
    note: {filler}
volumes:
- data
- logs
"""


def test_yaml_keys_are_headings():
    pieces = cut(_YAML.format(filler="word " * 20), "a.yml", size=150)
    assert [
        (piece.text.split("\n")[0].strip(), " > ".join(piece.headings)) for piece in pieces
    ] == [
        ("# About the whole.", "version"),
        ("# Who serves.", "services > web"),
        ("database:", "services > database"),
        ("volumes:", "volumes"),
    ]


def test_yaml_documents_and_lists():
    items = "".join(f"- name: Step {n}\n  run: |\n    make {n}\n    key: {n}\n" for n in range(12))
    pieces = cut(f"---\njobs: none\n---\nsteps:\n{items}", "a.yaml", size=120)
    assert paths(pieces)[0] == "jobs"
    assert set(paths(pieces)[1:]) == {"steps"}
    assert all(piece.text.lstrip("-\n").startswith(("steps", " name")) for piece in pieces[1:])


def test_toml_and_ini_sections_are_headings():
    text = 'title = "x"\n\n# The tool.\n[tool.ruff]\nline = 1\n'
    text += 'note = """\n[not.this]\n"""\n\n[[bin]]\n'
    filler = 'path = "' + "p" * 135 + '"\n'
    assert paths(cut(text.replace("line = 1\n", filler) + filler, "a.toml")) == [
        "",
        "tool.ruff",
        "bin",
    ]
    ini = f"; first\n[one]\n{filler}\n[two]\n{filler}"
    assert paths(cut(ini, "a.ini")) == ["one", "two"]


def test_a_file_that_fits_is_one_piece():
    for name, text in (
        ("a.json", '{"a": {"b": 1}}'),
        ("a.yml", "a:\n  b: 1\n"),
        ("a.toml", "[a]\n"),
    ):
        assert paths(cut(text, name)) == [""]


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.toml", "a.jsonl"])
def test_deep_nesting_ends(name):
    assert cut('[{"a":' * 5000, name)
    assert cut("".join(" " * n + "k:\n" for n in range(300)), name)


_SRT = "".join(
    f"{n}\n00:{n:02}:30,500 --> 00:{n:02}:33,000\nThis is what is said\nin minute {n}.\n\n"
    for n in range(1, 30)
)
_VTT = (
    "WEBVTT\n\nNOTE about\n\nintro\n00:05.000 --> 00:07.000\nHello\n\n"
    "01:02:03.5 --> 01:02:04.0\nBye\n"
)


def test_cues_stay_whole_and_a_piece_names_its_times():
    pieces = cut(_SRT, "film.srt", size=300)
    assert all(piece.text.split("\n")[0].isdigit() for piece in pieces)
    assert all(piece.text.endswith(".") for piece in pieces)
    assert pieces[0].place is not None
    assert pieces[0].place.startswith("00:01:30 to 00:0")
    assert cut(_SRT, "film.srt", size=90)[4].place == "00:05:30"


def test_times_without_hours_and_names_of_cues():
    loaded = load_bytes(_VTT.encode(), "a.vtt")
    assert isinstance(loaded, LoadedText)
    assert [(_VTT[at:].split("\n")[0], label) for at, label in loaded.places] == [
        ("intro", "00:00:05"),
        ("01:02:03.5 --> 01:02:04.0", "01:02:03"),
    ]


def test_subtitles_without_a_cue_are_text():
    (piece,) = cut("just words\n", "a.srt")
    assert piece.place is None
    assert load_bytes(b" \n", "a.srt").reason == "empty"
    assert load_bytes(b"\0\1\2", "a.vtt").reason == "binary"


def test_json_that_was_quoted_itself_is_cut_at_once():
    text = json.dumps(json.dumps(servers(5_000)))[1:-1]  # no quotation mark begins a string
    pieces = cut(text, "a.json")
    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(text.split())


def test_a_text_with_a_ruler_of_colons_is_read_at_once():
    loaded = load_bytes(b":" * 200_000, "a.txt")
    assert isinstance(loaded, LoadedText)
    assert loaded.kind == "text"
