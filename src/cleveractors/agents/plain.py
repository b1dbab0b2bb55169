"""One model call outside any conversation: for custom agents, tools and passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleveractors.exceptions import LimitReached
from cleveractors.models.admission import admit
from cleveractors.models.call import CallRules, ModelCall
from cleveractors.models.estimate import PromptMeter, measure
from cleveractors.models.listener import Listener
from cleveractors.models.port import Port
from cleveractors.reservation import Purse
from cleveractors.stops import Stop
from cleveractors.usage import Ledger, Purpose

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from cleveractors.run import Run

__all__ = ["plain_call"]


async def plain_call(
    run: Run,
    agent: str,
    ports: Sequence[Port],
    messages: Sequence[BaseMessage],
    rules: CallRules,
    *,
    purpose: Purpose,
    purses: Sequence[Purse] | None = None,
    ledger: Ledger | None = None,
    round: int = 0,
    listener: Listener | None = None,
) -> AIMessage:
    """Make one call whose prompt is these messages.

    Raises:
        LimitReached: a limit or budget refused it; nothing was spent.
        Exception: the provider's error, unwrapped.
    """
    meter = PromptMeter(run.rate)
    meter.add(measure(*messages))
    chain = run.purses if purses is None else purses
    permit = admit(run, ports[0], meter, chain)
    if isinstance(permit, Stop):
        raise LimitReached(permit.reason, permit.detail)
    call = ModelCall(
        run=run,
        agent=agent,
        ports=ports,
        view=messages,
        rules=rules,
        ledger=ledger or run.ledger,
        purses=chain,
        meter=meter,
        purpose=purpose,
        round=round,
        listener=listener,
        permit=permit,
    )
    return (await call.perform()).message
