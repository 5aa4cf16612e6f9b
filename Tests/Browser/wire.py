# SPDX-License-Identifier: MIT
"""A wire between a page and a server that is cut, or dies without a word, as where a phone leaves a network: its
connections stay, and nothing passes on them any more. The browser's own emulation lets requests of a page pass that is
left."""

import contextlib
import socket
import threading


class Wire:
    """A relay. Connections that are there as it falls silent are dead for good. New ones pass once it speaks again."""

    def __init__(self, server):
        self._server, self._is_silent, self._is_cut, self._dead, self._alive = server, False, False, set(), set()
        self._changed = threading.Condition()
        # The number of times that bytes came on a dead connection.
        self.lost = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self):
        with self._changed:
            self._is_silent = True
            self._dead |= self._alive

    def speak(self):
        with self._changed:
            self._is_silent = False

    def cut(self):
        """Resets all connections, and each that comes, until the wire is mended."""
        with self._changed:
            self._is_cut = True
            for client in self._alive:
                end(client)

    def mend(self):
        with self._changed:
            self._is_cut = False

    def close(self):
        end(self._listener)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._is_cut:
                end(client)
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self._server))
            with self._changed:
                self._alive.add(client)
                if self._is_silent:
                    self._dead.add(client)
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(client, source, sink), daemon=True).start()

    def _pass(self, client, source, sink):
        with contextlib.suppress(OSError):
            while chunk := source.recv(65_536):
                with self._changed:
                    if client in self._dead:
                        self.lost += source is client
                        continue
                sink.sendall(chunk)
        with self._changed:
            self._alive.discard(client)
            # Nobody hears of the end of a dead connection.
            if client not in self._dead:
                end(sink)


def end(connection):
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
