"""What a foreign chat model can't tell by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["ModelSpec"]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A host's chat model and what the runtime must know of it.

    Args:
        model: a LangChain chat model, or a function of the file's model name that makes one.
        cap: the call's keyword that bounds the output, such as `max_tokens`; default: `max_tokens`
            where the model has a field of that name. Without one, runs under a budget are refused.
        max_output: the most tokens the model can answer; default: its profile's, else 16,384.
        usage: whether usage told over several chunks adds up (`sum`, LangChain's rule) or the `last`
            figure is the whole.
        tools_off: keywords of a call that must not ask for tools; default: `tool_choice="none"`.
    """

    model: BaseChatModel | Callable[..., BaseChatModel]
    cap: str | None = None
    max_output: int | None = None
    usage: Literal["sum", "last"] = "sum"
    tools_off: Mapping[str, Any] | None = None
