"""Hooks of mkdocs (mkdocs.yml): the first page, and links that lead out of docs/.

The first page of the site is README.md. A page is read in the repository too, where it links to
files beside docs/; in the site such a link becomes its text and the path.
"""

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parent.parent
FIRST_PAGE: Final = "index.md"

_LINK: Final = re.compile(
    r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s:#]+)(?P<anchor>#[^)\s]*)?\)"
)
_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\(docs/")


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the first page."""
    from mkdocs.structure.files import File

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, FIRST_PAGE, content=text))
    return files


def on_page_markdown(markdown: str, page: "Page", **_: Any) -> str:
    """Return the text of a page with links for the site."""
    folder = (
        "" if page.file.src_uri == FIRST_PAGE else posixpath.dirname(f"docs/{page.file.src_uri}")
    )
    return for_the_site(markdown, folder)


def for_the_site(markdown: str, folder: str) -> str:
    """Return a page's text with links for the site.

    `folder` holds the page, relative to the root. A folder's link leads to its README.md.
    """

    def link(found: re.Match[str]) -> str:
        text, target, anchor = found["text"], found["target"], found["anchor"] or ""
        path = posixpath.normpath(posixpath.join(folder, target))
        if (ROOT / path / "README.md").is_file():
            path = f"{path}/README.md"
        if path == "README.md":
            path = f"docs/{FIRST_PAGE}"
        if not path.startswith("docs/") or (ROOT / path).is_dir():
            return text if path in text else f"{text} (`{path}`)"
        return f"[{text}]({posixpath.relpath(path, folder if folder else 'docs')}{anchor})"

    return _LINK.sub(link, _PICTURE.sub(r"![\1](", markdown) if not folder else markdown)
