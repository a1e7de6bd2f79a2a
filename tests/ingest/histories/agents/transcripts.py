"""Transcripts in the shapes in which agents keep them, each of one short conversation.

The conversation has a question, a thought, an answer, an edit, and the output of a tool.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

ASKED: Final = "How often should the retry logic try again?"
ANSWERED: Final = "We decided that the retry logic makes five tries, with backoff and jitter."
THOUGHT: Final = "The user wants a number, I ponder quietly."
OUTPUT: Final = "pytest printed 42 passed"
OLD, NEW = "tries = 3", "tries = 5"
DAY: Final = "2026-03-04"

CLAUDE: Final = "11111111-2222-4333-8444-555555555555"


def claude_line(number: int, role: str, content: object, **fields: Any) -> dict[str, Any]:
    """A line of Claude Code; its uuid and time follow from the number."""
    line = {
        "parentUuid": f"uuid-{number - 1}" if number else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/src/app",
        "sessionId": CLAUDE,
        "version": "2.1.12",
        "type": role,
        "message": {"role": role, "content": content},
        "uuid": f"uuid-{number}",
        "timestamp": f"{DAY}T10:{number // 60:02}:{number % 60:02}.000Z",
    }
    return {**line, **fields}


def claude_code() -> list[dict[str, Any]]:
    edit = {"file_path": "/src/app/retry.py", "old_string": OLD, "new_string": NEW}
    return [
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        claude_line(0, "user", "<system-reminder>be brief</system-reminder>", isMeta=True),
        claude_line(1, "user", ASKED),
        claude_line(2, "assistant", [{"type": "thinking", "thinking": THOUGHT, "signature": "x"}]),
        claude_line(3, "assistant", [{"type": "text", "text": ANSWERED}]),
        claude_line(
            4, "assistant", [{"type": "tool_use", "id": "t1", "name": "Edit", "input": edit}]
        ),
        claude_line(5, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": OUTPUT}]),
        claude_line(6, "user", "do the tests", isSidechain=True),
        {"type": "summary", "summary": "Retries", "leafUuid": "uuid-6"},
    ]


CODEX: Final = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5"


def codex_line(kind: str, payload: Mapping[str, Any], second: int = 0) -> dict[str, Any]:
    return {"timestamp": f"{DAY}T10:00:{second:02}.000Z", "type": kind, "payload": payload}


def codex_said(role: str, text: str, second: int = 0) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return codex_line(
        "response_item", {"type": "message", "role": role, "content": content}, second
    )


def codex(session: str = CODEX, *, forked_from: str | None = None) -> list[dict[str, Any]]:
    meta = {"id": session, "cwd": "/src/app", "cli_version": "0.65.0", "source": "cli"}
    if forked_from:
        meta["forked_from_id"] = forked_from
    patch = f"*** Begin Patch\n*** Update File: retry.py\n@@\n-{OLD}\n+{NEW}\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "c1"}
    return [
        codex_line("session_meta", meta),
        codex_said("developer", "you are an agent"),
        codex_said("user", "<environment_context>\n<cwd>/src/app</cwd>\n</environment_context>"),
        codex_said("user", ASKED, 1),
        codex_line("event_msg", {"type": "user_message", "message": ASKED}, 1),
        codex_line("turn_context", {"cwd": "/src/app", "model": "gpt"}, 1),
        codex_line(
            "response_item",
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": THOUGHT}]},
            2,
        ),
        codex_said("assistant", ANSWERED, 3),
        codex_line("event_msg", {"type": "agent_message", "message": ANSWERED}, 3),
        codex_line("response_item", call, 4),
        codex_line(
            "response_item",
            {"type": "custom_tool_call_output", "call_id": "c1", "output": OUTPUT},
            5,
        ),
    ]


def gemini_cli() -> list[dict[str, Any]]:
    edit = {"file_path": "/src/app/retry.py", "old_string": OLD, "new_string": NEW}
    call = {"id": "g1", "name": "replace", "args": edit, "resultDisplay": OUTPUT}
    answer = {
        "id": "m2",
        "timestamp": f"{DAY}T10:00:03.000Z",
        "type": "gemini",
        "content": ANSWERED,
        "thoughts": [{"subject": "Number", "description": THOUGHT}],
    }
    question = {
        "id": "m1",
        "timestamp": f"{DAY}T10:00:01.000Z",
        "type": "user",
        "content": [{"text": ASKED}, {"text": "\n--- content of @retry.py ---\n"}],
        "displayContent": [{"text": ASKED}],
    }
    about = {"sessionId": "gem-1", "projectHash": "ab" * 32, "startTime": f"{DAY}T10:00:00.000Z"}
    return [
        {**about, "directories": ["/src/app"], "kind": "main"},
        question,
        {"id": "m0", "timestamp": f"{DAY}T10:00:02.000Z", "type": "info", "content": "ready"},
        answer,
        {**answer, "toolCalls": [call]},
        {"$set": {"lastUpdated": f"{DAY}T10:00:09.000Z"}},
    ]


def gemini_cli_whole() -> dict[str, Any]:
    """The same as earlier versions kept it."""
    about, *records = gemini_cli()
    return {**about, "messages": [record for record in records if "$set" not in record][:-1]}


def openclaw() -> list[dict[str, Any]]:
    def entry(number: int, message: Mapping[str, Any]) -> dict[str, Any]:
        ts = f"{DAY}T10:00:0{number}.000Z"
        parent = f"0000000{number - 1}"
        own = {"type": "message", "id": f"0000000{number}", "parentId": parent, "timestamp": ts}
        return {**own, "message": message}

    edit = {"path": "retry.py", "oldText": OLD, "old_string": OLD, "new_string": NEW}
    return [
        {"type": "session", "version": 3, "id": "claw-1", "timestamp": f"{DAY}T10:00:00.000Z"},
        {"type": "model_change", "id": "00000000", "provider": "p", "modelId": "m"},
        entry(1, {"role": "user", "content": [{"type": "text", "text": ASKED}]}),
        entry(
            2,
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": THOUGHT},
                    {"type": "text", "text": ANSWERED},
                    {"type": "toolCall", "id": "k1", "name": "edit", "arguments": edit},
                ],
            },
        ),
        entry(
            3,
            {
                "role": "toolResult",
                "toolCallId": "k1",
                "toolName": "edit",
                "content": [{"type": "text", "text": OUTPUT}],
            },
        ),
    ]


AIDER: Final = f"""
# aider chat started at {DAY} 10:00:00

