# SPDX-License-Identifier: MIT
"""A relay between a client and a server on loopback, which passes on every byte and records it (recording.py)."""

import contextlib
import http.client
import json
import os
import socket
import threading
from pathlib import Path

from recording import Recording, requests


class Relay:
    """A relay that listens until `close`. That first asks for the states to which the recorded patches must have
    led."""

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
        # This wakes the thread that accepts. Closing alone would not.
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
                # The relay writes a chunk before it passes it on, so that a client that has an answer finds it
                # recorded.
                self._write({"connection": connection, direction: chunk.decode("latin-1")})
                sink.sendall(chunk)
        # A client that ends its direction may still read. The server's end is the end of both directions.
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
        """Gets each session that a client followed, with the credential of that client, and the metrics."""
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
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        # A server that is gone gives no last states.
        with contextlib.suppress(OSError, http.client.HTTPException):
            client.request("GET", path, headers=headers)
            client.getresponse().read()
        client.close()


@contextlib.contextmanager
def relayed(port: int):
    """The port to use in the place of a server's: a relay's if EURIPUS_RECORDING names a directory, else the
    server's own."""
    directory = os.environ.get("EURIPUS_RECORDING")
    if not directory:
        yield port
        return
    relay = Relay(port, Path(directory))
    try:
        yield relay.port
    finally:
        relay.close()
