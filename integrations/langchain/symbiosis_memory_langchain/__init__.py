"""A retriever and a chat history for LangChain, over HTTP."""

from symbiosis_memory_langchain.chat_history import MemoryChatHistory
from symbiosis_memory_langchain.retriever import MemoryRetriever

__all__ = ["MemoryChatHistory", "MemoryRetriever"]
