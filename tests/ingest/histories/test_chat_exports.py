"""Exports of ChatGPT and Claude: what was said, by whom, when, and what is left out."""

import json
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from contracts import InputError
from ingest.histories import jsonstream
from ingest.histories.opening import guess, history_items
from ingest.histories.values import HistoryTurn, Omitted

DAY = 1_709_550_000  # 2024-03-04T11:00:00Z


def node(key, parent, role="user", parts=("hello",), **message):
    """A node of ChatGPT's tree; without a role it holds no message."""
    if role is None:
        return key, {"id": key, "parent": parent, "children": [], "message": None}
    given = {
        "id": f"m-{key}",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": DAY,
        "content": {"content_type": "text", "parts": list(parts)},
        "metadata": {},
        "weight": 1.0,
        "recipient": "all",
    }
    return key, {"id": key, "parent": parent, "children": [], "message": {**given, **message}}


def chat(*nodes, current, **more):
    return {
        "conversation_id": "c1",
        "title": "Radiators",
        "create_time": DAY - 10,
        "mapping": dict(nodes),
        "current_node": current,
        **more,
    }


def saved(folder: Path, value, name="conversations.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def read(path, form):
    items = list(history_items(path, form))
    turns = [item for item in items if isinstance(item, HistoryTurn)]
    return turns, [item for item in items if isinstance(item, Omitted)]


def reasons(omitted):
    return [(item.reason, item.messages) for item in omitted]


def test_the_branch_that_was_seen_last(tmp_path):
    path = saved(
        tmp_path,
        [
            chat(
                node("root", None, None),
                node("s", "root", "system", [""], weight=0.0),
                node("a", "s", parts=["How do I bleed it?"]),
                node("old", "a", "assistant", ["No idea."]),
                node(
                    "b",
                    "a",
                    "assistant",
                    ["Open the valve."],
                    create_time=DAY + 5.5,
                    metadata={"model_slug": "gpt-4o"},
                ),
                node("c", "b", parts=["Thanks!"], create_time=None),
                current="c",
            )
        ],
    )
    turns, omitted = read(path, "chatgpt")
    assert [(turn.role, turn.text) for turn in turns] == [
        ("user", "How do I bleed it?"),
        ("assistant", "Open the valve."),
        ("user", "Thanks!"),
    ]
    assert [turn.ts for turn in turns] == [
        "2024-03-04T11:00:00+00:00",
        *["2024-03-04T11:00:05.500000+00:00"] * 2,
    ]
    assert {turn.session_id for turn in turns} == {"c1"}
    assert turns[0].client_id == "chatgpt:m-a"
    assert turns[1].metadata == {"format": "chatgpt", "title": "Radiators", "model": "gpt-4o"}
    assert reasons(omitted) == [("hidden", 1), ("other-branch", 1)]


@pytest.mark.parametrize(
    "content, text, images",
    [
        ({"content_type": "code", "text": "print(1)", "language": "python"}, "print(1)", ()),
        ({"content_type": "execution_output", "text": "1"}, "1", ()),
        (
            {"content_type": "tether_quote", "title": "Pumps", "text": "A pump ..."},
            "Pumps\n\nA pump ...",
            (),
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"},
                    "what is this?",
                ],
            },
            "what is this?",
            ("file-service://f1",),
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "sediment://f1"}
                ],
            },
            "[image]",
            ("sediment://f1",),
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "audio_transcription", "text": "spoken words"},
                    {"content_type": "audio_asset_pointer", "asset_pointer": "a"},
                ],
            },
            "spoken words",
            (),
        ),
        ({"content_type": "text", "parts": ["half \ud83d"]}, "half ?", ()),
    ],
    ids=["code", "output", "quotation", "image", "image alone", "speech", "half a character"],
)
def test_kinds_of_content(tmp_path, content, text, images):
    path = saved(tmp_path, [chat(node("a", None, content=content), current="a")])
    (turn,), omitted = read(path, "chatgpt")
    assert (turn.text, turn.image_paths, omitted) == (text, images, [])


