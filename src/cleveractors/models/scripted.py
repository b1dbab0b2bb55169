"""A chat model that plays a script: for tests, examples and dry runs, without a provider."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, TypeVar, cast

from anyio.lowlevel import checkpoint
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from .answer import Answer, prompt_tokens, spoken
from .improvised import improvised
from .script import Script
from .turn import ScriptedTurn, ScriptedTurnLike, is_function, read_turn

__all__ = ["ScriptedChatModel", "ScriptedRequest"]

_MOST_FUNCTIONS: Final = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScriptedRequest:
    """What a scripted model was asked in one call."""

    messages: list[BaseMessage]
    """The messages, in a list of their own."""
    tools: list[dict[str, Any]]
    """The tools it was offered, in OpenAI's format."""
    streamed: bool
    """Whether the answer was asked for in chunks."""
    tool_choice: Any
    """What was said about the choice of a tool; None: nothing."""
    kwargs: dict[str, Any]
    """All other parameters: `max_tokens`, `temperature`, `stop` …"""

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools it was offered."""
        return [str((tool.get("function") or tool).get("name")) for tool in self.tools]


class _Record:
    """What all copies of one model share: the requests, and the number of the last call id."""

    def __init__(self) -> None:
        self.requests: list[ScriptedRequest] = []
        self._ids = 0
        self._lock = Lock()

    def __deepcopy__(self, memo: dict[int, object]) -> _Record:
        return self

    def new_id(self) -> str:
        with self._lock:
            self._ids += 1
            return f"call_{self._ids}"


class ScriptedChatModel(BaseChatModel):
    """A chat model that answers with the turns of a script, one for each call, in order.

    A turn is a text, a `call(...)`, a list of calls, a `ScriptedTurn`, a mapping (`{text: …, calls: […], usage: …}`),
    an `AIMessage`, an exception or its class (raised), or a function of the messages, or of the messages and the
    tools, that returns any of these, async or not; one that tells no signature is called with nothing. A function in
    place of the list answers every call.

    Without turns it suits any actor: it calls every tool once with the smallest arguments that fit its schema, then
    says what they returned, and why a tool was not called for which it found none; where a run asks for an
    `output_type`, its answer is the smallest that fits.

    Usage is counted as a fourth of the UTF-8 bytes, rounded up: of messages, calls and tools for the prompt, of text
    and calls for the completion. A call's `max_tokens`, else the model's, cuts the answer (`length`). Copies of a
    model play the same script on. It is safe to use from several tasks and threads.

    Args:
        turns: The script; None: none.
        model: The model's name, as its answers tell it.
        max_tokens: The most tokens an answer may have; None: no bound.
        repeat: Begin the script again at its end.
        ignore_cap: Never cut an answer, as a provider that ignores `max_tokens`.
        settings: Fields of `BaseChatModel`.

    Raises:
        ValueError: A turn can't be read. The message says which, what was found and what is allowed.
    """

    model: str = "scripted"
    max_tokens: int | None = None
    repeat: bool = False
    ignore_cap: bool = False

    _script: Script | None = PrivateAttr(default=None)
    _record: _Record = PrivateAttr(default_factory=_Record)

    def __init__(
        self,
        turns: Sequence[ScriptedTurnLike] | Callable[..., Any] | None = None,
        *,
        model: str = "scripted",
        max_tokens: int | None = None,
        repeat: bool = False,
        ignore_cap: bool = False,
        **settings: Any,
    ) -> None:
        settings |= {"model": model, "max_tokens": max_tokens, "repeat": repeat, "ignore_cap": ignore_cap}
        super().__init__(**settings)
        self._script = None if turns is None else Script(turns, repeat=repeat)

    @property
    def calls(self) -> list[ScriptedRequest]:
        """What the model has been asked, oldest first."""
        return self._record.requests

    def assert_complete(self) -> None:
        """Check that every turn has been played.

        Raises:
            AssertionError: Some have not; it names them.
        """
        unplayed = self._script.unplayed() if self._script is not None else []
        if unplayed:
            raise AssertionError("\n  ".join(["turns that have not been played:", *unplayed]))

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model with `tools` offered in every call.

        Args:
            tools: Anything that LangChain's `convert_to_openai_tool` takes; ready OpenAI tools stay as they are.
            tool_choice: Recorded as it stands. Without a script "none" and a tool's name are heeded.
            kwargs: Further parameters of every call.
        """
        if tool_choice is not None:
            kwargs["tool_choice"] = tool_choice
        bound = self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)
        return cast("Runnable[LanguageModelInput, AIMessage]", bound)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(_at_once(self._answered(messages, stop, kwargs, streamed=False)))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        answer = await self._answered(messages, stop, kwargs, streamed=False)
        # A provider always lets others run in the meantime, and can be cancelled.
        await checkpoint()
        return _result(answer)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer = _at_once(self._answered(messages, stop, kwargs, streamed=True))
        for sent, chunk in enumerate(answer.chunks(), 1):
            yield ChatGenerationChunk(message=chunk)
            if answer.turn.between is not None:
                _at_once(_settled(answer.turn.between(sent)))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        answer = await self._answered(messages, stop, kwargs, streamed=True)
        for sent, chunk in enumerate(answer.chunks(), 1):
            await checkpoint()
            yield ChatGenerationChunk(message=chunk)
            if answer.turn.between is not None:
                await _settled(answer.turn.between(sent))

    async def _answered(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any], *, streamed: bool
    ) -> Answer:
        asked: dict[str, Any] = {**kwargs, "stop": stop} if stop else dict(kwargs)
        tools: list[dict[str, Any]] = list(asked.pop("tools", None) or [])
        request = ScriptedRequest(list(messages), tools, streamed, asked.pop("tool_choice", None), asked)
        self._record.requests.append(request)
        turn = await self._turn(request)
        if turn.before is not None:
            await _settled(turn.before())
        if turn.error is not None and not (streamed and (turn.text or turn.calls or turn.message)):
            raise turn.error
        cap = None if self.ignore_cap else asked.get("max_tokens", self.max_tokens)
        return Answer.of(self._with_ids(turn), self.model, cap, lambda: prompt_tokens(messages, tools))

    async def _turn(self, request: ScriptedRequest) -> ScriptedTurn:
        if self._script is None:
            one_by_one = request.kwargs.get("parallel_tool_calls") is False
            return improvised(request.messages, request.tools, request.tool_choice, one_by_one=one_by_one)
        where, turn = self._script.next(_described(request))
        where = f"what {where} returned"
        for _ in range(_MOST_FUNCTIONS):
            if isinstance(turn, ScriptedTurn):
                return turn
            answered = await _settled(turn(*_taken(turn, request.messages, request.tools)))
            turn = answered if is_function(answered) else read_turn(answered, where)
        raise ValueError(f"{where} is a function again and again")

    def _with_ids(self, turn: ScriptedTurn) -> ScriptedTurn:
        """Return the turn with a new id for each call without one; a ready message keeps its own, also none."""
        if turn.message is not None:
            text, calls = spoken(turn.message)
            told = turn.message.response_metadata.get("finish_reason")
            reason = told if turn.finish_reason is None else turn.finish_reason
            return replace(turn, text=text, calls=calls, finish_reason=reason)
        if not turn.calls:
            return turn
        new_id = self._record.new_id
        return replace(turn, calls=tuple(call if call.id else replace(call, id=new_id()) for call in turn.calls))


def _result(answer: Answer) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=answer.message())])


def _described(request: ScriptedRequest) -> str:
    last = request.messages[-1] if request.messages else None
    said = "nothing" if last is None else f"{last.type} message {str(last.text)[:80]!r}"
    return f"{said}, tools: {', '.join(request.tool_names) or 'none'}"


def _taken(function: Callable[..., Any], *arguments: Any) -> tuple[Any, ...]:
    """Return as many of the arguments as the function takes; none if it does not tell, as some written in C."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return ()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return arguments
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return arguments[: len(places)]


async def _settled(result: Awaitable[T] | T) -> T:
    return cast(T, await result if inspect.isawaitable(result) else result)


def _at_once(step: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that waits for nothing: the same code answers callers with and without a loop."""
    try:
        step.send(None)
    except StopIteration as done:
        return done.value
    step.close()
    raise RuntimeError("the script's turn waits for something, which takes an event loop: use ainvoke or astream")
