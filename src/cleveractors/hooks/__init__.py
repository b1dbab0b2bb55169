"""The host's code and commands at every moment that matters."""

from __future__ import annotations

from cleveractors.hooks.payload import Payload
from cleveractors.hooks.payloads import (
    ApiRequestError,
    MessageDisplay,
    OnSessionEnd,
    OnSessionStart,
    PostApiRequest,
    PostLLMCall,
    PostToolCall,
    PreApiRequest,
    PreLLMCall,
    PreToolCall,
    Stop,
    SubagentStart,
    SubagentStop,
    TransformLLMOutput,
    TransformToolResult,
)
from cleveractors.hooks.registry import Hooks
from cleveractors.hooks.verdicts import AddContext, Ask, Continue, Deny, Modify, ReplaceText

__all__ = [
    "AddContext",
    "ApiRequestError",
    "Ask",
    "Continue",
    "Deny",
    "Hooks",
    "MessageDisplay",
    "Modify",
    "OnSessionEnd",
    "OnSessionStart",
    "Payload",
    "PostApiRequest",
    "PostLLMCall",
    "PostToolCall",
    "PreApiRequest",
    "PreLLMCall",
    "PreToolCall",
    "ReplaceText",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "TransformLLMOutput",
    "TransformToolResult",
]
