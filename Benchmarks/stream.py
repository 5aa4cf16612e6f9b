#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What following costs: an event of a stream beside a long poll, and the memory of each that waits.

Usage: Benchmarks/stream.py [--events 20000] [--waiting 1000] [--rounds 3] [--server .build/release/euripus]

A client performs one action after another and reads what a follower of the same session is sent, in the three ways in turn:
nobody follows, a stream, a long poll. The difference of the server's CPU time is the follower's. Then many followers, each of
a session of its own, wait: the resident memory of the server before and after, by the one that waits. Prints medians.
"""

import argparse
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
NAMES = ["user01", "user02"]
# One client here does what many do.
LIMITS = {
    "EURIPUS_MAX_CONNECTIONS_PER_ADDRESS": "12000", "EURIPUS_OPENINGS_PER_MINUTE": "1000000",
    "EURIPUS_OPENINGS_BURST": "1000000", "EURIPUS_ACTIONS_PER_SECOND": "1000000", "EURIPUS_ACTIONS_BURST": "1000000",
}


class Server:
    def __init__(self, binary: str) -> None:
        self.process = subprocess.Popen(
            [binary, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
            env={**os.environ, **LIMITS})
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        if not found:
            sys.exit(f"{binary} did not say where it serves")
        self.port = int(found.group(1))

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


class Client:
    """One connection, read by the byte that ends what is looked for."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cookie = cookie
        self.pending = b""

    def send(self, method: str, path: str, fields: str = "", body: bytes = b"") -> None:
        length = f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n" if method == "POST" else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookie}\r\n{fields}{length}\r\n"
        self.socket.sendall(head.encode() + body)

    def until(self, end: bytes) -> bytes:
        while (found := self.pending.find(end)) < 0:
            more = self.socket.recv(65536)
            if not more:
                sys.exit("the server closed a connection")
            self.pending += more
        result, self.pending = self.pending[:found], self.pending[found + len(end):]
        return result

    def receive(self) -> tuple[int, bytes]:
        head = self.until(b"\r\n\r\n").decode()
        status = int(head.split()[1])
        if found := re.search(r"Set-Cookie: ([^;]*)", head):
            self.cookie = found.group(1)
        length = int(found.group(1)) if (found := re.search(r"Content-Length: (\d+)", head)) else 0
        while len(self.pending) < length:
            self.pending += self.socket.recv(65536)
        body, self.pending = self.pending[:length], self.pending[length:]
        return status, body

    def request(self, method: str, path: str, fields: str = "", body: bytes = b"") -> bytes:
        self.send(method, path, fields, body)
        status, answer = self.receive()
        if status not in (200, 201):
            sys.exit(f"{method} {path}: {status} {answer.decode()}")
        return answer

    def open(self) -> tuple[str, str]:
        opened = json.loads(self.request("POST", "/sessions/login"))
        return opened["url"], opened["version"]


def follow(port: int, cookie: str, path: str, version: str, is_stream: bool) -> Client:
    """A follower that waits."""
    follower = Client(port, cookie)
    ask(follower, path, version, is_stream)
    if is_stream:
        follower.until(b"retry: 2000\n\n")
    return follower


def ask(follower: Client, path: str, version: str, is_stream: bool) -> None:
    fields = "Accept: text/event-stream\r\n" if is_stream else "Prefer: wait=55\r\n"
    follower.send("GET", f"{path}/changes?since={version}", fields)


def cost(server: Server, way: str, events: int) -> float:
    """Microseconds of the server's CPU time for an action and what its follower is sent."""
    actor = Client(server.port)
    path, version = actor.open()
    follower = follow(server.port, actor.cookie, path, version, way == "stream") if way != "nobody" else None
    start = server.cpu_seconds()
    for number in range(events):
        name = f'"{NAMES[number % 2]}"'.encode()
        version = json.loads(actor.request("POST", f"{path}/actions/usernameDidChange", "", name))["to"]
        if way == "stream":
            follower.until(f"id: {version}\n".encode())
            follower.until(b"\n\n")
        elif way == "poll":
            status, answer = follower.receive()
            if status != 200 or json.loads(answer)["to"] != version:
                sys.exit(f"the poll was answered {status} {answer.decode()}")
            ask(follower, path, version, False)
    return (server.cpu_seconds() - start) / events * 1e6


def memory(binary: str, waiting: int, is_stream: bool) -> float:
    """Bytes of the server for each that waits, its connection included."""
    with Server(binary) as server:
        opened = []
        for _ in range(waiting):
            client = Client(server.port)
            opened.append((client.open(), client.cookie))
            client.socket.close()
        # A first one, so that what is made once is there.
        kept = [follow(server.port, opened[0][1], *opened[0][0], is_stream)]
        before = server.resident_bytes()
        kept += [follow(server.port, cookie, *session, is_stream) for session, cookie in opened[1:]]
        # Answered on the same loops after all of them were asked.
        probe = Client(server.port)
        for _ in range(4):
            probe.request("GET", "/healthz")
        return (server.resident_bytes() - before) / (waiting - 1)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--waiting", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--server", default=str(ROOT / ".build/release/euripus"))
    options = parser.parse_args()

    ways = ["nobody", "stream", "poll"]
    costs: dict[str, list[float]] = {way: [] for way in ways}
    with Server(options.server) as server:
        for _ in range(options.rounds):
            for way in ways:
                costs[way].append(cost(server, way, options.events))
    medians = {way: statistics.median(costs[way]) for way in ways}
    print(f"an action that nobody follows: {medians['nobody']:.1f} us of CPU time")
    for way in ("stream", "poll"):
        print(f"to send its frame by {way}: {medians[way] - medians['nobody']:.1f} us more")
    for way in ("stream", "poll"):
        bytes_each = [memory(options.server, options.waiting, way == "stream") for _ in range(options.rounds)]
        print(f"each waiting {way} of {options.waiting}, its connection included: {statistics.median(bytes_each) / 1024:.1f} KiB")


if __name__ == "__main__":
    main()
