# SPDX-License-Identifier: MIT
"""Ledgers, the writers and readers of each, and the judge of all. Nothing that was acknowledged may be lost, done twice,
or gone from sight."""

import collections
import itertools
import json
import random
import sys
import threading
import time
from pathlib import Path

from client import Client
from processes import HANGS, Failure, until

sys.path.append(str(Path(__file__).resolve().parents[2] / "Benchmarks" / "Server"))

from patching import apply, canonical  # noqa: E402

# Seconds after which a client sends a request again that has had no answer.
PATIENCE = 2
# An answer that takes longer, in seconds, is a gap.
GAP = 0.1
# The answers of servers and proxies after which a request may be sent again; 0 is a broken connection.
PASSING = (0, 502, 503, 504)


class Record:
    """The findings of all clients, and the times of the faults, by which a gap finds its cause."""

    def __init__(self):
        self.findings, self.times = [], []
        self.reversed = self.resent = self.tries = 0
        self.answers = collections.Counter()
        # The longest gap for each kind of fault: its seconds, and a line about the tries that it took.
        self.gaps = {}

    def begin(self, kind):
        """Notes a fault, which lasts from the first harm until all clients have been answered after it."""
        self.times.append([kind, time.monotonic(), float("inf")])

    def end(self):
        self.times[-1][2] = time.monotonic()

    def measure(self, began, tries):
        ended = time.monotonic()
        if ended - began > GAP:
            kinds = {kind for kind, first, last in self.times if first < ended and last >= began}
            kind = "none" if not kinds else kinds.pop() if len(kinds) == 1 else "several"
            self.gaps[kind] = max((ended - began, tries), self.gaps.get(kind, (0, "")))


def opened(port, model, params=None):
    """A client that has opened a session."""
    client = Client(port, PATIENCE)

    def opens():
        # A server that is on its way out answers no opening.
        try:
            return client.open(model, params and json.dumps({"params": params}))
        except Failure:
            return None

    until(opens, f"a session on {model}")
    return client


class Ledger:
    """A session, and the clients of it. They share a cookie, and each has a connection of its own.

    keys: `numbers` for keys with numbers, which a session remembers by the last, or `texts`.
    has_commands: whether every fifth number is a command's.
    rows: gives the rows of a query on the app's tables, in which every third number that is no command's has two seats; None for no seats.
    """

    def __init__(self, port, record, writers=1, readers=0, keys="numbers", has_commands=True, rows=None):
        self.record, self.keys, self.has_commands, self.rows = record, keys, has_commands, rows
        self.client = opened(port, "ledger")
        self.versions = {}
        self.writers = [Writer(self, index) for index in range(writers)]
        self.readers = [Reader(self) for _ in range(readers)]

    def member(self):
        """A client of it for somebody who writes or reads."""
        return self.client.at(self.client.port)

    def find(self, text):
        self.record.findings.append(f"{self.client.url}: {text}")

    def judge(self):
        """The faults of the ledger at the end, as counts: (lost, doubled)."""
        state = self.writers[0].look()
        if state is None:
            # Without an answer there is no verdict, but the run fails.
            return 0, 0
        sent = [writer.acknowledged for writer in self.writers]
        numbers, total = state["numbers"][:len(sent)], state["total"]
        commands = sum(writer.commands for writer in self.writers)
        if (numbers, total, state["begun"]) != (sent, sum(sent), commands):
            self.find(f"{sent} and {commands} commands were acknowledged, and it has {numbers}, {total} in all, {state['begun']} commands")
        entries = [f"{index}/{number}" for index, number in enumerate(sent)]
        recent, keys = state["recent"]["items"], [str(number % 7) for number in range(max(1, total - 2), total + 1)]
        if state["recent"]["order"] != keys or set(recent) != set(keys) or (total and recent[keys[-1]]["text"] not in entries):
            self.find(f"of {total} entries its rows are {state['recent']}")
        lost = state["missing"] + sum(max(0, acknowledged - number) for acknowledged, number in zip(sent, numbers))
        lost_seats, doubled_seats = self.judge_seats(state, sent) if self.rows else (0, 0)
        return lost + lost_seats, state["again"] + max(0, total - sum(sent)) + doubled_seats

    def action(self, number):
        """The action that takes a number."""
        if self.has_commands and number % 5 == 0:
            return "work"
        return "book" if self.rows and number % 3 == 0 else "add"

    def judge_seats(self, state, sent):
        """The faults of its seats, as counts: (lost, doubled). The state has those that the table has, and each is one's own."""
        rows = self.rows(f"SELECT id, entry, key FROM seats WHERE ledger = '{state['tag']}'")
        shared = self.rows("SELECT count(*) FROM seats WHERE id IN (SELECT id FROM seats GROUP BY id HAVING count(*) > 1)")[0][0]
        wanted = collections.Counter(
            f"{index}/{number}" for index, last in enumerate(sent) for number in range(1, last + 1) if self.action(number) == "book")
        wanted = collections.Counter({entry: 2 * count for entry, count in wanted.items()})
        found = collections.Counter(entry for _, entry, _ in rows)
        if (state["seats"], state["seatSum"]) != (len(rows), sum(seat for seat, _, _ in rows)) or found != wanted or shared:
            self.find(f"it has {state['seats']} seats, its table {len(rows)}, of {wanted.total()}; {shared} are of two")
        # An app that takes each key once would lose the seats whose key another one has.
        if shares := len(rows) - len({key for _, _, key in rows}):
            self.find(f"of its {len(rows)} seats {shares} have the key of another one")
        return (wanted - found).total() + shares, (found - wanted).total() + shared


