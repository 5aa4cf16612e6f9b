# SPDX-License-Identifier: MIT
"""Tables of an app's own: seats booked a second by actions that write a row in the transaction of their session, each
connection in a session of its own, and a page of 40 of 100,000 rows. Beside them the same SQL by hand. For PostgreSQL that is
pgbench, with as many clients; for SQLite, which has one writer, one loop of Python. By hand nobody stores a session, an
answer or a key, and nothing is told. All commits are on the disk of /var/tmp before they are answered."""

import json
import re
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import load
from figures import Failure, Measured, in_turn, median, metric, ratio
from nodes import Database
from plan import Plan
from serving import LIMITS, ROOT, Client, Process, Session

PROGRAM = ROOT / "Benchmarks/ViewModels/.build/release/TableServer"
PGBENCH = "/usr/lib/postgresql/15/bin/pgbench"
SESSIONS = (1, 10, 100)
BOOK = "INSERT INTO bookings (seat, owner) VALUES ({}, 'maruko')"
COUNT = "SELECT count(*) FROM goods"
PAGE = "SELECT id, name FROM goods ORDER BY id LIMIT 40 OFFSET {}"
RENAME = "UPDATE goods SET name = '{}' WHERE id = 1"


def measure(plan: Plan) -> Measured:
    measured = Measured("Tables of an app's own", __doc__)
    rounds = min(plan.rounds, 3)
    seconds = plan.amount(3.0, 0.5)
    # A folder that PostgreSQL's user can reach, on a disk.
    folder = Path(tempfile.mkdtemp(prefix="euripus-tables-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        with Database(folder) as database:
            file = lambda: str(folder / f"{time.monotonic_ns()}.db")  # noqa: E731
            cases: dict[str, Callable[[], dict[str, float]]] = {}
            for count in SESSIONS:
                cases[_case("SQLite", count)] = partial(_book, plan, file, count, seconds)
                cases[_case("PostgreSQL", count)] = partial(_book, plan, database.store, count, seconds)
                cases[_by_hand("PostgreSQL", count)] = partial(_book_postgresql, database, folder, count, seconds)
            cases[_by_hand("SQLite", 1)] = partial(_book_sqlite, file, seconds)
            in_turn(cases, rounds, measured, plan.tell)
            rows = plan.amount(100_000, 2_000)
            pages = {f"a page of {rows:,} rows, SQLite": partial(_look, plan, file, rows),
                     f"a page of {rows:,} rows, PostgreSQL": partial(_look, plan, database.store, rows),
                     f"a page of {rows:,} rows, SQLite by hand": partial(_look_sqlite, plan, file, rows)}
            in_turn(pages, rounds, measured, plan.tell)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for store in ("SQLite", "PostgreSQL"):
        for count in SESSIONS:
            hand = _by_hand(store, 1 if store == "SQLite" else count)
            metric(measured, f"seats_{store.lower()}_{count}_vs_by_hand",
                   ratio(measured.cases, _case(store, count), hand, "seats/s"))
        for unit in ("first frame ms", "scroll ms", "changed row ms"):
            metric(measured, f"table_{store.lower()}_{unit.replace(' ', '_')}",
                   median(measured.cases, f"a page of {rows:,} rows, {store}", unit))
    return measured


def _case(store: str, count: int) -> str:
    return f"{store}, {count} session{'s' if count > 1 else ''}"


def _by_hand(store: str, count: int) -> str:
    return f"{store} by hand, {count} connection{'s' if count > 1 else ''}"


class TableServer(Process):
    def __init__(self, store: str, goods: int = 1) -> None:
        super().__init__(
            [str(PROGRAM), "serve", "--port", "0", "--store", store, "--durability", "acknowledged", "--goods",
             str(goods), *LIMITS], r":(\d+)/$")


# Seats


def _book(plan: Plan, place: Callable[[], str], count: int, seconds: float) -> dict[str, float]:
    with TableServer(place()) as server:
        client = Client(server.port)
        sessions = [client.open("seats") for _ in range(count)]
        file = load.write(plan.folder / f"seats-{count}",
                          [load.action(server.port, each, "book", '"seat########"') for each in sessions])
        found = load.actions(server, file, count, seconds)
        return {"seats/s": found["requests/s"], "p50 ms": found["p50 us"] / 1e3, "p99 ms": found["p99 us"] / 1e3,
                "others % CPU": found["others % CPU"]}


def _book_postgresql(database: Database, folder: Path, count: int, seconds: float) -> dict[str, float]:
    database.ask("DROP TABLE IF EXISTS bookings; DROP SEQUENCE IF EXISTS seats")
    database.ask("CREATE TABLE bookings (seat text PRIMARY KEY, owner text NOT NULL); CREATE SEQUENCE seats")
    script = folder / "book.sql"
    script.write_text(f"BEGIN ISOLATION LEVEL SERIALIZABLE;\n{BOOK.format('''nextval('seats')''')};\nCOMMIT;\n")
    done = subprocess.run(
        [PGBENCH, "--no-vacuum", f"--client={count}", f"--jobs={min(count, 2)}", f"--time={max(1, round(seconds))}", "--log",
         f"--log-prefix={folder}/pgbench-{count}", f"--file={script}", database.address], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"pgbench: {done.stderr.strip()}")
    rate = re.search(r"(?m)^tps = ([\d.]+)", done.stdout)
    times: list[int] = []
    for log in folder.glob(f"pgbench-{count}.*"):
        # client, number, time in microseconds, …
        times += [int(line.split()[2]) for line in log.read_text().splitlines()]
        log.unlink()
    if not rate or len(times) < 2:
        raise Failure(f"pgbench: expected a rate and times, got {done.stdout}")
    return {"seats/s": float(rate.group(1)), **_quantiles(times)}


def _book_sqlite(place: Callable[[], str], seconds: float) -> dict[str, float]:
    with closing(_by_itself(place())) as file:
        times: list[float] = []
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            before = time.monotonic()
            file.execute("BEGIN IMMEDIATE")
            file.execute(BOOK.format("?"), (f"seat{len(times):08}",))
            file.execute("COMMIT")
            times.append((time.monotonic() - before) * 1e6)
        return {"seats/s": len(times) / (time.monotonic() - begun), **_quantiles(times)}


def _quantiles(times: list[float] | list[int]) -> dict[str, float]:
    """The quantiles of times in microseconds."""
    hundredths = statistics.quantiles(times, n=100)
    return {"p50 ms": hundredths[49] / 1e3, "p99 ms": hundredths[98] / 1e3, "others % CPU": 0.0}


def _by_itself(place: str) -> sqlite3.Connection:
    """A file of SQLite that is written as the server writes its own."""
    file = sqlite3.connect(place, isolation_level=None)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = FULL")
    file.execute("CREATE TABLE bookings (seat text PRIMARY KEY, owner text NOT NULL)")
    file.execute("CREATE TABLE goods (id bigint PRIMARY KEY, name text NOT NULL)")
    return file


# A long table


def _look(plan: Plan, place: Callable[[], str], rows: int) -> dict[str, float]:
    with TableServer(place(), rows) as server:
        first, scrolled, changed = [], [], []
        times = plan.amount(100, 10)
        client, follower = Client(server.port), Client(server.port)
        for _ in range(times):
            begun = time.monotonic()
            _until(client, session := client.open("goods"), "Good number 1\"")
            first.append(time.monotonic() - begun)
            # Each that is open would read its page again for each change.
            client.ask("DELETE", session.url, session.cookie)
        _until(client, session := client.open("goods"), "Good number 1\"")
        for at in range(times):
            start = (at + 1) * (rows - 40) // times
            begun = time.monotonic()
            client.ask("PUT", f"{session.url}/state/rows/window", session.cookie, json.dumps({"first": start, "count": 40}))
            _until(client, session, f"Good number {start + 1}\"")
            scrolled.append(time.monotonic() - begun)
        client.ask("PUT", f"{session.url}/state/rows/window", session.cookie, '{"first":0,"count":40}')
        _until(client, session, "Good number 1\"")
        actor = client.open("goods")
        before = server.cpu_seconds
        for at in range(times):
            begun = time.monotonic()
            client.ask("POST", f"{actor.url}/actions/rename", actor.cookie, json.dumps({"id": 1, "name": f"changed {at}"}))
            _until(follower, session, f"changed {at}\"")
            changed.append(time.monotonic() - begun)
        return {**_times(first, scrolled, changed), "server ms CPU a change": (server.cpu_seconds - before) / times * 1e3}


def _until(client: Client, session: Session, text: str) -> None:
    """Polls until a frame has a text. The rows of a page are read after its session was opened."""
    end = time.monotonic() + 10
    if text in json.dumps(session.state, ensure_ascii=False):
        return
    while time.monotonic() < end:
        client.send("GET", f"{session.url}/changes?since={session.version}", session.cookie, fields="Prefer: wait=10\r\n")
        status, _, frame = client.receive()
        if status != 200:
            raise Failure(f"expected a frame, got {status} {frame[:300]!r}")
        session.version = json.loads(frame)["to"]
        if text.encode() in frame:
            return
    raise Failure(f"no frame had {text} within 10 s")


def _look_sqlite(plan: Plan, place: Callable[[], str], rows: int) -> dict[str, float]:
    with closing(_by_itself(place())) as file:
        file.execute("BEGIN")
        file.executemany("INSERT INTO goods VALUES (?, ?)", ((n, f"Good number {n}") for n in range(1, rows + 1)))
        file.execute("COMMIT")
        times = plan.amount(100, 10)

        def page(start: int) -> float:
            begun = time.monotonic()
            file.execute(COUNT).fetchall()
            json.dumps(file.execute(PAGE.format("?"), (start,)).fetchall())
            return time.monotonic() - begun

        first = [page(0) for _ in range(times)]
        scrolled = [page((at + 1) * (rows - 40) // times) for at in range(times)]
        changed = []
        spent = time.process_time()
        for at in range(times):
            begun = time.monotonic()
            file.execute(RENAME.format(f"changed {at}"))
            page(0)
            changed.append(time.monotonic() - begun)
        return {**_times(first, scrolled, changed), "server ms CPU a change": (time.process_time() - spent) / times * 1e3}


def _times(first: list[float], scrolled: list[float], changed: list[float]) -> dict[str, float]:
    return {"first frame ms": statistics.median(first) * 1e3, "scroll ms": statistics.median(scrolled) * 1e3,
            "changed row ms": statistics.median(changed) * 1e3}
