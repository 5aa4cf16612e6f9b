# SPDX-License-Identifier: MIT
"""Durability: the cost of sessions that survive. Actions with sessions in memory alone, stored so that they
survive the process, and so that they survive a power cut, each connection in a session of its own; and how soon
after kill -9 the first action is answered. The store is on the disk that the build is on."""

import shutil
import signal
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import load
from figures import Failure, Measured, in_turn, metric, ratio
from plan import Plan
from serving import Client

DURABILITIES = ("memory", "relaxed", "acknowledged")
CONNECTIONS = (2, 64)


def measure(plan: Plan) -> Measured:
    measured = Measured("Durability", __doc__)
    rounds = min(plan.rounds, 3)
    # Beside the build, since a folder for temporary files may be in memory.
    folder = load.BUILT / "stores"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with ExitStack() as stack:
            cases = {}
            for durability in DURABILITIES:
                server = stack.enter_context(
                    plan.serve("--durability", durability, "--store", str(folder / f"{durability}.db")))
                client = Client(server.port)
                for count in CONNECTIONS:
                    sessions = [client.open("login") for _ in range(count)]
                    file = load.write(folder / f"{durability}-{count}", [load.action(server.port, each) for each in sessions])
                    cases[_case(durability, count)] = partial(load.actions, server, file, count, plan.amount(3.0, 0.5))
            in_turn(cases, rounds, measured, plan.tell)
        count = plan.amount(50_000, 2_000)
        restarts = {f"after kill -9, {count:,} sessions stored": partial(_restart, plan, str(folder / "killed"), count)}
        in_turn(restarts, 1, measured, plan.tell)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for durability in DURABILITIES[1:]:
        metric(measured, f"{durability}_vs_memory_64",
               ratio(measured.cases, _case(durability, 64), _case("memory", 64), "requests/s"))
    return measured


def _case(durability: str, connections: int) -> str:
    return f"{durability}, {connections} connections"


def _restart(plan: Plan, store: str, count: int) -> dict[str, float]:
    server = plan.serve("--store", store)
    try:
        client = Client(server.port)
        for _ in range(count):
            session = client.open("login")
        target = f"{session.url}/actions/usernameDidChange"
        client.ask("POST", target, session.cookie, '"maruko"')
    finally:
        server.stop(signal.SIGKILL)
    begun = time.monotonic()
    with plan.serve("--store", store, port=server.port) as again:
        serves = time.monotonic() - begun
        client = Client(again.port)
        client.ask("POST", target, session.cookie, '"maruka"')
        answered = time.monotonic() - begun
        _, name = client.ask("GET", f"{session.url}/state/username", session.cookie)
    if name != b'"maruka"':
        raise Failure(f"expected the session to come back with the name it was given, got {name.decode()}")
    # The log is in the file now, as the last process has ended in good order.
    return {"bytes each": Path(store).stat().st_size / count, "ms until it serves": serves * 1e3,
            "ms until the first action is answered": answered * 1e3}
