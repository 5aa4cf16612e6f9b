# SPDX-License-Identifier: MIT
"""Growth: the cost of an action as there are more sessions (all of them in use), more rows in a list of which
one is changed, more rows of which one moves, more observers of the value that is changed (each of whom is told),
and more polls that wait in other sessions. 64 connections act."""

from contextlib import ExitStack
from functools import partial

import load
import plots
from figures import Failure, Figure, Measured, in_turn, metric, ratio
from forward import wait
from growing import GrowingServer
from plan import Plan
from serving import Client, Process, Session

CONNECTIONS = 64
RATE, COST = "requests/s", "server us CPU"
TEXT = '"text ########"'


def measure(plan: Plan) -> Measured:
    measured = Measured("Growth", __doc__)
    seconds, rounds = plan.amount(2.5, 0.4), min(plan.rounds, 3)
    sessions = plan.amount((1, 10, 100, 1_000, 10_000, 50_000), (1, 100, 2_000))
    rows = plan.amount((10, 100, 1_000, 10_000, 100_000), (10, 1_000))
    observers = plan.amount((1, 10, 100, 1_000, 10_000), (1, 1_000))
    polls = plan.amount((0, 1_000, 2_000, 4_000, 8_000), (0, 500))

    for kind, counts, prepare in (("sessions", sessions, partial(_sessions, plan)), ("rows", rows, _rows), ("moves", rows, _moves),
                                  ("observers", observers, _observers)):
        with ExitStack() as stack:
            cases = {}
            for count in counts:
                try:
                    server, requests = prepare(stack, count)
                except (Failure, OSError) as error:
                    measured.failures.append(f"Growth, {_case(count, kind)}: {error}")
                    continue
                file = load.write(plan.folder / f"{kind}-{count}", requests)
                cases[_case(count, kind)] = partial(load.actions, server, file, CONNECTIONS, seconds)
            # The cases of sessions take all rounds, as they alone have a ratio among the metrics.
            in_turn(cases, plan.rounds if kind == "sessions" else rounds, measured, plan.tell)
    for _ in range(rounds):
        _polls(plan, polls, seconds, measured)

    most = sessions[-1]
    metric(measured, f"action_{most}_vs_1_sessions", ratio(measured.cases, _case(most, "sessions"), _case(1, "sessions"), RATE))
    for kind, counts in (("sessions", sessions), ("rows", rows), ("moves", rows), ("observers", observers), ("polls", polls)):
        points = [(count, measured.cases[_case(count, kind)][COST]) for count in counts if _case(count, kind) in measured.cases]
        measured.plots[f"growth-{kind}"] = plots.lines(
            f"CPU time of the server an action, µs, by {TITLES[kind]}", TITLES[kind], {"µs CPU": points})
        if kind == "observers":
            measured.plots["growth-each-observer"] = plots.lines(
                "CPU time of the server an action for each observer more, ns", TITLES[kind], {"ns CPU": _each(points)})
    return measured


def _each(points: list[tuple[int, Figure]]) -> list[tuple[int, Figure]]:
    """The cost of each observer more, for counts that are large enough to tell it from the noise."""
    if not points:
        return []
    (first, alone), *others = points
    return [(count, Figure([(many - one) / (count - first) * 1e3 for one, many in zip(alone.rounds, figure.rounds)]))
            for count, figure in others if count >= 100]


TITLES = {"sessions": "sessions", "rows": "rows of the list", "moves": "rows of which one moves",
          "observers": "observers of the value", "polls": "polls that wait"}


def _case(count: int, kind: str) -> str:
    return f"{count:,} {TITLES[kind]}"


def _sessions(plan: Plan, stack: ExitStack, count: int) -> tuple[Process, list[bytes]]:
    server = stack.enter_context(plan.serve())
    client = Client(server.port)
    return server, [load.action(server.port, client.open("login")) for _ in range(count)]


def _rows(stack: ExitStack, count: int) -> tuple[Process, list[bytes]]:
    server = stack.enter_context(GrowingServer(rows=count))
    table = _opened(server, "table")
    # At most a thousand of the rows, evenly from the first to the last.
    keys = [index * count // min(count, 1_000) for index in range(min(count, 1_000))]
    return server, [load.action(server.port, table, f"rows/items/{key}/change", TEXT) for key in keys]


def _moves(stack: ExitStack, count: int) -> tuple[Process, list[bytes]]:
    server = stack.enter_context(GrowingServer(rows=count))
    return server, [load.action(server.port, _opened(server, "table"), "exchange", "null")]


def _observers(stack: ExitStack, count: int) -> tuple[Process, list[bytes]]:
    server = stack.enter_context(GrowingServer(observers=count))
    return server, [load.action(server.port, _opened(server, "observed"), "change", TEXT)]


def _opened(server: Process, model: str) -> Session:
    return Client(server.port).open(model)


def _polls(plan: Plan, counts: tuple[int, ...], seconds: float, measured: Measured) -> None:
    # Each round has a new server, as the polls wait for 55 s at most.
    with plan.serve() as server:
        client = Client(server.port)
        others = [client.open("login") for _ in range(counts[-1] // 4)]
        active = [client.open("login") for _ in range(1_000)]
        file = load.write(plan.folder / "polls", [load.action(server.port, session) for session in active])
        waiting: list[Client] = []
        for count in counts:
            waiting += wait(server, others, len(waiting), count)
            in_turn({_case(count, "polls"): partial(load.actions, server, file, CONNECTIONS, seconds)}, 1, measured, plan.tell)
        for each in waiting:
            each.close()
