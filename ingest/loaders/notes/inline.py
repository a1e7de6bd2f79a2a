"""Tags and links in the text of a note, outside code."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from ingest.loaders.notes.names import link_name
from ingest.loaders.notes.values import Link

MOST_LINKS: Final = 2_000
MOST_TAGS: Final = 200

_START: Final = re.compile(r"[\[#`~]")
"""The first character of a tag, a link or code; searching for one is quick."""

_MARK: Final = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n|]{1,300})(?:\|(?P<shown>[^\[\]\n]{1,300}))?\]\]"
    r"|(?<!\\)\[(?P<words>[^\[\]\n]{0,300})\]\((?:<(?P<angled>[^<>\n]{1,600})>"
    r"|\{\{[<%][ \t]*(?:rel)?ref[ \t]+\"?(?P<ref>[^\"\s}>%]{1,300})\"?[ \t]*[%>]\}\}[^()\n]{0,100}"
    r"|(?P<target>(?:[^\s()]|\([^\s()]{0,300}\)){1,600}))(?:[ \t]+[\"'(][^\n]{0,300}?[\"')])?\)"
    r"|(?<![^\s(])#(?:\[\[(?P<long>[^\[\]\n]{1,100})\]\]|(?P<tag>[\w/-]{1,100}))"
    r"|(?P<fence>(?<=[\n \t])(?:`{3,}|~{3,})|\A(?:`{3,}|~{3,}))|(?P<ticks>`+)"
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def tags_and_links(text: str) -> tuple[tuple[str, ...], tuple[Link, ...]]:
    """The tags of a text, each once, and its links, in their order; code has none."""
    if "#" not in text and "[" not in text:
        return (), ()
    tags: dict[str, None] = {}
    links: list[Link] = []
    line, counted = 1, 0
    for found in _marks(text):
        tag = found["tag"] or found["long"]
        if tag:
            name = tag.strip("/-")
            if len(tags) < MOST_TAGS and any(char.isalpha() for char in name):
                tags[name] = None
            continue
        line += text.count("\n", counted, found.start())
        counted = found.start()
        link = _link(found, line)
        if link is not None and len(links) < MOST_LINKS:
            links.append(link)
    return tuple(tags), tuple(links)


def _marks(text: str) -> Iterator[re.Match[str]]:
    """The links and tags of a text outside code; code that is not closed is text."""
    at = 0
    unclosed: set[str] = set()
    while start := _START.search(text, at):
        found = _MARK.match(text, start.start())
        if found is None:
            at = start.end()
            continue
        at = found.end()
        opening = found["fence"] or found["ticks"]
        if opening is None:
            yield found
            continue
        if opening in unclosed:
            continue
        is_fence = found["fence"] is not None and _opens_line(text, found.start())
        end = _closing(text, at, opening, is_fence=is_fence)
        if end is None:
            unclosed.add(opening)
        else:
            at = end


def _opens_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", max(0, at - 20), at) + 1 : at].strip()


def _closing(text: str, at: int, sign: str, *, is_fence: bool) -> int | None:
    if is_fence:
        closed = re.compile(rf"\n[ \t]*{re.escape(sign)}[`~]*[ \t\r]*(?=\n|\Z)").search(text, at)
        return closed.end() if closed else len(text)
    blank = text.find("\n\n", at)
    closed = re.compile(rf"(?<!`){sign}(?!`)").search(text, at, len(text) if blank < 0 else blank)
    return closed.end() if closed else None


def _link(found: re.Match[str], line: int) -> Link | None:
    if found["wiki"] is not None:
        target = found["wiki"].strip()
        words = (found["shown"] or target.split("#")[0].rpartition("/")[2]).strip()
        is_path = False
    elif found["ref"] is not None:
        target, words, is_path = found["ref"], found["words"].strip(), False
    else:
        written = found["angled"] or found["target"] or ""
        if _SCHEME.match(written) or written.startswith("#"):
            return None
        target, words, is_path = unquote(written), found["words"].strip(), True
    name = link_name(target)
    if not name or "\0" in target:
        return None
    return Link(name, target, words, line, is_path)
