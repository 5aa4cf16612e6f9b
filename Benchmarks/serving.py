# SPDX-License-Identifier: MIT
"""A server under measurement, for the benchmarks beside this file."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER = str(ROOT / ".build/release/euripus")


class Server:
    """A process that serves the demos on a free port, or on one that is given."""

    def __init__(self, program: str, *options: str, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(port), "--public", str(ROOT / "Public"), "--actions-per-second", "0",
             "--openings-per-minute", "0", "--sessions-per-client", "1000000", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline().strip()
        if not (found := re.search(r":(\d+)/$", line)):
            sys.exit(f"the server has not said its port, but '{line}'")
        self.port = int(found.group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.wait(30)

    @property
    def cpu_seconds(self) -> float:
        """User and system time: fields 14 and 15 of proc(5), of which the second is in parentheses and may have spaces."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident_kib(self) -> int:
        return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text()).group(1))


class Client:
    """A client with one connection, and the key that it was given."""

    def __init__(self, port: int, cookie: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookie = cookie

    def request(self, method: str, target: str, body: str | None = None) -> bytes:
        fields = {"Content-Type": "application/json"}
        if self.cookie:
            fields["Cookie"] = self.cookie
        self.connection.request(method, target, body, fields)
        response = self.connection.getresponse()
        if cookie := response.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        data = response.read()
        if response.status >= 400:
            sys.exit(f"{method} {target}: {response.status} {data.decode()}")
        return data

    def open(self, model: str) -> str:
        return json.loads(self.request("POST", f"/sessions/{model}"))["url"]
