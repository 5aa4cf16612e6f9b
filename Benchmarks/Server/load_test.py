# SPDX-License-Identifier: MIT
"""The client that measures, against a server that notes the requests that it gets."""

import socket
import tempfile
import threading
import unittest
from pathlib import Path

import load
from figures import Failure
from serving import Session, request

SESSION = Session("/sessions/login/x", "euripus=k", "e.1", {})


class Peer:
    """A server that answers each request by `answer`, in pieces of 40 bytes. `bodies` has the bodies of the
    requests by their connection, or the request lines where they have no body."""

    cpu_seconds = 0.0

    def __init__(self, answer) -> None:
        self.answer, self.bodies, self.lock = answer, {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection, number), daemon=True).start()
            number += 1

    def _serve(self, connection: socket.socket, number: int) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, connection.makefile("rb") as lines:
            try:
                while line := lines.readline():
                    length = 0
                    while (field := lines.readline()) != b"\r\n":
                        if field.lower().startswith(b"content-length:"):
                            length = int(field.split(b":")[1])
                    body = lines.read(length).decode()
                    with self.lock:
                        self.bodies.setdefault(number, []).append(body or line.decode())
                    answer = self.answer(line.decode(), body)
                    for start in range(0, len(answer), 40):
                        connection.sendall(answer[start:start + 40])
            except OSError:
                return


def ok(body: str, fields: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nX-Else: 1\r\n{fields}content-length: {len(body)}\r\n\r\n{body}".encode()


class LoadTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        load.build()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def run_actions(self, peer: Peer, requests: list[bytes], connections: int) -> dict[str, float]:
        file = load.write(Path(self.folder.name) / "requests", requests)
        return load.actions(peer, file, connections, 0.3)

    def test_each_action_has_a_name_of_its_own(self) -> None:
        peer = Peer(lambda line, body: ok("x" * 100))
        found = self.run_actions(peer, [load.action(peer.port, SESSION)], 4)
        names = [name for bodies in peer.bodies.values() for name in bodies]
        self.assertEqual(len(names), len(set(names)))
        self.assertRegex(names[0], r'^"user\d{8}"$')
        self.assertEqual(found["answer bytes"], len(ok("x" * 100)))
        self.assertGreater(found["p50 us"], 0)
        # The client sent the last few and did not wait for their answers.
        self.assertTrue(0 <= len(names) - found["requests/s"] * 0.3 < len(names) * 0.2 + 5)

    def test_with_as_many_requests_as_connections_each_keeps_to_its_own(self) -> None:
        peer = Peer(lambda line, body: ok(""))
        self.run_actions(peer, [request(peer.port, "POST", "/", body=str(number)) for number in range(3)], 3)
        self.assertEqual(sorted(bodies[0] for bodies in peer.bodies.values()), ["0", "1", "2"])
        self.assertTrue(all(len(set(bodies)) == 1 for bodies in peer.bodies.values()))

    def test_an_answer_that_is_no_success_ends_the_run(self) -> None:
        refused = Peer(lambda line, body: b"HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n")
        with self.assertRaisesRegex(Failure, "expected 200, got: HTTP/1.1 409"):
            self.run_actions(refused, [load.action(refused.port, SESSION)], 1)

    def frames(self, peer: Peer, get: bytes, way: str) -> dict[str, float]:
        file = load.write(Path(self.folder.name) / "frames", [load.action(peer.port, SESSION), get])
        return load.frames(peer, file, way, 20)

    def test_a_frame_is_timed_until_the_poll_that_waits_is_answered(self) -> None:
        waiting, versions, asked = threading.Semaphore(0), [], []

        def answer(line: str, body: str) -> bytes:
            if line.startswith("POST"):
                versions.append(f"e.{len(versions) + 1}")
                if len(versions) > 1:
                    waiting.release()
                return ok(f'{{"to":"{versions[-1]}"}}')
            asked.append(line.split("since=")[1].split()[0])
            waiting.acquire()
            return ok(f'{{"to":"{versions[-1]}"}}')

        peer = Peer(answer)
        self.assertGreater(self.frames(peer, load.poll(peer.port, SESSION, "@@"), "poll")["p50 ms"], 0)
        self.assertEqual(versions, [f"e.{number}" for number in range(1, 22)])
        self.assertEqual(asked, versions[:-1])

    def test_a_frame_of_another_version_ends_it(self) -> None:
        peer = Peer(lambda line, body: ok('{"to":"e.1"}' if line.startswith("POST") else '{"to":"e.2"}'))
        with self.assertRaisesRegex(Failure, "the action came to version e.1, the frame to e.2"):
            self.frames(peer, load.poll(peer.port, SESSION, "@@"), "poll")
