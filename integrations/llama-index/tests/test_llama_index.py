"""The retriever, and the block in the real library's `Memory`."""

import asyncio

from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import Memory
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from symbiosis_memory_client import MemoryClient
from symbiosis_memory_llama_index import SymbiosisMemoryBlock, SymbiosisRetriever


def test_nodes_have_citations(client: MemoryClient) -> None:
    retriever = SymbiosisRetriever(client, k=1, sources=["file"])
    (found,) = retriever.retrieve("spare key")
    assert "behind the boiler" in found.text
    assert found.metadata["citation"].endswith("boiler.md:1-3")
    assert found.score is not None
    assert 0 < found.score <= 1
    (again,) = asyncio.run(retriever.aretrieve("spare key"))
    assert again.node_id == found.node_id


def test_a_query_engine_reads_it(client: MemoryClient) -> None:
    engine = RetrieverQueryEngine(
        SymbiosisRetriever(client, k=1),
        response_synthesizer=get_response_synthesizer(llm=MockLLM()),
    )
    answer = engine.query("where is the spare key")
    assert "hangs behind the boiler" in str(answer)  # the model repeats its prompt
    assert answer.source_nodes[0].metadata["source"] == "file"


def memory(client: MemoryClient, session_id: str, **options: object) -> Memory:
    block = SymbiosisMemoryBlock(client=client, **options)
    return Memory.from_defaults(
        session_id=session_id,
        token_limit=60,
        token_flush_size=20,
        chat_history_token_ratio=0.5,
        memory_blocks=[block],
        tokenizer_fn=str.split,
    )


def test_what_leaves_the_queue_is_recalled(client: MemoryClient, session_id: str) -> None:
    kept = memory(client, session_id)
    said = ["My violin teacher is called Odette.", "That is a fine name."]
    for number in range(8):
        kept.put(ChatMessage(role="user", content=said[0] if not number else f"{number} " * 9))
        kept.put(ChatMessage(role="assistant", content=said[1]))
    stored = [turn["text"] for turn in client.turns(session_id)]
    assert stored[:2] == said
    assert len(stored) < 16, "the newest are in the queue alone"
    kept.put(ChatMessage(role="user", content="Who teaches me the violin?"))
    (system, *queue) = kept.get()
    assert system.role == "system"
    assert "Odette" in str(system.content)
    assert not any("Odette" in str(message.content) for message in queue)


def test_a_block_can_store_without_memories(client: MemoryClient, session_id: str) -> None:
    block = SymbiosisMemoryBlock(client=client, extract=False)
    message = ChatMessage(role="user", content="I live in Uppsala")
    asyncio.run(block.aput([message, ChatMessage(role="user", content=" ")], session_id=session_id))
    (turn,) = client.turns(session_id)
    assert (turn["text"], turn["extraction"]) == ("I live in Uppsala", "off")
    assert client.search("Uppsala", sources=["memory"]) == []
