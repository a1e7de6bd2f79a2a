"""Distillation by rules, judged by labelled conversations of two months."""
