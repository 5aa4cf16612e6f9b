#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an open session costs, of each demo: memory while none waits, and the server's CPU time to open it.

Memory is the difference in resident memory after opening many; CPU time includes the request and its answer.

Usage: Benchmarks/sessions.py [--count 10000] [--model login]... [--server .build/release/euripus]
"""

import argparse
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def resident_kib(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text()).group(1))


def cpu_seconds(pid: int) -> float:
    """User and system time: fields 14 and 15 of proc(5), of which the second is in parentheses and may have spaces."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookie = {}

    def request(self, method: str, target: str) -> bytes:
        self.connection.request(method, target, headers=self.cookie)
        response = self.connection.getresponse()
        if not self.cookie and (cookie := response.getheader("Set-Cookie")):
            self.cookie["Cookie"] = cookie.split(";")[0]
        body = response.read()
        if response.status >= 400:
            sys.exit(f"{method} {target}: {response.status} {body.decode()}")
        return body


def measure(server: str, model: str, count: int) -> tuple[float, float]:
    process = subprocess.Popen([server, "serve", "--port", "0", "--public", str(ROOT / "Public"),
                                "--openings-per-minute", "0", "--sessions-per-client", "1000000"],
                               stdout=subprocess.PIPE, text=True)
    try:
        client = Client(int(re.search(r":(\d+)/$", process.stdout.readline().strip()).group(1)))
        # What the first ones bring in (code, caches) is not theirs.
        for _ in range(100):
            client.request("POST", f"/sessions/{model}")
        memory, cpu = resident_kib(process.pid), cpu_seconds(process.pid)
        for _ in range(count):
            client.request("POST", f"/sessions/{model}")
        return (resident_kib(process.pid) - memory) / count, (cpu_seconds(process.pid) - cpu) / count * 1e6
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def models(server: str) -> list[str]:
    process = subprocess.Popen([server, "serve", "--port", "0", "--public", str(ROOT / "Public"),
                                "--openings-per-minute", "0", "--sessions-per-client", "1000000"],
                               stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/$", process.stdout.readline().strip()).group(1))
        return json.loads(Client(port).request("GET", "/models"))["models"]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--model", action="append", help="a demo; all of them by default")
    parser.add_argument("--server", default=str(ROOT / ".build/release/euripus"))
    options = parser.parse_args()
    print(f"{'sessions of':<14}{'KiB each':>10}{'us CPU to open':>18}   ({options.count} of each)")
    for model in options.model or models(options.server):
        memory, cpu = measure(options.server, model, options.count)
        print(f"{model:<14}{memory:>10.1f}{cpu:>18.0f}", flush=True)


if __name__ == "__main__":
    main()