> Newly initialized repository.
> Model: gpt with diff edit format

#### {ASKED}

{ANSWERED}

retry.py
```python
<<<<<<< SEARCH
{OLD}
=======
{NEW}
>>>>>>> REPLACE
```

> Tokens: 1.2k sent, 90 received.
> {OUTPUT}
"""


def cursor_store(path: Path) -> Path:
    """A database of Cursor with one conversation, and one that is being answered."""
    edit = json.dumps({"target_file": "retry.py", "old_string": OLD, "new_string": NEW})
    call = {"name": "edit_file", "rawArgs": edit, "result": OUTPUT, "status": "completed"}
    at = f"{DAY}T10:00:0"
    bubbles = {
        "b1": {"type": 1, "text": ASKED, "createdAt": f"{at}1.000Z"},
        "b2": {"type": 2, "text": "", "thinking": {"text": THOUGHT}, "createdAt": f"{at}2.000Z"},
        "b3": {"type": 2, "text": ANSWERED, "createdAt": f"{at}3.000Z"},
        "b4": {"type": 2, "text": "", "toolFormerData": call, "createdAt": f"{at}4.000Z"},
    }
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
    put_composer(connection, "comp-1", bubbles)
    connection.commit()
    connection.close()
    return path


def put_composer(
    connection: sqlite3.Connection,
    name: str,
    bubbles: Mapping[str, Mapping[str, Any]],
    **fields: Any,
) -> None:
    """Write a conversation of Cursor."""
    headers = [{"bubbleId": own, "type": one["type"]} for own, one in bubbles.items()]
    composer = {
        "composerId": name,
        "createdAt": 1_772_618_400_000,
        "lastUpdatedAt": 1_772_618_409_000,
        "status": "completed",
        "fullConversationHeadersOnly": headers,
        **fields,
    }
    sql = "INSERT OR REPLACE INTO cursorDiskKV VALUES (?, ?)"
    connection.execute(sql, (f"composerData:{name}", json.dumps(composer)))
    for own, bubble in bubbles.items():
        value = json.dumps({"bubbleId": own, **bubble})
        connection.execute(sql, (f"bubbleId:{name}:{own}", value))


def opencode_store(path: Path) -> Path:
    """A database of OpenCode with one conversation."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(
        """CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
            time_updated INTEGER, data TEXT);
        CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
            time_created INTEGER, time_updated INTEGER, data TEXT);"""
    )
    edit = {"filePath": "/src/app/retry.py", "oldString": OLD, "newString": NEW}
    state = {"status": "completed", "input": edit, "output": OUTPUT}
    put_message(connection, 1, {"role": "user"}, [{"type": "text", "text": ASKED}])
    put_message(
        connection,
        2,
        {"role": "assistant", "path": {"cwd": "/src/app"}},
        [
            {"type": "reasoning", "text": THOUGHT},
            {"type": "text", "text": ANSWERED},
            {"type": "tool", "tool": "edit", "callID": "o1", "state": state},
        ],
    )
    connection.commit()
    connection.close()
    return path


