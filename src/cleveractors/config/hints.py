"""What somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["PARAMETERS", "PROVIDER_PREFIXES", "did_you_mean", "elsewhere"]

_LONGEST = 64
_MOST = 1000

PARAMETERS = frozenset(
    {
        "temperature", "top_p", "max_tokens", "stop", "seed", "presence_penalty", "frequency_penalty",
        "reasoning_effort", "parallel_tool_calls",
    }
)  # fmt: skip
"""The keys of `parameters`."""

PROVIDER_PREFIXES = frozenset(
    {
        "openai", "azure", "azure_openai", "anthropic", "google", "google_genai", "google_vertexai", "gemini",
        "bedrock", "cohere", "mistral", "mistralai", "groq", "together", "fireworks", "deepseek", "xai", "openrouter",
        "huggingface", "ollama", "perplexity", "nvidia", "scripted",
    }
)  # fmt: skip
"""Words that name a provider before the colon of `openai:gpt-4o`, as other libraries write it."""

_MEANT = {
    "write `system_prompt`": ("instructions", "instruction", "prompt", "system", "system_message", "backstory"),
    "write `tool_max_rounds`": (
        "max_turns", "max_iterations", "max_iter", "max_steps", "max_rounds", "recursion_limit",
    ),
    "write it under `parameters`": tuple(sorted(PARAMETERS)),
    "write `parameters: {max_tokens: …}`": ("max_completion_tokens", "max_output_tokens"),
    "name the agents in `tools`": ("sub_agents", "subagents", "handoffs"),
    "write `model_timeout` (one attempt) or `tool_timeout` (one call), in seconds": ("timeout", "request_timeout"),
    "keys are the host's: `credentials=`": ("api_key", "openai_api_key", "apikey", "api_token", "credentials"),
    "write `retry: {attempts: …}`": ("max_retries", "retries"),
    "write `fallbacks: [{model: …}]`": ("fallback", "fallback_model", "fallback_models"),
    "write `variables`": ("vars", "context", "inputs"),
    "write `base_url`": ("api_base", "openai_api_base", "endpoint", "url"),
    "write `model`": ("model_name", "llm", "deployment"),
    "one answer is asked for; it is not a choice of the file": ("n",),
    "the host decides that, never a file": (
        "headers", "default_headers", "extra_headers", "extra_body", "extra_query", "model_kwargs", "proxy", "proxies",
        "http_client", "organization", "project", "hooks", "env", "environment", "command", "import", "class",
        "mcp_servers",
    ),
}  # fmt: skip
_ELSEWHERE = {key: hint for hint, keys in _MEANT.items() for key in keys}


def elsewhere(key: str) -> str | None:
    """Return a hint for a key that other libraries know, or that belongs elsewhere in the file."""
    return _ELSEWHERE.get(key.lower())


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Guess which known name was meant; long names and long lists are not searched, since they cost time."""
    if len(name) > _LONGEST:
        return None
    candidates = [candidate for candidate, _ in zip(known, range(_MOST), strict=False)]
    matches = get_close_matches(name, candidates, n=1, cutoff=0.6)
    return f"did you mean `{matches[0]}`?" if matches else None
