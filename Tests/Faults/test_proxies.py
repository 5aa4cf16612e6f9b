# SPDX-License-Identifier: MIT
"""The configurations of Documentation/SCALING.md, each before two servers that share a database and a third that
is not there."""

import json
import os
import re
import secrets
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from client import Client
from databases import database_of, run_script, store_with_least_rights
from processes import HANGS, Server, get, until
from proxies import Proxy

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
KINDS = ("haproxy", "nginx")
# The requests in a row that one server alone answers if a session is where its requests arrive.
SETTLED = 10
# haproxy must not take a server of a busy machine for one that is gone.
CHANGES = {"timeout check 1s": f"timeout check {HANGS}s"}
COUNT = re.compile(r'euripus_http_requests_total\{method="(\w+)",route="/sessions/[^"]*",status="\d+"\} (\d+)')

nodes = []
proxies = {}


class Node(Server):
    """A server that an operator can ask about its sessions."""

    def __init__(self, binary, store, folder, name):
        self.admin = f"{folder}/admin-{name}"
        super().__init__([
            binary, "serve", "--port", "{port}", "--node-url", "{url}", "--store", store, "--public", str(PUBLIC),
            "--recordings", f"{folder}/recordings", "--users", f"{folder}/users", "--trusted-proxy", "127.0.0.1", "--openings-per-minute", "0",
            "--admin", self.admin, "--drain-time", "2", "--actions-per-second", "0"], folder, name)

    def operate(self, name, *arguments):
        """The output of a command for the operator, who is at this server."""
        command = [self.command[0], "sessions", name, "--admin", self.admin, *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def answered(self, *methods):
        """The number of requests about sessions that it has answered, of some methods or of all. It counts a request
        before the client has the answer."""
        return sum(int(count) for method, count in COUNT.findall(get(self.port, "/metrics")) if not methods or method in methods)


def setUpModule():
    binary, folder = os.environ["EURIPUS_BIN"], tempfile.mkdtemp(prefix="euripus-nodes-")
    store = store_with_least_rights(binary)
    nodes.extend(Node(binary, store, folder, name) for name in ("one", "two"))
    for node in nodes:
        node.start()
    for node in nodes:
        node.wait()
    for kind in KINDS:
        proxies[kind] = Proxy(kind, nodes, CHANGES if kind == "haproxy" else {})


def tearDownModule():
    for proxy in proxies.values():
        proxy.close()
    for node in nodes:
        node.kill()


def answering(ask):
    """The servers that have answered a request, each once. A passed-on request counts at both."""
    before = [node.answered() for node in nodes]
    ask()
    return [node for node, then in zip(nodes, before) for _ in range(node.answered() - then)]


def start_again(node):
    """Starts the server again, and waits until both proxies send requests to it."""
    node.serve()

    def is_reached_by(proxy):
        before = node.answered("DELETE")
        Client(proxy.port).ask("DELETE", f"/sessions/login/{secrets.token_hex(11)}")
        return node.answered("DELETE") > before

    for proxy in proxies.values():
        until(lambda proxy=proxy: is_reached_by(proxy), f"a server that {proxy.kind} sends requests to")


class Each:
    """The claims on one proxy."""

    kind = ""

    @property
    def port(self):
        return proxies[self.kind].port

    def settled(self):
        """A client, and the server that has its session, at which its requests arrive."""
        client = Client(self.port)
        client.open()
        row = []

        def is_settled():
            row.append(answering(lambda: self.assertEqual(client.put(f"name-{len(row)}")[0], 200)))
            last = row[-SETTLED:]
            return len(last) == SETTLED and len(last[0]) == 1 and all(servers == last[0] for servers in last)

        until(is_settled, f"{SETTLED} requests in a row that one server alone answers")
        return client, row[-1][0]

    def status_of(self, lines):
        """The status of the answer to a raw request with these lines in its head."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANGS) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n\r\n")
            return client.recv(12)[9:12]

    def test_a_nul_in_the_head_is_refused(self):
        self.assertEqual(self.status_of(b"X: a"), b"200")
        for lines in (b"X: a\0b", b"X: " + b"a" * 9_000 + b"\0", b"X\0: a", b"\0X: a"):
            with self.subTest(lines=lines[:8]):
                self.assertEqual(self.status_of(lines), b"400")

    def test_no_fold_makes_a_length(self):
        # A server that took it for a length would wait for a body of five bytes.
        self.assertIn(self.status_of(b"Content-: 5\r\n Length"), (b"200", b"400"))

    def test_a_request_at_the_other_server_is_passed_on(self):
        client, node = self.settled()
        other = next(each for each in nodes if each is not node)
        elsewhere = client.at(other.port)
        self.assertCountEqual(answering(lambda: self.assertEqual(elsewhere.state()[0], 200)), nodes)

    def test_sessions_settle_where_their_requests_arrive_on_both_servers(self):
        owners = set()
        until(lambda: owners.add(self.settled()[1]) or len(owners) == len(nodes), "sessions on both servers")

    def test_polls_and_streams_wait_and_are_told_at_once(self):
        client, _ = self.settled()
        version = json.loads(client.ask("GET", client.url)[1])["version"]
        changes = f"{client.url}/changes?since={version}"
        self.assertEqual(client.at(self.port).ask("GET", changes, Prefer="wait=3")[0], 204)
        # The stream stays open, so a proxy that waited for its end would give no line at all.
        stream = client.at(self.port).request("GET", changes, Accept="text/event-stream").getresponse()
        self.assertTrue(any(line.startswith(b"retry:") for line in stream))
        self.assertEqual(client.put("followed")[0], 200)
        self.assertTrue(any(line.startswith(b"data:") for line in stream))

    def test_a_client_cannot_speak_for_the_proxy(self):
        client = Client(self.port)
        client.cookie = {"Forwarded": "for=192.0.2.1;host=elsewhere.example", "Euripus-Node": "another server"}
        self.assertEqual(client.ask("POST", "/sessions/login", X_Forwarded_Host="elsewhere.example")[0], 201)
        self.assertEqual(client.ask("GET", "/metrics")[0], 403)

    def test_a_session_survives_the_kill_of_its_server(self):
        client, node = self.settled()
        self.assertEqual(client.put("before the kill")[0], 200)
        node.kill()
        began = time.monotonic()
        answer = until(lambda: (found := client.state())[0] == 200 and found, "a state after the kill")
        print(f"{self.kind}: answered {1000 * (time.monotonic() - began):.0f} ms after a kill")
        start_again(node)
        self.assertEqual(answer[1]["username"], "before the kill")


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
        listed = json.loads(here.operate("list", "--model", "login", "--json"))
        self.assertIn(client.session, [session["id"] for session in listed])
        self.assertIn("seen by both", here.operate("show", "--", client.session))
        version = json.loads(client.ask("GET", client.url)[1])["version"]
        answers = []
        # A poll that is not told ends with 204.
        poll = threading.Thread(target=lambda: answers.append(
            client.at(there.port).ask("GET", f"{client.url}/changes?since={version}", Prefer="wait=55")[0]), daemon=True)
        poll.start()
        until(lambda: there.metric("euripus_polls_waiting") == 1, "a poll that waits")
        self.assertEqual(here.operate("end", "--", client.session), "1 session ended\n")
        poll.join(HANGS)
        self.assertEqual(answers, [410])
        self.assertNotIn(client.session, here.operate("list", "--json"))


class RoleTests(unittest.TestCase):
    """The roles of Examples/Scaling/roles.sql."""

    def asked_by(self, role):
        """The words of psql for a role of the cluster that asks for the sessions."""
        ask = "SELECT count(*) > 0 FROM euripus.euripus_sessions"
        return subprocess.run(["psql", "-qAtX", f"{database_of('euripus')} user={role}", "-c", ask], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False).stdout.strip()

    def test_no_other_role_of_the_cluster_connects_to_the_database(self):
        run_script("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN PASSWORD 'strange'")
        Client(nodes[0].port).open()
        self.assertEqual(self.asked_by("euripus_server"), "t")
        self.assertIn('permission denied for database "euripus"', self.asked_by("stranger"))


class OpeningTests(unittest.TestCase):
    """Sessions that one client opens at both servers at the same time."""

    # The most that a client may have, by default.
    MOST = 20

    def setUp(self):
        self.client = Client(nodes[0].port)
        self.client.open()

    def open_at_once(self, count, **fields):
        """The statuses and the URLs of so many openings."""
        start, answers = threading.Barrier(count), []

        def open_one(node):
            own = self.client.at(node.port)
            start.wait(HANGS)
            status, body, _ = own.ask("POST", "/sessions/login", **fields)
            answers.append((status, json.loads(body).get("url", body)))

        threads = [threading.Thread(target=open_one, args=(nodes[index % len(nodes)],), daemon=True) for index in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANGS)
        return answers

    def living(self):
        return len(json.loads(self.client.ask("GET", "/sessions")[1])["sessions"])

    def test_none_is_refused_and_as_many_live_as_the_client_may_have(self):
        answers = self.open_at_once(31)
        self.assertEqual([status for status, _ in answers], [201] * 31, answers)
        self.assertGreaterEqual(self.living(), self.MOST)
        # There may be more until the next opening. It ends them, those at the other server when that hears of it.
        self.assertEqual(self.client.ask("POST", "/sessions/login")[0], 201)
        counts = []

        def has_the_most():
            counts.append(self.living())
            return counts[-1] == self.MOST

        until(has_the_most, f"{self.MOST} sessions")
        self.assertGreaterEqual(min(counts), self.MOST)

    def test_those_of_one_request_are_one_session(self):
        answers = self.open_at_once(30, Idempotency_Key=secrets.token_hex(8))
        self.assertEqual({status for status, _ in answers}, {201}, answers)
        self.assertEqual(len({url for _, url in answers}), 1, answers)


class Visitor(threading.Thread):
    """A client that acts, opens and reads until it is told to end, and keeps the failures."""

    def __init__(self, kind, ends):
        super().__init__(daemon=True)
        self.kind, self.ends = kind, ends
        self.failures, self.count = [], 0

    def run(self):
        client = Client(proxies[self.kind].port)
        client.open()
        # Another client opens the sessions: when a client has too many, its oldest ends.
        opener = Client(proxies[self.kind].port)
        opener.open()
        while not self.ends.is_set():
            name = f"name-{self.count}"
            status, body, _ = client.put(name)
            self.expect(200, status, "PUT", body)
            self.press(client, name)
            status, body, _ = opener.ask("POST", "/sessions/signup")
            self.expect(201, status, "opening", body)
            status, state = client.state()
            self.expect((200, name), (status, state["username"] if status == 200 else state), "GET", state)
            self.count += 1

    def press(self, client, name):
        """Performs an action, with a key, so that it may be repeated. haproxy repeats it. nginx does not repeat a
        POST, so the client does."""
        for _ in range(1 if self.kind == "haproxy" else 2):
            status, body, _ = client.ask(
                "POST", f"{client.url}/actions/usernameDidChange", json.dumps(name), Idempotency_Key=f"press/{self.count + 1}")
            if status == 200:
                return
        self.expect(200, status, "POST", body)

    def expect(self, expected, got, what, body):
        if got != expected:
            self.failures.append(f"{self.kind}, {what} {self.count}: expected {expected}, got {got}: {body!r:.300}")


class StoppingTests(unittest.TestCase):
    def test_a_server_that_is_stopped_fails_no_request_that_may_be_repeated(self):
        ends = threading.Event()
        visitors = [Visitor(kind, ends) for kind in KINDS for _ in range(2)]
        for visitor in visitors:
            visitor.start()

        def go_on():
            before = [visitor.count for visitor in visitors]
            until(lambda: all(visitor.count > count + 5 for visitor, count in zip(visitors, before)), "visitors that go on")

        try:
            for node in nodes:
                go_on()
                node.stop()
                go_on()
                start_again(node)
            go_on()
        finally:
            ends.set()
            for visitor in visitors:
                visitor.join(HANGS)
        self.assertEqual([failure for visitor in visitors for failure in visitor.failures], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
