#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory of an open login session: the difference in resident memory after opening many, none waiting.

Usage: Benchmarks/sessions.py [--count 10000] [--server .build/release/euripus]
"""

import argparse
import http.client
import re
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def resident_kib(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text()).group(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--server", default=str(ROOT / ".build/release/euripus"))
    options = parser.parse_args()
    server = subprocess.Popen([options.server, "serve", "--port", "0", "--public", str(ROOT / "Public")],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/$", server.stdout.readline().strip()).group(1))
        connection = http.client.HTTPConnection("127.0.0.1", port)
        cookie = {}

        def open_sessions(count: int) -> None:
            for _ in range(count):
                connection.request("POST", "/sessions/login", headers=cookie)
                response = connection.getresponse()
                response.read()
                if not cookie:
                    cookie["Cookie"] = response.getheader("Set-Cookie").split(";")[0]

        # What the first ones bring in (code, caches) is not theirs.
        open_sessions(100)
        before = resident_kib(server.pid)
        open_sessions(options.count)
        after = resident_kib(server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(10)
    print(f"{options.count} login sessions: {before} KiB -> {after} KiB resident, "
          f"{(after - before) / options.count:.2f} KiB a session")


if __name__ == "__main__":
    main()
