"""Identifiers in texts and queries: detection, spelling variants, matching, reserved ranks."""
