#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows where the CPU time of an action goes, with 64 connections over one session and over many, beside a
server of bare libmicrohttpd.

Usage: Benchmarks/Server/profile.py [SESSIONS=1000] [SECONDS=8]

Samples stacks with perf (Debian's linux-perf; root, or kernel.perf_event_paranoid at most 1) and counts each
for the first part below that it belongs to. Microseconds are shares of the CPU time that the server took for a
request in the same run. They include the cost of sampling, so only the shares count. Before it, run
`make bench ARGS="--only action --quick"`, which builds the programs.
"""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import load
import peers
from figures import Failure
from serving import SERVER, Client, Process, Server

# The parts with their marks. A stack belongs to the first part that has a mark in one of its frames.
PARTS = (
    ("the kernel: sending", ("sendto", "sendmsg")),
    ("the kernel: receiving", ("recvfrom",)),
    ("the kernel: waiting", ("epoll_wait",)),
    ("the graph, settled in the transaction", ("6HostedC5apply",)),
    ("the patch and its frame", ("SessionC5frame",)),
    ("the session: its turn, its limits, its version", ("SessionC5apply",)),
    ("finding the session, by its client's key", ("ApplicationC7session",)),
    ("from the request to the session: target, checks, body", ("ApplicationC5route",)),
    ("the head, at the gate", ("ConnectionC6screen",)),
    ("queueing the response", ("ConnectionC5queue",)),
    ("libmicrohttpd, and the loop around it", ("",)),
)


def part(stack: list[str]) -> str:
    for name, marks in PARTS:
        if any(mark in frame for frame in stack for mark in marks):
            return name
    raise AssertionError("the last part takes all")


def shares(recorded: Path) -> dict[str, float]:
    text = subprocess.run(["perf", "script", "-i", recorded, "-F", "ip,sym"], capture_output=True, text=True, check=True).stdout
    counts = Counter(part([line.strip() for line in stack.splitlines()]) for stack in text.split("\n\n") if stack.strip())
    return {name: count / counts.total() for name, count in counts.items()}


def profile(server: Process, requests: Path, seconds: float, folder: Path) -> tuple[float, dict[str, float]]:
    """The CPU time of a request in microseconds, and the share of each part."""
    load.actions(server, requests, 64, 0.5)
    recorded = folder / "perf.data"
    sampling = subprocess.Popen(
        ["perf", "record", "-o", recorded, "-g", "-F", "999", "-p", str(server.process.pid), "--", "sleep", str(seconds * 0.9)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = load.actions(server, requests, 64, seconds)
    errors = sampling.communicate(timeout=60)[1]
    if sampling.returncode:
        raise Failure(f"perf ended with status {sampling.returncode}: {errors.strip()}")
    return found["server us CPU"], shares(recorded)


def main() -> None:
    if len(sys.argv) > 3 or not all(each.isdigit() and int(each) for each in sys.argv[1:]):
        sys.exit(__doc__.split("\n\n")[1])
    sessions, seconds = (int(sys.argv[1]) if len(sys.argv) > 1 else 1_000), (int(sys.argv[2]) if len(sys.argv) > 2 else 8)
    if not shutil.which("perf"):
        sys.exit("expected perf; Debian has it in the package linux-perf")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Server(SERVER, "--recordings", str(folder / "recordings"), "--users", "") as server:
            client = Client(server.port)
            opened = [client.open("login") for _ in range(sessions)]
            for session in opened:
                client.ask("POST", f"{session.url}/actions/usernameDidChange", session.cookie, '"user00000000"')
            requests = [load.action(server.port, session) for session in opened]
            one, all_ = load.write(folder / "one", requests[:1]), load.write(folder / "all", requests)
            size = int(load.actions(server, one, 64, 0.5)["answer bytes"])
            columns = {"1 session": profile(server, one, seconds, folder),
                       f"{sessions:,} sessions": profile(server, all_, seconds, folder)}
        with peers.sized(peers.bare, size, requests[0], folder / "bare") as bare:
            columns["bare libmicrohttpd"] = profile(bare, one, seconds, folder)
    print("us of CPU a request | " + " | ".join(columns))
    print("---|" + "---:|" * len(columns))
    for name, _ in PARTS:
        print(name + " | " + " | ".join(f"{cost * found.get(name, 0):.2f}" for cost, found in columns.values()))
    print("all | " + " | ".join(f"{cost:.2f}" for cost, _ in columns.values()))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
