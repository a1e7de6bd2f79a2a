"""The retriever and the chat history in chains of the real library."""

import asyncio

from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory
from symbiosis_memory_client import MemoryClient, NewTurn
from symbiosis_memory_langchain import MemoryChatHistory, MemoryRetriever

MESSAGES = [
    SystemMessage("Answer shortly."),
    HumanMessage("How much pressure does the pump need?", id="m1"),
    AIMessage(
        "", tool_calls=[{"name": "search", "args": {"query": "pump pressure"}, "id": "call-1"}]
    ),
    ToolMessage("The pump needs 3 bar.", tool_call_id="call-1"),
    AIMessage([{"type": "text", "text": "3 bar."}]),
]


def test_documents_have_citations(client: MemoryClient) -> None:
    retriever = MemoryRetriever(client=client, k=1, options={"sources": ["file"]})
    (found,) = retriever.invoke("spare key")
    assert "behind the boiler" in found.page_content
    assert found.metadata["citation"].endswith("boiler.md:1-3")
    assert 0 < found.metadata["score"] <= 1
    assert asyncio.run(retriever.ainvoke("spare key")) == [found]


def test_a_retriever_stands_in_a_chain(client: MemoryClient) -> None:
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    retriever = MemoryRetriever(client=client, k=1)
    asked: list[str] = []

    def note(value: object) -> object:
        asked.append(str(value))
        return value

    model = FakeListChatModel(responses=["behind the boiler"])
    context = {"context": retriever, "question": RunnablePassthrough()}
    chain = context | prompt | note | model | StrOutputParser()
    assert chain.invoke("where is the spare key") == "behind the boiler"
    assert "hangs behind the boiler" in asked[0]


def test_messages_come_back_as_they_were(client: MemoryClient, session_id: str) -> None:
    history = MemoryChatHistory(session_id, client=client)
    assert history.messages == []
    history.add_messages(MESSAGES)
    assert history.messages == MESSAGES
    assert MemoryChatHistory(session_id, client=client, limit=2).messages == MESSAGES[-2:]
    assert asyncio.run(history.aget_messages()) == MESSAGES
    history.clear()
    assert history.messages == []


def test_a_history_is_searchable_and_makes_memories(client: MemoryClient, session_id: str) -> None:
    MemoryChatHistory(session_id, client=client).add_messages([HumanMessage("I live in Ghent")])
    (turn,) = client.search("Ghent", sources=["turn"], session_id=session_id)
    assert turn["text"] == "I live in Ghent"
    (memory,) = client.search("Ghent", sources=["memory"], limit=1)
    assert memory["text"] == "User lives in Ghent"


def test_turns_of_others_are_messages(client: MemoryClient, session_id: str) -> None:
    client.add_turns(session_id, [NewTurn("hello"), NewTurn("hi", "assistant")])
    history = MemoryChatHistory(session_id, client=client)
    assert history.messages == [HumanMessage("hello"), AIMessage("hi")]


def test_a_runnable_with_a_history(client: MemoryClient, session_id: str) -> None:
    prompt = ChatPromptTemplate([MessagesPlaceholder("before"), ("human", "{question}")])
    model = FakeListChatModel(responses=["Hello Otto.", "You are Otto."])
    chain = RunnableWithMessageHistory(
        prompt | model,
        lambda session_id: MemoryChatHistory(session_id, client=client),
        input_messages_key="question",
        history_messages_key="before",
    )
    settings = {"configurable": {"session_id": session_id}}
    chain.invoke({"question": "My name is Otto."}, settings)
    chain.invoke({"question": "Who am I?"}, settings)
    said = [message.text for message in MemoryChatHistory(session_id, client=client).messages]
    assert said == ["My name is Otto.", "Hello Otto.", "Who am I?", "You are Otto."]
