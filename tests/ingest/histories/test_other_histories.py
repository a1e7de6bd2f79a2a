"""JSON Lines of messages, transcripts, sem-mem's threads, and other texts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError, NotFoundError
from ingest.histories import chatgpt, claude, sem_mem
from ingest.histories.clock import filled, moment
from ingest.histories.openai_messages import Messages
from ingest.histories.opening import guess, history_items, parts_of
from ingest.histories.transcript import transcript_items
from ingest.histories.values import HistoryTurn, Omitted, Summary

KEYS = """
    mapping current_node message author role content parts create_time parent text chat_messages
    sender uuid attachments extracted_content files type messages threads summary_windows summary
    title name id input user
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


def turns_of(items):
    return [item for item in items if isinstance(item, HistoryTurn)]


@given(JSON)
def test_no_json_makes_a_reader_fail(value):
    found = value if isinstance(value, dict) else {"mapping": value, "chat_messages": value}
    items = [
        *chatgpt.conversation_items(found, "x"),
        *claude.conversation_items(found, "x"),
        *sem_mem.store_items(found),
        *Messages("x").items(value, "x", number=1),
    ]
    for item in items:
        assert isinstance(item, HistoryTurn | Omitted | Summary)
    assert all(turn.text.strip() and turn.session_id for turn in turns_of(items))


@given(st.text(st.sampled_from("UserAnn:*#[]()2024-05 .\n`"), max_size=200))
def test_no_text_makes_the_reader_of_transcripts_fail(text):
    turns = turns_of(transcript_items(text, "s", place="x"))
    assert all(turn.text.strip() for turn in turns)


def test_a_conversation_a_line(tmp_path):
    path = tmp_path / "log.jsonl"
    parts = [
        {"type": "text", "text": "what is this"},
        {"type": "image_url", "image_url": {"url": "https://x.example/p.png"}},
        {"type": "image_url", "image_url": "data:abc"},
    ]
    lines = [
        {
            "messages": [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": "Hi", "name": "Ann"},
                {"role": "function", "name": "clock", "content": "10:00"},
                {"role": "assistant", "content": None, "tool_calls": []},
                {"role": "wizard", "content": "x"},
                7,
            ]
        },
        {
            "id": "chat-2",
            "created": 1_709_550_000_000,
            "messages": [{"role": "user", "content": parts}],
        },
    ]
    text = "\n\n".join(map(json.dumps, lines)) + '\n{"broken\n{"other": 1}\n7\n'
    path.write_text(text, "utf-8")
    assert guess(path) == "openai-jsonl"
    items = list(history_items(path, "openai-jsonl"))
    turns = turns_of(items)
    assert [(turn.session_id, turn.role, turn.text, turn.speaker) for turn in turns] == [
        ("log:1", "system", "Be brief.", None),
        ("log:1", "user", "Hi", "Ann"),
        ("log:1", "tool", "10:00", None),
        ("chat-2", "user", "what is this", None),
    ]
    assert [turn.ts for turn in turns] == [None] * 3 + ["2024-03-04T11:00:00+00:00"]
    assert turns[-1].image_paths == ("https://x.example/p.png", "data:")
    omitted = [(item.reason, item.place) for item in items if isinstance(item, Omitted)]
    assert omitted == [
        ("empty", "log.jsonl, line 1, message 4"),
        ("broken", "log.jsonl, line 1, message 5"),
        ("broken", "log.jsonl, line 1, message 6"),
        ("broken", "log.jsonl, line 4"),
        ("broken", "log.jsonl, line 5"),
        ("broken", "log.jsonl, line 6"),
    ]


def test_a_message_a_line_and_ids_that_stay(tmp_path):
    path = tmp_path / "chat.jsonl"
    said = [
        {"role": "user", "content": "yes", "session_id": 4, "timestamp": "2024-03-04 11:00"},
        {"role": "human", "content": "yes", "session_id": 4, "timestamp": 1_709_550_060},
        {"role": "ai", "content": "ok", "id": "m3", "conversation_id": "b"},
        {"role": "user", "content": "alone"},
    ]

    def ids(messages):
        path.write_text("\n".join(map(json.dumps, messages)), "utf-8")
        return {
            (turn.session_id, turn.client_id): turn.text
            for turn in turns_of(history_items(path, "openai-jsonl"))
        }

    first = ids(said)
    assert [key[0] for key in first] == ["4", "4", "b", "chat"]
    assert ("b", "openai-jsonl:m3") in first
    more = ids([{"role": "user", "content": "before", "session_id": 4}, *said])
    assert first.items() <= more.items()


def test_a_json_file_with_messages(tmp_path):
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "a"}]}), "utf-8")
    assert guess(path) == "openai-jsonl"
    assert [turn.session_id for turn in turns_of(history_items(path, "openai-jsonl"))] == ["one:1"]


