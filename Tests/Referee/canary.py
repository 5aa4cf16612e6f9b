# SPDX-License-Identifier: MIT
"""Searches everything that a server gave out for a typed secret, the canary: responses, logs and files."""

import base64
from pathlib import Path
from typing import Iterator

from recording import Recording, exchanges

PIECE = 8
"""The length of a piece that is a leak too: an error may name the start of a text that a reader did not understand."""


def forms(canary: str) -> dict[bytes, str]:
    """The forms that the canary, or a piece of it, has in common encodings, in lower case, and the names of these."""
    found: dict[bytes, str] = {}
    for start in range(len(canary) - PIECE + 1):
        piece = canary[start:start + PIECE].encode()
        found[piece] = "as it is"
        found[piece[::-1]] = "backwards"
        found[piece.hex().encode()] = "in hexadecimal"
        found[b"".join(b"%%%02x" % byte for byte in piece)] = "percent-encoded"
        found[b"".join(b"\\u%04x" % byte for byte in piece)] = "escaped as in JSON"
        found[b"".join(b"&#%d;" % byte for byte in piece)] = "escaped as in HTML"
        found[piece.decode().encode("utf-16-le")] = "in UTF-16"
        # Base64 of a text that has the piece in it: in three alignments, without the digits that neighbours have a
        # part in.
        for shift in range(3):
            digits = base64.b64encode(b"\0" * shift + piece)
            first = (shift * 8 + 5) // 6
            found[digits[first:(shift + PIECE) * 8 // 6].lower()] = "in base64"
    return found


def hits(recording: Recording, canary: str) -> Iterator[str]:
    """A sentence for each place that has the canary, with its form there."""
    wanted = forms(canary)
    for place, text in _given_out(recording):
        lower = text.lower()
        for form, name in wanted.items():
            if (index := lower.find(form)) >= 0:
                yield f"{place}, byte {index}, {name}: …{text[max(0, index - 60):index + 60]!r}…"
                break


def times_typed(recording: Recording, canary: str) -> int:
    """The number of times that a client sent the canary to a server."""
    return sum(connection.sent.count(canary.encode()) for connection in recording.connections.values())


def _given_out(recording: Recording) -> Iterator[tuple[str, bytes]]:
    for connection in recording.connections.values():
        yield f"response on connection {connection.name}", bytes(connection.received)
        for exchange in exchanges(connection)[0]:
            if exchange.values(b"content-encoding"):
                yield f"compressed response on connection {connection.name}", exchange.body
    for name, messages in recording.messages.items():
        for message in messages:
            yield f"message of session {name}", repr(message).encode()
    for line in recording.logs:
        yield "log", line.encode()
    for path in recording.files:
        yield f"file {path.name}", str(path.relative_to(recording.directory)).encode() + b"\n" + Path(path).read_bytes()
