"""The heading of a hit as it is shown: signatures of source code are short."""

from typing import Final

from search.lazy_regex import deferred

SEPARATOR: Final = " > "
_LONGEST: Final = 80
_PROSE = deferred(r"\.(?:adoc|docx?|epub|html?|ipynb|md|odt|org|pdf|pptx?|rst|tex|txt)$")
_TYPE = deferred(
    r"(?:[\w@]+\s+)*?(?:class|enum|impl|interface|namespace|object|protocol|record|struct|trait|type"
    r"|union)\s+[\w.:$]+"
)
_CALL = deferred(
    r"(?:^func\s*\([^()]*\)\s*)?(?P<name>[\w.:~$!?]+)\s*(?:<[^<>]*>\s*)?\((?P<rest>.*)"
)


def shown_heading(heading: str, path: str | None) -> str:
    """Return the path of headings with a signature in source code cut to its name.

    `def export_svg(self, *, title: str = ...)` is `export_svg(...)`, `class Text(JupyterMixin)` is
    `class Text`. Titles of documents stay as they are.
    """
    if path is None or _PROSE.search(path.lower()):
        return heading
    above, separator, last = heading.rpartition(SEPARATOR)
    return f"{above}{separator}{_short(last)}"


def _short(signature: str) -> str:
    named = _TYPE.match(signature)
    if named:
        return named[0]
    called = _CALL.search(signature)
    if called:
        return f"{called['name']}({'' if called['rest'].startswith(')') else '...'})"
    return signature if len(signature) <= _LONGEST else f"{signature[: _LONGEST - 1]}…"