@pytest.mark.parametrize(
    "message, reason",
    [
        ({"metadata": {"is_visually_hidden_from_conversation": True}}, "hidden"),
        ({"author": {"role": "system"}, "weight": 0}, "hidden"),
        ({"content": {"content_type": "thoughts", "thoughts": []}}, "hidden"),
        ({"content": {"content_type": "text", "parts": [" "]}}, "empty"),
        ({"content": {"content_type": "hologram"}}, "unknown-content"),
        ({"content": None}, "unknown-content"),
        ({"author": None}, "broken"),
        ({"author": {"role": ["user"]}}, "broken"),
    ],
)
def test_what_is_left_out(tmp_path, message, reason):
    path = saved(tmp_path, chat(node("a", None), node("b", "a", **message), current="b"))
    turns, omitted = read(path, "chatgpt")
    assert [turn.text for turn in turns] == ["hello"]
    assert [(item.reason, item.place) for item in omitted] == [
        (reason, "conversations.json, conversation 1, message b")
    ]


@pytest.mark.parametrize("message", ["hello", 7, ["hello"], False], ids=str)
def test_every_node_that_is_passed_over_is_counted(tmp_path, message):
    odd = {"id": "b", "parent": "a", "message": message}
    elsewhere = {"id": "d", "parent": "a", "message": message}
    tool = node("t", "a", "tool", ["the output of a tool"])
    path = saved(
        tmp_path,
        chat(node("a", None), ("b", odd), ("d", elsewhere), tool, node("c", "b"), current="c"),
    )
    turns, omitted = read(path, "chatgpt")
    assert [turn.client_id for turn in turns] == ["chatgpt:m-a", "chatgpt:m-c"]
    assert reasons(omitted) == [("broken", 2), ("other-branch", 1)]


@pytest.mark.parametrize("current", ["b", "gone", None, 7, []], ids=str)
def test_a_circle_ends_and_a_missing_end_is_found(tmp_path, current):
    circle = chat(node("a", "b"), node("b", "a", parts=["later"]), current=current)
    path = saved(tmp_path, [circle])
    turns, _ = read(path, "chatgpt")
    assert len(turns) in (1, 2)
    branches = chat(
        node("a", None),
        node("b", "a", create_time=DAY + 9, parts=["new"]),
        node("c", "a", create_time=DAY + 1, parts=["old"]),
        current=current,
    )
    turns, _ = read(saved(tmp_path, [branches]), "chatgpt")
    assert [turn.text for turn in turns] == ["hello", "new"]


@pytest.mark.parametrize(
    "value",
    [
        [7, None, "x", [], {}],
        [{"mapping": []}],
        [{"mapping": {"a": None, "b": 7}}],
        [{"mapping": {"a": {"message": {"author": "x", "content": {"parts": 7}}}}}],
        [
            {
                "mapping": {
                    "a": {
                        "message": {
                            "author": {"role": "user"},
                            "create_time": "soon",
                            "content": {"parts": [7, None, {"text": 1}]},
                        }
                    }
                }
            }
        ],
    ],
    ids=str,
)
@pytest.mark.parametrize("form", ["chatgpt", "claude", "openai-jsonl", "sem-mem"])
def test_wrong_types_are_reported(tmp_path, value, form):
    name = "threads.json" if form == "sem-mem" else "c.json"
    turns, omitted = read(saved(tmp_path, value, name), form)
    assert turns == []
    assert omitted


SAID = {"role": "user", "content": [{"type": "text", "text": "hello"}], "timestamp": DAY}
EXPORTS = {
    "chatgpt": [chat(node("a", None), node("b", "a", attachments=[{"name": "x"}]), current="b")],
    "claude": [
        {
            "uuid": "c",
            "name": "Tea",
            "chat_messages": [
                {
                    "uuid": "m",
                    "sender": "human",
                    "created_at": "2024-05-01T10:00:00Z",
                    "content": [
                        {"type": "text", "text": "hello"},
                        {"type": "tool_use", "name": "t", "input": {"a": 1}},
                    ],
                    "attachments": [{"file_name": "a", "extracted_content": "b"}],
                    "files": [{"file_name": "f"}],
                }
            ],
        }
    ],
    "openai-jsonl": [{"id": "o", "session_id": "s", "messages": [SAID]}],
    "sem-mem": [{"threads": {"t": {"title": "x", "messages": [{**SAID, "content": "hello"}]}}}],
}
NESTED = json.loads("[" * 900 + "]" * 900)


