"""Server-sent events, as servers and proxies really send them, to JSON documents."""

from __future__ import annotations

from cleveractors.models.openai.json_values import is_object, load

__all__ = ["Events", "Unreadable"]

_BOM = b"\xef\xbb\xbf"
_DONE = b"[DONE]"


class Unreadable:
    """Stands for an event whose data is no JSON."""

    __slots__ = ()


class Events:
    """Splits a stream's bytes, cut anywhere, into the JSON documents of its events.

    Lines may end with LF, CRLF or CR; comments and fields other than `data` and `event` are passed over.

    Args:
        whole: the answer may be one JSON document instead, from a server that does not stream.
    """

    __slots__ = ("_data", "_kept", "_name", "_pieces", "_skips_lf", "_starts", "_whole", "done")

    def __init__(self, whole: bool = False) -> None:
        self.done = False
        """Whether the stream said that it is done; what comes later is read all the same."""
        self._data: list[bytes] = []
        self._kept = False
        self._name = b""
        self._pieces: list[bytes] = []
        self._skips_lf = False
        self._starts = True
        self._whole = whole

    def feed(self, data: bytes) -> list[object]:
        """Take what one network read brought; give the documents that it completed."""
        if self._skips_lf and data:
            self._skips_lf = False
            data = data[1:] if data[:1] == b"\n" else data
        if self._whole and (begin := data.lstrip()[:1]):
            # Only what begins as a document is one: proxies call streams JSON as well.
            self._whole, self._kept = False, begin == b"{"
        if self._whole or self._kept or (b"\n" not in data and b"\r" not in data):
            # Joined once, when a line ends: a long line in many packets must not be copied for each.
            self._pieces.append(data)
            return []
        if self._pieces:
            self._pieces.append(data)
            data = b"".join(self._pieces)
            self._pieces = []
        if self._starts:
            self._starts = False
            data = data.removeprefix(_BOM)
        return self._read(data)

    def end(self) -> list[object]:
        """Take the stream's end; give what its last event held, should it have come whole."""
        rest = b"".join(self._pieces)
        self._pieces = []
        if self._kept:
            return [_document(rest)]
        documents = self._read(rest.removeprefix(_BOM) + b"\n\n")
        # A last event that is cut off says no more than that the stream was.
        return [document for document in documents if not isinstance(document, Unreadable)]

    def _read(self, data: bytes) -> list[object]:
        lines = data.splitlines()
        if data[-1:] not in (b"\n", b"\r"):
            self._pieces.append(lines.pop())
        elif data[-1:] == b"\r":
            self._skips_lf = True
        documents: list[object] = []
        for line in lines:
            if not line:
                if self._data:
                    documents.extend(self._dispatch())
            elif line.startswith(b"data:"):
                self._data.append(line[6:] if line[5:6] == b" " else line[5:])
            elif line.startswith(b"event:"):
                self._name = line[6:].strip()
        return documents

    def _dispatch(self) -> list[object]:
        lines, name = self._data, self._name
        self._data, self._name = [], b""
        data = lines[0] if len(lines) == 1 else b"\n".join(lines)
        if data.startswith(_DONE):
            self.done = True
            return []
        document = _document(data)
        if isinstance(document, Unreadable) and len(lines) > 1:
            self.done = any(line.startswith(_DONE) for line in lines)
            return _documents_apart(lines)
        if name == b"error" and not _has_error(document):
            return [{"error": _text_of(data) if isinstance(document, Unreadable) else document}]
        return [document] if data.strip() else []


def _document(data: bytes) -> object:
    try:
        return load(data)
    except (ValueError, RecursionError):
        return Unreadable()


def _documents_apart(lines: list[bytes]) -> list[object]:
    """Read the lines of one event as events of their own, from servers that leave the blank lines out."""
    return [_document(line) for line in lines if line.strip() and not line.startswith(_DONE)]


def _has_error(document: object) -> bool:
    return is_object(document) and bool(document.get("error"))


def _text_of(data: bytes) -> str:
    return data.decode(errors="replace")
