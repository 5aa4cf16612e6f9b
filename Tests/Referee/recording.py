# SPDX-License-Identifier: MIT
"""The records that the tests made of a server: connections, messages of sessions, readings of JSON texts, and log
lines.

A recording is a directory. Each `*.jsonl` in it has one JSON object a line, of one of these kinds:

  {"connection": n, "sent": "…"}                bytes that a client sent, one character (U+0000 to U+00FF) each
  {"connection": n, "received": "…"}            bytes that it received, in the same form
  {"session": n, "message": {…}}                a frame or snapshot that no connection carried
  {"text": "…", "accepted": true, "value": …}   the value that the JSON reader made of a text
  {"log": "…"}                                  a line of the server's log

Any other file in it is output of a server, or a file that a server wrote.
"""

import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator


GZIP = b"\x1f\x8b"
"""The first bytes of every gzip (RFC 1952 §2.3.1)."""


@dataclass
class Connection:
    """All bytes of one connection in both directions."""

    name: str
    sent: bytearray
    received: bytearray


@dataclass
class Reading:
    text: bytes
    accepted: bool
    value: Any


class Recording:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.connections: dict[str, Connection] = {}
        self.messages: dict[str, list[dict]] = defaultdict(list)
        self.readings: list[Reading] = []
        self.logs: list[str] = []
        self.files = []
        for path in sorted(directory.rglob("*")):
            if path.suffix == ".jsonl":
                with open(path, encoding="utf-8") as lines:
                    for line in lines:
                        self._take(path.stem, line)
            elif path.is_file():
                self.files.append(path)

    def _take(self, process: str, line: str) -> None:
        # Numbers stay as they were written: a reader under test may be wrong about them.
        entry = json.loads(line)
        if "connection" in entry:
            name = f"{process}/{entry['connection']}"
            connection = self.connections.setdefault(name, Connection(name, bytearray(), bytearray()))
            for direction in ("sent", "received"):
                if direction in entry:
                    getattr(connection, direction).extend(entry[direction].encode("latin-1"))
        elif "message" in entry:
            self.messages[f"{process}/{entry['session']}"].append(entry["message"])
        elif "text" in entry:
            self.readings.append(Reading(entry["text"].encode("latin-1"), entry["accepted"], entry.get("value")))
        else:
            self.logs.append(entry["log"])

    def sessions(self) -> dict[str, list[dict]]:
        """The messages of each session: those of a connection under the session's path, the others under a number."""
        found: dict[str, list[dict]] = defaultdict(list)
        for name, messages in self.messages.items():
            found[name].extend(messages)
        for connection in self.connections.values():
            for target, message in messages_of(connection):
                words = target.split(b"?")[0].decode("latin-1").split("/")
                path = message.get("url") or "/".join(words[:4])
                found[path].append(message)
        return found


@dataclass
class Exchange:
    """A request and its response. The fields are in their order, with names in lower case."""

    method: bytes
    target: bytes
    status: int
    fields: list[tuple[bytes, bytes]]
    body: bytes

    def values(self, name: bytes) -> list[bytes]:
        return [value for found, value in self.fields if found == name]


def messages_of(connection: Connection) -> Iterator[tuple[bytes, dict]]:
    """Every frame and snapshot that came, with the target of its request."""
    for exchange in exchanges(connection)[0]:
        media = b"".join(exchange.values(b"content-type")).split(b";")[0]
        if media == b"application/json" and exchange.status in (200, 201) and exchange.method != b"HEAD":
            texts = [exchange.body]
        elif media == b"text/event-stream":
            texts = [line[6:] for line in exchange.body.split(b"\n") if line.startswith(b"data: ")]
            # If a stream was cut, its last event may be cut too.
            texts = [text for text in texts if text.endswith(b"}")]
        else:
            continue
        for text in texts:
            message = json.loads(text)
            if isinstance(message, dict) and ("to" in message or "version" in message):
                yield exchange.target, message


def requests(sent: bytes) -> Iterator[tuple[bytes, bytes, dict[bytes, bytes]]]:
    """Method, target and fields of each request. A malformed one is the last, as its end is unknown."""
    rest = bytes(sent)
    while rest:
        head, end, rest = rest.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        words = lines[0].split(b" ")
        fields = _fields(lines[1:])
        length = fields.get(b"content-length", b"0")
        if not end or len(words) != 3 or not length.isdigit():
            yield words[0], b"", {}
            return
        if b"transfer-encoding" in fields:
            _, rest = _dechunk(rest)
        else:
            rest = rest[int(length):]
        yield words[0], words[1], fields


def exchanges(connection: Connection) -> tuple[list[Exchange], bytes]:
    """Each request with its response, up to the first that was cut short, and the bytes after them that answer no
    request.

    The body of a stream has the bytes that came.
    """
    found: list[Exchange] = []
    rest = bytes(connection.received)
    for method, target, _ in requests(connection.sent):
        while True:
            head, end, rest = rest.partition(b"\r\n\r\n")
            lines = head.split(b"\r\n")
            words = lines[0].split(b" ")
            if not end or len(words) < 2 or not words[1].isdigit():
                return found, b""
            if int(words[1]) >= 200:
                break
        pairs = [line.partition(b":") for line in lines[1:]]
        exchange = Exchange(method, target, int(words[1]), [(name.lower(), value.strip()) for name, _, value in pairs], b"")
        lengths = exchange.values(b"content-length")
        if method == b"HEAD" or exchange.status in (204, 304):
            pass
        elif exchange.values(b"transfer-encoding"):
            exchange.body, rest = _dechunk(rest)
        elif lengths:
            length = int(lengths[0])
            if len(rest) < length:
                return found, b""
            exchange.body, rest = rest[:length], rest[length:]
        else:
            exchange.body, rest = rest, b""
        # A part of a file cannot be decompressed by itself. A file that was compressed beforehand has its owner's
        # bytes.
        if exchange.values(b"content-encoding") == [b"gzip"] and exchange.status != 206 and exchange.body.startswith(GZIP):
            exchange.body = gzip.decompress(exchange.body)
        found.append(exchange)
    return found, rest


def _fields(lines: list[bytes]) -> dict[bytes, bytes]:
    pairs = (line.partition(b":") for line in lines)
    return {name.lower(): value.strip() for name, _, value in pairs}


def _dechunk(text: bytes) -> tuple[bytes, bytes]:
    """The content of the chunks, as far as they came, and the bytes after the last chunk."""
    body = b""
    while True:
        size, end, rest = text.partition(b"\r\n")
        try:
            length = int(size.split(b";")[0], 16)
        except ValueError:
            return body, b""
        if not end:
            return body, b""
        if length == 0:
            return body, rest.partition(b"\r\n")[2]
        body += rest[:length]
        if len(rest) < length + 2:
            return body, b""
        text = rest[length + 2:]
