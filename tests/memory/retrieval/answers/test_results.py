"""Headings as they are shown with a hit."""

import pytest

from memory.retrieval.answers.results import shown_heading


@pytest.mark.parametrize(
    "path, heading, shown",
    [
        ("/a.py", "Console > def export_svg( self, *, title: str = 'Rich' ) -> str",
         "Console > export_svg(...)"),
        ("/a.py", "async def run()", "run()"),
        ("/a.py", "class Text(JupyterMixin)", "class Text"),
        ("/a.py", "Console > print", "Console > print"),
        ("/a.go", "func (s *Server) Serve(x int) error", "Serve(...)"),
        ("/a.rs", "fn foo<T>(x: T) -> u8 where T: A", "foo(...)"),
        ("/a.ts", "export default class A<T extends B> implements C", "export default class A"),
        ("/a.go", "type S struct", "type S"),
        ("/a.css", "a" * 90, "a" * 79 + "…"),
        ("/a.md", "Usage > print(x) and the rest", "Usage > print(x) and the rest"),
        (None, "def f(x)", "def f(x)"),
        ("/a.py", "", ""),
    ],
)  # fmt: skip
def test_signatures_are_short(path, heading, shown):
    assert shown_heading(heading, path) == shown
