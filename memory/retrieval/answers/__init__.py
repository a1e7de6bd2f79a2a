"""The content of an answer: results with citations, what was said around them, its caveats."""
