"""A turn: one answer of a scripted model, as it stands in a script and as it is played."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard, cast

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

__all__ = [
    "ScriptedCall",
    "ScriptedError",
    "ScriptedTurn",
    "ScriptedTurnLike",
    "ScriptedUsage",
    "call",
    "is_function",
    "read_turn",
    "read_turns",
    "shown",
]

ScriptedUsage: TypeAlias = tuple[int, int] | Mapping[str, int] | Literal["counted"] | None

_ALLOWED: Final = (
    "a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, "
    "an AIMessage, an exception or a function"
)
_TURN_KEYS: Final = ("text", "calls", "usage", "chunks", "finish_reason", "error")
_CALL_KEYS: Final = ("name", "arguments", "args", "id", "raw", "type")
_USAGE_KEYS: Final = ("prompt_tokens", "completion_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")


class ScriptedError(Exception):
    """What a turn written as `error: message` raises.

    Args:
        message: The error's text.
        status_code: The HTTP status it stands for, None: none. The runtime retries it as it would that status.
    """

    def __init__(self, message: str, status_code: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status_code


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One tool call of a turn."""

    name: str
    """The tool's name."""
    arguments: Mapping[str, Any]
    """What the tool is called with: JSON, or what pydantic makes JSON of, such as its models, dates and enums."""
    id: str | None = None
    """The call's id; None: the model makes one up."""
    raw: str | None = None
    """The text of the arguments as it stands, in place of `arguments`: it need not be JSON."""

    def __post_init__(self) -> None:
        if isinstance(cast(object, self.arguments), Mapping):
            object.__setattr__(self, "arguments", _plain(self.arguments))

    def written(self) -> str:
        """Return the arguments as the provider would send them."""
        if self.raw is not None:
            return self.raw
        return json.dumps(dict(self.arguments), ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One answer of a scripted model, in full."""

    text: str = ""
    """The answer's text; given `chunks`, it is what they make together."""
    calls: Sequence[ScriptedCall] = ()
    """The tool calls that stand beside it."""
    usage: ScriptedUsage = "counted"
    """What is told of the tokens: `(prompt, completion)`, a mapping with `prompt_tokens`, `completion_tokens` and
    perhaps `cached_tokens`, `cache_write_tokens`, `reasoning_tokens`; None: nothing is told; "counted": a fourth of
    the bytes. Told as it stands; only of an answer that the cap cuts, no more is told than was said."""
    chunks: Sequence[str] | None = None
    """The pieces in which the text is streamed; None: word by word."""
    error: BaseException | type[BaseException] | None = None
    """What is raised: when streaming after the text has gone out, else in place of the answer."""
    finish_reason: str | None = None
    """Why the answer ends; None: `tool_calls` with calls, else `stop`. "": nothing is told, as by a cut stream."""
    before: Callable[[], Awaitable[object] | object] | None = None
    """Called, and awaited, before the answer begins: holds it back, or does something in the meantime."""
    between: Callable[[int], Awaitable[object] | object] | None = None
    """Called with the number of chunks sent so far, and awaited, after each chunk of a stream."""
    message: AIMessage | None = None
    """A ready message, answered with its own content, ids and metadata, in place of `text` and `calls`."""

    def __str__(self) -> str:
        if self.error is not None:
            return shown(self.error)
        names = ", ".join(call.name for call in self.calls)
        said = self.text or (str(self.message.text) if self.message else "")
        return " ".join(part for part in (shown(said) if said or not names else "", names and f"calls {names}") if part)


def _plain(value: Any) -> Any:
    """A value as a provider would send it; what is JSON stays as it stands, halves of surrogate pairs too."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in cast("list[Any]", value)]
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, by_alias=True, fallback=str)


_Answered: TypeAlias = "str | ScriptedCall | Sequence[ScriptedCall] | Mapping[str, Any] | AIMessage"
_Raised: TypeAlias = BaseException | type[BaseException]
ScriptedTurnLike: TypeAlias = "_Answered | _Raised | ScriptedTurn | Callable[..., Any]"


def call(name: str, /, *, id: str | None = None, raw: str | None = None, **arguments: Any) -> ScriptedCall:
    """Return one tool call of a turn: `call("get_weather", city="Paris")`.

    Args:
        name: The tool's name.
        id: The call's id; None: the model makes one up.
        raw: The text of the arguments as it stands, in place of `arguments`: it need not be JSON.
        arguments: What the tool is called with; pydantic models, dates and enums are sent as their JSON. For an
            argument named `id` or `raw` write a mapping: `{"name": …, "arguments": {"id": …}}`.

    Raises:
        ValueError: Both `raw` and arguments were given.
    """
    if raw is not None and arguments:
        raise ValueError(f"call({name!r}): give either raw= or arguments, not both")
    return ScriptedCall(name, arguments, id, raw)


def read_turns(turns: object) -> tuple[ScriptedTurn | Callable[..., Any], ...]:
    """Return the turns of a script, checked.

    Raises:
        ValueError: `turns` is not a list, or a turn can't be read: which, what was found, what is allowed.
    """
    listed = _listed(turns)
    if listed is None:
        raise ValueError(f"a script is a list of turns, found {shown(turns)}")
    return tuple(turn if is_function(turn) else read_turn(turn, f"turn {n}") for n, turn in enumerate(listed, 1))


def is_function(turn: object) -> TypeGuard[Callable[..., Any]]:
    """Return whether `turn` has to be called to know what is played; a class is no function, even if it is an error."""
    return callable(turn) and not isinstance(turn, type)


def read_turn(turn: object, where: str) -> ScriptedTurn:
    """Return one turn, checked.

    Args:
        turn: What stands in the script, or what a function of it returned.
        where: What an error calls it.

    Raises:
        ValueError: It can't be read: what was found, what is allowed.
    """
    if isinstance(turn, str):
        return ScriptedTurn(turn)
    if isinstance(turn, ScriptedTurn):
        return _checked(turn, where)
    if _is_error(turn):
        return ScriptedTurn(error=turn)
    if isinstance(turn, Mapping):
        return _from_mapping(cast("Mapping[str, Any]", turn), where)
    if isinstance(turn, ScriptedCall | list | tuple):
        return ScriptedTurn(calls=_calls(cast(object, turn), where))
    # By its tag: a script is read without langchain.
    if str(getattr(turn, "type", "")) in ("ai", "AIMessageChunk"):
        return ScriptedTurn(message=cast("AIMessage", turn))
    raise ValueError(f"{where}: found {shown(turn)}, allowed is {_ALLOWED}")


def _from_mapping(found: Mapping[str, Any], where: str) -> ScriptedTurn:
    if "name" in found and not found.keys() & set(_TURN_KEYS):
        return ScriptedTurn(calls=_calls([found], where))
    _known(found, _TURN_KEYS, where)
    if not found:
        raise ValueError(f"{where}: found an empty mapping, allowed is {_ALLOWED}")
    return _checked(ScriptedTurn(**found), where)


def _checked(turn: ScriptedTurn, where: str) -> ScriptedTurn:
    text, chunks, usage, reason = cast("tuple[object, ...]", (turn.text, turn.chunks, turn.usage, turn.finish_reason))
    if not isinstance(text, str):
        raise ValueError(f"{where}: `text` is {shown(text)}, allowed is a text")
    if reason is not None and not isinstance(reason, str):
        raise ValueError(f"{where}: `finish_reason` is {shown(reason)}, allowed is a text")
    if chunks is not None:
        pieces = _listed(chunks) or [None]
        if not all(isinstance(piece, str) for piece in pieces):
            raise ValueError(f"{where}: `chunks` is {shown(chunks)}, allowed is a list of texts")
        whole = "".join(cast("list[str]", pieces))
        if text not in ("", whole):
            raise ValueError(f"{where}: `chunks` make {whole!r}, but `text` is {text!r}: give one of them")
        text = whole
    return ScriptedTurn(
        text=text,
        calls=_calls(turn.calls, where),
        usage=_usage(usage, where),
        chunks=turn.chunks,
        error=_error(turn.error, where),
        finish_reason=turn.finish_reason,
        before=turn.before,
        between=turn.between,
        message=turn.message,
    )


def _calls(found: object, where: str) -> tuple[ScriptedCall, ...]:
    alone: object = found
    listed = [alone] if isinstance(found, ScriptedCall | Mapping) else _listed(found)
    if listed is None:
        raise ValueError(f"{where}: `calls` is {shown(alone)}, allowed is a list of calls")
    return tuple(_call(item, where if len(listed) == 1 else f"{where}, call {n}") for n, item in enumerate(listed, 1))


def _call(found: object, where: str) -> ScriptedCall:
    if isinstance(found, ScriptedCall):
        return found
    if not isinstance(found, Mapping):
        raise ValueError(f"{where}: found {shown(found)}, allowed is a call with a `name` and `arguments`")
    given = cast("Mapping[str, Any]", found)
    _known(given, _CALL_KEYS, where)
    name, arguments = given.get("name"), given.get("arguments", given.get("args", {}))
    if not isinstance(name, str) or not name:
        raise ValueError(f"{where}: `name` is {shown(name)}, allowed is the name of a tool")
    if not isinstance(arguments, Mapping):
        raise ValueError(f"{where}: `arguments` is {shown(arguments)}, allowed is a mapping; `raw` takes any text")
    for key in ("id", "raw"):
        if not isinstance(given.get(key, ""), str | None):
            raise ValueError(f"{where}: `{key}` is {shown(given[key])}, allowed is a text")
    if arguments and given.get("raw") is not None:
        raise ValueError(f"{where}: found `raw` and arguments, allowed is one of them")
    return ScriptedCall(name, cast("Mapping[str, Any]", arguments), given.get("id"), given.get("raw"))


def _usage(found: object, where: str) -> ScriptedUsage:
    if found is None or found == "counted":
        return cast(ScriptedUsage, found)
    pair = _listed(found)
    figures: dict[str, object] = {"": None}
    if pair is not None and len(pair) == 2:
        figures = dict(zip(_USAGE_KEYS, pair, strict=False))
    elif isinstance(found, Mapping):
        figures = dict(cast("Mapping[str, object]", found))
        _known(figures, _USAGE_KEYS, f"{where}, `usage`")
    if not all(type(figure) is int and figure >= 0 for figure in figures.values()):
        allowed = '`prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"'
        raise ValueError(f"{where}: `usage` is {shown(cast(object, found))}, allowed are {allowed}")
    return cast("dict[str, int]", figures)


def _error(found: object, where: str) -> BaseException | type[BaseException] | None:
    if isinstance(found, str):
        return ScriptedError(found)
    if isinstance(found, Mapping):
        given = cast("Mapping[str, Any]", found)
        _known(given, ("message", "status_code"), f"{where}, `error`")
        message, status = given.get("message"), given.get("status_code")
        if isinstance(message, str) and (status is None or type(status) is int):
            return ScriptedError(message, status)
    elif found is None or _is_error(found):
        return found
    allowed = "a message, or a mapping with a `message` and perhaps a `status_code`"
    raise ValueError(f"{where}: `error` is {shown(cast(object, found))}, allowed is {allowed}")


def _known(found: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    if unknown := [str(key) for key in found if key not in allowed]:
        raise ValueError(f"{where}: unknown key {', '.join(unknown)}, allowed are {', '.join(allowed)}")


def _listed(found: object) -> list[object] | None:
    return list(cast("Sequence[object]", found)) if isinstance(found, list | tuple) else None


def _is_error(found: object) -> TypeGuard[BaseException | type[BaseException]]:
    return isinstance(found, BaseException) or (isinstance(found, type) and issubclass(found, BaseException))


def shown(found: object) -> str:
    """Return `found` in short, with its type."""
    written = repr(found)
    kind = "" if found is None or isinstance(found, BaseException) else f" ({type(found).__name__})"
    return (written if len(written) <= 80 else written[:79] + "…") + kind
