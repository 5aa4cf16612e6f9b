# SPDX-License-Identifier: MIT
"""Memory: what the server has resident more for each session, each of a client of its own, without a
connection; and for each poll and each stream that waits, its connection included. What the kernel holds for a
connection is not in it. A row has two short values, a text and a flag, and a state of 1 MiB is a list of such
rows."""

import json
from collections.abc import Callable
from functools import partial

import load
from figures import Failure, Measured, in_turn, median, metric
from growing import GrowingServer
from forward import settle
from plan import Plan
from serving import Client, Process, Session

EACH, OPENING = "KiB each", "us CPU to open"
ROW, STATE = "KiB a row", "MiB each"
LIST_ROWS = 100
MIB_ROWS = 15_900
"""The number of rows in a state of 1 MiB."""


def measure(plan: Plan) -> Measured:
    measured = Measured("Memory", __doc__)
    many, some, waiting = plan.amount((50_000, 2_000, 8_000), (2_000, 200, 500))
    cases = {_login(many): partial(_sessions, plan.serve, "login", many)}
    cases[_list(some)] = partial(_sessions, lambda: GrowingServer(rows=LIST_ROWS), "table", some)
    cases[_rows()] = partial(_row, plan.amount(50, 10))
    cases[_state()] = partial(_mib, plan.amount(10, 3))
    with plan.serve() as server:
        _, models = Client(server.port).ask("GET", "/models")
    for model in sorted(set(json.loads(models)["models"]) - {"login"}):
        cases[f"a session of {model}, of {some:,}"] = partial(_sessions, plan.serve, model, some)
    for way in (load.poll, load.stream):
        cases[_waiting(way, waiting)] = partial(_followers, plan, way, waiting)
    in_turn(cases, min(plan.rounds, 3), measured, plan.tell)
    metric(measured, "session_kib", median(measured.cases, _login(many), EACH))
    metric(measured, "session_100_rows_kib", median(measured.cases, _list(some), EACH))
    metric(measured, "row_kib", median(measured.cases, _rows(), ROW))
    metric(measured, "session_1_mib_mib", median(measured.cases, _state(), STATE))
    metric(measured, "waiting_poll_kib", median(measured.cases, _waiting(load.poll, waiting), EACH))
    metric(measured, "waiting_stream_kib", median(measured.cases, _waiting(load.stream, waiting), EACH))
    return measured


def _login(count: int) -> str:
    return f"a login session, of {count:,}"


def _list(count: int) -> str:
    return f"a session with a list of {LIST_ROWS} rows, of {count:,}"


def _rows() -> str:
    return "a row of two short values, of 1,000 in a session"


def _state() -> str:
    return "a session with a state of 1 MiB"


def _waiting(way: Callable, count: int) -> str:
    return f"a {way.__name__} that waits, of {count:,}"


def _row(count: int) -> dict[str, float]:
    whole, bare = (_sessions(lambda: GrowingServer(rows=rows), "tasks", count)[EACH] for rows in (1_000, 0))
    return {ROW: (whole - bare) / 1_000}


def _mib(count: int) -> dict[str, float]:
    with GrowingServer(rows=MIB_ROWS) as server:
        client = Client(server.port)
        state = json.dumps(client.open("tasks").state, separators=(",", ":"))
        if not 1 <= len(state) / 2**20 < 1.01:
            raise Failure(f"expected a state of 1 MiB, got one of {len(state)} bytes")
        memory = server.resident_kib
        for _ in range(count):
            client.open("tasks")
        return {STATE: (server.resident_kib - memory) / count / 1024}


def _sessions(start: Callable[[], Process], model: str, count: int) -> dict[str, float]:
    with start() as server:
        client = Client(server.port)
        # Code and caches come in with the first sessions, and are no memory of a session.
        for _ in range(100):
            client.open(model)
        memory, cpu = server.resident_kib, server.cpu_seconds
        for _ in range(count):
            client.open(model)
        return {EACH: (server.resident_kib - memory) / count, OPENING: (server.cpu_seconds - cpu) / count * 1e6}


def _followers(plan: Plan, way: Callable[[int, Session], bytes], count: int) -> dict[str, float]:
    with plan.serve() as server:
        client = Client(server.port)
        sessions = [client.open("login") for _ in range(count)]
        kept: list[Client] = []

        def follow(session: Session) -> None:
            kept.append(Client(server.port))
            kept[-1].socket.sendall(way(server.port, session))

        # A first few, so that all that is made once is there already.
        for session in sessions[:20]:
            follow(session)
        settle(server)
        memory = server.resident_kib
        for session in sessions[20:]:
            follow(session)
        settle(server)
        found = (server.resident_kib - memory) / (count - 20)
        for each in kept:
            each.close()
        return {EACH: found}
