"""PDF files: their pages, and the text of a page as lines."""
