# SPDX-License-Identifier: MIT
"""A client of a session, on one connection."""

import http.client
import json

from processes import HANGS, Failure


class Client:
    """A client of one session, on one connection, which it makes anew when it has broken.

    timeout: the seconds after which it counts a connection without an answer as broken.
    """

    def __init__(self, port, timeout=HANGS):
        self.port, self.timeout = port, timeout
        self.connection, self.cookie, self.url = None, {}, ""

    def at(self, port, timeout=None):
        """The same client of the same session at another port. Its Host still has the first port, which is in the
        cookie's name."""
        other = Client(port, timeout or self.timeout)
        other.cookie, other.url = {"Host": f"127.0.0.1:{self.port}", **self.cookie}, self.url
        return other

    @property
    def session(self):
        """The id of its session."""
        return self.url.rsplit("/", 1)[1]

    def open(self, model="login", body=None):
        status, answer, fields = self.ask("POST", f"/sessions/{model}", body)
        if status != 201:
            raise Failure(f"expected a session to be opened with 201, got {status}: {answer!r}")
        self.take(fields)
        self.url = fields["Location"]
        return json.loads(answer)

    def take(self, fields):
        """Takes the credential of an answer."""
        self.cookie["Cookie"] = fields["Set-Cookie"].split(";")[0]

    def request(self, method, path, body=None, **fields):
        """Sends a request, and gives its connection, on which the answer comes."""
        headers = {name.replace("_", "-"): value for name, value in fields.items()} | self.cookie
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        self.connection.request(method, path, body, headers)
        return self.connection

    def ask(self, method, path, body=None, **fields):
        """The answer: (status, body, fields). The status is 0 if the connection breaks."""
        try:
            answer = self.request(method, path, body, **fields).getresponse()
            return answer.status, answer.read(), answer.headers
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            self.connection = None
            return 0, repr(error).encode(), {}

    def put(self, name):
        return self.ask("PUT", f"{self.url}/state/username", json.dumps(name))

    def state(self):
        status, body, _ = self.ask("GET", self.url)
        return status, json.loads(body)["state"] if status == 200 else body
