"""Distillation of conversations into records: over new turns only, with evidence for each."""
