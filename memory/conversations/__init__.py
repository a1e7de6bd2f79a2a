"""Turns of conversations and the memories extracted from them.

`pipeline` processes a turn: it is stored, indexed, then searched for facts by the rules. `turns/`
stores turns, `memories/` the memories, `llm_extraction/` asks a language model.
"""
