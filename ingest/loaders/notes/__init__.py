"""Properties of Markdown notes: front matter, tags, links, dates."""
