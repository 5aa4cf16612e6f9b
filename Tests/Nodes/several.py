#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several servers that look like one, for the suites that start a server.

`several.py --binary SERVER serve [OPTION…]` starts two servers that share a schema of TEST_POSTGRESQL's database.
haproxy before them gives each request to the next server in turn. The script prints the line that a server prints,
with haproxy's URL. It ends all of them on a signal, and the kernel ends them when the script itself is killed.

Each path of a store has a schema of its own, so that a server that is started again finds its sessions. Without
`--store` the schema is new each time.
"""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from proxied import ends_with_its_parent, free_port, store

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


def value(arguments, name):
    """Takes an option with its value out of the arguments."""
    if name not in arguments:
        return None
    place = arguments.index(name)
    found = arguments[place + 1]
    del arguments[place:place + 2]
    return found


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
    arguments = sys.argv[1:]
    binary = value(arguments, "--binary")
    if arguments[:1] != ["serve"]:
        os.execv(binary, [binary, *arguments])
    port = int(value(arguments, "--port") or "8080") or free_port()
    address = store(value(arguments, "--store") or secrets.token_hex(8))
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
    proxy = subprocess.Popen(["/usr/sbin/haproxy", "-db", "-q", "-f", path], preexec_fn=ends_with_its_parent)
    wait_for(port, proxy)
    print(SERVING.sub(rf"\g<1>{port}/", line), flush=True)
    ends.wait()
    for process in processes:
        process.terminate()
    statuses = [process.wait() for process in processes]
    proxy.terminate()
    proxy.wait()
    folder.cleanup()
    sys.exit(max(statuses))


def wait_for(port, proxy):
    while proxy.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), 5).close()
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"haproxy has ended with status {proxy.returncode}")


if __name__ == "__main__":
    main()
