"""The reason why front matter is not read. It never leaves the loaders."""


class FrontMatterError(Exception):
    """Front matter that stays text; the message never quotes it."""
