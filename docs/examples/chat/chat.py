"""A chat that remembers: `python chat.py SESSION`, one line a message, against a local model.

Before each answer it builds the context, then it stores both turns and reports what the answer
cites as used. BASE_URL and MODEL name an OpenAI-compatible server, such as Ollama's.
"""

import os
import re
import sys

from openai import OpenAI

from memory import MemoryManager, NewTurn, SyncMemoryManager
from memory.semantic import note_used

SYSTEM = (
    "You are a friendly assistant. What you use of what is recalled, you cite as it is there, "
    "such as [12] or [memory 3]."
)


def answer(memory: SyncMemoryManager, client: OpenAI, session: str, text: str) -> str:
    """Answer a message of a session, and remember both."""
    context = memory.build_context(
        session, text, system=SYSTEM, max_tokens=1500, include=["episodes", "triples"]
    )
    said = client.chat.completions.create(
        model=os.environ["MODEL"],
        messages=[*context.messages, {"role": "user", "content": text}],
    )
    reply = said.choices[0].message.content or ""
    memory.add_turns([NewTurn(session, text), NewTurn(session, reply, role="assistant")])
    cited = set(re.findall(r"\[([^\]]+)\]", reply))
    shown = {str(part.turn_id or part.citation): part.citation for part in context.parts}
    used = [citation for name, citation in shown.items() if name in cited and citation]
    if used:
        note_used(memory.asynchronous.workspace, used)
        print(f"(used: {', '.join(used)})", file=sys.stderr)
    return reply


def main() -> None:
    """Answer each line of the standard input."""
    client = OpenAI(
        base_url=os.environ["BASE_URL"], api_key=os.environ.get("OPENAI_API_KEY", "none")
    )
    with MemoryManager.open_sync() as memory:
        for line in sys.stdin:
            if line.strip():
                print(answer(memory, client, sys.argv[1], line.strip()), flush=True)


if __name__ == "__main__":
    main()
