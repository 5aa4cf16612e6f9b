#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What waiting clients cost, and how soon they are served or let go.

1. 8,000 polls wait, four to a session, from as many loopback addresses as the limit for one asks for: memory, CPU time
   while nothing happens, the time from a change to the last of its polls' answers (one session after the other, and all
   sessions at once).
2. 1,000 clients vanish while they wait: how soon the server has closed their sockets.

Usage: Benchmarks/waiting.py [--polls 8000] [--server .build/release/euripus]
"""

import argparse
import json
import os
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
POLLS_A_SESSION = 4
CONNECTIONS_AN_ADDRESS = 200
IDLE_SECONDS = 10


def resident_kib(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text()).group(1))


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sockets(port: int) -> int:
    """Connections that the server still holds, those included whose client has left (08 of proc_net_tcp(5))."""
    local = f":{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(1 for row in rows if row[1].endswith(local) and row[3] in ("01", "08"))


class Client:
    """A connection from an address of its own, and what it was answered last."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.socket = socket.socket()
        address = number // CONNECTIONS_AN_ADDRESS
        self.socket.bind((f"127.0.{1 + address // 250}.{1 + address % 250}", 0))
        self.socket.connect(("127.0.0.1", port))

    def send(self, method: str, target: str, cookie: str = "", body: str = "", fields: str = "") -> None:
        self.socket.sendall(
            f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n{f'Cookie: {cookie}' + chr(13) + chr(10) if cookie else ''}{fields}\r\n{body}"
            .encode())

    def receive(self) -> tuple[int, str, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            if not (piece := self.socket.recv(65_536)):
                sys.exit("the server closed a connection")
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        text = head.decode()
        length = re.search(r"(?im)^content-length: (\d+)", text)
        while len(body) < (int(length.group(1)) if length else 0):
            body += self.socket.recv(65_536)
        return int(text.split()[1]), text, body


class Session:
    def __init__(self, port: int, number: int) -> None:
        first = Client(port, number)
        first.send("POST", "/sessions/login")
        status, head, body = first.receive()
        if status != 201:
            sys.exit(f"opening session {number // POLLS_A_SESSION}: {status} {body.decode()}")
        self.cookie = re.search(r"(?im)^set-cookie: ([^;\r]+)", head).group(1)
        opened = json.loads(body)
        self.url, self.version = opened["url"], opened["version"]
        self.polls = [first] + [Client(port, number + index) for index in range(1, POLLS_A_SESSION)]

    def wait(self) -> None:
        for poll in self.polls:
            poll.send("GET", f"{self.url}/changes?since={self.version}", self.cookie, fields="Prefer: wait=55\r\n")

    def change(self, through: Client, name: str) -> None:
        through.send("POST", f"{self.url}/actions/usernameDidChange", self.cookie, json.dumps(name))


def check(status: int, body: bytes) -> None:
    if status != 200:
        sys.exit(f"expected 200, got {status} {body.decode()}")


def waits(pid: int, port: int, count: int) -> list[Session]:
    before = resident_kib(pid)
    sessions = [Session(port, number) for number in range(0, count, POLLS_A_SESSION)]
    opened = resident_kib(pid)
    for session in sessions:
        session.wait()
    time.sleep(2)
    waiting = resident_kib(pid)
    cpu = cpu_seconds(pid)
    time.sleep(IDLE_SECONDS)
    idle = (cpu_seconds(pid) - cpu) / IDLE_SECONDS
    print(f"{count} polls wait in {len(sessions)} sessions: {waiting / 1024:.0f} MiB resident, "
          f"{(opened - before) / len(sessions):.1f} KiB a session with its {POLLS_A_SESSION} connections and "
          f"{(waiting - opened) / count:.1f} KiB more a poll; idle CPU {idle * 100:.2f} %")
    return sessions


def answers(port: int, sessions: list[Session]) -> None:
    # Not one of the waiting ones, and not one of their addresses.
    worker = Client(port, 50_000)
    times = []
    for session in sessions:
        start = time.monotonic()
        session.change(worker, "one")
        for poll in session.polls:
            check(*poll.receive()[::2])
        times.append(time.monotonic() - start)
        status, _, body = worker.receive()
        check(status, body)
        session.version = json.loads(body)["to"]
    times.sort()
    print(f"one change after the other, to the answer of its last poll: p50 {times[len(times) // 2] * 1e3:.2f} ms, "
          f"p99 {times[len(times) * 99 // 100] * 1e3:.2f} ms, worst {times[-1] * 1e3:.2f} ms")


def burst(pid: int, port: int, sessions: list[Session]) -> None:
    for session in sessions:
        session.wait()
    time.sleep(1)
    workers = [Client(port, 50_000 + number) for number in range(8)]
    selector = selectors.DefaultSelector()
    for session in sessions:
        for poll in session.polls:
            selector.register(poll.socket, selectors.EVENT_READ)
    cpu = cpu_seconds(pid)
    start = time.monotonic()
    for number, session in enumerate(sessions):
        session.change(workers[number % len(workers)], "two")
    left = len(sessions) * POLLS_A_SESSION
    while left:
        ready = selector.select(10)
        if not ready:
            sys.exit(f"{left} polls were not answered within 10 s")
        for key, _ in ready:
            selector.unregister(key.fileobj)
            left -= 1
    print(f"all changes at once: the last of {len(sessions) * POLLS_A_SESSION} answers "
          f"{(time.monotonic() - start) * 1e3:.0f} ms after the first change was sent, the server's CPU time "
          f"{(cpu_seconds(pid) - cpu) * 1e3:.0f} ms")


def vanish(port: int, count: int) -> None:
    before = sockets(port)
    sessions = [Session(port, number) for number in range(0, count, POLLS_A_SESSION)]
    for session in sessions:
        session.wait()
    time.sleep(1)
    held = sockets(port) - before
    start = time.monotonic()
    for session in sessions:
        for poll in session.polls:
            poll.socket.close()
    closed = time.monotonic()
    while sockets(port) > before:
        if time.monotonic() - closed > 10:
            sys.exit(f"{sockets(port) - before} sockets are still open 10 s after their clients left")
        time.sleep(0.005)
    print(f"{held} clients vanish while they wait: their sockets are free {(time.monotonic() - start) * 1e3:.0f} ms after "
          f"the first left, {(time.monotonic() - closed) * 1e3:.0f} ms after the last")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--polls", type=int, default=8_000)
    parser.add_argument("--server", default=str(ROOT / ".build/release/euripus"))
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = subprocess.Popen([options.server, "serve", "--port", "0", "--public", str(ROOT / "Public"),
                               "--openings-per-minute", "0", "--sessions-per-client", "100000"],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/$", server.stdout.readline().strip()).group(1))
        vanish(port, 1_000)
        sessions = waits(server.pid, port, options.polls)
        answers(port, sessions)
        burst(server.pid, port, sessions)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


if __name__ == "__main__":
    main()
