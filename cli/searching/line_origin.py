"""The meaning of the line numbers that `mem show` prints."""

from cli.output import note, shown
from memory.values.reports import FileContent


def say_origin(content: FileContent) -> None:
    """Tell where a text that was extracted is from in its file."""
    if not content.extracted:
        return
    if content.place is None:
        note("the lines are those of the extracted text, not of the file")
    else:
        note(f"the lines are those of the extracted text; in the file: {shown(content.place)}")
