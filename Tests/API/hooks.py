# SPDX-License-Identifier: MIT
"""Schemathesis' hooks: they lead the requests that it makes up to living sessions, as their owner, and to rows
that exist.

Every seventh request keeps its made-up path.
"""

import itertools
import os
import re
import threading
from urllib.parse import unquote

import schemathesis

from sessions import PATH, Sessions, key

KEY = re.compile(r"[!-~]{1,255}\Z")
ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# A well-formed path may lead to nothing now: to a made-up row, a row of another kind, or an absent view model.
GONE = re.compile(r"no row '|no (value|action) '[^']*/items/|no '.*' now: the view model that has it is absent"
                  # In a batch these errors may stand beside one of those.
                  "|'.*' is disabled now|'.*' takes no more now")

FILE_PROBLEMS = {"wrong-file-type", "upload-contradiction", "body-too-large", "no-room-for-uploads"}

SESSIONS = Sessions(os.environ["EURIPUS_URL"])
COUNT = itertools.count(1)
LOCK = threading.Lock()


@schemathesis.hook
def before_call(context, case, kwargs):
    with LOCK:
        number = next(COUNT)
    found = PATH.match(case.operation.path)
    if not found:
        return
    if "wait" in (case.headers or {}).get("Prefer", "") and number % 20:
        # Most requests do not wait, to save time.
        case.headers["Prefer"] = "respond-async"
    model, rest = found["model"], found["rest"] or ""
    if KEY.match(key := (case.headers or {}).get("Idempotency-Key", "")):
        # The server would rightly refuse another request's key, and some keys that only look like a name and a number.
        case.headers["Idempotency-Key"] = f"{number}-{key.replace('/', '-')}/1"[:255]
    session = (case.path_parameters or {}).get("id")
    if not ID.match(str(session)):
        return
    # The session is known if another request's answer led to it.
    if not SESSIONS.owner(session):
        if number % 7 == 0:
            return
        session = SESSIONS.open(model)
        case.path_parameters = {**(case.path_parameters or {}), "id": session}
        if "{key" in rest:
            case.path_parameters = {**case.path_parameters, **(SESSIONS.keys(model, session, rest) or {})}
    case.cookies = {**(case.cookies or {}), SESSIONS.cookie_name: SESSIONS.owner(session)}


@schemathesis.hook
def after_call(context, case, response):
    if "set-cookie" in response.headers:
        # The cookie is that of an opened session, or of a session whose client signs in or out.
        session = response.headers["location"][0] if response.status_code == 201 else "/" + case.path_parameters["id"]
        SESSIONS.remember(session, key(response.headers["set-cookie"][0]))


@schemathesis.serializer("application/partial-upload")
def as_bytes(context, value):
    """A body that may be any bytes."""
    return value if isinstance(value, bytes) else repr(value).encode()


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if "/uploads/" in case.operation.path and response.status_code in (400, 413, 415, 507):
        # A file is well-formed whatever it is. Its kind, its length and the place where its part begins are the view
        # model's to judge. And a schema counts characters, where a key's length counts bytes.
        if len(unquote((case.path_parameters or {}).get("file", "")).encode()) > 100:
            return False
        return response.json()["type"].removeprefix("/problems/") not in FILE_PROBLEMS
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code not in (400, 401, 422):
        return True
    if response.status_code == 400:
        # Now and then a made-up key breaks its pattern, and the server rightly refuses it.
        return not any(CONTROL.search(unquote(str(value))) for value in (case.path_parameters or {}).values())
    problem = response.json()
    if response.status_code == 401:
        # A made-up request to an account comes from no user.
        return (case.operation.path, problem["type"]) != ("/sessions/account", "/problems/sign-in-needed")
    details = [part["detail"] for part in problem.get("errors", [])] or [problem["detail"]]
    return not all(GONE.match(detail) for detail in details)
