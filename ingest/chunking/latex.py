r"""The outline of LaTeX: sections by `\section` and its kin; environments that fit stay whole."""

import re
from typing import Final

from ingest.chunking.sections import Heading, Headings, Section, headed_sections

_LEVELS: Final = {
    name: level
    for level, name in enumerate(
        ("part", "chapter", "section", "subsection", "subsubsection", "paragraph"), start=2
    )
} | {"frametitle": 7, "subparagraph": 8}
_MARK: Final = re.compile(
    r"\\(?:(?P<begin>begin|end)[ \t]*\{(?P<name>[\w*-]{1,60})\}"
    r"|(?P<level>title|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|frametitle)\*?[ \t]*"
    r"(?:\[[^\[\]\n]*\][ \t]*)?\{)"
)
_VERBATIM: Final = frozenset(
    {"verbatim", "verbatim*", "lstlisting", "minted", "comment", "Verbatim", "alltt"}
)
_MAX_TITLE_CHARS: Final = 300
_LINE_CHARS: Final = 1_000
"""The most characters of a line in which a comment is looked for before a command."""

_PLAIN: Final = r"[^{}\\]|\\[\s\S]"
_INNER: Final = rf"\{{(?:{_PLAIN})*+\}}"
_TITLE: Final = re.compile(rf"((?:{_PLAIN}|\{{(?:{_PLAIN}|{_INNER})*+\}})*+)\}}")
_REST: Final = re.compile(r"[ \t\r]*+(?:%[^\n]*)?(?:\n|\Z)")
_COMMAND: Final = re.compile(r"\\(?:[A-Za-z]+\*?[ \t]*(?:\[[^\[\]]*\])?|[\\,;:! ])")
_SIGNS: Final = re.compile(r"\\([&%$#_{}])|[{}]|(~)")


def parse_latex(text: str, size_chars: int) -> tuple[list[Section], list[tuple[int, int]]]:
    """The sections, below the title, and the outermost environments of at most `size_chars`."""
    headings: list[Heading] = []
    whole: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    unclosed: set[str] = set()
    top: Headings = ()
    at = 0
    while mark := _MARK.search(text, at):
        at = mark.end()
        if _is_comment(text, mark.start()):
            continue
        if mark["begin"] == "begin":
            open_.append((mark["name"], mark.start()))
            if mark["name"] in _VERBATIM - unclosed:
                closing = text.find(f"\\end{{{mark['name']}}}", at)
                if closing < 0:
                    unclosed.add(mark["name"])
                at = max(at, closing)
        elif mark["begin"]:
            _close(mark, open_, whole, size_chars)
        else:
            title, at = _title(text, at)
            if mark["level"] == "title":
                top = top or ((title,) if title else ())
            elif title:
                headings.append(_heading(text, mark, at, title))
    return headed_sections(text, headings, top), whole


def _is_comment(text: str, at: int) -> bool:
    """Return whether a percent sign precedes it in its line, or it is not a command."""
    start = max(0, at - _LINE_CHARS)
    before = text[max(start, text.rfind("\n", start, at) + 1) : at].replace("\\\\", "")
    return "%" in before.replace("\\%", "") or before.endswith("\\")


def _close(
    mark: re.Match[str],
    open_: list[tuple[str, int]],
    whole: list[tuple[int, int]],
    size_chars: int,
) -> None:
    """Record an environment that ends; those inside are part of it."""
    if not open_ or open_[-1][0] != mark["name"]:
        return
    name, start = open_.pop()
    if name == "document" or mark.end() - start > size_chars:
        return
    while whole and whole[-1][0] > start:
        whole.pop()
    whole.append((start, mark.end()))


def _title(text: str, at: int) -> tuple[str, int]:
    """The words up to the closing brace, and its position."""
    found = _TITLE.match(text, at, at + _MAX_TITLE_CHARS)
    if found is None:
        return "", at
    words = _COMMAND.sub(lambda sign: " " if sign[0][-1] in "\\,;:! " else "", found[1])
    words = _SIGNS.sub(lambda sign: sign[1] or (" " if sign[2] else ""), words)
    return " ".join(words.split()), found.end()


def _heading(text: str, mark: re.Match[str], end: int, title: str) -> Heading:
    """A heading that takes whole lines if nothing else is on them."""
    start = mark.start()
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] != "\n":
        start = mark.start()
    rest = _REST.match(text, end)
    body = rest.end() if rest else end
    return _LEVELS[mark["level"]], start, body, title
