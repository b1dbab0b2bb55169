"""Shows each finished answer, as soon as it is complete."""

from cleveractors import Hooks, MessageDisplay

hooks = Hooks()


@hooks.on("message_display")
def show(message: MessageDisplay) -> None:
    """Print a message that has ended well; until then it may still change."""
    if message.is_final and message.outcome == "complete":
        print(f"{message.agent}: {message.displayed_text}", flush=True)
