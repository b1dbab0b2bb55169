"""One loop's conversation: the record, the view that is sent, and how it went."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from cleveractors.agents.places import Places, storable, tool_call
from cleveractors.budget import Budget
from cleveractors.events.types import ReactIterationEndEvent
from cleveractors.exceptions import LimitReached
from cleveractors.history import INTERRUPTED
from cleveractors.identifiers import new_call_id
from cleveractors.models.asked import AskedCall, are_calls_of, asked_calls
from cleveractors.models.estimate import PromptMeter, measure
from cleveractors.models.port import Port
from cleveractors.reservation import Purse
from cleveractors.stops import StopReason
from cleveractors.tools.toolset import Toolset
from cleveractors.usage import TokenUsage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

    from cleveractors.events.voice import Voice
    from cleveractors.hooks.listening import HookListener
    from cleveractors.models.admission import Permit
    from cleveractors.models.listener import Listener
    from cleveractors.models.reading import Reply
    from cleveractors.run import Run

__all__ = ["CUT", "Conversation", "talk_of"]

NO_TOOLS = Toolset()
CUT = frozenset({"length", "max_tokens"})
"""Finish reasons of an answer that ended at a cap."""


class Conversation:
    """What one loop holds. The record grows only; pruning rewrites the view alone.

    A call that is stored has a result at once, "interrupted", which the tool's own replaces in its place: so the
    record is a valid history at every await, whoever reads it and however the run is left.

    Args:
        run: whose loop it is.
        messages: the record so far, without system prompt; the loop appends to this very list.
        ports: the model with its tools, then those that take over when it fails.
        token_budget: the agent's own ceiling, or None.
    """

    # As of a run: a dictionary of each would cost a kilobyte more.
    __slots__ = (  # noqa: SIM905 - as a list it would fill a page
        "_equal_rounds _iterating _last_round _places again answer beyond budget_exhausted budget_refusal cut_by "
        "error finish_reason hook_listener last_text ledger listener messages meter pass_listener permit ports "
        "prepared pruned_to purses question reply rounds run seen_ids shrunk stop_detail stop_reason "
        "synthesis_was_run tool_calls tools view voice"
    ).split()

    def __init__(
        self, run: Run, messages: list[BaseMessage], ports: Sequence[Port], token_budget: int | None = None
    ) -> None:
        self.run = run
        self.messages = messages
        self.question = next((one for one in reversed(messages) if one.type == "human"), None)
        """What the user asked; behind it stands what the run has made of it."""
        self.ports = list(ports)
        self.ledger = run.ledger.child()
        self.purses = list(run.purses)
        if token_budget is not None:
            self.purses.append(Purse(Budget(max_tokens=token_budget), "the agent's token_budget", self))
        self.meter = PromptMeter(run.rate)
        self.view: list[BaseMessage] = []
        self.prepared: list[BaseMessage] = []
        self.tools = NO_TOOLS
        self.permit: Permit | None = None
        self.reply: Reply | None = None
        """What the seam's own call came to, with its tool calls already read."""
        self.listener: Listener | None = None
        """Follows turns and the wrap-up."""
        self.pass_listener: Listener | None = None
        """Follows passes."""
        self.hook_listener: HookListener | None = None
        self.voice: Voice | None = None
        self._iterating = False
        self.again = False
        """Whether the turn is not over: its call is made again, on a shorter view."""
        self.rounds = 0
        self.tool_calls = 0
        self.stop_reason: StopReason | None = None
        self.stop_detail = ""
        self.budget_refusal: str | None = None
        self.finish_reason: str | None = None
        self.budget_exhausted = False
        self.synthesis_was_run = False
        self.cut_by: StopReason | None = None
        """The budget whose cap ended the last response."""
        self.error: BaseException | None = None
        self.last_text = ""
        self.answer: AIMessage | None = None
        """The final answer, when the model gave one."""
        self.pruned_to = 0
        """Where in the view the part begins that no pruning has touched."""
        self.beyond = sys.exception()
        """What the host was handling when it asked: no error of a model call comes from that."""
        self.shrunk = False
        """Whether the view was shortened since it was too long for the model."""
        self._places = Places()
        self.seen_ids: set[str | None] = {
            call["id"] for message in messages for call in getattr(message, "tool_calls", ())
        }
        """Ids of calls in the record: a further call of such an id gets another."""
        self._last_round: object = None
        self._equal_rounds = 0

    async def begin_iteration(self) -> None:
        """Say that a turn begins, unless it was said."""
        if self.voice is not None and not self._iterating:
            self._iterating = True
            await self.voice.begin_iteration()

    def break_iteration(self) -> None:
        """Say that the turn has ended on the way out, waiting for nobody."""
        if self.voice is not None and self._iterating:
            self._iterating = False
            self.voice.say(ReactIterationEndEvent(self.voice.iteration))

    async def end_iteration(self) -> None:
        """Say that the turn has ended, where it was said to have begun."""
        if self.voice is not None and self._iterating and not self.again:
            self._iterating = False
            await self.voice.end_iteration()
        self.again = False

    @property
    def port(self) -> Port:
        """The model in charge."""
        return self.ports[0]

    def stay_with(self, port: Port) -> None:
        """A model that took over stays in charge; those before it have failed."""
        if port is not self.ports[0]:
            behind = self.ports.index(port) + 1 if port in self.ports else 1
            self.ports = [port, *self.ports[behind:]]

    def start_view(self, system: BaseMessage | None) -> None:
        """Lay out what is sent: the system prompt, then the record."""
        self.view = [*([system] if system else ()), *self.messages]
        self.meter = self.fresh_meter(self.view)
        self.pruned_to = len(self.view)

    def append(self, message: BaseMessage) -> None:
        """Add a message to the record and to the view."""
        self.messages.append(message)
        self.view.append(message)
        self.meter.add(measure(message))

    def rewrite_view(self, changes: Sequence[tuple[int, BaseMessage]]) -> None:
        """Put shorter messages in place of some of the view's; the record keeps the whole ones."""
        for index, message in changes:
            self.view[index] = message
        self.meter = self.fresh_meter(self.view)

    def begin_turn(self, messages: list[BaseMessage]) -> None:
        """Take what the next call is sent; other messages than the view make its size unknown."""
        # A seam that answers by itself tells neither.
        self.finish_reason, self.cut_by = None, None
        self.prepared = messages
        if messages is not self.view:
            self.meter = self.fresh_meter(messages)

    def fresh_meter(self, messages: Sequence[BaseMessage]) -> PromptMeter:
        """The size of a prompt of which nothing has been sent before."""
        meter = PromptMeter(self.run.rate)
        meter.add(measure(*messages))
        meter.add(self.port.tools_size)
        return meter

    def meter_of_view(self) -> PromptMeter:
        """The size of the view, also where other messages have been sent in its place."""
        return self.meter if self.prepared is self.view else self.fresh_meter(self.view)

    def drop_permit(self) -> None:
        """Give back a permit that nobody used."""
        permit, self.permit = self.permit, None
        if permit is not None:
            permit.reservation.release()
            self.run.counters.model_calls -= 1

    def store(self, message: AIMessage) -> list[AskedCall]:
        """Add an answer, with its calls' ids made good.

        Returns:
            The calls in the order asked.
        """
        reply, self.reply = self.reply, None
        known = reply.calls if reply is not None and reply.message is message else ()
        calls = self._unique(known if are_calls_of(message, known) else asked_calls(message))
        tool_calls = [tool_call(call) for call in calls]
        if message.invalid_tool_calls or tool_calls != message.tool_calls:
            message = message.model_copy(update={"tool_calls": tool_calls, "invalid_tool_calls": []})
        if calls and message.text.strip():
            self.last_text = message.text
        self.append(message)
        self._keep_places(calls)
        return calls

    def _keep_places(self, calls: Sequence[AskedCall]) -> None:
        self._places = Places(calls, len(self.messages))
        reserved = self._places.reserved()
        self.messages += reserved
        self.view += reserved

    def put_result(self, place: int, result: ToolMessage, *, raw: bool = False) -> None:
        """Put the result of a call, by its place in the response, into the record.

        The first one stays, unless it was `raw`: then the one that hooks leave takes its place.
        """
        index = self._places.take(place, raw=raw)
        if index is not None:
            self.replace(index, result)
            if not raw:
                self.meter.add(measure(result))

    def replace(self, index: int, message: BaseMessage) -> None:
        """Put another message in place of one of the record, and of the view, which end alike."""
        self.view[index - len(self.messages)] = message
        self.messages[index] = message

    def results(self, count: int) -> list[BaseMessage]:
        """The results of the last response's first calls."""
        return self.messages[self._places.start : self._places.start + count]

    def _unique(self, calls: Sequence[AskedCall]) -> list[AskedCall]:
        unique: list[AskedCall] = []
        for call in calls:
            call_id = call.id if call.id and call.id not in self.seen_ids else new_call_id()
            self.seen_ids.add(call_id)
            unique.append(storable(call if call_id == call.id else replace(call, id=call_id), self.tools))
        return unique

    def close(self, text: str = INTERRUPTED) -> None:
        """Say of calls that no tool has answered why there is no result."""
        refusals = self._places.refusals(text)
        for index, refusal in zip(self._places.close(), refusals, strict=True):
            self.replace(index, refusal)
            self.meter.add(measure(refusal))

    def go_on(self, text: str) -> None:
        """Take up the work again with a further message to the agent."""
        from langchain_core.messages import HumanMessage

        self.append(HumanMessage(text))
        self.answer, self.stop_reason, self.stop_detail = None, None, ""

    def leave(self, error: BaseException | None = None) -> TokenUsage:
        """End on whichever way out; what providers told of this loop."""
        if self.hook_listener is not None:
            self.hook_listener.over(error)
        self.break_iteration()
        self.close()
        return self.ledger.totals.usage

    def note_round(self, signature: object, limit: int | None) -> bool:
        """Remember a round; True when it is the n-th equal one running."""
        self._equal_rounds = self._equal_rounds + 1 if signature is not None and signature == self._last_round else 1
        self._last_round = signature
        return limit is not None and signature is not None and self._equal_rounds >= limit

    def stop(self, reason: StopReason, detail: str, refusal: str | None = None) -> StopReason:
        """Write down why the loop ends."""
        self.stop_reason, self.stop_detail, self.budget_refusal = reason, detail, refusal
        return reason

    def stop_for(self, limit: LimitReached) -> StopReason:
        """End for a limit that was met within a call."""
        return self.stop(cast("StopReason", limit.reason), limit.detail)

    def drop_empty(self) -> None:
        """Take back an answer without words and calls: providers refuse it in a history."""
        last = self.messages[-1] if self.messages else None
        if last is not None and last.type == "ai" and not last.text.strip() and not getattr(last, "tool_calls", None):
            self.messages.pop()
            self.view.pop()

    @property
    def own_purses(self) -> list[Purse]:
        """The purses in which a reserve is kept for this loop's wrap-up: none of a parent's."""
        return [purse for purse in self.purses if purse.owner is self or purse.owner is self.run]

    @property
    def crossed(self) -> bool:
        """Whether what was spent has reached a ceiling of the chain."""
        return any(purse.budget.exhausted for purse in self.purses)


def talk_of(talk: object) -> Conversation:
    """The conversation of a context, for the seam that only a loop may use."""
    if not isinstance(talk, Conversation):
        raise RuntimeError("call_model is the loop's seam; outside it use context.call_model(messages)")
    return talk
