"""`@hooks.on(…)`: one overload for each event, so that payloads and verdicts are known to a type checker."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypedDict, TypeVar, overload

from typing_extensions import Unpack

from cleveractors.hooks import payloads as p
from cleveractors.hooks.hook import Scope
from cleveractors.hooks.points import OnFailure
from cleveractors.hooks.verdicts import AddContext, Ask, Continue, Deny, Modify, ReplaceText

__all__ = ["Registration"]

V = TypeVar("V")
Maybe = V | None | Awaitable[V | None]
Nothing = None | Awaitable[None]


class Options(TypedDict, total=False):
    """What can be said of every hook."""

    timeout: float
    required: bool


class ToolOptions(Options, total=False):
    """… of one that is for some tools."""

    matcher: str


class GateOptions(Options, total=False):
    """… of one that can deny."""

    on_failure: OnFailure


class ToolGateOptions(GateOptions, ToolOptions, total=False):
    """… of one that can deny tool calls."""


class ObserveOptions(Options, total=False):
    """… of one that may look on only."""

    observe: bool


class DisplayOptions(Options, total=False):
    """… of one that shows messages."""

    scope: Scope


SessionStartFn = TypeVar("SessionStartFn", bound=Callable[[p.OnSessionStart], Nothing])
SessionEndFn = TypeVar("SessionEndFn", bound=Callable[[p.OnSessionEnd], Nothing])
PreLLMFn = TypeVar("PreLLMFn", bound=Callable[[p.PreLLMCall], Maybe[AddContext | Deny]])
PreToolFn = TypeVar("PreToolFn", bound=Callable[[p.PreToolCall], Maybe[Modify | Deny | Ask]])
PostToolFn = TypeVar("PostToolFn", bound=Callable[[p.PostToolCall], Nothing])
ToolResultFn = TypeVar("ToolResultFn", bound=Callable[[p.TransformToolResult], Maybe[ReplaceText]])
PreRequestFn = TypeVar("PreRequestFn", bound=Callable[[p.PreApiRequest], Nothing])
PostRequestFn = TypeVar("PostRequestFn", bound=Callable[[p.PostApiRequest], Nothing])
RequestErrorFn = TypeVar("RequestErrorFn", bound=Callable[[p.ApiRequestError], Nothing])
DisplayFn = TypeVar("DisplayFn", bound=Callable[[p.MessageDisplay], Nothing])
OutputFn = TypeVar("OutputFn", bound=Callable[[p.TransformLLMOutput], Maybe[ReplaceText]])
StopFn = TypeVar("StopFn", bound=Callable[[p.Stop], Maybe[Continue]])
PostLLMFn = TypeVar("PostLLMFn", bound=Callable[[p.PostLLMCall], Nothing])
ChildStartFn = TypeVar("ChildStartFn", bound=Callable[[p.SubagentStart], Nothing])
ChildStopFn = TypeVar("ChildStopFn", bound=Callable[[p.SubagentStop], Nothing])


class Registration:
    """Where functions are registered."""

    @overload
    def on(
        self, event: Literal["on_session_start"], **options: Unpack[Options]
    ) -> Callable[[SessionStartFn], SessionStartFn]: ...
    @overload
    def on(
        self, event: Literal["on_session_end"], **options: Unpack[Options]
    ) -> Callable[[SessionEndFn], SessionEndFn]: ...
    @overload
    def on(self, event: Literal["pre_llm_call"], **options: Unpack[GateOptions]) -> Callable[[PreLLMFn], PreLLMFn]: ...
    @overload
    def on(
        self, event: Literal["pre_tool_call"], **options: Unpack[ToolGateOptions]
    ) -> Callable[[PreToolFn], PreToolFn]: ...
    @overload
    def on(
        self, event: Literal["post_tool_call"], **options: Unpack[ToolOptions]
    ) -> Callable[[PostToolFn], PostToolFn]: ...
    @overload
    def on(
        self, event: Literal["transform_tool_result"], **options: Unpack[ToolOptions]
    ) -> Callable[[ToolResultFn], ToolResultFn]: ...
    @overload
    def on(
        self, event: Literal["pre_api_request"], **options: Unpack[Options]
    ) -> Callable[[PreRequestFn], PreRequestFn]: ...
    @overload
    def on(
        self, event: Literal["post_api_request"], **options: Unpack[Options]
    ) -> Callable[[PostRequestFn], PostRequestFn]: ...
    @overload
    def on(
        self, event: Literal["api_request_error"], **options: Unpack[Options]
    ) -> Callable[[RequestErrorFn], RequestErrorFn]: ...
    @overload
    def on(
        self, event: Literal["message_display"], **options: Unpack[DisplayOptions]
    ) -> Callable[[DisplayFn], DisplayFn]: ...
    @overload
    def on(
        self, event: Literal["transform_llm_output"], **options: Unpack[ObserveOptions]
    ) -> Callable[[OutputFn], OutputFn]: ...
    @overload
    def on(self, event: Literal["stop"], **options: Unpack[ObserveOptions]) -> Callable[[StopFn], StopFn]: ...
    @overload
    def on(self, event: Literal["post_llm_call"], **options: Unpack[Options]) -> Callable[[PostLLMFn], PostLLMFn]: ...
    @overload
    def on(
        self, event: Literal["subagent_start"], **options: Unpack[Options]
    ) -> Callable[[ChildStartFn], ChildStartFn]: ...
    @overload
    def on(
        self, event: Literal["subagent_stop"], **options: Unpack[Options]
    ) -> Callable[[ChildStopFn], ChildStopFn]: ...

    def on(self, event: str, **options: Any) -> Callable[[Any], Any]:
        """Register an async or sync function for an event.

            @hooks.on("pre_tool_call", matcher="Edit|Write")
            async def guard(call: PreToolCall) -> Deny | None:
                if call.tool_input["path"].startswith("/etc"):
                    return Deny("not there")

        Args:
            event: when it is called.
            **options: `timeout`, the seconds that all of it may take; `required`; on events of tools `matcher`, a
                regular expression for the tool's whole name; on gates `on_failure="deny" | "pass"`; on `stop` and
                `transform_llm_output` `observe=True`, which holds no text back; on `message_display`
                `scope="all"` for messages of children too.

        Returns:
            A decorator that returns the function unchanged.

        Raises:
            ConfigurationError: an option, or an answer of the function, that means nothing there.
        """

        def register(fn: Any) -> Any:
            self.add_function(event, fn, options)
            return fn

        return register

    @abstractmethod
    def add_function(self, event: str, fn: Callable[[Any], object], options: dict[str, Any]) -> None:
        """Keep a function as a hook."""
