#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One action under load, beside a bare libmicrohttpd server that reads the same body and answers as many bytes.

Usage: Benchmarks/action.py [--seconds 10] [--rounds 3] [--connections 64] [--server .build/release/euripus]

Both run on loopback, in turn (A B A B …), filled by one thread of wrk. Throughput is noisy on a shared machine; the
CPU time a request is the firmer figure. Prints medians, and the ratio of the two.
"""

import argparse
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def start(command: list[str]) -> subprocess.Popen:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def stop(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run(pid: int, url: str, script: Path, seconds: int, connections: int) -> tuple[float, float]:
    """Requests a second, and CPU microseconds a request."""
    before = cpu_seconds(pid)
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), url],
        capture_output=True, text=True, check=True).stdout
    spent = cpu_seconds(pid) - before
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"wrk met errors at {url}:\n{output}")
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)), spent / requests * 1e6


def response_bytes(connection: http.client.HTTPConnection, path: str, body: str, cookie: str) -> int:
    connection.request("POST", path, body, {"Content-Type": "application/json", "Cookie": cookie})
    response = connection.getresponse()
    head = sum(len(f"{name}: {value}\r\n") for name, value in response.getheaders())
    return len("HTTP/1.1 200 OK\r\n\r\n") + head + len(response.read())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--server", default=str(ROOT / ".build/release/euripus"))
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        bare_program = Path(folder) / "bare"
        subprocess.run(
            ["cc", "-O2", "-o", bare_program, ROOT / "Benchmarks/bare/bare.c", "-lmicrohttpd", "-lpthread"], check=True)
        ours = start([options.server, "serve", "--port", "0", "--public", str(ROOT / "Public"),
                      "--actions-per-second", "0"])
        port = int(re.search(r":(\d+)/$", ours.stdout.readline().strip()).group(1))
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/sessions/login")
            opened = connection.getresponse()
            cookie = opened.getheader("Set-Cookie").split(";")[0]
            path = json.loads(opened.read())["url"] + "/actions/usernameDidChange"
            bodies = ['"maruko"', '"maruka"']
            # The second is like every later one: a valid name over a valid name.
            size = [response_bytes(connection, path, body, cookie) for body in bodies + bodies][-1]
            script = Path(folder) / "post.lua"
            script.write_text(
                'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
                f'wrk.headers["Cookie"] = "{cookie}"\nlocal n = 0\n'
                "request = function()\n  n = n + 1\n"
                f"  return wrk.format(nil, \"{path}\", nil, n % 2 == 0 and '{bodies[0]}' or '{bodies[1]}')\nend\n")
            # What the bare server sends besides its body: status line, Date, Content-Type, Content-Length.
            bare_head = len("HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 05:18:47 GMT\r\n"
                            "Content-Type: application/json\r\nContent-Length: 999\r\n\r\n")
            bare_port = port + 1 if port < 65_000 else port - 1
            bare = start([str(bare_program), str(bare_port), str(size - bare_head), "0"])
            try:
                run(ours.pid, f"http://127.0.0.1:{port}", script, 1, options.connections)
                run(bare.pid, f"http://127.0.0.1:{bare_port}", script, 1, options.connections)
                figures: dict[str, list[tuple[float, float]]] = {"euripus": [], "bare": []}
                for _ in range(options.rounds):
                    for name, process, at in (("euripus", ours, port), ("bare", bare, bare_port)):
                        figures[name].append(
                            run(process.pid, f"http://127.0.0.1:{at}", script, options.seconds, options.connections))
            finally:
                stop(bare)
        finally:
            stop(ours)

    rates = {name: statistics.median(rate for rate, _ in rows) for name, rows in figures.items()}
    costs = {name: statistics.median(cost for _, cost in rows) for name, rows in figures.items()}
    print(f"POST of one action, {options.connections} connections, {size} bytes an answer, "
          f"median of {options.rounds} rounds of {options.seconds} s")
    for name in figures:
        spread = [round(rate) for rate, _ in figures[name]]
        print(f"{name:8} {rates[name]:10,.0f} requests/s {costs[name]:7.1f} us CPU a request   {spread}")
    print(f"ratio    {rates['euripus'] / rates['bare']:10.2f}            {costs['euripus'] / costs['bare']:7.2f}")


if __name__ == "__main__":
    main()
