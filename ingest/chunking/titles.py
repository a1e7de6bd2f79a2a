"""A heading without its markup, as people read it."""

import re
from typing import Final

_MARKUP: Final = re.compile(r"[*_`<\\!\[{&~]")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_STEPS: Final = (
    (_LINK, r"\1"),
    (_LINK, r"\1"),  # again, for an image that is a link
    (re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->"), ""),
    (re.compile(r"\s*\{[#.:][^{}]*\}\s*$"), ""),
    (re.compile(r"(`+)([^`]+)\1"), r"\2"),
    (re.compile(r"(?<![\w\\*])(\*{1,3})(?=\S)([^*]+?)(?<=\S)\1(?!\*)"), r"\2"),
    (re.compile(r"(?<![\w\\_])(_{1,3})(?=\S)([^_]+?)(?<=\S)\1(?![\w_])"), r"\2"),
    (re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"), r"\1"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def plain_title(title: str) -> str:
    """`title` (one line) without emphasis, links, images, code marks, tags and anchors."""
    if not _MARKUP.search(title):
        return title
    plain = title
    for pattern, replacement in _STEPS:
        plain = pattern.sub(replacement, plain)
    if "&" in plain:
        from html import unescape

        plain = unescape(plain)
    return plain.strip()
