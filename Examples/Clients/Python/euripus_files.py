# SPDX-License-Identifier: MIT
"""Files of a session: those that it takes, and those that it offers. It needs `euripus_client.py` beside it."""

import json
import os
import uuid
from http.client import HTTPException
from typing import BinaryIO
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from euripus_client import NO_ANSWER, Problem, Session, as_json

# The bytes of one request.
PART = 1 << 20
GONE = 410


def upload(session: Session, path: str, file: BinaryIO, name: str, media_type: str = "application/octet-stream") -> str:
    """Sends a file to a place for files, and goes on where it was broken off. Gives its key in the place's list.

    If the app has a store of its own for files, the file goes there, as a whole."""
    key, size = str(uuid.uuid4()), file.seek(0, os.SEEK_END)
    target = f"{session._path}/uploads/{path}/{key}"
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    declared = {"Content-Disposition": disposition, "Content-Type": media_type, "Upload-Length": str(size)}
    there, address = _ask(session, "PUT", target, b"", {**declared, "Upload-Complete": "?0"})
    if address:
        _send_elsewhere(session, json.loads(address), file, size, target, media_type)
    else:
        _send_parts(session, there, file, size, target)
    session.next(wait=0)
    return key


def _send_parts(session, there, file, size, target):
    """Sends a file in parts, from where `there`, the fields of an answer, says that it goes on."""
    stuck = 0
    while there["Upload-Complete"] != "?1":
        offset = int(there["Upload-Offset"])
        file.seek(offset)
        part = file.read(PART)
        end = offset + len(part)
        if end != min(offset + PART, size):
            raise ValueError(f"the file has changed: {size} bytes were declared")
        fields = {"Upload-Offset": str(offset), "Upload-Complete": "?1" if end == size else "?0"}
        there = _patch(session, target, part, fields)
        if there is None:
            # The part may have come, or some of it.
            session._pause(min(2**stuck, 30))
            try:
                there = _ask(session, "HEAD", target)[0]
            except Problem as problem:
                # An action has taken the file, which was there as a whole.
                if problem.status != GONE or end != size:
                    raise
                break
        stuck = stuck + 1 if int(there["Upload-Offset"]) <= offset else 0


def _send_elsewhere(session, address, file, size, target, media_type):
    """Sends a file to the app's store, at an address of its own, and has the server look there."""
    file.seek(0)
    headers = {"Content-Type": media_type, "Content-Length": str(size), **address["fields"]}
    request = Request(address["url"], file, headers, method="PUT")
    try:
        urlopen(request, timeout=60).close()
    except HTTPError as error:
        raise Problem(error.code, {"detail": f"the store of files answered {error.code}"}) from error
    fields = {"Upload-Offset": str(size), "Upload-Complete": "?1", "Content-Type": "application/partial-upload"}
    try:
        _ask(session, "PATCH", target, b"", fields)
    except Problem as problem:
        # The answer was lost, and an action has taken the file since.
        if problem.status != GONE:
            raise


def _patch(session, target, part, fields):
    """Sends a part once. Gives the answer's fields; None if it is lost, or the part begins elsewhere."""
    try:
        fields = {**fields, "Content-Type": "application/partial-upload"}
        return (_ask(session, "PATCH", target, part, fields, again=False) or [None])[0]
    except Problem as problem:
        if problem.kind != "upload-offset":
            raise
        return None


def download(session: Session, url: str) -> bytes:
    """Fetches a file that a session offers, from the `url` in the state."""
    return _ask(session, "GET", url)[1]


def _ask(session, method, target, content=None, fields=None, again=True):
    """Sends a request until it has an answer. Gives the answer's fields and its bytes; None if it is sent once and its
    answer is lost."""
    failures = 0
    while True:
        headers = dict(fields or {})
        if session._token:
            headers["Authorization"] = f"Bearer {session._token}"
        seconds = min(2**failures, 30)
        try:
            status, told, body = session._transport(method, target, content, headers, 60)
            if status < 300:
                return told, body
            # A date in this field is not read.
            seconds_asked = told.get("Retry-After") or ""
            if not seconds_asked.isdigit() and status not in NO_ANSWER:
                raise Problem(status, as_json(body) or {})
            seconds = int(seconds_asked) if seconds_asked.isdigit() else seconds
        except (OSError, HTTPException):
            pass
        if not again:
            return None
        failures += 1
        session._pause(seconds)
