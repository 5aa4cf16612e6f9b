# SPDX-License-Identifier: MIT
"""A server under measurement, its use of the machine, and a client that sets up the measurement."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from figures import Failure

ROOT = Path(__file__).resolve().parents[2]
SERVER = str(ROOT / ".build/release/euripus")
# One client here does the work of many.
LIMITS = ["--actions-per-second", "0", "--action-time", "0", "--openings-per-minute", "0", "--sessions-per-client", "1000000",
          "--max-sessions", "1000000", "--max-connections-per-address", "12000", "--log-level", "error"]
TICKS = os.sysconf("SC_CLK_TCK")


class Process:
    """A server on loopback with its children, from its start until `stop`."""

    def __init__(self, command: list[str], ready: str, port: int = 0) -> None:
        """`ready` is a pattern of the line by which the server says that it can be reached; none is awaited if
        it is empty. Its first group is the port, if `port` is not given."""
        if not shutil.which(command[0]):
            raise Failure(f"expected the program {Path(command[0]).name}, which `make bench` builds or fetches; it is not there")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.port = port
            if ready:
                line = self.process.stdout.readline().strip()
                if not (found := re.search(ready, line)):
                    raise Failure(f"{Path(command[0]).name}: expected to hear '{ready}', heard '{line}'")
                self.port = port or int(found.group(1))
            self._reach()
        except BaseException:
            self.stop(signal.SIGKILL)
            raise

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    @property
    def cpu_seconds(self) -> float:
        """User and system time of the server and its children: fields 14 and 15 of proc(5). Field 2 is in
        parentheses and may have spaces."""
        spent = 0
        for pid in self._pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += int(fields[11]) + int(fields[12])
        return spent / TICKS

    @property
    def resident_kib(self) -> int:
        return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text()).group(1))

    def _pids(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def _reach(self) -> None:
        """Waits until the port can be reached: some servers do not say it, or say it too early."""
        end = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError as error:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise Failure(f"port {self.port} cannot be reached: {error}") from error
                time.sleep(0.002)


class Server(Process):
    """Serves the demos on a free port, or on one that is given, without the limits that are for strangers."""

    def __init__(self, program: str, *options: str, port: int = 0) -> None:
        super().__init__([program, "serve", "--port", str(port), "--public", str(ROOT / "Public"), *LIMITS, *options],
                         r":(\d+)/$")


class Session:
    """An opened session: its URL, its cookie, and the version and the state that it was opened with."""

    def __init__(self, url: str, cookie: str, version: str, state: object) -> None:
        self.url, self.cookie, self.version, self.state = url, cookie, version, state


class Client:
    """A client with one connection that it keeps. It remembers no cookie."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self.socket.close()

    def send(self, method: str, target: str, cookie: str = "", body: str = "", fields: str = "") -> None:
        self.socket.sendall(request(self.port, method, target, cookie, body, fields))

    def receive(self) -> tuple[int, str, bytes]:
        """The status, the head and the body of an answer with a length."""
        data = self._more(b"")
        while (end := data.find(b"\r\n\r\n")) < 0:
            data = self._more(data)
        head = data[:end].decode("latin-1")
        length = re.search(r"(?im)^content-length: *(\d+)", head)
        pieces, left = [data[end + 4:]], (int(length.group(1)) if length else 0) - (len(data) - end - 4)
        while left > 0:
            piece = self._more(b"")
            pieces.append(piece)
            left -= len(piece)
        return int(head.split()[1]), head, b"".join(pieces)

    def ask(self, method: str, target: str, cookie: str = "", body: str = "", fields: str = "") -> tuple[str, bytes]:
        self.send(method, target, cookie, body, fields)
        status, head, answer = self.receive()
        if status not in (200, 201, 204):
            raise Failure(f"{method} {target}: expected success, got {status} {answer[:300].decode()}")
        return head, answer

    def open(self, model: str) -> Session:
        """A session of a client of its own."""
        head, answer = self.ask("POST", f"/sessions/{model}")
        if not (cookie := re.search(r"(?im)^set-cookie: ([^;\r]+)", head)):
            raise Failure(f"opening {model}: expected a cookie, got: {head}")
        opened = json.loads(answer)
        return Session(opened["url"], cookie.group(1), opened["version"], opened["state"])

    def _more(self, data: bytes) -> bytes:
        if not (piece := self.socket.recv(262_144)):
            raise Failure(f"port {self.port} closed a connection after {data[:200]!r}")
        return data + piece


def request(port: int, method: str, target: str, cookie: str = "", body: str = "", fields: str = "") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    if method != "GET":
        lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    return ("\r\n".join(lines) + "\r\n" + fields + "\r\n" + body).encode()


def machine_cpu_seconds() -> float:
    """The seconds in which processors of the machine were busy, or were taken away by other machines
    (proc_stat(5))."""
    user, nice, system, _, _, interrupts, soft, stolen = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    return sum(map(int, (user, nice, system, interrupts, soft, stolen))) / TICKS


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
