"""A hit with the chunks around it as lines of text, each line once."""

from memory.values.results import Neighbour, SearchResult


def passage(result: SearchResult, speaker: str | None) -> list[tuple[str, bool]]:
    """The lines from top to bottom, and whether each holds part of the hit.

    If the hit has a speaker, its parts are separate texts, each preceded by its speaker.
    """
    text, first, last, cited = "", 0, 0, ""
    end: int | None = None
    end_line: int | None = None
    parts: list[Neighbour | SearchResult] = [*result.before, result, *result.after]
    for part in parts:
        shared = max(0, end - part.start_char) if end and part.start_char is not None else 0
        label = ""
        if speaker is not None and part.citation != cited:
            shared, end, cited = 0, None, part.citation
            label = _label(part, part.speaker if isinstance(part, Neighbour) else speaker)
        if text and not shared:
            text += _gap(end, end_line, part)
        if part is result:
            first = len(text) - shared
        text += label + part.text[shared:]
        if part is result:
            last = len(text)
        end, end_line = part.end_char, part.end_line
    lines = []
    at = 0
    for line in text.splitlines(keepends=True):
        lines.append((line.rstrip("\r\n"), first < at + len(line) and at < last))
        at += len(line)
    return lines


def _label(part: Neighbour | SearchResult, who: str | None) -> str:
    """`Ana: `, unless the text already begins so."""
    return "" if who is None or part.text.startswith(f"{who}:") else f"{who}: "


def _gap(end: int | None, end_line: int | None, part: Neighbour | SearchResult) -> str:
    """The white space between two chunks: line breaks if the text has any, a blank, or nothing."""
    if end_line is None or part.start_line is None:
        return "\n"
    if part.start_line > end_line:
        return "\n" * (part.start_line - end_line)
    return " " * (part.start_char != end)