class Room(Ledger):
    """A room, whose members each have a cookie of their own, and come to it by several ports. Each of the onlookers follows
    it in a session of its own."""

    def __init__(self, number, ports, record, writers, readers=0, onlookers=0, **arguments):
        self.params, self.ports = {"ledger": number}, itertools.cycle(ports)
        super().__init__(ports[0], record, 0, **arguments)
        self.client = self.member()
        self.writers = [Writer(self, index) for index in range(writers)]
        self.onlookers = [Onlooker(self) for _ in range(onlookers)]
        self.readers = [*(Reader(self) for _ in range(readers)), *self.onlookers]

    def member(self):
        return opened(next(self.ports), "shared-ledger", self.params)

    def judge(self):
        verdict = super().judge()
        state = self.writers[0].look()
        if state is not None:
            for onlooker in self.onlookers:
                onlooker.see({name: state[name] for name in ("numbers", "total", "begun")})
        return verdict


class Writer:
    """Adds its numbers to a ledger, each sent until it is acknowledged."""

    def __init__(self, ledger, index):
        self.ledger, self.index, self.record = ledger, index, ledger.record
        self.client = ledger.member()
        self.acknowledged = self.commands = 0

    def at(self, port):
        """Goes on at another port."""
        self.client = self.client.at(port)

    def until_answered(self, method, path, body=None, **fields):
        """The answer to a request, which it sends until a server has decided it; `None` if that was wrongly."""
        began, tries = time.monotonic(), []
        while True:
            status, answer, _ = self.client.ask(method, path, body, **fields)
            self.record.tries += 1
            tries.append(f"{status} after {1000 * (time.monotonic() - began):.0f}")
            if status == 200:
                self.record.resent += len(tries) > 1
                self.record.measure(began, f"port {self.client.port}, {path}, {method}: {', '.join(tries[:3] + tries[3:][-3:])} ms")
                return answer
            self.record.answers[status] += 1
            if status not in PASSING or time.monotonic() - began > HANGS:
                self.ledger.find(f"{method} {path} {fields}: {', '.join(tries[-3:])} ms: {answer[:300]!r}")
                return None
            time.sleep(0.01)

    def send(self, number):
        """The path, the body and the key of the request for a number. Seats are booked in pairs, by two actions of a request."""
        if self.ledger.action(number) == "book":
            entry = f"{self.index}/{number}"
            path, body = f"{self.client.url}/actions", json.dumps([{"do": f"/{name}", "value": entry} for name in ("book", "bookOne")])
        else:
            path, body = f"{self.client.url}/actions/{self.ledger.action(number)}", f'"{self.index}/{number}"'
        return path, body, f"w{self.index}/{number}" if self.ledger.keys == "numbers" else f"w{self.index}-{number}"

    def act(self):
        """Adds the next number. Answers whether that went well."""
        path, body, key = self.send(self.acknowledged + 1)
        if self.until_answered("POST", path, body, Idempotency_Key=key) is None:
            return False
        self.acknowledged += 1
        self.commands += path.endswith("work")
        return True

    def repeat(self):
        """Sends the last number once more, as a client does that has lost the answer. That changes nothing."""
        path, body, key = self.send(self.acknowledged)
        return not self.acknowledged or self.until_answered("POST", path, body, Idempotency_Key=key) is not None

    def look(self):
        """The state of the ledger, in which all that the writer was told is there; `None` otherwise."""
        answer = self.until_answered("GET", self.client.url)
        if answer is None:
            return None
        state = json.loads(answer)["state"]
        if state["numbers"][self.index] < self.acknowledged:
            self.record.reversed += 1
            self.ledger.find(f"{self.acknowledged} of writer {self.index} was acknowledged, and then there was {state['numbers']}")
        if state["fault"]:
            self.ledger.find(f"the ledger says: {state['fault']}")
        if state["isWorking"] and not state["working"]["executing"]:
            self.ledger.find(f"it says that its command is at work, and that is {state['working']}")
        rows = state["rows"]["items"]
        # A row that has lost its text has no number.
        numbers = [int(number) for _, _, number in (row["text"].partition("/") for row in rows.values()) if number]
        if len(numbers) != 40 or len(rows) != 40 or sum(numbers) != state["sum"]:
            self.ledger.find(f"its sum is {state['sum']}, and its rows are {rows}")
        return state


