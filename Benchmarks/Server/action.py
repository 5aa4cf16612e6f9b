# SPDX-License-Identifier: MIT
"""An action: a POST of a JSON string through the surface and the graph, answered with a patch, beside servers
that read the same request and answer as many bytes."""

from contextlib import ExitStack
from functools import partial

import load
import peers
import plots
from figures import Failure, Measured, in_turn, median, metric, ratio
from plan import Plan
from serving import Client, Process

EURIPUS = "Euripus"
CONNECTIONS = (1, 64, 500)
SESSIONS = (1, 1_000)
RATE, COST = "requests/s", "server us CPU"


def measure(plan: Plan) -> Measured:
    measured = Measured("An action", __doc__)
    seconds = plan.amount(3.0, 0.5)
    with ExitStack() as stack:
        server = stack.enter_context(plan.serve())
        client = Client(server.port)
        sessions = [client.open("login") for _ in range(max(SESSIONS))]
        requests = [load.action(server.port, session) for session in sessions]
        files = {count: load.write(plan.folder / f"actions-{count}", requests[:count]) for count in SESSIONS}
        # The first action of a session is unlike the later ones: it makes the name a valid one. The peers are
        # to answer with as many bytes as a later action.
        for session in sessions:
            client.ask("POST", f"{session.url}/actions/usernameDidChange", session.cookie, '"user00000000"')
        size = int(load.actions(server, files[1], 64, 0.5)["answer bytes"])

        cases = {}
        others = {}
        for name, start in peers.PEERS.items():
            try:
                others[name] = stack.enter_context(peers.sized(start, size, requests[0], plan.folder / "nginx"))
            except (Failure, OSError) as error:
                measured.failures.append(f"An action, {name}: {error}")
        for connections in CONNECTIONS:
            for count in SESSIONS if connections > 1 else SESSIONS[:1]:
                cases[_case(EURIPUS, connections, count)] = partial(load.actions, server, files[count], connections, seconds)
            for name, other in others.items():
                cases[_case(name, connections)] = partial(_checked, other, files[1], connections, seconds, size)
        in_turn(cases, plan.rounds, measured, plan.tell)
    _conclude(measured)
    return measured


def _case(name: str, connections: int, sessions: int | None = None) -> str:
    plural = "" if connections == 1 else "s"
    over = f", {sessions:,} session{'' if sessions == 1 else 's'}" if sessions else ""
    return f"{name}, {connections} connection{plural}{over}"


def _checked(server: Process, requests: object, connections: int, seconds: float, size: int) -> dict[str, float]:
    found = load.actions(server, requests, connections, seconds)
    # A date or a revision may be a digit longer than before.
    if abs(found["answer bytes"] - size) > 16:
        raise Failure(f"expected answers of {size} bytes, got {found['answer bytes']}")
    return found


def _conclude(measured: Measured) -> None:
    cases = measured.cases
    # Over many sessions, as a server has them. One session that all connections share is the worst case, and
    # stands beside.
    ours, bare = _case(EURIPUS, 64, 1_000), _case("bare libmicrohttpd", 64)
    metric(measured, "action_vs_mhd_64", ratio(cases, ours, bare, RATE))
    metric(measured, "action_cpu_vs_mhd_64", ratio(cases, ours, bare, COST))
    metric(measured, "action_vs_mhd_64_one_session", ratio(cases, _case(EURIPUS, 64, 1), bare, RATE))
    metric(measured, "action_cpu_vs_mhd_64_one_session", ratio(cases, _case(EURIPUS, 64, 1), bare, COST))
    metric(measured, "action_vs_mhd_500", ratio(cases, _case(EURIPUS, 500, 1_000), _case("bare libmicrohttpd", 500), RATE))
    metric(measured, "action_vs_nginx_64", ratio(cases, ours, _case("nginx return 200", 64), RATE))
    metric(measured, "action_vs_hummingbird_64", ratio(cases, ours, _case("Hummingbird", 64), RATE))
    # The distance between Hummingbird and the limit, which is bare libmicrohttpd.
    metric(measured, "mhd_vs_hummingbird_64", ratio(cases, bare, _case("Hummingbird", 64), RATE))
    metric(measured, "action_per_second_64", median(cases, ours, RATE))
    metric(measured, "action_cpu_us_64", median(cases, ours, COST))
    metric(measured, "action_p50_us_1", median(cases, _case(EURIPUS, 1, 1), "p50 us"))
    for unit, title, name in ((RATE, "Actions a second, 64 connections", "action-rate"),
                              (COST, "CPU time of the server an action, 64 connections, µs", "action-cpu")):
        shown = [_case(EURIPUS, 64, 1), ours, bare, _case("nginx return 200", 64), _case("Hummingbird", 64)]
        bars = {each.replace(", 64 connections", ""): cases[each][unit] for each in shown if each in cases}
        if bars:
            measured.plots[name] = plots.bars(title, bars)
