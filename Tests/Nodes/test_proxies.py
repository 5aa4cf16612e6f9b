# SPDX-License-Identifier: MIT
"""The configurations of Documentation/SCALING.md, each before two servers that share a database and a third that
is not there."""

import http.client
import json
import os
import threading
import time
import unittest
from pathlib import Path

from proxied import Client, Proxy, start_nodes, store_with_least_rights

KINDS = ("haproxy", "nginx")
# The requests after which a test counts on a session to have settled. It moves to the server at which 16 requests
# in a row arrive, but its old server lets it go only when their changes are stored.
SETTLED = 40
# The longest gap, in seconds: a killed server is known at once, by its refusal, and a silent server after 2.5 s.
LONGEST_GAP = 3.0
# Seconds for which nginx sends nothing to a server that failed, and a little more.
OUT = 2.5

nodes = []
proxies = {}


def setUpModule():
    binary = os.environ["EURIPUS_BIN"]
    nodes.extend(start_nodes(binary, store_with_least_rights(binary), 2, ["--drain-time", "2", "--actions-per-second", "0"]))
    for kind in KINDS:
        proxies[kind] = Proxy(kind, nodes)


def tearDownModule():
    for proxy in proxies.values():
        proxy.close()
    for node in nodes:
        node.kill()


def answered():
    """The number of requests about sessions that each server has answered. A passed-on request counts at both."""
    # A server logs a request after its answer, so the counts are read until they stay.
    counts = None
    while (now := [len(node.requests()) for node in nodes]) != counts:
        counts = now
        time.sleep(0.3)
    return counts


def difference(before):
    return [now - then for now, then in zip(answered(), before)]


def start_again(node):
    """Starts the server again, and waits until both proxies know that it is back."""
    log = proxies["haproxy"].log.name
    name = f"Server nodes/node{nodes.index(node) + 1} is "
    node.start()
    node.wait()
    end = time.monotonic() + 20
    # haproxy may not have noticed yet that the server was away.
    time.sleep(OUT)
    while (told := Path(log).read_text(encoding="utf-8").rpartition(name))[1] and not told[2].startswith("UP"):
        assert time.monotonic() < end, f"haproxy has not seen for 20 s that a server is back: {told[2][:100]}"
        time.sleep(0.1)


def settled(port):
    client = Client(port)
    client.open()
    for number in range(SETTLED):
        status, body, _ = client.put(f"name-{number}")
        assert status == 200, (status, body)
    return client


def owner(client):
    """The server that has the client's session. It answers each request, also one that the other passes on to it."""
    before = answered()
    status, body = client.at(nodes[0].port).state()
    assert status == 200, body
    return nodes[1] if difference(before)[1] else nodes[0]


class Each:
    """The claims on one proxy."""

    kind = ""

    @property
    def port(self):
        return proxies[self.kind].port

    def test_a_request_at_the_other_server_is_passed_on(self):
        # The next test relies on these counts.
        client = settled(self.port)
        other = next(node for node in nodes if node is not owner(client))
        before = answered()
        self.assertEqual(client.at(other.port).state()[0], 200)
        self.assertEqual(difference(before), [1, 1])

    def test_b_sessions_settle_where_their_requests_arrive(self):
        clients = [settled(self.port) for _ in range(8)]
        before = answered()
        for client in clients:
            for number in range(10):
                self.assertEqual(client.put(f"again-{number}")[0], 200)
        counts = difference(before)
        self.assertEqual(sum(counts), 80, f"requests are still passed on: {counts}")
        self.assertTrue(all(count % 10 == 0 for count in counts), f"the requests of a session go here and there: {counts}")
        self.assertTrue(all(counts), f"all sessions are on one server: {counts}")

    def test_polls_and_streams_wait_and_are_told_at_once(self):
        client = settled(self.port)
        version = json.loads(client.ask("GET", client.url)[1])["version"]
        reader = client.at(self.port)
        began = time.monotonic()
        status, _, _ = reader.ask("GET", f"{client.url}/changes?since={version}", Prefer="wait=3")
        self.assertEqual(status, 204)
        self.assertGreater(time.monotonic() - began, 2.5)

        took = []
        is_waiting = threading.Event()

        def follow():
            stream = client.at(self.port)
            stream.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            stream.connection.request(
                "GET", f"{client.url}/changes?since={version}", headers={"Accept": "text/event-stream"} | stream.cookie)
            answer = stream.connection.getresponse()
            for line in answer:
                if line.startswith(b"retry:"):
                    is_waiting.set()
                if line.startswith(b"data:"):
                    took.append(time.monotonic())
                    return

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        self.assertTrue(is_waiting.wait(5), "the stream's first line did not come")
        began = time.monotonic()
        self.assertEqual(client.put("followed")[0], 200)
        thread.join(5)
        self.assertTrue(took, f"the stream did not tell of the change, but {'waits' if thread.is_alive() else 'has ended'}")
        self.assertLess(took[0] - began, 1.0)

    def test_no_client_says_who_it_is(self):
        client = Client(self.port)
        client.cookie = {"Forwarded": "for=192.0.2.1;host=elsewhere.example", "Euripus-Node": "another server"}
        self.assertEqual(client.ask("POST", "/sessions/login", X_Forwarded_Host="elsewhere.example")[0], 201)
        self.assertEqual(client.ask("GET", "/metrics")[0], 403)

    def test_a_session_survives_the_kill_of_its_server(self):
        client = settled(self.port)
        node = owner(client)
        self.assertEqual(client.put("before the kill")[0], 200)
        node.kill()
        began = time.monotonic()
        try:
            while True:
                status, state = client.state()
                if status == 200 or time.monotonic() - began > 2 * LONGEST_GAP:
                    break
                time.sleep(0.02)
            took = time.monotonic() - began
        finally:
            start_again(node)
        self.assertEqual((status, state["username"] if status == 200 else state), (200, "before the kill"))
        self.assertLess(took, LONGEST_GAP)


