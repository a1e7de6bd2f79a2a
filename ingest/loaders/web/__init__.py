"""Web pages and what is made of them: HTML, and e-books, which are pages in an archive.

`hypertext` turns a page into Markdown, `page_parts` says what its elements are to a reader.
"""
