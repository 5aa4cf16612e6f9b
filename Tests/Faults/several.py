#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several servers that look like one, for the suites that start a server.

`several.py --binary SERVER serve [OPTION…]` starts two servers that share a schema of TEST_POSTGRESQL's database.
haproxy before them gives each request to the next server in turn. The script prints the line that a server prints,
with haproxy's URL. It ends all of them on a signal, and the kernel ends them when the script itself is killed.

Each path of a store has a schema of its own, so that a server that is started again finds its sessions. Without
`--store` the schema is new each time.
"""

import argparse
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from databases import schema
from processes import accepts, ends_with_its_parent, free_port, until
from proxies import HAPROXY as PROGRAM

COUNT = 2
SERVING = re.compile(r"^(Euripus is serving .* on http://127\.0\.0\.1:)\d+/$")
# haproxy's limits are above the server's own, so that the requests that the server refuses reach it.
HAPROXY = """
global
  tune.bufsize 65536
  # It would write all names small, and Foundation on Linux knows a cookie by this one alone.
  h1-case-adjust set-cookie Set-Cookie
  log stderr format raw local0 err
defaults
  mode http
  # A poll of a page that is closed ends at its server too. Debian's haproxy takes this from here alone.
  option abortonclose
  timeout connect 5s
  timeout client 120s
  timeout server 120s
frontend all
  bind 127.0.0.1:{port}
  option accept-invalid-http-request
  option h1-case-adjust-bogus-client
  option http-no-delay
  default_backend nodes
backend nodes
  balance roundrobin
  option accept-invalid-http-response
{servers}
"""


def start(command):
    """A started server, and the line in which it says that it serves; `None` for the line if it has ended instead."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=ends_with_its_parent)
    for line in process.stdout:
        if SERVING.match(line.strip()):
            # A server that prints more must not wait for a reader.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, line.strip()
    return process, None


def main():
    binary, arguments = sys.argv[2], sys.argv[3:]
    if arguments[:1] != ["serve"]:
        os.execv(binary, [binary, *arguments])
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--store", default=secrets.token_hex(8))
    options, arguments = parser.parse_known_args(arguments)
    port, address = options.port or free_port(), schema(options.store)
    ends = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ends.set())
    folder = tempfile.TemporaryDirectory(prefix="euripus-several-")
    processes, ports, line = [], [], None
    for _ in range(COUNT):
        own = free_port()
        process, line = start(
            [binary, *arguments, "--port", str(own), "--store", address, "--node-url", f"http://127.0.0.1:{own}"])
        processes.append(process)
        ports.append(own)
        if line is None:
            # The server itself has printed the reason.
            sys.exit(process.wait())
    servers = "\n".join(f"  server node{index} 127.0.0.1:{own}" for index, own in enumerate(ports))
    path = Path(folder.name) / "haproxy.cfg"
    path.write_text(HAPROXY.format(port=port, servers=servers), encoding="utf-8")
    # Only a haproxy that goes to the background says when it listens. -db keeps it in the foreground, so it is asked.
    proxy = subprocess.Popen([PROGRAM, "-db", "-q", "-f", path], preexec_fn=ends_with_its_parent)
    until(lambda: accepts(port), "haproxy to listen", proxy)
    print(SERVING.sub(rf"\g<1>{port}/", line), flush=True)
    ends.wait()
    for process in processes:
        process.terminate()
    statuses = [process.wait() for process in processes]
    proxy.terminate()
    proxy.wait()
    folder.cleanup()
    sys.exit(max(statuses))


if __name__ == "__main__":
    main()
