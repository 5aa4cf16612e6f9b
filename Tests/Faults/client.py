# SPDX-License-Identifier: MIT
"""A client with keys, and a record of faults, in which it finds the cause of a gap."""

import http.client
import json
import random
import threading
import time

# Seconds after which the client sends a request again that has had no answer.
PATIENCE = 2
# An answer that takes longer, in seconds, is a gap.
GAP = 0.1


class Faults:
    """The kinds of faults and their times, from the first harm until all clients have been answered after it."""

    def __init__(self):
        self.times = []

    def begin(self, kind):
        self.times.append([kind, time.monotonic(), float("inf")])

    def end(self):
        self.times[-1][2] = time.monotonic()

    def between(self, began, ended):
        """The kind of the faults between two times; `none` if there were none, and `several` if they were of
        several kinds."""
        kinds = set()
        for kind, first, last in reversed(self.times):
            if last < began:
                break
            if first < ended:
                kinds.add(kind)
        return "none" if not kinds else kinds.pop() if len(kinds) == 1 else "several"


class Client(threading.Thread):
    """A client that adds numbers to a ledger of its own. It sends each until it is acknowledged, and reads the
    ledger now and then."""

    def __init__(self, port, seed, record, patience=PATIENCE):
        super().__init__(daemon=True)
        self.port, self.record, self.patience = port, record, patience
        self.random = random.Random(seed)
        self.connection = None
        self.cookie = None
        self.url = None
        self.acknowledged = 0
        self.reversed = 0
        # The longest gap for each kind of fault: its seconds, and a line about the tries that it took.
        self.gaps = {}
        self.faults = []
        self.answers = {}
        self.ends = threading.Event()
        self.may_go = threading.Event()
        self.may_go.set()
        self.rests = threading.Event()

    @property
    def session(self):
        return self.url.split("/")[3]

    def ask(self, method, path, body=None, key=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        headers = {}
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
        """Sends a request until a server has decided it."""
        began = time.monotonic()
        tries = []
        while True:
            status, text, headers = self.ask(method, path, body, key)
            tries.append(f"{status} after {1000 * (time.monotonic() - began):.0f}")
            if status in (200, 201):
                self.measure(began, time.monotonic(), f"{method}: {', '.join(tries[:3] + tries[3:][-3:])} ms")
                return text, headers
            self.answers[status] = self.answers.get(status, 0) + 1
            if status not in (0, 502, 503, 504):
                self.faults.append(f"{method} {path} {key}: {status} {text[:300]!r}")
                return None, None
            if time.monotonic() - began > 90:
                self.faults.append(f"{method} {path} {key}: no answer for 90 s, at last {status} {text[:300]!r}")
                return None, None
            time.sleep(0.02)

    def measure(self, began, ended, tries):
        took = ended - began
        if took > GAP:
            kind = self.record.between(began, ended)
            self.gaps[kind] = max((took, f"port {self.port}, {self.url}, {tries}"), self.gaps.get(kind, (0, "")))

    def open(self):
        text, headers = self.until_answered("POST", "/sessions/ledger", key=f"open-{self.random.random()}")
        if text is not None:
            self.cookie = headers["Set-Cookie"].split(";")[0]
            self.url = headers["Location"]
        return text is not None

    def run(self):
        goes = self.open()
        while goes and not self.ends.is_set():
            if not self.may_go.is_set():
                self.rests.set()
                self.may_go.wait()
                self.rests.clear()
                goes = self.look()
                continue
            number = self.acknowledged + 1
            text, _ = self.until_answered("POST", f"{self.url}/actions/add", json.dumps(f"0/{number}"), f"w/{number}")
            if text is None:
                return
            self.acknowledged = number
            goes = self.random.random() >= 0.3 or self.look()

    def look(self):
        text, _ = self.until_answered("GET", self.url)
        if text is None:
            return False
        state = json.loads(text)["state"]
        if state["numbers"][0] < self.acknowledged:
            self.reversed += 1
            self.faults.append(f"{self.acknowledged} was acknowledged, and then there was {state['numbers'][0]}")
        if state["fault"] and not self.faults:
            self.faults.append(f"the ledger says: {state['fault']}")
        return True

    def judge(self):
        """The faults of the ledger at the end, as counts: (lost, doubled)."""
        text, _ = self.until_answered("GET", self.url)
        if text is None:
            # Without an answer there is no verdict, but the run fails.
            self.faults.append("the ledger gives no answer at last")
            return 0, 0
        state = json.loads(text)["state"]
        if state["fault"]:
            self.faults.append(f"the ledger says: {state['fault']}")
        # The ledger may have the number that was sent last, although no answer came.
        lost = state["missing"] + max(0, self.acknowledged - state["numbers"][0])
        doubled = max(state["again"], state["total"] - state["numbers"][0])
        return lost, doubled