def put_message(
    connection: sqlite3.Connection,
    number: int,
    message: Mapping[str, Any],
    parts: Iterable[Mapping[str, Any]],
    *,
    session: str = "ses_1",
    name: str = "msg",
    is_done: bool = True,
) -> None:
    """Write a message of OpenCode said in second `number`."""
    at = 1_772_618_400_000 + number * 1000
    times = {"created": at, **({"completed": at + 500} if is_done else {})}
    data = json.dumps({"time": times, **message})
    own = f"{name}_{number:03}"
    connection.execute(
        "INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)",
        (own, session, at, at + 500 if is_done else at, data),
    )
    for place, part in enumerate(parts):
        connection.execute(
            "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)",
            (f"prt_{own}_{place}", own, session, at, at, json.dumps(part)),
        )


def written(path: Path, lines: Iterable[object]) -> Path:
    """A transcript of these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def append(path: Path, *lines: object) -> None:
    """Append lines as an agent does."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in lines)


def put_all(home: Path) -> dict[str, Path]:
    """Every agent's transcript where it keeps them below a home folder."""
    project = home / "src" / "app"
    project.mkdir(parents=True)
    (project / ".aider.chat.history.md").write_text(AIDER, "utf-8")
    cursor = home / ".config" / "Cursor" / "User" / "globalStorage"
    opencode = home / ".local" / "share" / "opencode"
    cursor.mkdir(parents=True)
    opencode.mkdir(parents=True)
    claude = home / ".claude" / "projects" / "-src-app" / f"{CLAUDE}.jsonl"
    rollout = f"rollout-2026-03-04T10-00-00-{CODEX}.jsonl"
    chats = home / ".gemini" / "tmp" / "abab" / "chats"
    return {
        "claude-code": written(claude, claude_code()),
        "codex": written(home / ".codex" / "sessions" / "2026" / "03" / "04" / rollout, codex()),
        "gemini-cli": written(chats / "session-2026-03-04T10-00-gem1.jsonl", gemini_cli()),
        "openclaw": written(
            home / ".openclaw" / "agents" / "main" / "sessions" / "claw-1.jsonl", openclaw()
        ),
        "aider": project / ".aider.chat.history.md",
        "cursor": cursor_store(cursor / "state.vscdb"),
        "opencode": opencode_store(opencode / "opencode.db"),
    }
