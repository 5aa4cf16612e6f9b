#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A thousand slow clients of a server, by slowhttptest, and one client beside them that is quick.

For slow headers (-H) and slow bodies (-B) in turn:
- while they hold their connections, the quick client sends a request every few milliseconds, and the 99th percentile
  of the answers comes within 50 ms;
- when the deadline for a head, or that for a head and a body, is over, none of their connections is left.

Usage: EURIPUS_BIN=.build/debug/euripus Tests/SlowClients/run.py
"""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONNECTIONS = 1_000
# New connections a second, and the seconds between the few bytes that each connection sends.
RATE, INTERVAL = 500, 1
# Seconds: the server's default deadlines (PROTOCOL §7), and the time between its looks at them.
HEAD, BODY, QUANTUM = 10, 15, 1
P99_LIMIT = 0.050


def connections(port: int) -> int:
    """The number of connections to the server's port that its side still has open, by the kernel's table."""
    local = f":{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    # 01 is established. 08 is a connection whose client has ended its side.
    return sum(1 for row in rows if row[1].endswith(local) and row[3] in ("01", "08"))


def attack(mode: str, port: int) -> list[str]:
    return ["slowhttptest", mode, "-c", str(CONNECTIONS), "-r", str(RATE), "-i", str(INTERVAL), "-l", "60", "-x", "8",
            "-s", "8192", "-p", "5", "-u", f"http://127.0.0.1:{port}/healthz"]


def run(mode: str, port: int, deadline: float) -> list[str]:
    """A sentence for each fault of the server under the attack."""
    attacker = subprocess.Popen(attack(mode, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    begin = time.monotonic()
    ramp = CONNECTIONS / RATE
    latest = begin + ramp + deadline + 2 * QUANTUM + 2
    most, latencies, left, counted = 0, [], CONNECTIONS, begin
    try:
        while time.monotonic() < latest:
            start = time.monotonic()
            client.request("GET", "/healthz")
            response = client.getresponse()
            body = response.read()
            latencies.append(time.monotonic() - start)
            if response.status != 200 or body != b"ok\n":
                return [f"{mode}: a normal request got {response.status} {body!r}"]
            # Reading the kernel's table takes longer than a request, so it is read now and then.
            if time.monotonic() - counted > 0.25:
                counted = time.monotonic()
                left = connections(port) - 1
                most = max(most, left)
                # slowhttptest now and then asks the server on a connection of its own.
                if most > CONNECTIONS / 2 and left <= 1:
                    break
            time.sleep(0.005)
    finally:
        attacker.kill()
        attacker.wait()
        client.close()
    taken = time.monotonic() - begin
    latencies.sort()
    p99 = latencies[len(latencies) * 99 // 100]
    print(f"{mode}: {most} slow connections, {left} left after {taken:.1f} s; {len(latencies)} requests beside them: "
          f"p50 {latencies[len(latencies) // 2] * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms, worst {latencies[-1] * 1e3:.1f} ms")
    wrong = []
    if most < CONNECTIONS * 9 // 10:
        wrong.append(f"{mode}: there were only {most} slow connections at once; expected about {CONNECTIONS}")
    if left > 1:
        wrong.append(f"{mode}: {left} connections were left after {taken:.1f} s, the deadline being {deadline} s")
    if p99 > P99_LIMIT:
        wrong.append(f"{mode}: the 99th percentile of a normal request was {p99 * 1e3:.1f} ms, "
                     f"expected {P99_LIMIT * 1e3:.0f} at most")
    return wrong


def main() -> None:
    server = subprocess.Popen(
        [os.environ["EURIPUS_BIN"], "serve", "--port", "0", "--public", str(ROOT / "Public"),
         "--max-connections-per-address", str(2 * CONNECTIONS), "--openings-per-minute", "0"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/$", server.stdout.readline().strip()).group(1))
        wrong = run("-H", port, HEAD) + run("-B", port, HEAD + BODY)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(10)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
