"""The story of one scenario: what was set up, what happened, and what must end with it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=BaseException)
Cleanup = Callable[[], Awaitable[object] | object]


@dataclass
class World:
    """Hangs on `context.world` for one scenario; steps keep all they know in it.

    A `When` step runs its story under `with world.catching():`. An error caught there has to be looked at
    (`world.error`, `world.error_of(kind)`), else the scenario fails with it.
    """

    loop: asyncio.AbstractEventLoop
    """The loop of all async steps."""

    _error: BaseException | None = None
    _looked_at: bool = True
    _cleanups: list[Cleanup] = field(default_factory=list[Cleanup])

    @contextmanager
    def catching(self, kind: type[BaseException] = Exception) -> Generator[None, None, None]:
        """Keep an error of this kind for the `Then` steps; `BaseException` for stories of cancellation."""
        try:
            yield
        except kind as error:
            self.keep_error(error)

    def keep_error(self, error: BaseException) -> None:
        """Keep *error* for the `Then` steps; only one at a time, so that none is lost."""
        if unseen := self.unseen_error():
            raise unseen
        self._error, self._looked_at = error, False

    @property
    def error(self) -> BaseException | None:
        """The error that was kept, None if there was none. Reading it counts as looking at it."""
        self._looked_at = True
        return self._error

    def error_of(self, kind: type[E]) -> E:
        """The error that was kept, which has to be a *kind*."""
        error = self.error
        if not isinstance(error, kind):
            raise AssertionError(f"expected {kind.__name__}, got {error!r}") from error
        return error

    def unseen_error(self) -> BaseException | None:
        """The error that no step has looked at."""
        return None if self._looked_at else self._error

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* from a sync step (one that tries many examples, say) on the loop of the async ones."""
        return self.loop.run_until_complete(work)

    def defer(self, cleanup: Cleanup) -> None:
        """Call *cleanup* (sync or async) when the scenario ends; the last one deferred is called first."""
        self._cleanups.append(cleanup)

    def use(self, manager: AbstractContextManager[T]) -> T:
        """Enter *manager* now and leave it when the scenario ends."""
        value = manager.__enter__()
        self.defer(lambda: manager.__exit__(None, None, None))
        return value

    async def close(self) -> None:
        """Call every cleanup, each of them although others fail; their errors leave together."""
        errors: list[Exception] = []
        while self._cleanups:
            try:
                done = self._cleanups.pop()()
                if inspect.isawaitable(done):
                    await done
            except Exception as error:
                errors.append(error)
        if errors:
            raise ExceptionGroup("cleanups of the scenario failed", errors)
