#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The client beside an attack: a process of its own, so that nothing of the attacker's slows it down.

Usage: beside.py PORT MODEL VALUE BODY [tls]

Every few milliseconds it asks `/healthz`, reads its session on MODEL, and writes BODY to VALUE there if that is given.
When its standard input ends, it prints one JSON object: the milliseconds of each answered request, and of each gap in
which no request was answered."""

import http.client
import json
import select
import ssl
import sys
import time

# Fewer than the hundred actions a second that a session may take.
PAUSE = 0.015
# Seconds after which the client no longer waits for a server that an attack has stopped.
PATIENCE = 10


class Beside:
    def __init__(self, port: int, model: str, put: str, body: str, is_tls: bool) -> None:
        self.port, self.model, self.put, self.body = port, model, put, body
        self.times: list[float] = []
        self.gaps: list[float] = []
        self.refused: list[str] = []
        if is_tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        answer, fields = self._ask("POST", f"/sessions/{model}")
        self.url, self.cookie = json.loads(answer)["url"], fields["Set-Cookie"].split(";")[0]

    def round(self) -> None:
        fields = {"Cookie": self.cookie}
        requests = [("GET", "/healthz"), ("GET", self.url)]
        if self.put:
            requests.append(("PUT", f"{self.url}/state/{self.put}"))
        for method, target in requests:
            begun = time.monotonic()
            try:
                self._ask(method, target, self.body if method == "PUT" else None, fields)
                self.times.append((time.monotonic() - begun) * 1e3)
            except (OSError, http.client.HTTPException):
                self._wait(begun)

    def _wait(self, begun: float) -> None:
        """Waits until the server answers again, and notes the gap."""
        while time.monotonic() - begun < PATIENCE:
            self.connection.close()
            try:
                self._ask("GET", "/healthz")
                break
            except (OSError, http.client.HTTPException):
                time.sleep(0.002)
        self.gaps.append((time.monotonic() - begun) * 1e3)

    def _ask(self, method: str, target: str, body: str | None = None, fields: dict[str, str] | None = None):
        fields = dict(fields or {})
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, target, body, fields)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status not in (200, 201, 204):
            self.refused.append(f"{method} {target}: {response.status} {answer[:200].decode()}")
        return answer, response.headers


def main() -> None:
    port, model, put, body = sys.argv[1:5]
    beside = Beside(int(port), model, put, body, "tls" in sys.argv[5:])
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        beside.round()
    print(json.dumps({"times": beside.times, "gaps": beside.gaps, "refused": beside.refused[:10]}))


if __name__ == "__main__":
    main()
