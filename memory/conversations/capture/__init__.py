"""Conversations with agents, captured from the transcripts that the agents keep."""
