"""Transcripts that coding agents keep: where they are, and what is taken of them."""
