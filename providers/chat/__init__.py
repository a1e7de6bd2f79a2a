"""Chat models: a question in, their answer as text out."""

from providers.chat.base import ChatError, ChatProvider, ChatSettings
from providers.chat.registry import create_chat

__all__ = ["ChatError", "ChatProvider", "ChatSettings", "create_chat"]
