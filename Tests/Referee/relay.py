# SPDX-License-Identifier: MIT
"""Stands between a client and a server of this machine, passes on every byte, and records it (recording.py)."""

import contextlib
import http.client
import json
import os
import socket
import threading
from pathlib import Path

from recording import Recording, requests


class Relay:
    """Listens until `close`, which first asks for the states that the recorded patches must have led to."""

    def __init__(self, server: int, directory: Path) -> None:
        self._server = server
        self._directory = directory
        self._record = open(directory / f"relay-{os.getpid()}-{server}.jsonl", "a", encoding="utf-8")
        self._lock = threading.Lock()
        self._connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._ask_for_last_states()
        # Wakes the thread that accepts; closing alone would not.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                client.close()
                continue
            self._connections += 1
            for source, sink, direction in ((client, server, "sent"), (server, client, "received")):
                threading.Thread(target=self._pass, args=(source, sink, direction, self._connections), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, direction: str, connection: int) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65_536):
                # Written before it is passed on: a client that has an answer finds it recorded.
                self._write({"connection": connection, direction: chunk.decode("latin-1")})
                sink.sendall(chunk)
        # An end in one direction ends that direction; a client that went away ends both by its own other half.
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR if direction == "sent" else socket.SHUT_RDWR)
        if direction == "received":
            source.close()

    def _write(self, entry: dict) -> None:
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self._lock:
            self._record.write(line)
            self._record.flush()

    def _ask_for_last_states(self) -> None:
        """Gets each session that somebody followed, with the credential that they had, and the metrics."""
        wanted: dict[bytes, dict[bytes, bytes]] = {}
        for connection in Recording(self._directory).connections.values():
            for _, target, fields in requests(connection.sent):
                words = target.split(b"?")[0].split(b"/")
                if len(words) >= 4 and words[1] == b"sessions":
                    wanted[b"/".join(words[:4])] = fields
        for path, fields in wanted.items():
            names = (b"cookie", b"authorization")
            self._get(path.decode(), {name.decode(): fields[name].decode() for name in names if name in fields})
        self._get("/metrics", {})

    def _get(self, path: str, headers: dict[str, str]) -> None:
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        # A server that is gone has nothing more to say.
        with contextlib.suppress(OSError, http.client.HTTPException):
            client.request("GET", path, headers=headers)
            client.getresponse().read()
        client.close()


@contextlib.contextmanager
def relayed(port: int):
    """The port to use instead of a server's: a relay's where EURIPUS_RECORDING names a directory, else the server's own."""
    directory = os.environ.get("EURIPUS_RECORDING")
    if not directory:
        yield port
        return
    relay = Relay(port, Path(directory))
    try:
        yield relay.port
    finally:
        relay.close()
