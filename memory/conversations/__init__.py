"""What was said and what is remembered of it.

`pipeline` is the way of a turn: stored, indexed, then searched for facts by the rules; `turns/`
keeps what was said, `memories/` what was distilled, `llm_extraction/` asks a language model.
"""
