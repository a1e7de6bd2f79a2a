"""Permanent removal from the memory, with proof that nothing remains."""
