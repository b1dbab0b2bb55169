"""The OpenAI chat model: any OpenAI-compatible endpoint, close to the wire."""

from cleveractors.models.openai.build import build_model
from cleveractors.models.openai.clients import OpenAIClients
from cleveractors.models.openai.lean import LeanChatOpenAI
from cleveractors.models.openai.settings import OpenAISettings
from cleveractors.models.openai.stock import StockChatOpenAI

__all__ = ["LeanChatOpenAI", "OpenAIClients", "OpenAISettings", "StockChatOpenAI", "build_model"]
