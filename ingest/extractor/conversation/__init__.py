"""A turn within its conversation: parts that are played, and slips that are corrected."""
