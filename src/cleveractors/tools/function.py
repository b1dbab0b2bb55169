"""A Python function as a tool."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.base import Tool, ToolFunction
from cleveractors.tools.docstrings import read_docstring
from cleveractors.tools.hints import Given
from cleveractors.tools.schema import argument_schema
from cleveractors.tools.signature import read_signature
from cleveractors.tools.subject import Subject, subject_of
from cleveractors.tools.threads import threads_of

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["function_tool"]

_GIFTS: dict[Given, Callable[[RunContext[Any]], object]] = {
    Given.CONTEXT: lambda context: context,
    Given.ABORT: lambda context: context.abort_signal,
    Given.EMITTER: lambda context: context.emitter,
}
"""What a parameter is given, out of the call's context."""

logger = logging.getLogger(__name__)


def function_tool(call: Callable[..., Any]) -> Tool:
    """Make a tool of a function, a bound method, a partial or an instance with `__call__`.

    Raises:
        ConfigurationError: with everything about it that a tool can't have, and where it stands.
    """
    subject = subject_of(call)
    docs = read_docstring(subject.docs)
    signature = read_signature(subject)
    schema, check = argument_schema(subject, signature.arguments, dict(docs.parameters))
    try:
        made = Tool(
            subject.name,
            _description(subject, docs.description),
            schema,
            _runner(subject, signature.given),
            subject.mark.options,
            check=check,
            sync=subject.sync,
            heeds_abort=any(kind is Given.ABORT for _, kind in signature.given),
        )
    except ConfigurationError as error:
        raise ConfigurationError(*(subject.problem(problem.message) for problem in error.problems)) from error
    return made


def _description(subject: Subject, paragraph: str) -> str:
    if subject.mark.description is not None:
        return inspect.cleandoc(subject.mark.description)
    if not paragraph:
        logger.warning(
            "%s",
            subject.problem("the model is told only its name", "write a docstring that says what it does, or when"),
        )
    return paragraph


def _runner(subject: Subject, given: Sequence[tuple[str, Given]]) -> ToolFunction:
    call = subject.call
    gifts = tuple((name, _GIFTS[kind]) for name, kind in given)

    def filled(arguments: dict[str, Any], context: RunContext[Any]) -> dict[str, Any]:
        if not given:
            return arguments
        keywords = dict(arguments)
        for name, gift in gifts:
            keywords[name] = gift(context)
        return keywords

    async def run(arguments: dict[str, Any], context: RunContext[Any]) -> object:
        return await call(**filled(arguments, context))

    async def run_in_thread(arguments: dict[str, Any], context: RunContext[Any]) -> object:
        result = await threads_of(context).run(functools.partial(call, **filled(arguments, context)))
        return await result if inspect.isawaitable(result) else result

    return run_in_thread if subject.sync else run
