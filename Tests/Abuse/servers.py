# SPDX-License-Identifier: MIT
"""Servers under attack, and clients of them."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MIB = 1_048_576
# Seconds after which a server, a client or an attack is taken to hang.
PATIENCE = 120
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A server on loopback, from its start to its end."""

    def __init__(self, command: list[str], reads_log: bool = True) -> None:
        """The first line that the server writes ends with its port. Without `reads_log` the log fills its pipe."""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.log: list[str] = []
        if reads_log:
            threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        line = self.process.stdout.readline().strip()
        if not (found := re.search(r"[: ](\d+)/?$", line)):
            self.process.kill()
            sys.exit(f"{command[0]}: expected to hear its port, heard '{line}' {''.join(self.log)}")
        self.port = int(found.group(1))

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _sum(self, file: str, pattern: str) -> int:
        """The sum of the numbers that the pattern finds in a file of /proc, for the server and its children."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        total = 0
        for each in [pid, *children]:
            try:
                if found := re.search(pattern, Path(f"/proc/{each}/{file}").read_text()):
                    total += sum(map(int, found.groups()))
            except OSError:
                # The process has just ended.
                pass
        return total

    @property
    def resident(self) -> int:
        """The bytes of memory that it has now."""
        return self._sum("status", r"VmRSS:\s+(\d+) kB") * 1_024

    @property
    def most_resident(self) -> int:
        """The most bytes of memory that it had since its start."""
        return self._sum("status", r"VmHWM:\s+(\d+) kB") * 1_024

    @property
    def cpu(self) -> float:
        """The seconds of processor time that it and its ended children took."""
        return self._sum("stat", r"\) \S" + r" \S+" * 10 + r" (\d+)" * 4) / TICKS

    def metric(self, name: str) -> float:
        _, body = Client(self.port).ask("GET", "/metrics")
        return sum(float(line.rpartition(" ")[2]) for line in body.decode().splitlines() if line.startswith(name))


class Client:
    """A client with a kept connection, from the loopback address `source`, and the cookie that it was given."""

    def __init__(self, port: int, source: str = "127.0.0.1", is_tls: bool = False) -> None:
        self.cookie = ""
        options = {"timeout": PATIENCE, "source_address": (source, 0)}
        if is_tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, **options)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", port, **options)

    def ask(
        self, method: str, target: str, value: object = None, body: bytes | None = None, more: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Sends a value as JSON, or a body as it is, with more fields, and gives the answer's status and body."""
        if value is not None:
            body = json.dumps(value).encode()
        fields = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        fields |= more or {}
        self.connection.request(method, target, body, fields)
        response = self.connection.getresponse()
        answer = response.read()
        if cookie := response.headers["Set-Cookie"]:
            self.cookie = cookie.split(";")[0]
        return response.status, answer

    def open(self, model: str) -> str | None:
        """The URL of a new session; `None` if the server refuses it."""
        status, answer = self.ask("POST", f"/sessions/{model}")
        return json.loads(answer)["url"] if status == 201 else None

    def close(self) -> None:
        self.connection.close()


def connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