def places(value, path=()):
    """Every place in a value below its outermost list, as the keys that lead there."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


@pytest.mark.parametrize("form", EXPORTS)
def test_no_value_in_any_place_stops_the_conversations_after_it(tmp_path, form):
    last = json.loads(json.dumps(EXPORTS[form][0]).replace("hello", "the last"))
    for *way, key in places(EXPORTS[form]):
        for other in (None, True, -1, 1e300, "", "\ud800\0", [], {}, [[]], {"a": {}}, NESTED):
            export = json.loads(json.dumps(EXPORTS[form]))
            holder = export
            for step in way:
                holder = holder[step]
            holder[key] = other
            turns, _ = read(saved(tmp_path, [*export, last], "a.json"), form)
            assert "the last" in [turn.text for turn in turns], (way, key, other)


@pytest.mark.parametrize("cut", [1, 60, 200, 400, -1, -2])
def test_a_file_that_breaks_off_gives_what_stands_before(tmp_path, cut):
    whole = json.dumps([chat(node("a", None), current="a"), chat(node("b", None), current="b")])
    turns, omitted = read(saved(tmp_path, whole[:cut]), "chatgpt")
    first_end = whole.index('}, {"conversation_id"') + 1
    kept = 0 if len(whole[:cut]) < first_end else 1
    assert len(turns) == kept + (cut in (-1,))
    assert omitted[-1].reason == "broken"
    assert omitted[-1].place == "conversations.json"


def test_garbage_is_no_history(tmp_path):
    for text in ("", "hello", "\x00\x01", "[" * 100_000, '[{"a": 1e999999}, NaN, 1' + "0" * 5000):
        turns, _ = read(saved(tmp_path, text), "chatgpt")
        assert turns == []
        assert guess(saved(tmp_path, text)) is None


def said(sender, text, **more):
    return {
        "uuid": f"u-{text}",
        "text": text,
        "sender": sender,
        "created_at": "2024-03-04T11:00:00.5Z",
        "content": [{"type": "text", "text": text}],
        "attachments": [],
        "files": [],
        **more,
    }


def claude(*messages, **more):
    return {
        "uuid": "c9",
        "name": "Pumps",
        "created_at": "2024-03-04T10:59:00Z",
        "chat_messages": list(messages),
        **more,
    }


def test_a_conversation_with_claude(tmp_path):
    attached = [
        {"file_name": "bill.txt", "extracted_content": "My name is Eve."},
        {"file_name": "scan.pdf", "extracted_content": ""},
        None,
    ]
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "One."},
        {"type": "tool_use", "name": "artifacts", "input": {"content": "# A page"}},
        {"type": "tool_result", "name": "search", "content": [{"type": "text", "text": "F"}]},
        {"type": "text", "text": "Two."},
    ]
    path = saved(
        tmp_path,
        [
            claude(
                said("human", "Look at this", attachments=attached),
                said("assistant", "ignored", content=blocks, created_at=None),
                said("human", "", files=[{"file_name": "p.png"}]),
                said("human", " "),
                said("robot", "x"),
                "y",
            )
        ],
    )
    assert guess(path) == "claude"
    turns, omitted = read(path, "claude")
    assert [(turn.role, turn.text) for turn in turns] == [
        ("tool", "My name is Eve."),
        ("user", "Look at this"),
        ("tool", "# A page"),
        ("tool", "F"),
        ("assistant", "One.\n\nTwo."),
        ("user", "[p.png]"),
    ]
    assert {turn.ts for turn in turns} == {"2024-03-04T11:00:00.500000+00:00"}
    assert len({turn.client_id for turn in turns}) == len(turns)
    assert turns[0].metadata == {"format": "claude", "title": "Pumps", "tool": "bill.txt"}
    assert reasons(omitted) == [("broken", 1), ("empty", 1), ("broken", 1)]


def test_what_was_pasted_twice_is_kept_twice(tmp_path):
    pasted = [{"file_name": "paste.txt", "extracted_content": text} for text in ("one", "two")]
    path = saved(tmp_path, claude(said("human", "Compare", attachments=pasted)))
    turns, _ = read(path, "claude")
    assert [turn.text for turn in turns] == ["one", "two", "Compare"]
    assert len({turn.client_id for turn in turns}) == len(turns)
    assert [turn.client_id for turn in read(path, "claude")[0]] == [
        turn.client_id for turn in turns
    ]


def test_what_stands_for_blocks_is_nobodys_word(tmp_path):
    shown = "```\nThis block is not supported on your current device yet.\n```"
    tool = [{"type": "tool_use", "name": "search", "input": {"query": "pumps"}}]
    spoken = [{"type": "voice_note", "title": "Note", "text": "I play the cello."}]
    path = saved(
        tmp_path,
        claude(
            said("assistant", shown, content=tool),
            said("human", shown, content=spoken),
            said("human", "Written before there were blocks.", content=[]),
        ),
    )
    turns, omitted = read(path, "claude")
    assert [(turn.role, turn.text) for turn in turns] == [
        ("tool", '{"query": "pumps"}'),
        ("user", "I play the cello."),
        ("user", "Written before there were blocks."),
    ]
    assert reasons(omitted) == [("empty", 1)]


def test_the_branch_of_claude(tmp_path):
    messages = [
        said("human", "a"),
        said("assistant", "b", parent_message_uuid="u-a"),
        said("assistant", "c", parent_message_uuid="u-a"),
    ]
    path = saved(tmp_path, claude(*messages, current_leaf_message_uuid="u-c"))
    turns, omitted = read(path, "claude")
    assert [turn.text for turn in turns] == ["a", "c"]
    assert reasons(omitted) == [("other-branch", 1)]


def test_an_archive_and_a_folder(tmp_path):
    first, second = (json.dumps([chat(node(key, None), current=key)]) for key in "ab")
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", '{"email": "x"}')
        archive.writestr("deep/conversations-001.json", second)
        archive.writestr("deep/conversations-000.json", first)
    assert guess(path) == "chatgpt"
    turns, omitted = read(path, "chatgpt")
    assert [turn.client_id for turn in turns] == ["chatgpt:m-a", "chatgpt:m-b"]
    assert omitted == []
    folder = tmp_path / "unpacked"
    folder.mkdir()
    saved(folder, second)
    assert [turn.client_id for turn in read(folder, "chatgpt")[0]] == ["chatgpt:m-b"]
    assert guess(folder) == "chatgpt"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_damaged_archive(tmp_path, method):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps([chat(node("a", None), current="a")]))
    data = bytearray(path.read_bytes())
    data[60:70] = b"\0" * 10
    path.write_bytes(data)
    turns, (omitted,) = read(path, "chatgpt")
    assert turns == []
    assert "cannot be read" in omitted.detail
    with pytest.raises(InputError, match="holds no chat history that can be read: conversations"):
        guess(path)


def test_an_archive_of_something_else(tmp_path):
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("photo.jpg", b"x")
    with pytest.raises(InputError, match=r"photos\.zip holds no chat history"):
        guess(path)


def test_an_archive_that_wants_a_password(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[]")
    data = path.read_bytes()
    data = data[:6] + b"\1" + data[7:]
    entry = data.index(b"PK\1\2")
    path.write_bytes(data[: entry + 8] + b"\1" + data[entry + 9 :])
    for read_it in (guess, lambda path: list(history_items(path, "chatgpt"))):
        with pytest.raises(InputError, match="is encrypted") as error:
            read_it(path)
        assert "unpack it with its password" in error.value.hint


def test_a_packed_value_longer_than_anything_said_takes_little_memory(tmp_path):
    path = tmp_path / "export.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("conversations.json", "w") as member,
    ):
        member.write(b'[{"title": "')
        for _ in range(130):
            member.write(b"x" * (1 << 20))
    tracemalloc.start()
    try:
        turns, (omitted,) = read(path, "chatgpt")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert turns == []
    assert "a value has more than 67,108,864 characters" in omitted.detail
    assert most < 200 << 20
    with pytest.raises(InputError, match="a value has more than"):
        guess(path)


@pytest.mark.parametrize("size", [1 << 20, 3 << 20])
def test_values_longer_than_what_is_read_at_once(tmp_path, size):
    long = "ä€😀 " * (size // 10)
    whole = [chat(node("a", None, parts=[long]), current="a"), chat(node("b", None), current="b")]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=1), "utf-8-sig")
    turns, omitted = read(path, "chatgpt")
    assert ([turn.text for turn in turns], omitted) == ([long, "hello"], [])


def test_what_is_longer_than_anything_said():
    endless = b'[{"text": "' + b"x" * (9 << 20) + b'"}]'
    with pytest.raises(InputError, match="a value has more than"):
        list(jsonstream.values(BytesIO(endless), most_chars=3 << 20))
    lines = BytesIO(b"\n".join([b"1", endless, b"", b"2"]))
    first, long, last = jsonstream.numbered_lines(lines, most_bytes=1 << 20)
    assert (first, last) == ((1, 1), (4, 2))
    assert long[0] == 2
    assert "more than" in long[1].message


def test_a_title_is_no_longer_than_a_line(tmp_path):
    path = saved(tmp_path, [chat(node("a", None), current="a", title="pumps\n" * 1000)])
    (turn,), _ = read(path, "chatgpt")
    assert len(turn.metadata["title"]) <= 200
    assert "\n" not in turn.metadata["title"]
