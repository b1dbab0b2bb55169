"""The type that an answer must fit: what the model is told of it, and how its answer is read."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

__all__ = ["Contract", "Misfit", "contract_of", "contract_schema"]

MAX_PROBLEMS = 20
MAX_TEXT = 2_000
_INSTRUCTION = "Your final answer must be one JSON value that fits this JSON schema, without any other text:\n"
_FENCE = re.compile(r"```(?:json|JSON)?[ \t]*\r?\n(.*?)```", re.DOTALL)


class Misfit(Exception):
    """Internal: a text does not fit; its own text says where."""


class Contract:
    """One type, made ready to validate any number of answers.

    Args:
        kind: a pydantic model, dataclass, TypedDict, or any other type that pydantic knows.

    Raises:
        TypeError: it can't be validated, or has no JSON schema.
    """

    __slots__ = ("_adapter", "instruction", "kind")

    def __init__(self, kind: Any) -> None:
        from pydantic import TypeAdapter
        from pydantic.errors import PydanticUserError

        from cleveractors.tools.typeddicts import modern

        self.kind = kind
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(modern(kind))
            schema = json.dumps(self._adapter.json_schema(), ensure_ascii=False)
        except (PydanticUserError, TypeError, NameError) as error:
            raise TypeError(f"output_type {kind!r} can't be validated: {error}") from error
        self.instruction = "" if kind is str else _INSTRUCTION + schema
        """What the system prompt ends with; empty where any text fits."""

    def read(self, text: str) -> Any:
        """The value that a text holds as JSON, bare or in one fenced block.

        Raises:
            Misfit: it is no JSON, or does not fit.
        """
        from pydantic import ValidationError

        if self.kind is str:
            return text
        try:
            return self._adapter.validate_json(_bare(text), strict=True)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            raise Misfit(_told(problems)) from error


def _bare(text: str) -> str:
    blocks = _FENCE.findall(text)
    return blocks[0] if len(blocks) == 1 else text.strip()


def _told(problems: list[Any]) -> str:
    lines = [f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in problems[:MAX_PROBLEMS]]
    text = "; ".join(lines)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} […]"


def contract_of(kind: Any) -> Contract:
    """The contract of a type; of the types that can be remembered, it is made once."""
    try:
        hash(kind)
    except TypeError:
        return Contract(kind)
    return _remembered(kind)


def contract_schema(prompt: str) -> Any:
    """The schema that a system prompt asks for by a contract's instruction, whatever stands behind it; None without."""
    _, found, rest = prompt.rpartition(_INSTRUCTION)
    if not found:
        return None
    try:
        return json.JSONDecoder().raw_decode(rest)[0]
    except ValueError:
        # An agent's code may have changed it.
        return None


@lru_cache(maxsize=256)
def _remembered(kind: Any) -> Contract:
    return Contract(kind)
