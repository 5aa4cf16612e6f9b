# SPDX-License-Identifier: MIT
"""Files of a session: those that it takes, and those that it offers. It needs `euripus_client.py` beside it."""

import os
import uuid
from http.client import HTTPException
from typing import BinaryIO
from urllib.parse import quote

from euripus_client import NO_ANSWER, Problem, Session, as_json

# The bytes of one request.
PART = 1 << 20


def upload(session: Session, path: str, file: BinaryIO, name: str, media_type: str = "application/octet-stream") -> str:
    """Sends a file to a place for files, and goes on where it was broken off. Gives its key in the place's list."""
    key, size = str(uuid.uuid4()), file.seek(0, os.SEEK_END)
    target = f"/uploads/{path}/{key}"
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    declared = {"Content-Disposition": disposition, "Content-Type": media_type, "Upload-Length": str(size)}
    _ask(session, "PUT", target, b"", {**declared, "Upload-Complete": "?0"})
    while (there := _ask(session, "HEAD", target)[0])["Upload-Complete"] != "?1":
        offset = int(there["Upload-Offset"])
        file.seek(offset)
        part = file.read(PART)
        fields = {"Upload-Offset": str(offset), "Upload-Complete": "?1" if offset + len(part) == size else "?0"}
        # If its answer is lost, the part may have come: HEAD says so.
        _ask(session, "PATCH", target, part, {**fields, "Content-Type": "application/partial-upload"}, again=False)
    session.next(wait=0)
    return key


def download(session: Session, url: str) -> bytes:
    """Fetches a file that the session offers, from the `url` in its state."""
    return _ask(session, "GET", url.removeprefix(session._path))[1]


def _ask(session, method, path, content=None, fields=None, again=True):
    """Sends a request until it has an answer, or once. Gives the answer's fields and its bytes."""
    failures = 0
    while True:
        headers = dict(fields or {})
        if session._token:
            headers["Authorization"] = f"Bearer {session._token}"
        seconds = min(2**failures, 30)
        try:
            status, told, body = session._transport(method, session._path + path, content, headers, 60)
            if status < 300:
                return told, body
            # A date in this field is not read.
            seconds_asked = told.get("Retry-After") or ""
            if not seconds_asked.isdigit() and status not in NO_ANSWER:
                raise Problem(status, as_json(body) or {})
            seconds = int(seconds_asked) if seconds_asked.isdigit() else seconds
        except (OSError, HTTPException):
            pass
        failures += 1
        session._pause(seconds)
        if not again:
            return {}, b""
