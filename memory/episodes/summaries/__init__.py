"""Extractive summaries: the sentences that tell most, by the rarity of their words."""
