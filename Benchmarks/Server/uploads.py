# SPDX-License-Identifier: MIT
"""Files: one client that sends a file in one PUT, over one connection, into a session's place for files, and the same file by
PUT to nginx (its module for WebDAV), which writes it into a directory of the same disk, and to a bare libmicrohttpd, which drops
each byte. What is written here counts in the session, is compared with the declared type, and is on the disk when the answer
comes; nginx leaves that to the operating system."""

import shutil
import socket
import tempfile
import time
from functools import partial
from pathlib import Path

from figures import Failure, Measured, in_turn, metric, ratio
from growing import GrowingServer
from load import BUILT
from peers import bare
from plan import Plan
from serving import Client, Process, free_port, request

NGINX = """daemon off; worker_processes 1; pid {folder}/pid; error_log stderr;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; client_max_body_size 0; root {folder}/files; location / {{ dav_methods PUT DELETE; }} }}
}}
"""
PIECE = bytes(range(256)) * 1_024


def measure(plan: Plan) -> Measured:
    measured = Measured("Files", __doc__)
    size = plan.amount(256, 16) << 20
    # A folder on a disk: that of temporary files may be memory.
    folder = Path(tempfile.mkdtemp(prefix="euripus-uploads-", dir="/var/tmp"))
    try:
        # Its files are beside the store, so on the same disk.
        with GrowingServer(store=str(folder / "sessions.db")) as server, _nginx(folder) as nginx, bare(10, folder) as floor:
            client = Client(server.port)
            session = client.open("files")
            cases = {"Euripus": partial(_send, server, size, f"{session.url}/uploads/files/a", session.cookie),
                     "nginx": partial(_send, nginx, size, "/a"), "bare libmicrohttpd": partial(_send, floor, size, "/a")}
            in_turn(cases, plan.rounds, measured, plan.tell)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for peer in ("nginx", "bare libmicrohttpd"):
        name = peer.split()[0]
        metric(measured, f"uploads_rate_vs_{name}", ratio(measured.cases, "Euripus", peer, "MB/s"))
        metric(measured, f"uploads_cpu_vs_{name}", ratio(measured.cases, "Euripus", peer, "CPU s/GB"))
    return measured


def _nginx(folder: Path) -> Process:
    port = free_port()
    (folder / "files").mkdir()
    # The workers may have another user than the one who starts them.
    folder.chmod(0o755)
    (folder / "files").chmod(0o777)
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, port=port))
    program = shutil.which("nginx") or str(BUILT / "nginx/usr/sbin/nginx")
    return Process([program, "-p", str(folder), "-e", "stderr", "-c", str(configuration)], "", port)


def _send(server: Process, size: int, target: str, cookie: str = "") -> dict[str, float]:
    """Sends a file of so many bytes, and takes it away again."""
    client = Client(server.port)
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    head = request(server.port, "PUT", target, cookie).replace(b"Content-Length: 0", b"Content-Length: %d" % size)
    head = head.replace(b"application/json", b"application/octet-stream")
    begun, spent = time.monotonic(), server.cpu_seconds
    client.socket.sendall(head)
    for _ in range(size // len(PIECE)):
        client.socket.sendall(PIECE)
    status, _, answer = client.receive()
    seconds, cpu = time.monotonic() - begun, server.cpu_seconds - spent
    if status not in (200, 201, 204):
        raise Failure(f"PUT {target}: expected success, got {status} {answer[:300].decode()}")
    client.ask("DELETE", target, cookie)
    client.close()
    return {"MB/s": size / 1e6 / seconds, "CPU s/GB": cpu / (size / 1e9)}
