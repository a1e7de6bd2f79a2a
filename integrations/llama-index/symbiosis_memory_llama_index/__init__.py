"""A retriever and a memory block for LlamaIndex, over HTTP."""

from symbiosis_memory_llama_index.memory_block import SymbiosisMemoryBlock
from symbiosis_memory_llama_index.retriever import SymbiosisRetriever

__all__ = ["SymbiosisMemoryBlock", "SymbiosisRetriever"]
