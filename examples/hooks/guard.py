"""The same guard in Python: it sees arguments as they are, and the host's own objects."""

from cleveractors import Deny, Hooks, PreToolCall

hooks = Hooks()


@hooks.on("pre_tool_call", matcher="Bash|Shell", timeout=5)
async def guard(call: PreToolCall) -> Deny | None:
    """Refuse commands that delete whole folders."""
    words = str(call.tool_input.get("command", "")).split()
    if "rm" in words and any(word in ("-rf", "-fr") for word in words):
        return Deny("rm -rf is not allowed here")
    return None
