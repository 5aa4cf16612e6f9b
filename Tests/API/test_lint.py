# SPDX-License-Identifier: MIT
"""httplint has no complaint above a note about any kind of response: heads and bodies as they come over the wire."""

import http.client
import json
from urllib.parse import urlsplit

import pytest
from httplint import HttpRequestLinter, HttpResponseLinter
from httplint.note import levels

PRESS = "/actions/loginTouched"
SINCE = "/changes?since="


class Recorder:
    """A client that hands each response to the linter."""

    def __init__(self, url):
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._cookie = {}
        self.statuses = []

    def __call__(self, method, target, body=None, **headers):
        return self._finish(method, target, self._begin(self._connection, method, target, body, headers))

    def stream(self, target, end):
        """A response that goes on until `end` is called, on a connection of its own. `end` is called when its head
        has come."""
        connection = http.client.HTTPConnection(self._connection.host, self._connection.port, timeout=60)
        response = self._begin(connection, "GET", target, None, {"Accept": "text/event-stream"})
        end()
        return self._finish("GET", target, response)

    def _begin(self, connection, method, target, body, headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | self._cookie
        if body is not None:
            headers = {"Content-Type": "application/json"} | headers
        connection.request(method, target, body, headers)
        return connection.getresponse()

    def _finish(self, method, target, response):
        content = response.read()
        fields = response.getheaders()
        for name, value in fields:
            if name.lower() == "set-cookie":
                self._cookie = {"Cookie": value.split(";")[0]}
        self._lint(method, target, response, fields, content)
        self.statuses.append(response.status)
        return response, content

    @staticmethod
    def _lint(method, target, response, fields, content):
        request = HttpRequestLinter()
        request.process_request_topline(method.encode(), ("http://127.0.0.1" + target).encode(), b"HTTP/1.1")
        request.process_headers([])
        linter = HttpResponseLinter()
        linter.request = request
        linter.is_head_response = method == "HEAD"
        linter.process_response_topline(b"HTTP/1.1", str(response.status).encode(), response.reason.encode())
        linter.process_headers([(name.encode(), value.encode("latin-1")) for name, value in fields])
        linter.feed_content(content)
        linter.finish_content(True, [])
        # The tests get some requests refused on purpose. A note about the status is no fault of the response.
        bad = [note for note in linter.notes
               if note.level in (levels.WARN, levels.BAD) and not type(note).__name__.startswith("STATUS_")]
        assert not bad, [f"{method} {target} {response.status}: {note.summary}" for note in bad]


@pytest.fixture
def ask(url):
    return Recorder(url)


def opened(ask, model="login"):
    response, content = ask("POST", f"/sessions/{model}")
    assert response.status == 201
    return json.loads(content)


@pytest.mark.parametrize("target", ["/", "/login.html", "/euripus.js", "/euripus.css", "/favicon.svg", "/healthz", "/readyz",
                                    "/metrics", "/models", "/openapi.json", "/models/login/openapi.json", "/problems", "/problems/not-found"])
def test_the_resources_of_the_server(ask, target):
    response, _ = ask("GET", target)
    assert response.status == 200
    ask("HEAD", target)
    ask("OPTIONS", target)
    ask("POST", target)
    if tag := response.getheader("ETag"):
        ask("GET", target, If_None_Match=tag)
    assert ask.statuses in ([200, 200, 204, 405], [200, 200, 204, 405, 304])


def test_a_session_from_its_opening_to_its_end(ask):
    state = opened(ask)
    session, version = state["url"], state["version"]
    tag = f'"{version}"'
    for method in ("GET", "HEAD", "OPTIONS"):
        ask(method, session)
        ask(method, session + "/state/username")
        ask(method, session + SINCE + version)
    ask("GET", session, If_None_Match=tag)
    ask("GET", session, If_None_Match=tag, Prefer="wait=1")
    ask("GET", session + SINCE + version, Prefer="wait=1")
    ask("PUT", session + "/state/username", '"maruko"', Idempotency_Key="lint/1")
    ask("PUT", session + "/state/username", '"maruko"', Idempotency_Key="lint/1")
    ask("PUT", session + "/state/password", '"123456"')
    ask("POST", session + PRESS, Prefer="wait=1")
    ask("GET", session + SINCE + version)
    ask("GET", session + "/changes")
    assert set(ask.statuses) == {200, 201, 204, 304}
    ask("DELETE", session)
    ask("GET", session)
    assert ask.statuses[-2:] == [204, 410]


def test_a_stream(ask):
    session = opened(ask)["url"]
    response, content = ask.stream(session + "/changes", end=lambda: ask("DELETE", session))
    assert response.status == 200 and response.getheader("Content-Type").startswith("text/event-stream")
    assert b"data:" in content


def test_too_many_changes(ask):
    session = opened(ask)["url"]
    # The server refuses more names of keys than a session remembers, unless it refuses the changes as too fast before.
    for number in range(1001):
        response, content = ask("PUT", session + "/state/username", '"maruko"', Idempotency_Key=f"name{number}/1")
        if response.status == 429:
            break
    problem = json.loads(content)
    assert response.status == 429 and response.getheader("Retry-After") == str(problem["retryAfter"])


def test_a_client_with_a_token(ask):
    response, content = ask("POST", "/sessions/login", '{"auth":"bearer"}')
    opened = json.loads(content)
    assert response.status == 201 and response.getheader("Set-Cookie") is None
    response, _ = ask("GET", opened["url"], Authorization=f"Bearer {opened['token']}")
    assert response.status == 200


def test_every_refusal(ask):
    state = opened(ask)
    session, tag = state["url"], f'"{state["version"]}"'
    username = session + "/state/username"
    ask("PUT", username, '"x"')
    ask("PUT", username, '"x"', Idempotency_Key="lint-1")
    refused = [
        (400, "PUT", username, "[1,]", {}), (400, "PUT", username + "?since=1", '"x"', {}),
        (400, "GET", session + SINCE + "x", None, {}), (401, "GET", session, None, {"Authorization": "Basic eA=="}),
        (403, "PUT", session + "/state/instruction", '"x"', {}),
        (403, "GET", session, None, {"Sec_Fetch_Site": "cross-site"}), (404, "GET", session + "/state/x", None, {}),
        (404, "GET", "/sessions/login/AAAAAAAAAAAAAAAAAAAAAA", None, {}), (404, "GET", "/x.html", None, {}),
        (404, "POST", "/sessions/logon", None, {}), (405, "PUT", session, '"x"', {}),
        (406, "GET", session + "/changes", None, {"Accept": "image/png"}), (409, "POST", session + PRESS, None, {}),
        (409, "PUT", username, '"x"', {"Idempotency_Key": "lint/7"}),
        (412, "PUT", username, '"x"', {"If_Match": tag}), (413, "PUT", username, "x" * 70_000, {}),
        (414, "GET", "/" + "x" * 5_000, None, {}),
        (415, "PUT", username, "x", {"Content_Type": "text/plain"}), (421, "GET", session, None, {"Host": "example.com"}),
        (417, "PUT", username, '"x"', {"Expect": "more"}), (422, "PUT", username, "1", {}),
        (422, "PUT", username, '"y"', {"Idempotency_Key": "lint-1"}), (431, "GET", session, None, {"X": "x" * 20_000}),
        (501, "BREW", session, None, {}),
    ]
    for status, method, target, body, headers in refused:
        ask.statuses.clear()
        ask(method, target, body, **headers)
        assert ask.statuses == [status], f"{method} {target}"
