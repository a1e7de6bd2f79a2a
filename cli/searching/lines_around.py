"""The lines of a document around a hit, for `mem search --context`."""

from collections.abc import Sequence

from cli.searching.snippet import Highlighter
from memory.operations.manage import get_file
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search import analyse, is_inflected


def lines_around(
    workspace: Workspace, response: SearchResponse, *, count: int
) -> dict[str, Sequence[str]]:
    """The best line of each hit with `count` lines of its document before and after, by chunk.

    The best line has most words of the query. Records without lines are missing.
    """
    analysis, found = analyse(response.query), dict[str, Sequence[str]]()
    for result in response.results:
        if result.file_id is None or result.start_line is None:
            continue
        words = Highlighter(analysis, inflected=is_inflected(result.text))
        lines = result.text.split("\n")  # a form feed or the like ends no line
        best = max(range(len(lines)), key=lambda at: len(words.words(lines[at])))
        line = min(result.start_line + best, result.end_line or result.start_line)
        wanted = (max(1, line - count), line + count)
        content = get_file(workspace, result.file_id, lines=wanted)
        rows = content.text.split("\n")[: content.end_line - content.start_line + 1]
        found[result.chunk_id] = [row.removesuffix("\r") for row in rows]
    return found
