#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs that sessions survive: actions of the login demo, each in a session of its connection's own, with sessions in
memory alone, stored so that they survive the process, and so that they survive a power cut; and how soon after kill -9 the
first action is answered.

Usage: Benchmarks/durability.py [--seconds 6] [--rounds 3] [--stored 10000 100000] [--directory DIR]

The three run in turn (A B C A B C ...), each filled by one thread of wrk. The store is in a directory of the disk that is to
be measured.
"""

import argparse
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import ROOT, SERVER, Client, Server

DURABILITIES = ("memory", "relaxed", "acknowledged")
CONNECTIONS = (2, 64)


def script(folder: Path, server: Server, count: int) -> Path:
    """Each connection of wrk has to be of one session: wrk's one thread takes them in turn, as many as there are."""
    requests = []
    for _ in range(count):
        client = Client(server.port)
        path = client.open("login") + "/actions/usernameDidChange"
        client.connection.close()
        for name in ("maruko", "maruka"):
            body = f'"{name}"'
            requests.append(
                f"POST {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{server.port}\\r\\nContent-Type: application/json\\r\\n"
                f"Cookie: {client.cookie}\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}")
    path = folder / "actions.lua"
    lines = ",\n".join(f"'{request}'" for request in requests[0::2] + requests[1::2])
    path.write_text(f"local requests = {{\n{lines}\n}}\nlocal n = 0\n"
                    "request = function()\n  n = n % #requests + 1\n  return requests[n]\nend\n")
    return path


def microseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def run(server: Server, lua: Path, seconds: int, connections: int) -> tuple[float, float, float, float]:
    """Requests a second, p50 and p99 in microseconds, and the server's CPU time a request, likewise."""
    cpu = server.cpu_seconds
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(lua), server.url],
        capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"wrk met errors:\n{output}")
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)),
            microseconds(re.search(r"50%\s+(\S+)", output).group(1)),
            microseconds(re.search(r"99%\s+(\S+)", output).group(1)), (server.cpu_seconds - cpu) / requests * 1e6)


def throughput(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(dir=options.directory) as name:
        folder = Path(name)
        servers = {durability: Server(options.server, "--durability", durability, "--store", f"{folder}/{durability}.db")
                   for durability in DURABILITIES}
        try:
            for connections in CONNECTIONS:
                figures: dict[str, list[tuple[float, float, float, float]]] = {each: [] for each in DURABILITIES}
                for _ in range(options.rounds):
                    for durability, server in servers.items():
                        lua = script(folder, server, connections)
                        figures[durability].append(run(server, lua, options.seconds, connections))
                middle = {each: [statistics.median(column) for column in zip(*rows)] for each, rows in figures.items()}
                for durability, (rate, half, most, cost) in middle.items():
                    print(f"{connections:3} connections  {durability:12} {rate:9,.0f} requests/s "
                          f"({rate / middle['memory'][0]:.2f} of memory's)  p50 {half:6,.0f} us  p99 {most:7,.0f} us  "
                          f"{cost:5.1f} us CPU a request   {[round(row[0]) for row in figures[durability]]}")
        finally:
            for server in servers.values():
                server.stop()


def restart(options: argparse.Namespace, count: int) -> None:
    with tempfile.TemporaryDirectory(dir=options.directory) as name:
        store = Path(name) / "sessions.db"
        server = Server(options.server, "--store", str(store), "--max-sessions", "1000000")
        client = Client(server.port)
        url = ""
        for _ in range(count):
            url = client.open("login")
        client.request("POST", url + "/actions/usernameDidChange", '"maruko"')
        server.stop(signal.SIGKILL)
        size = sum(each.stat().st_size for each in store.parent.iterdir() if each.name.startswith("sessions.db"))
        start = time.monotonic()
        with Server(options.server, "--store", str(store), port=server.port) as server:
            serves = time.monotonic() - start
            again = Client(server.port, client.cookie)
            again.request("POST", url + "/actions/usernameDidChange", '"maruka"')
            answered = time.monotonic() - start
            state = again.request("GET", url + "/state/username")
        if state != b'"maruka"':
            sys.exit(f"the session came back with the name {state.decode()}")
        settled = store.stat().st_size
        print(f"{count:7,} stored sessions, killed: {size / 2**20:.1f} MiB with the log, {settled / count:.0f} bytes a "
              f"session without; the next process serves after {serves * 1e3:.0f} ms, the first action is answered after "
              f"{answered * 1e3:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stored", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--directory", default=str(ROOT / ".build"), help="where the stores are made")
    parser.add_argument("--server", default=SERVER)
    options = parser.parse_args()
    throughput(options)
    for count in options.stored:
        restart(options, count)


if __name__ == "__main__":
    main()
