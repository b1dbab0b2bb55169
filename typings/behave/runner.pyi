from collections.abc import Mapping

from behave.model import Table

from features.lib.guard import Guard
from features.lib.world import World

class Context:
    world: World
    guard: Guard
    text: str
    table: Table
    @property
    def tags(self) -> set[str]: ...
    @property
    def active_outline(self) -> Mapping[str, str] | None: ...