class Reader:
    """Follows a ledger by long polls, and applies the frames. A version has one state for all readers, and no state
    that was seen is undone, not even by the next life of the server."""

    def __init__(self, ledger):
        self.ledger, self.client, self.versions = ledger, ledger.member(), ledger.versions
        self.version, self.state = None, None

    def marks(self, state):
        """The numbers of a state that only grow."""
        return [number for name in ("numbers", "total", "begun", "ended") for number in _list(state[name])]

    def turn(self):
        """Asks once for changes. Answers whether that went well."""
        since = f"?since={self.version}" if self.version else ""
        status, answer, _ = self.client.ask("GET", f"{self.client.url}/changes{since}", Prefer="wait=1")
        if status == 200:
            return self.take(json.loads(answer))
        if status != 204 and status not in PASSING:
            self.ledger.find(f"the changes{since}: {status} {answer[:300]!r}")
            return False
        return True

    def take(self, frame):
        if "patch" in frame and frame["from"] != self.version:
            self.ledger.find(f"a reader at {self.version} got a patch from {frame['from']}")
            return False
        state = apply(frame["patch"], self.state) if "patch" in frame else frame["state"]
        if canonical(self.versions.setdefault(frame["to"], state)) != canonical(state):
            self.ledger.find(f"version {frame['to']} is {self.versions[frame['to']]} and {state}")
        if self.version:
            (old, before), (new, after) = self.version.split("."), frame["to"].split(".")
            if old == new and int(before) >= int(after):
                self.ledger.find(f"after {self.version} comes {frame['to']}")
            if any(now < then for then, now in zip(self.marks(self.state), self.marks(state))):
                self.ledger.find(f"what was {self.state} is {state}")
        self.version, self.state = frame["to"], state
        return True


class Onlooker(Reader):
    """Reads a session of its own, which follows a room: whole versions of it, of which none is undone."""

    def __init__(self, room):
        super().__init__(room)
        self.client, self.versions, self.last = opened(next(room.ports), "onlooker", room.params), {}, []

    def marks(self, state):
        # The value is null after a restart, until the room is followed again.
        if shown := state["shown"]:
            if sum(shown["numbers"]) != shown["total"]:
                self.ledger.record.reversed += 1
                self.ledger.find(f"an onlooker sees half a version: {shown}")
            self.last = [*shown["numbers"], shown["total"], shown["begun"]]
        return self.last

    def see(self, wanted):
        """Waits until it shows that."""
        until(lambda: self.turn() and self.state and self.state["shown"] == wanted, f"an onlooker that shows {wanted}")


def _list(value):
    return value if isinstance(value, list) else [value]


class Crowd:
    """The clients of many ledgers, each on a thread of its own."""

    def __init__(self, ledgers, record, seed):
        self.ledgers, self.record = ledgers, record
        self.writers = [writer for ledger in ledgers for writer in ledger.writers]
        self.ends, self.may_go = threading.Event(), threading.Event()
        self.may_go.set()
        self.hesitates = False
        self.resting = {writer: threading.Event() for writer in self.writers}
        self.threads = [threading.Thread(target=self._write, args=(writer, random.Random(f"{seed}-{index}")), daemon=True)
                        for index, writer in enumerate(self.writers)]
        self.threads += [threading.Thread(target=self._read, args=(reader,), daemon=True) for ledger in ledgers for reader in ledger.readers]
        for thread in self.threads:
            thread.start()

    def _write(self, writer, chance):
        goes = True
        while goes and not self.ends.is_set():
            if self.may_go.is_set():
                goes = writer.act() and (chance.random() >= 0.3 or writer.look() is not None)
                if goes and self.hesitates and chance.random() < 0.3:
                    # So long that some sessions leave memory meanwhile, and some do not. Nothing is judged by it.
                    goes = writer.look() is not None
                    time.sleep(chance.uniform(0, 1.5))
            else:
                self.resting[writer].set()
                self.may_go.wait()
                self.resting[writer].clear()
                goes = writer.look() is not None and writer.repeat()

    def _read(self, reader):
        while reader.turn() and not self.ends.is_set():
            pass

    @property
    def acknowledged(self):
        return sum(writer.acknowledged for writer in self.writers)

    def wait(self, happens, wanted):
        """Waits until something happens or a client finds something wrong, after which it may never happen."""
        until(lambda: self.record.findings or happens(), wanted)

    def rest(self):
        """Has all writers wait. Then each of them has an answer to its last request."""
        self.may_go.clear()
        self.wait(lambda: all(event.is_set() for event in self.resting.values()), "writers that rest")

    def go(self):
        """Has them go on. Each looks whether all is there, and sends its last number once more."""
        self.may_go.set()

    def settle(self):
        """Waits until each writer has the answer to a request that it sends from now on."""
        before = [writer.acknowledged for writer in self.writers]
        self.wait(lambda: all(writer.acknowledged >= count + 2 for writer, count in zip(self.writers, before)), "answers to all")

    def try_on(self, count):
        """Waits until the writers have sent so many more requests, whatever became of them."""
        before = self.record.tries
        self.wait(lambda: self.record.tries >= before + count, "requests")

    def end(self):
        """Ends all threads, and gives the verdicts: (lost, doubled)."""
        self.ends.set()
        self.may_go.set()
        for thread in self.threads:
            thread.join(2 * HANGS)
        return [sum(column) for column in zip(*(ledger.judge() for ledger in self.ledgers))]