CHAT = """\
# Pumps

Date: 2024-05-01

**User:** Compare these pumps.

**Assistant:** Gladly:

Pros: quiet
Cons: dear
Pros: strong
```
User: this is code
```
## Released 2024-01-02
in spring.

**User:** Thanks!
"""


def transcribed(text):
    return [
        (turn.role, turn.speaker, turn.text, turn.ts)
        for turn in turns_of(transcript_items(text, "s", place="x"))
    ]


def test_a_chat_in_markdown(tmp_path):
    path = tmp_path / "pumps.md"
    path.write_text(CHAT, "utf-8")
    assert guess(path) == "transcript"
    first, answer, last = turns_of(history_items(path, "transcript"))
    assert (first.role, first.text, first.session_id) == ("user", "Compare these pumps.", "pumps")
    assert answer.role == "assistant"
    assert "Pros: strong" in answer.text
    assert "User: this is code" in answer.text
    assert answer.text.endswith("## Released 2024-01-02\nin spring.")
    assert (last.text, last.speaker) == ("Thanks!", None)
    assert {turn.ts for turn in (first, answer, last)} == {"2024-05-01T00:00:00+00:00"}


@pytest.mark.parametrize(
    "text",
    [
        "**User**: a\n**Assistant**: b",
        "User: a\n\nAssistant:\nb\n",
        "### User\n\na\n\n### Assistant\n\nb",
        "## You said:\na\n## ChatGPT said:\nb",
        "You said:\na\nChatGPT said:\nb",
        "**Human:** a\n\n**Claude:** b",
        "> User: a\n> AI: b",
        "User (10:22): a\nAssistant (10:23): b",
        "## 👤 User\n\na\n\n---\n2024-05-01\n\n## 🤖 Assistant\n\nb",
        "**🙂 You:** a\n**🤖 GPT-4o:** b",
    ],
    ids=range(10),
)
def test_shapes_of_chats(text, tmp_path):
    (tmp_path / "chat.md").write_text(text, "utf-8")
    assert guess(tmp_path / "chat.md") == "transcript"
    assert [(role, said) for role, _, said, _ in transcribed(text)] == [
        ("user", "a"),
        ("assistant", "b"),
    ]


@pytest.mark.parametrize(
    "text, times",
    [
        (
            "[2024-05-01 10:22] Ann: a\n[2024-05-01 10:23:30] Bob: b",
            ["2024-05-01T10:22:00+00:00", "2024-05-01T10:23:30+00:00"],
        ),
        (
            "13/5/2024, 10:22 - Ann: a\n13/5/2024, 10:23 - Bob: b",
            ["2024-05-13T10:22:00+00:00", "2024-05-13T10:23:00+00:00"],
        ),
        (
            "5/13/24, 1:05 PM - Ann: a\n5/13/24, 12:06 AM - Bob: b",
            ["2024-05-13T13:05:00+00:00", "2024-05-13T00:06:00+00:00"],
        ),
        (
            "[2024-05-01T10:22:00+02:00] Ann: a\n[2024-05-01T10:23:00.125Z] Bob: b",
            ["2024-05-01T08:22:00+00:00", "2024-05-01T10:23:00+00:00"],
        ),
        (
            "**Ann** (2024-05-01 10:22):\na\n\n**Bob** (2024-05-01 10:23): b",
            ["2024-05-01T10:22:00+00:00", "2024-05-01T10:23:00+00:00"],
        ),
        (
            "[01.05.24, 10:22:11] Ann: a\n[01.05.24, 10:22:12] Bob: b",
            ["2024-05-01T10:22:11+00:00", "2024-05-01T10:22:12+00:00"],
        ),
        (
            "## 2024-05-01\n\nAnn: a\n\n--- 2024-05-02 ---\n\nBob: b\nAnn: c\nBob: d",
            ["2024-05-01T00:00:00+00:00", *["2024-05-02T00:00:00+00:00"] * 3],
        ),
        (
            "## Session 1 (2024-05-01 09:30)\nAnn: a\nBob: b\nAnn: c\nBob: d",
            ["2024-05-01T09:30:00+00:00"] * 4,
        ),
        ("Ann: a\nBob: b\nAnn: c\nBob: d", [None] * 4),
        ("[2024-13-45 10:22] Ann: a\n[2024-02-30 99:99] Bob: b", [None, None]),
    ],
    ids=[
        "iso",
        "day first",
        "month first",
        "zones",
        "bold",
        "points",
        "headings",
        "session",
        "none",
        "impossible",
    ],
)
def test_people_and_times(text, times):
    found = transcribed(text)
    assert [ts for *_, ts in found] == times
    assert [(role, speaker) for role, speaker, *_ in found[:2]] == [
        ("user", "Ann"),
        ("user", "Bob"),
    ]
    assert [said for _, _, said, _ in found] == list("abcd")[: len(found)]


