"""What tools spend by themselves, entered into the bill and the budgets of their run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleveractors.budget import budget_lock
from cleveractors.models.slot import ToldUsage
from cleveractors.money import Money, money

if TYPE_CHECKING:
    from decimal import Decimal

    from cleveractors.reservation import Books
    from cleveractors.run import Run
    from cleveractors.sinks import UsageSink

__all__ = ["enter_spend"]

PROVIDER = "tool"


def enter_spend(run: Run, agent: str, model: str, spent: ToldUsage, cost: Money | None, books: Books) -> None:
    """Enter a tool's own spend as a settled row; from any thread.

    Args:
        run: the tool's.
        agent: who called the tool.
        model: what was paid for.
        spent: tokens.
        cost: money; None: tokens cost what the house's prices say, where they know the model.
        books: the ledger and the purses.

    Raises:
        ValueError: a figure is negative.
    """
    if min(spent) < 0:
        raise ValueError("report_usage figures must be 0 or more")
    amount, source = _price(run, model, spent, cost)
    row = run.row(agent=agent, provider=PROVIDER, model=model, purpose="tool", round=getattr(books, "rounds", 0))
    books.ledger.open(row)
    row.prompt_tokens, row.completion_tokens = spent.prompt_tokens, spent.completion_tokens
    row.state, row.outcome, row.revision = "settled", "answer", 1
    row.cost, row.price_source = amount, source
    row.over_reserved = _charge(books, spent.prompt_tokens + spent.completion_tokens, amount)
    books.ledger.close(row)
    sink = run.services.usage_sink
    if sink is not None:
        run.late_rows.append(row.freeze())
        _deliver_after_end(run, sink)


def _price(run: Run, model: str, spent: ToldUsage, cost: Money | None) -> tuple[Decimal | None, str | None]:
    if cost is not None:
        return money(cost, "report_usage cost"), "host"
    quote = run.services.models.prices.quote(PROVIDER, model)
    return (None, None) if quote is None else (quote.price.cost(spent), quote.source)


def _charge(books: Books, tokens: int, cost: Decimal | None) -> bool:
    """Book it in every purse; whether one of them is now beyond its ceiling, since nothing had been held for it."""
    over = False
    with budget_lock:
        for purse in books.purses:
            budget = purse.budget
            budget.charge(tokens, cost)
            over |= budget.overdrawn
    return over


def _deliver_after_end(run: Run, sink: UsageSink) -> None:
    """A thread that nobody waits for may report when its run has been billed: the row still reaches `on_usage`."""
    root = run
    while root.parent is not None:
        root = root.parent
    if root.delivered and root.loop is not None and not root.loop.is_closed():
        root.loop.call_soon_threadsafe(_start_delivery, root, sink)


def _start_delivery(run: Run, sink: UsageSink) -> None:
    run.services.background.start(sink.flush(run), f"late rows of run {run.run_id}")
