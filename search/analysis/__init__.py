"""Queries and texts as words: segmentation, letters, inflection, stop words."""
