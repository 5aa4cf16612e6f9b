# SPDX-License-Identifier: MIT
"""Tests of the functions of nodes.py that need no server."""

import socket
import threading
import unittest

from figures import Failure
from nodes import _cookie, _receive, _together
from serving import Session


class Together(unittest.TestCase):
    def test_all_are_at_work_at_once_and_each_has_its_place(self):
        meeting = threading.Barrier(3, timeout=10)
        found = _together([lambda number=number: {"found": number, "waits": meeting.wait() * 0} for number in range(3)])
        self.assertEqual([each["found"] for each in found], [0, 1, 2])

    def test_one_that_fails_is_told(self):
        def fail():
            raise Failure("expected this")

        with self.assertRaisesRegex(Failure, "expected this"):
            _together([lambda: {}, fail])


class Receive(unittest.TestCase):
    class Client:
        def __init__(self, socket):
            self.socket = socket

    def test_answers_that_come_in_pieces_are_counted(self):
        ours, theirs = socket.socketpair()
        answer = b'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}'
        with ours, theirs:
            theirs.sendall(answer + answer[:20])
            sender = threading.Timer(0, lambda: theirs.sendall(answer[20:]))
            sender.start()
            _receive(self.Client(ours), 2)
            sender.join()

    def test_a_refusal_is_told(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(b"HTTP/1.1 429 Too Many Requests\r\n\r\n{}")
            with self.assertRaises(Failure):
                _receive(self.Client(ours), 1)


class Cookie(unittest.TestCase):
    def test_a_cookie_is_named_for_the_port(self):
        session = Session("/sessions/login/a", "euripus-80=key", "", None)
        self.assertEqual(_cookie(session, 80, 90), "euripus-90=key")
