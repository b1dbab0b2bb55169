"""The first verb: leave for a turn's call, or the reason why the loop ends."""

from __future__ import annotations

from cleveractors.agents.conversation import Conversation
from cleveractors.models.admission import Permit, admit, holding, wait_for_room
from cleveractors.stops import Stop, StopReason

__all__ = ["admit_turn"]


async def admit_turn(talk: Conversation) -> StopReason | None:
    """Ask for one call, and say that a turn begins; the permit waits in the conversation for whoever makes it."""
    run, first = talk.run, not talk.ledger.made
    outcome = admit(run, talk.port, talk.meter, talk.purses)
    if first and isinstance(outcome, Stop) and outcome.refusal is not None:
        # With nothing done there is nothing to wrap up: the first call may use the reserve.
        outcome = admit(run, talk.port, talk.meter, talk.purses, reserve_of=talk.own_purses)
    if first and isinstance(outcome, Stop):
        outcome = await wait_for_room(run, talk.port, talk.meter, talk.purses, outcome, reserve_of=talk.own_purses)
    if isinstance(outcome, Permit):
        if talk.voice is not None:
            # Saying that a turn begins may wait for a slow reader.
            with holding(run, outcome):
                await talk.begin_iteration()
        talk.permit = outcome
        return None
    return talk.stop(*outcome)
