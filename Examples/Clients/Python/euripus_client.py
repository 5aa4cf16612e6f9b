# SPDX-License-Identifier: MIT
"""A client of one session of a view model: its state, followed and changed over HTTP. It needs the standard library alone.

The client sends a request again if no whole answer comes, or if the server asks for it later. A change is done once
all the same. A refusal is raised as a `Problem`. One thread may follow while others make changes.
"""

import json
import threading
import time
import uuid
from functools import reduce
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

# The problems that use up a request's number: a session's decisions, and the number of another request (PROTOCOL §4).
USED_UP = {
    "malformed-json", "bad-version", "not-json", "read-only", "not-allowed", "action-disabled", "command-busy",
    "version-moved", "value-changed", "invalid-action", "refused", "internal", "poisoned", "state-too-large", "key-reused", "command-failed",
}  # fmt: skip
NOTHING = object()
# The statuses by which a proxy says that it got no answer: the request may have been carried out.
NO_ANSWER = {502, 503, 504}


def as_json(text):
    """The value of a JSON text; None for any other text."""
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return None


class Problem(Exception):
    """A refusal, as the server words it (RFC 9457). Nothing of the request was applied."""

    def __init__(self, status: int, body: dict):
        super().__init__(body.get("detail", f"status {status}"))
        self.status, self.body = status, body
        # The last part of the type: `action-disabled`.
        self.kind = body.get("type", "").split("/")[-1]


def step(key: str) -> str:
    """The key of a row as a step of a path: `items/items/{step(key)}/done`."""
    return quote(key.replace("~", "~0").replace("/", "~1"), safe="")


class Session:
    """A session. Its `state` is never changed in place: each change puts another value there."""

    def __init__(self, server: str, model: str, params: Any = None, *, invitation="", transport=None, pause=time.sleep):
        self._server, self._transport, self._pause = urlsplit(server), transport or self._transport_of_http, pause
        self._path, self._token, self._name, self._number = "", None, uuid.uuid4(), 1
        # Changes go one after the other: each once the changes before it are decided.
        self._changing, self._taking = threading.Lock(), threading.Lock()
        self.version, self.state = "", None
        body = {"auth": "bearer", **({"invitation": invitation} if invitation else {})}
        body |= {} if params is None else {"params": params}
        opened = self._send("POST", f"/sessions/{model}", body)[0]
        self._path, self._token = opened["url"], opened.get("token")
        self.version, self.state = opened["version"], opened["state"]

    def perform(self, path: str, value: Any = NOTHING, wait: int = 0) -> Any:
        """Performs an action, or starts a command. Gives the result; a command has one if it ends within `wait`
        seconds."""
        return self._change("POST", f"/actions/{path}", value, wait)

    def set(self, path: str, value: Any, since: str = "") -> None:
        """Writes a value; with a version in `since` only if nobody has changed it since (`value-changed`)."""
        self._change("PUT", f"/state/{path}", value, since=since)

    def cancel(self, path: str) -> None:
        """Cancels a command."""
        self._change("DELETE", f"/actions/{path}")

    def close(self) -> None:
        """Closes the session."""
        self._change("DELETE", "")

    def next(self, wait: int = 25) -> Any:
        """Waits for a change, for `wait` seconds at most, and gives the state."""
        body, held, retry_after = self._send("GET", "/changes", wait=wait)
        self._take(body, held)
        # The server let this reader go, to make room for another.
        if retry_after:
            self._pause(retry_after)
        return self.state

    def _change(self, method: str, path: str, value: Any = NOTHING, wait: int = 0, since: str = "") -> Any:
        with self._changing:
            try:
                body, held, _ = self._send(method, path, value, wait, since, is_change=True)
            except Problem as problem:
                self._number += problem.kind in USED_UP
                raise
            self._number += 1
            self._take(body, held)
            # An answer may be dropped for a newer one. The change is in the state when this returns.
            to = body.get("to") or body.get("version")
            while to and self._is_news(to, held):
                self.next(wait=0)
            return body.get("result")

    def _send(self, method, path, value=NOTHING, wait=0, since="", is_change=False):
        failures = 0
        while True:
            held = self.version
            headers = {"Content-Type": "application/json"} if value is not NOTHING else {}
            if self._token:
                headers["Authorization"] = f"Bearer {self._token}"
            if wait:
                headers["Prefer"] = f"wait={wait}"
            if since:
                headers["If-Match"] = f'"{since}"'
            if is_change:
                headers["Idempotency-Key"] = f"{self._name}/{self._number}"
            target = self._path + path + (f"?since={held}" if held else "")
            seconds = min(2**failures, 30)
            try:
                text = None if value is NOTHING else json.dumps(value)
                status, fields, answer = self._transport(method, target, text, headers, wait + 30)
                body = as_json(answer)
                # A date in this field is not read.
                seconds_asked = fields.get("Retry-After") or ""
                retry_after = int(seconds_asked) if seconds_asked.isdigit() else 0
                if body is None and (status < 300 or status in NO_ANSWER):
                    raise HTTPException("a proxy's own page, by which it is not known what was done")
                body = body or {}
                if status < 300:
                    return body, held, retry_after
                if "expected" in body:
                    # The server has an older memory of this client than the client itself.
                    self._number, seconds = body["expected"], 0
                elif held and (retry_after or status in NO_ANSWER):
                    seconds = retry_after or seconds
                else:
                    raise Problem(status, body)
            except (OSError, HTTPException):
                pass
            failures += 1
            self._pause(seconds)

    def _transport_of_http(self, method, target, text, headers, timeout):
        kind = HTTPSConnection if self._server.scheme == "https" else HTTPConnection
        connection = kind(self._server.netloc, timeout=timeout)
        try:
            connection.request(method, target, text, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def _take(self, frame: dict, held: str) -> None:
        """Takes a frame if it fits the version that the client holds, and drops it otherwise."""
        with self._taking:
            self._token = frame.get("token", self._token)
            if "state" in frame and self._is_news(frame["to"], held):
                self.state = frame["state"]
            elif "patch" in frame and frame["from"] == self.version:
                self.state = reduce(apply, frame["patch"], self.state)
            else:
                return
            self.version = frame["to"]

    def _is_news(self, to: str, held: str) -> bool:
        """Whether a version is newer than the one that the client holds. One of another epoch is, unless its request
        was sent in an epoch that the client has left."""
        (epoch, revision), (now_epoch, now) = to.split("."), self.version.split(".")
        return int(revision) > int(now) if epoch == now_epoch else held.split(".")[0] == now_epoch


def apply(state: Any, operation: dict) -> Any:
    """The state after one operation of a patch (RFC 6902): `add`, `remove`, `replace` or `move`."""
    names, value = _names(operation["path"]), operation.get("value")
    if operation["op"] != "move":
        return _changed(state, names, operation["op"], value)
    source = _names(operation["from"])
    moved = reduce(lambda node, name: node[int(name) if isinstance(node, list) else name], source, state)
    return _changed(_changed(state, source, "remove", None), names, "add", moved)


def _names(path: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")[1:]]


def _changed(node: Any, names: list[str], kind: str, value: Any) -> Any:
    if not names:
        return value
    name = int(names[0]) if isinstance(node, list) else names[0]
    if names[1:]:
        kind, value = "replace", _changed(node[name], names[1:], kind, value)
    if isinstance(node, list):
        return node[:name] + ([] if kind == "remove" else [value]) + node[name + (kind != "add") :]
    others = {each: node[each] for each in node if each != name}
    return others if kind == "remove" else {**node, name: value}
