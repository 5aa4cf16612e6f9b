# SPDX-License-Identifier: MIT
"""Several servers: stored actions of one to three servers that share a PostgreSQL database, beside one with its
sessions in a file of SQLite and one with them in memory. Each server gets 64 connections' share of the load,
each connection in a session that this server has. Then what a request costs that comes to a server which does
not have its session, and how soon after kill -9 the first action is answered. All processes, the client's and
the database's too, share the processors of one machine: so more servers do not mean more actions here, and the
CPU time of an action is what counts. Both stores are on the disk of /var/tmp. Of several servers p50
and p99 are those of the slowest. PostgreSQL's bytes are those of its write-ahead log; SQLite's are all that the
server writes, its checkpoints too. A frame's time and CPU are those of an action where the session is and of
the poll that it answers: what a poll elsewhere costs is the difference."""

import itertools
import json
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import load
import plots
from figures import Failure, Figure, Measured, in_turn, median, metric, ratio
from plan import Plan
from serving import ROOT, TICKS, Client, Process, Session, free_port, machine_cpu_seconds, request

CONNECTIONS = 64
# Requests in a row by way of another server: fewer than those after which a session moves there.
ROW = 12
# Requests that are sent before the first is answered.
AHEAD = 64


def measure(plan: Plan) -> Measured:
    measured = Measured("Several servers", __doc__)
    rounds = min(plan.rounds, 3)
    # A folder that PostgreSQL's user can reach, as that of the build need not be. It is on a disk, unlike /dev/shm.
    folder = Path(tempfile.mkdtemp(prefix="euripus-nodes-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        with Database(folder) as database:
            cases = {"in memory": partial(_actions, plan, partial(_alone, plan, "memory", None), None)}
            for durability in ("relaxed", "acknowledged"):
                file = lambda durability=durability: str(folder / f"{durability}-{time.monotonic_ns()}.db")  # noqa: E731
                cases[f"SQLite, {durability}"] = partial(_actions, plan, partial(_alone, plan, durability, file), None)
                for count in (1, 2, 3):
                    cases[_case(count, durability)] = partial(
                        _actions, plan, partial(_nodes, plan, database, durability, count), database)
            in_turn(cases, rounds, measured, plan.tell)
            in_turn({"where the session is": partial(_requests, plan, database, 0), "elsewhere": partial(_requests, plan, database, 1)},
                    rounds, measured, plan.tell)
            stored = plan.amount(100_000, 2_000)
            in_turn({f"{store}, after kill -9, {stored:,} sessions stored": partial(_restart, plan, store, database, folder, stored)
                     for store in ("SQLite", "PostgreSQL")}, rounds, measured, plan.tell)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for durability in ("relaxed", "acknowledged"):
        metric(measured, f"postgresql_{durability}_vs_sqlite",
               ratio(measured.cases, _case(1, durability), f"SQLite, {durability}", "requests/s"))
    metric(measured, "misdirected_action_ms", median(measured.cases, "elsewhere", "action p50 ms"))
    metric(measured, "misdirected_frame_ms", median(measured.cases, "elsewhere", "frame p50 ms"))
    _draw(measured, list(cases))
    return measured


def _case(count: int, durability: str) -> str:
    return f"PostgreSQL, {durability}, {count} server{'s' if count > 1 else ''}"


def _draw(measured: Measured, names: list[str]) -> None:
    found = {name: measured.cases[name] for name in names if name in measured.cases}
    if not found:
        return
    measured.plots["nodes-rate"] = plots.bars(
        "Actions a second, 64 connections", {name: figures["requests/s"] for name, figures in found.items()})
    parts = {"client": "client us CPU", "servers": "server us CPU", "PostgreSQL": "database us CPU"}
    spent: dict[str, Figure] = {}
    for name, figures in found.items():
        spent |= {f"{name}: {part}": figures[unit] for part, unit in parts.items()}
    measured.plots["nodes-cpu"] = plots.bars("µs of CPU time an action", spent, kinds=len(parts))


# The database


class Database:
    """A PostgreSQL server of its own in a folder, by the script that starts it for the tests. Syncs are real ones."""

    def __init__(self, folder: Path) -> None:
        self.numbers = itertools.count()
        environment = {**os.environ, "TEST_POSTGRESQL_BASE": str(folder)}
        # The script ends when this end of its input is closed.
        self.process = subprocess.Popen(
            [ROOT / "Scripts/with-postgresql.sh", "sh", "-c", 'echo "$TEST_POSTGRESQL"; exec cat'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=environment)
        self.address = ""
        # Earlier lines are about packages that are installed.
        while not self.address.startswith("host="):
            if not (line := self.process.stdout.readline()):
                raise Failure("PostgreSQL did not start; Scripts/with-postgresql.sh says why")
            self.address = line.strip()
        place = self.address.split()[0].removeprefix("host=")
        self.first = int(Path(place, "data/postmaster.pid").read_text().splitlines()[0])

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def store(self) -> str:
        """The address of a store that was not there before."""
        schema = f"bench_{next(self.numbers)}"
        self.ask(f"CREATE SCHEMA {schema}")
        return f"{self.address} options='-c search_path={schema}'"

    def ask(self, sql: str) -> str:
        done = subprocess.run(["psql", "-qAtX", self.address, "-c", sql], capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    @property
    def cpu_seconds(self) -> float:
        """User and system time of its processes, with those that have ended (proc(5))."""
        children = map(int, Path(f"/proc/{self.first}/task/{self.first}/children").read_text().split())
        spent = 0
        for pid in (self.first, *children):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except FileNotFoundError:
                continue
            spent += sum(map(int, fields[11:15] if pid == self.first else fields[11:13]))
        return spent / TICKS

    @property
    def written(self) -> int:
        """The bytes of its write-ahead log so far."""
        return int(self.ask("SELECT pg_current_wal_insert_lsn() - '0/0'"))


# The servers


def _alone(plan: Plan, durability: str, file: Callable[[], str] | None, stack: ExitStack) -> list[Process]:
    options = ["--store", file(), "--durability", durability] if file else []
    return [stack.enter_context(plan.serve(*options))]


def _nodes(plan: Plan, database: Database, durability: str, count: int, stack: ExitStack) -> list[Process]:
    store = database.store()
    servers = []
    for _ in range(count):
        port = free_port()
        servers.append(stack.enter_context(plan.serve(
            "--store", store, "--durability", durability, "--node-url", f"http://127.0.0.1:{port}", port=port)))
    for server in servers:
        _ready(server)
    return servers


def _ready(server: Process) -> None:
    """Waits until a server is sure that it may answer from memory."""
    end, client = time.monotonic() + 20, Client(server.port)
    client.send("GET", "/readyz")
    while client.receive()[0] != 200:
        if time.monotonic() > end:
            raise Failure("a server is not ready after 20 s")
        time.sleep(0.02)
        client.send("GET", "/readyz")
    client.close()


# Actions where their sessions are


def _actions(plan: Plan, begin: Callable[[ExitStack], list[Process]], database: Database | None) -> dict[str, float]:
    with ExitStack() as stack:
        servers = begin(stack)
        share, seconds = CONNECTIONS // len(servers), plan.amount(3.0, 0.5)
        files = []
        for index, server in enumerate(servers):
            client = Client(server.port)
            sessions = [client.open("login") for _ in range(share)]
            files.append(load.write(plan.folder / f"nodes-{index}", [load.action(server.port, each) for each in sessions]))
        spent, written = (database.cpu_seconds, database.written) if database else (0.0, _written(servers[0]))
        busy, begun = machine_cpu_seconds(), time.monotonic()
        found = _together([partial(load.actions, server, file, share, seconds) for server, file in zip(servers, files)])
        busy, passed = machine_cpu_seconds() - busy, time.monotonic() - begun
        rate = sum(each["requests/s"] for each in found)
        # Each server was under load for as long.
        count = rate * seconds
        of_all = lambda unit: sum(each[unit] * each["requests/s"] for each in found) / rate  # noqa: E731
        spent = (database.cpu_seconds - spent) / count * 1e6 if database else 0.0
        ours = (of_all("client us CPU") + of_all("server us CPU") + spent) * count / 1e6
        return {"requests/s": rate, "client us CPU": of_all("client us CPU"), "server us CPU": of_all("server us CPU"),
                "database us CPU": spent, "p50 us": max(each["p50 us"] for each in found),
                "p99 us": max(each["p99 us"] for each in found),
                "bytes written": ((database.written if database else _written(servers[0])) - written) / count,
                "others % CPU": max(0.0, busy - ours) / passed * 100}


def _together(measures: list[Callable[[], dict[str, float]]]) -> list[dict[str, float]]:
    """The findings of several measurements that run at the same time."""
    found: list[dict[str, float] | Exception] = [Failure("it has not ended")] * len(measures)

    def run(index: int) -> None:
        try:
            found[index] = measures[index]()
        # The caller raises it below.
        except Exception as error:
            found[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(measures))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in found:
        if isinstance(each, Exception):
            raise each
    return found


def _written(server: Process) -> int:
    """The bytes that a server has written to files so far, without those that it has sent (proc(5))."""
    lines = Path(f"/proc/{server.process.pid}/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("wchar:")).split()[1])


# Requests where their session is not


def _requests(plan: Plan, database: Database, asked: int) -> dict[str, float]:
    """Actions and polls of sessions that the first of two servers has, sent to one of the two."""
    with ExitStack() as stack:
        servers = _nodes(plan, database, "relaxed", 2, stack)
        owner, other = Client(servers[0].port), Client(servers[asked].port)
        sessions = [owner.open("login") for _ in range(plan.amount(200, 20))]
        cookies = {each.url: _cookie(each, servers[0].port, servers[asked].port) for each in sessions}
        cpu = lambda: sum(server.cpu_seconds for server in servers) + database.cpu_seconds  # noqa: E731
        times, before = [], cpu()
        for session in sessions:
            for number in range(ROW):
                body, begun = f'"user{number:08}"', time.monotonic()
                other.ask("POST", f"{session.url}/actions/usernameDidChange", cookies[session.url], body)
                times.append(time.monotonic() - begun)
        spent = (cpu() - before) / len(times)
        frames, before = [], cpu()
        for session in sessions:
            version = _version(owner, session)
            for number in range(ROW):
                other.send("GET", f"{session.url}/changes?since={version}", cookies[session.url], fields="Prefer: wait=55\r\n")
                begun = time.monotonic()
                owner.ask("POST", f"{session.url}/actions/usernameDidChange", session.cookie, f'"frame{number:08}"')
                status, _, frame = other.receive()
                if status != 200:
                    raise Failure(f"expected a poll to be answered with a frame, got {status}")
                frames.append(time.monotonic() - begun)
                version = json.loads(frame)["to"]
        return {"action p50 ms": statistics.median(times) * 1e3, "action us CPU": spent * 1e6,
                "frame p50 ms": statistics.median(frames) * 1e3, "frame us CPU": (cpu() - before) / len(frames) * 1e6}


def _cookie(session: Session, port: int, other: int) -> str:
    """The cookie of a session, under the name that another server gives it: a cookie is named for the port of
    its server."""
    return session.cookie.replace(f"-{port}=", f"-{other}=")


def _version(client: Client, session: Session) -> str:
    head, _ = client.ask("GET", f"{session.url}/state/username", session.cookie)
    tag = next(line for line in head.split("\r\n") if line.lower().startswith("etag:"))
    return tag.split('"')[1]


# After a kill


def _restart(plan: Plan, store: str, database: Database, folder: Path, count: int) -> dict[str, float]:
    place = str(folder / f"killed-{time.monotonic_ns()}.db") if store == "SQLite" else database.store()
    server = plan.serve("--store", place)
    try:
        client = Client(server.port)
        for begun in range(0, count - 1, AHEAD):
            these = min(AHEAD, count - 1 - begun)
            client.socket.sendall(request(server.port, "POST", "/sessions/login") * these)
            _receive(client, these)
        session = client.open("login")
        target = f"{session.url}/actions/usernameDidChange"
        client.ask("POST", target, session.cookie, '"maruko"')
    finally:
        server.stop(signal.SIGKILL)
    begun = time.monotonic()
    with plan.serve("--store", place, port=server.port) as again:
        serves = time.monotonic() - begun
        client = Client(again.port)
        client.ask("POST", target, session.cookie, '"maruka"')
        answered = time.monotonic() - begun
        _ready(again)
        ready = time.monotonic() - begun
        _, name = client.ask("GET", f"{session.url}/state/username", session.cookie)
    # Only now: to open the file earlier would take in the log of the killed server.
    if (stored := _stored(store, place, database)) != count:
        raise Failure(f"expected {count} stored sessions, found {stored}")
    if name != b'"maruka"':
        raise Failure(f"expected the session to come back with the name it was given, got {name.decode()}")
    return {"ms until it serves": serves * 1e3, "ms until the first action is answered": answered * 1e3,
            "ms until it is ready": ready * 1e3}


def _stored(store: str, place: str, database: Database) -> int:
    if store == "PostgreSQL":
        schema = place.partition("search_path=")[2].rstrip("'")
        return int(database.ask(f"SELECT count(*) FROM {schema}.euripus_sessions"))
    with closing(sqlite3.connect(place)) as file:
        return file.execute("SELECT count(*) FROM euripus_sessions").fetchone()[0]


def _receive(client: Client, count: int) -> None:
    """Reads `count` answers of opened sessions, one behind the other on a connection."""
    data, found = b"", 0
    while found < count:
        if not (piece := client.socket.recv(262_144)):
            raise Failure(f"the server closed the connection after {found} of {count} openings")
        data += piece
        # The end of the last one may still be on its way.
        found = data.count(b"HTTP/1.1 201 ")
        if b"HTTP/1.1 4" in data or b"HTTP/1.1 5" in data:
            raise Failure(f"expected sessions, got {data[-500:]!r}")
    while not data.rstrip().endswith(b"}"):
        if not (piece := client.socket.recv(262_144)):
            raise Failure("the server closed the connection in the last answer")
        data += piece
