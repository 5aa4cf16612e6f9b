# SPDX-License-Identifier: MIT
"""The fault matrix: clients with keys act on sessions of several servers behind haproxy, without affinity, while servers are
killed, stopped, frozen and cut off from their store. Nothing that was acknowledged may be lost, done twice, or gone from sight.

Usage: faults.py [--faults N] [--clients N] [--nodes N] [--seed N] SERVER
SERVER is LedgerServer; the store is that of TEST_POSTGRESQL, as Scripts/with-postgresql.sh sets it.
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time

from cluster import Cluster

COMMAND = ["{server}", "{port}", "{store}", "node={url}"]


class Client(threading.Thread):
    """Adds its numbers to a ledger of its own, each sent until it is acknowledged, and looks at the ledger now and then."""

    def __init__(self, port, seed):
        super().__init__(daemon=True)
        self.port = port
        self.random = random.Random(seed)
        self.connection = None
        self.cookie = None
        self.url = None
        self.acknowledged = 0
        self.seen = 0
        self.longest = 0.0
        self.reversed = 0
        self.faults = []
        self.ends = threading.Event()
        self.answers = {}

    def ask(self, method, path, body=None, key=None, **fields):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        headers = dict(fields)
        if self.cookie:
            headers["Cookie"] = self.cookie
        if key:
            headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            return 0, b"", {}
        return answer.status, text, answer.headers

    def until_answered(self, method, path, body=None, key=None):
        """Sends a request until somebody has decided it."""
        began = time.monotonic()
        while True:
            status, text, headers = self.ask(method, path, body, key)
            if status in (200, 201):
                self.longest = max(self.longest, time.monotonic() - began)
                return text, headers
            self.answers[status] = self.answers.get(status, 0) + 1
            if status not in (0, 502, 503, 504):
                self.faults.append(f"{method} {path} {key}: {status} {text[:300]!r}")
                return None, None
            if time.monotonic() - began > 60:
                self.faults.append(f"{method} {path} {key}: no answer for 60 s, at last {status} {text[:300]!r}")
                return None, None
            time.sleep(0.02)

    def open(self):
        text, headers = self.until_answered("POST", "/sessions/ledger", key=f"open-{self.random.random()}")
        self.cookie = headers["Set-Cookie"].split(";")[0]
        self.url = headers["Location"]

    def run(self):
        self.open()
        while not self.ends.is_set():
            number = self.acknowledged + 1
            text, _ = self.until_answered("POST", f"{self.url}/actions/add", json.dumps(f"0/{number}"), f"w/{number}")
            if text is None:
                return
            self.acknowledged = number
            if self.random.random() < 0.3 and not self.look():
                return

    def look(self):
        text, _ = self.until_answered("GET", self.url)
        if text is None:
            return False
        state = json.loads(text)["state"]
        if state["numbers"][0] < self.acknowledged:
            self.reversed += 1
            self.faults.append(f"{self.acknowledged} was acknowledged, and then there was {state['numbers'][0]}")
        return True

    def judge(self):
        """The faults of the ledger at last: (lost, doubled)."""
        text, _ = self.until_answered("GET", self.url)
        if text is None:
            return self.acknowledged, 0
        state = json.loads(text)["state"]
        last, total, fault = state["numbers"][0], state["total"], state["fault"]
        if fault:
            self.faults.append(f"the ledger says: {fault}")
        # One that was sent last may be in it without an answer.
        lost = max(0, self.acknowledged - last)
        doubled = max(0, total - last)
        return lost, doubled


def terminate(store, generator):
    del generator
    subprocess.run(
        ["psql", "-qtX", store, "-c",
         "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'euripus'"],
        check=False, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("server")
    options = parser.parse_args()
    store = os.environ.get("TEST_POSTGRESQL")
    if not store:
        raise SystemExit("expected TEST_POSTGRESQL: run it by Scripts/with-postgresql.sh")
    command = [options.server if part == "{server}" else part for part in COMMAND]
    cluster = Cluster(command, store, options.nodes, ["durability=acknowledged"])
    print(f"{options.nodes} nodes, {options.clients} clients, seed {options.seed}; logs in {cluster.folder}", flush=True)
    generator = random.Random(options.seed)
    clients = [Client(cluster.port, f"{options.seed}-{index}") for index in range(options.clients)]
    for client in clients:
        client.start()
    kinds = ["kill", "kill", "stop", "freeze", "terminate"]
    done = {kind: 0 for kind in kinds}
    try:
        for count in range(options.faults):
            time.sleep(generator.uniform(0.2, 1.0))
            if any(client.faults for client in clients):
                break
            kind = generator.choice(kinds)
            node = generator.choice(cluster.nodes)
            done[kind] += 1
            if kind == "kill":
                node.kill()
                time.sleep(generator.uniform(0, 1.0))
                node.start()
                node.wait()
            elif kind == "stop":
                node.stop()
                node.start()
                node.wait()
            elif kind == "freeze":
                node.freeze()
                time.sleep(generator.uniform(0.2, 4.0))
                node.thaw()
            else:
                terminate(store, generator)
            if sys.stdout.isatty() or count % 50 == 49:
                acknowledged = sum(client.acknowledged for client in clients)
                print(f"  {count + 1} of {options.faults} faults, {acknowledged} acknowledged", flush=True)
        time.sleep(1)
        for client in clients:
            client.ends.set()
        for client in clients:
            client.join(90)
        verdicts = [client.judge() for client in clients]
    finally:
        cluster.close()
    faults = [fault for client in clients for fault in client.faults]
    for fault in faults[:20]:
        print("  " + fault)
    refused = {}
    for client in clients:
        for status, count in client.answers.items():
            refused[status] = refused.get(status, 0) + count
    print("  faults by kind:", done, "answers before the last, by status:", refused)
    lost, doubled = (sum(column) for column in zip(*verdicts))
    reverse = sum(client.reversed for client in clients)
    print(
        f"faults {sum(done.values())}, acknowledged {sum(client.acknowledged for client in clients)}, lost {lost}, "
        f"doubled {doubled}, reversed {reverse}, longest gap {1000 * max(client.longest for client in clients):.0f} ms")
    sys.exit(1 if faults or lost or doubled or reverse else 0)


if __name__ == "__main__":
    main()