@pytest.mark.parametrize(
    "text",
    [
        "Note: the pump hums.\nIt is old.",
        "A page about pumps.\n\nhttps://example.org: nice",
        "# User guide\n\nRead this.\n\n# Assistant director\n\nAnd this.",
        "Ann: a",
        "",
    ],
    ids=range(5),
)
def test_what_is_no_transcript(text, tmp_path):
    (omitted,) = transcript_items(text, "s", place="page.md")
    assert omitted == Omitted("broken", "page.md", "no line names a speaker")
    path = tmp_path / "page.md"
    path.write_text(text, "utf-8")
    assert guess(path) is None


def test_a_model_is_a_person_where_no_user_speaks():
    text = "Claude: salut\nMarie: bonjour\nClaude: au revoir\nMarie: à bientôt"
    assert {(role, speaker) for role, speaker, *_ in transcribed(text)} == {
        ("user", "Claude"),
        ("user", "Marie"),
    }


def test_the_threads_of_sem_mem(tmp_path):
    path = tmp_path / "threads.json"
    store = {
        "version": "1.0",
        "threads": {
            "Thread 1": {
                "title": "Pumps",
                "messages": [
                    {"role": "user", "content": "a"},
                    {"role": "assistant", "content": "b"},
                    {"role": "user", "content": "a", "timestamp": "2024-05-01T10:00:00"},
                    {"role": "user"},
                    {"role": "user", "content": " "},
                ],
                "summary_windows": [
                    {"start_index": 0, "end_index": 2, "summary": "They spoke."},
                    7,
                ],
                "summary": "All of it.",
            },
            "Thread 2": {"messages": None},
            "Thread 3": [],
        },
    }
    path.write_text(json.dumps(store), "utf-8")
    assert guess(path) == "sem-mem"
    items = list(history_items(tmp_path, "sem-mem"))
    turns = turns_of(items)
    assert [(turn.session_id, turn.text, turn.ts) for turn in turns] == [
        ("Thread 1", text, "2024-05-01T10:00:00+00:00") for text in "aba"
    ]
    assert len({turn.client_id for turn in turns}) == 3
    assert [item.text for item in items if isinstance(item, Summary)] == [
        "All of it.",
        "They spoke.",
    ]
    assert [item.reason for item in items if isinstance(item, Omitted)] == [
        "broken",
        "empty",
        "broken",
        "broken",
    ]


@pytest.mark.parametrize(
    "value, expected",
    [
        (1_709_550_000, "2024-03-04T11:00:00+00:00"),
        (1_709_550_000_000, "2024-03-04T11:00:00+00:00"),
        ("1709550000", "2024-03-04T11:00:00+00:00"),
        ("2024-03-04T12:00:00+01:00", "2024-03-04T11:00:00+00:00"),
        ("2024-03-04", "2024-03-04T00:00:00+00:00"),
        *((value, None) for value in (0, -5, True, None, "", "soon", [], float("nan"), 1e300)),
        ("9999-01-01", None),
        ("20240304", "2024-03-04T00:00:00+00:00"),
    ],
    ids=str,
)
def test_times(value, expected):
    assert moment(value) == expected


def test_missing_times_are_those_of_the_neighbours():
    def made(*times):
        return [HistoryTurn("s", "x", "user", ts, "c") for ts in times]

    assert [turn.ts for turn in filled(made(None, "b", None), begun="a")] == ["a", "b", "b"]
    assert [turn.ts for turn in filled(made(None, "b", None), begun="c")] == ["b", "b", "b"]
    assert [turn.ts for turn in filled(made(None), begun=None)] == [None]


def test_what_is_not_there(tmp_path):
    with pytest.raises(NotFoundError, match="there is no file"):
        parts_of(tmp_path / "gone")
    with pytest.raises(InputError, match="holds no file of the form chatgpt"):
        list(history_items(tmp_path, "chatgpt"))
    binary = tmp_path / "x.md"
    binary.write_bytes(b"\0\1" * 50)
    (omitted,) = history_items(binary, "transcript")
    assert "not text" in omitted.detail
    assert guess(binary) is None


def test_notes_of_a_messenger_and_names_of_any_kind():
    text = """\
01/05/2024, 10:20 - Messages and calls are end-to-end encrypted.
01/05/2024, 10:22 - alice: a
goes on
01/05/2024, 10:23 - +49 151 0000000: b
01/05/2024, 10:24 - alice left
01/05/2024, 10:25 - +49 151 0000000: <Media omitted>
"""
    note, *turns = transcript_items(text, "s", place="x")
    assert (note.reason, note.messages) == ("hidden", 2)
    assert [(turn.speaker, turn.text) for turn in turns] == [
        ("alice", "a\ngoes on"),
        ("+49 151 0000000", "b"),
        ("+49 151 0000000", "<Media omitted>"),
    ]


def test_lines_across_the_page_are_read_in_one_go():
    rules = "\n---" * 20_000  # a pattern for all of them would take hours
    (turn,) = transcript_items(f"User: a{rules}", "s", place="x")
    assert turn.text == "a"
    (turn,) = transcript_items(f"User: a{rules}x", "s", place="x")
    assert turn.text.endswith("---x")
