"""Web pages, and e-books, which are pages in an archive.

`hypertext` turns a page into Markdown, `page_parts` classifies its elements.
"""
