"""The chat history of aider: Markdown, to which every session of a project is appended.

A session begins with `# aider chat started at`, a person's lines with `####`, those of the program
with `>`; everything else is the answer. Messages have no ids, and are known by those before them in
their session.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from ingest.histories.agents.messages import Message, ReadOptions, digest_of, turn_of
from ingest.histories.agents.places import Agent
from ingest.histories.values import Item

AGENT: Final[Agent] = "aider"
_BEGINS: Final = "# aider chat started at "
_USER: Final = "#### "
_TOOL: Final = ">"


def history_items(text: str, project: str, options: ReadOptions) -> Iterator[Item]:
    """The turns of a history. The last line waits for its end."""
    whole = text if text.endswith("\n") else text[: text.rfind("\n") + 1]
    session, ts, chain = options.session_id or "aider", None, ""
    number = 0
    for role, said in _runs(whole):
        number += 1
        if role == "begin":
            ts = _local_moment(said)
            session = f"aider {said}" if ts is None else f"aider {ts}"
            chain = digest_of(session)
            continue
        chain = digest_of(chain, role, said)
        if role != "tool":
            message = Message(chain, session, role, said, ts, project)
            yield turn_of(AGENT, message, f"part {number}")
        elif options.tool_output:
            message = Message(chain, session, role, said, ts, project, "aider")
            yield turn_of(AGENT, message, f"part {number}")


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Neighbouring lines of one speaker, as one text; blank ones around it are left out."""
    speaker, lines = "", list[str]()
    is_code = False
    for line in text.splitlines():
        role, said = _spoken(line, is_code=is_code)
        if role == "assistant" and line.startswith("```"):
            is_code = not is_code
        if role == "begin" or (role != speaker and (said.strip() or role != "assistant")):
            yield from _run(speaker, lines)
            speaker, lines, is_code = role, [], role == "assistant" and line.startswith("```")
        lines.append(said)
    yield from _run(speaker, lines)


def _run(speaker: str, lines: list[str]) -> Iterator[tuple[str, str]]:
    text = "\n".join(lines).strip()
    if speaker and text:
        yield speaker, text


def _spoken(line: str, *, is_code: bool) -> tuple[str, str]:
    """The speaker of a line, and the line without the mark; an answer's code may hold any mark."""
    if line.startswith(_BEGINS):
        return "begin", line[len(_BEGINS) :].strip()
    if line.startswith(_USER):
        return "user", line[len(_USER) :].rstrip()
    if line.startswith(_TOOL) and not is_code:
        return "tool", line[1:].strip()
    return "assistant", line.rstrip()


def _local_moment(text: str) -> str | None:
    """A time that aider wrote, in this machine's zone."""
    try:
        return datetime.fromisoformat(text).astimezone().isoformat()
    except (ValueError, OverflowError, OSError):
        return None
