# SPDX-License-Identifier: MIT
"""Servers under attack, and clients of them."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/release"
MIB = 1_048_576


class Server:
    """A server on loopback, from its start to its end."""

    def __init__(self, command: list[str], ready: str, reads_log: bool = True) -> None:
        """`ready` is a pattern for the line that says the port, with the port as its group. Without `reads_log`
        the log fills its pipe."""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.log: list[str] = []
        if reads_log:
            threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        line = self.process.stdout.readline().strip()
        if not (found := re.search(ready, line)):
            self.process.kill()
            sys.exit(f"{command[0]}: expected to hear '{ready}', heard '{line}' {''.join(self.log)}")
        self.port = int(found.group(1))

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def resident(self) -> int:
        """The resident bytes of the server and its children."""
        pid, found = self.process.pid, 0
        for each in [str(pid), *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]:
            try:
                found += int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{each}/status").read_text()).group(1)) * 1_024
            except (OSError, AttributeError):
                # The process has just ended.
                pass
        return found

    def metric(self, name: str) -> float:
        _, _, body = Client(self.port).ask("GET", "/metrics")
        return sum(float(line.rpartition(" ")[2]) for line in body.decode().splitlines() if line.startswith(name))


def demos(*options: str, reads_log: bool = True) -> Server:
    return Server([str(BUILT / "euripus"), "serve", "--port", "0", "--public", str(ROOT / "Public"), *options],
                  r":(\d+)/$", reads_log)


def abused(memory: int | None = None) -> Server:
    return Server([str(BUILT / "AbusedServer"), *([str(memory)] if memory else [])], r":(\d+)/?$")


class Client:
    """A client with a kept connection, from the loopback address `source`, and the cookie that it was given."""

    def __init__(self, port: int, source: str = "127.0.0.1", timeout: float = 30) -> None:
        self.port, self.cookie = port, ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))

    def ask(self, method: str, target: str, body: object = None) -> tuple[int, http.client.HTTPMessage, bytes]:
        fields = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, target, None if body is None else json.dumps(body), fields)
        response = self.connection.getresponse()
        answer = response.read()
        if cookie := response.headers["Set-Cookie"]:
            self.cookie = cookie.split(";")[0]
        return response.status, response.headers, answer

    def open(self, model: str) -> str | None:
        """The URL of a new session; `None` if the server refuses it."""
        status, _, answer = self.ask("POST", f"/sessions/{model}")
        return json.loads(answer)["url"] if status == 201 else None

    def close(self) -> None:
        self.connection.close()


class Beside:
    """The client beside an attack."""

    def __init__(self, port: int, model: str = "login", put: str = "username", body: str = '"beside"',
                 is_tls: bool = False) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("beside.py")), str(port), model, put, body,
             *(["tls"] if is_tls else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("the client beside the attack cannot use the server")

    def end(self) -> dict:
        output, _ = self.process.communicate(timeout=60)
        return json.loads(output)


def connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, (source, 0))


def until(end: float, body) -> int:
    """Calls `body` over and over until `end`, and gives the number of calls."""
    count = 0
    while time.monotonic() < end:
        body()
        count += 1
    return count
