"""Where a file may send a key: nowhere but to the endpoints its host lists."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from .shown import listing, quoted
from .surroundings import ProviderFacts

__all__ = ["fault_of"]

_OPENAI = "https://api.openai.com/v1"
_PORTS = {"http": 80, "https": 443}
_METADATA = frozenset({"metadata.google.internal", "metadata", "100.100.100.200", "fd00:ec2::254", "192.0.0.192"})


def fault_of(url: str, provider: str, facts: ProviderFacts | None) -> str | None:
    """Say why a file may not name this endpoint, None when it may.

    Args:
        url: the file's `base_url`.
        provider: the provider's name.
        facts: what the host knows of the provider, None when it gave no credential.
    """
    if facts and facts.foreign:
        return f"the provider `{provider}` is a model of the host's, with an endpoint of its own"
    own = (facts.base_url if facts else None) or (_OPENAI if provider == "openai" else "")
    listed = facts.base_urls if facts else ()
    if (normal := _normal(url)) and normal in {_normal(known) for known in (own, *listed)}:
        return None
    return _fault(url) or _not_listed(url, provider, listed)


def _not_listed(url: str, provider: str, listed: tuple[str, ...]) -> str:
    allowed = listing(listed, none="none, the credential lists no `base_urls`")
    return f"found the endpoint {quoted(url)}; allowed for `{provider}`: {allowed}"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def _normal(url: str) -> tuple[str, str, int, str] | None:
    """Return what makes two URLs the same endpoint; None for what is no plain endpoint."""
    parts = _split(url)
    # urlsplit drops line breaks and blanks that another parser may read otherwise.
    if parts is None or any(char.isspace() or char == "\\" for char in url):
        return None
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc or "?" in url or "#" in url:
        return None
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme], parts.path.rstrip("/")


def _fault(url: str) -> str | None:
    parts = _split(url)
    if parts is None or not parts.scheme:
        return f"found {quoted(url)}, which is no URL; allowed: one that the host's credential lists"
    if parts.scheme not in _PORTS:
        return f"found an endpoint of the kind {quoted(parts.scheme + ':')}; allowed: https: and http:"
    if "@" in parts.netloc:
        return "the endpoint holds a user name or password; keys are the host's: `credentials=`"
    if _is_metadata(parts.hostname or ""):
        return f"found {quoted(url)}, the address of a machine's own metadata; it is never an endpoint"
    return None


def _is_metadata(host: str) -> bool:
    try:
        return host.rstrip(".") in _METADATA or ip_address(host).is_link_local
    except ValueError:
        return False
