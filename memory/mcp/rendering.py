"""The answers of the tools as text for a model: what was recalled is inside fences."""

from collections.abc import Iterable, Iterator

from memory.context.rendering import fenced, indented
from memory.mcp.answers import ForgetAnswer, Found, ReadAnswer, RememberAnswer, SearchAnswer
from memory.mcp.instructions import RECALLED

NOTHING_FOUND = "Nothing in the memory seems to answer the query."


def search_text(answer: SearchAnswer) -> str:
    """Return the results, each with its citation and day."""
    blocks = [NOTHING_FOUND] if answer.weak else []
    if answer.results:
        folders = (f"{one.name}: {one.about}" for one in answer.collections if one.about)
        blocks.append(_recalled([*map(_result, answer.results), *_folders(folders)]))
    return "\n\n".join([*blocks, *_warned(answer.warnings)])


def _folders(lines: Iterable[str]) -> list[str]:
    """Return what the folders of the results are for, as one part."""
    told = "\n".join(map(indented, lines))
    return [f"Their folders:\n{told}"] if told else []


def read_text(answer: ReadAnswer) -> str:
    """Return the records, each under its citation, and what was not read.

    Each has a fence of its own, so that nothing in it can pass for the next record.
    """
    blocks = [
        _recalled(f"{indented(f'[{one.citation}]')}\n{fenced(one.text)}" for one in answer.records)
    ]
    blocks = blocks if answer.records else []
    more = [one.next for one in answer.records if one.next] + answer.left_out
    if more:
        blocks.append(_listed("Not read for want of bytes; read them next:", more))
    if answer.unread:
        lines = [f"{one.citation}: {one.reason}" for one in answer.unread]
        blocks.append(_listed("Could not be read:", lines))
    stale = [one.citation for one in answer.records if one.stale]
    if stale:
        blocks.append(_listed("Changed on disk since they were indexed:", stale))
    return "\n\n".join(blocks)


def remember_text(answer: RememberAnswer) -> str:
    """Return which memory holds it now, and what it waits for."""
    kept = {
        "create": "is kept",
        "merge": "says that already",
        "archive": "contradicts another one and is archived",
    }
    lines = [f"{answer.citation} {kept.get(answer.action, answer.action)}."]
    if answer.source == "agent":
        lines.append(
            "It counts as an agent's until the person confirms it: "
            f"mem memories confirm {answer.citation.removeprefix('memory ')}"
        )
    return "\n".join([*lines, fenced(answer.content)])


def forget_text(answer: ForgetAnswer) -> str:
    """Return what was or would be deleted."""
    if not answer.records:
        return "Nothing to forget."
    title = "Deleted for good:" if answer.deleted else "Would be deleted; nothing was changed:"
    blocks = [_listed(title, answer.records)]
    if answer.kept:
        blocks.append(_listed("Their sources stay:", answer.kept))
    return "\n\n".join([*blocks, *_warned(answer.warnings)])


def _result(found: Found) -> str:
    by = f", by {found.agent}" if found.agent else ""
    text = found.text.strip()
    over = f" (no longer so: {'; '.join(found.outdated)})" if found.outdated else ""
    day = "" if found.citation.endswith(found.occurred_at[:10]) else f", {found.occurred_at[:10]}"
    folder = f", in {found.collection}" if found.collection else ""
    return indented(f"[{found.citation}{day}{folder}{by}; {found.confidence}] {text}{over}")


def _recalled(parts: Iterable[str]) -> str:
    text = "\n\n".join(parts)
    return f"{RECALLED}\n{fenced(text)}"


def _listed(title: str, lines: Iterable[str]) -> str:
    text = "\n".join(map(indented, lines))
    return f"{title}\n{fenced(text)}"


def _warned(warnings: Iterable[str]) -> Iterator[str]:
    for warning in warnings:
        yield f"Warning: {warning}"