class HAProxyTests(Each, unittest.TestCase):
    kind = "haproxy"


class NginxTests(Each, unittest.TestCase):
    kind = "nginx"


class OperatorTests(unittest.TestCase):
    """Each server's listener for operators is about the sessions of all servers."""

    def test_a_session_of_another_server_is_seen_and_ended_while_its_client_waits(self):
        here, there = nodes
        client = Client(there.port)
        client.open()
        self.assertEqual(client.put("seen by both")[0], 200)
        name = client.url.rsplit("/", 1)[1]
        listed = json.loads(here.operate("list", "--model", "login", "--json"))
        self.assertIn(name, [session["id"] for session in listed])
        self.assertIn("seen by both", here.operate("show", "--", name))
        version = json.loads(client.ask("GET", client.url)[1])["version"]
        answers = []

        def wait():
            reader = client.at(there.port)
            status = reader.ask("GET", f"{client.url}/changes?since={version}", Prefer="wait=20")[0]
            answers.append((status, time.monotonic()))

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        while there.metric("euripus_polls_waiting") != 1:
            time.sleep(0.01)
        self.assertEqual(here.operate("end", "--", name), "1 session ended\n")
        ended = time.monotonic()
        thread.join(25)
        self.assertEqual([status for status, _ in answers], [410])
        self.assertLess(answers[0][1] - ended, 1.0)
        self.assertNotIn(name, here.operate("list", "--json"))


class Visitor(threading.Thread):
    """A client that acts and reads until it is told to end, and keeps the failures."""

    def __init__(self, kind, ends, opens, presses):
        super().__init__(daemon=True)
        self.kind, self.ends, self.opens, self.presses = kind, ends, opens, presses
        self.failures, self.count = [], 0

    def run(self):
        client = Client(proxies[self.kind].port)
        client.open()
        # Another client opens the sessions: when a client has too many, its oldest ends.
        opener = Client(proxies[self.kind].port)
        opener.open()
        while not self.ends.is_set():
            self.count += 1
            name = f"name-{self.count}"
            status, body, _ = client.put(name)
            self.expect(200, status, "PUT", body)
            if self.presses:
                self.press(client, name)
            if self.opens:
                status, body, _ = opener.ask("POST", "/sessions/signup")
                self.expect(201, status, "opening", body)
            status, state = client.state()
            self.expect((200, name), (status, state["username"] if status == 200 else state), "GET", state)
            time.sleep(0.01)

    def press(self, client, name):
        """Performs an action, with a key, so that it may be repeated. haproxy repeats it. nginx does not repeat a
        POST, so the client does."""
        for _ in range(1 if self.kind == "haproxy" else 2):
            status, body, _ = client.ask(
                "POST", f"{client.url}/actions/usernameDidChange", json.dumps(name), Idempotency_Key=f"press/{self.count}")
            if status == 200:
                return
        self.expect(200, status, "POST", body)

    def expect(self, expected, got, what, body):
        if got != expected:
            self.failures.append(f"{self.kind}, {what} {self.count}: expected {expected}, got {got}: {body!r:.300}")


class StoppingTests(unittest.TestCase):
    def test_a_server_that_is_stopped_fails_no_request_that_may_be_repeated(self):
        ends = threading.Event()
        visitors = [Visitor(kind, ends, index == 1, index == 2) for kind in KINDS for index in range(3)]
        for visitor in visitors:
            visitor.start()
        try:
            for node in nodes:
                time.sleep(1)
                self.assertEqual(node.stop(), 0)
                time.sleep(0.5)
                start_again(node)
        finally:
            ends.set()
            for visitor in visitors:
                visitor.join(40)
        self.assertEqual([failure for visitor in visitors for failure in visitor.failures], [])
        self.assertGreater(min(visitor.count for visitor in visitors), 50)


if __name__ == "__main__":
    unittest.main(verbosity=2)
