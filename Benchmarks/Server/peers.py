# SPDX-License-Identifier: MIT
"""The servers beside which an action is measured: they read the same request, answer as many bytes, and do
nothing else."""

import shutil
from collections.abc import Callable
from pathlib import Path

from figures import Failure
from load import BARE, BUILT
from serving import ROOT, Client, Process, free_port

HUMMINGBIRD = ROOT / "Benchmarks/HummingbirdAnswers/.build/release/HummingbirdAnswers"
NGINX = """daemon off; worker_processes {loops}; pid {folder}/pid; error_log stderr;
events {{ worker_connections 4096; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000000; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port} reuseport; location / {{ return 200 "{body}"; }} }}
}}
"""
LOOPS = 2


def bare(size: int, folder: Path) -> Process:
    """The limit: libmicrohttpd as HTTPListening runs it, and nothing above it. It makes a `Date` for each
    answer, as it does by default."""
    port = free_port()
    return Process([str(BARE), str(port), str(size), "0", str(LOOPS)], "", port)


def nginx(size: int, folder: Path) -> Process:
    """`return 200` of Debian's nginx, with a listener for each worker."""
    port = free_port()
    folder.mkdir(exist_ok=True)
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, port=port, body="x" * size, loops=LOOPS))
    program = shutil.which("nginx") or str(BUILT / "nginx/usr/sbin/nginx")
    return Process([program, "-p", str(folder), "-e", "stderr", "-c", str(configuration)], "", port)


def hummingbird(size: int, folder: Path) -> Process:
    """A Hummingbird server with an actor that keeps the last body and answers."""
    port = free_port()
    return Process([str(HUMMINGBIRD), str(port), str(size)], "", port)


PEERS = {"bare libmicrohttpd": bare, "nginx return 200": nginx, "Hummingbird": hummingbird}


def sized(start: Callable[[int, Path], Process], answer: int, request: bytes, folder: Path) -> Process:
    """A server that `start` makes, whose whole answer, with its head, has `answer` bytes."""
    trial = 100
    with start(trial, folder) as server:
        head = _answer_bytes(server, request) - trial
    server = start(max(answer - head, 1), folder)
    _answer_bytes(server, request)
    return server


def _answer_bytes(server: Process, request: bytes) -> int:
    client = Client(server.port)
    client.socket.sendall(request)
    status, head, body = client.receive()
    client.close()
    if status != 200:
        raise Failure(f"{Path(server.process.args[0]).name}: expected 200, got {status}")
    return len(head.encode("latin-1")) + 4 + len(body)
