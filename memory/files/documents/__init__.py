"""Files and ingested texts as records: their text, lines, pages and headings, and their hooks."""
