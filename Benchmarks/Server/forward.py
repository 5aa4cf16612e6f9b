# SPDX-License-Identifier: MIT
"""Forward flow: from an action sent on one connection to its frame read on another, whose long poll or stream
waits, while many other polls wait in sessions of their own; a millisecond passes between two actions. Then all
of those polls are answered at once: one action in each of their sessions."""

import time
from functools import partial
from pathlib import Path

import load
import plots
from figures import Failure, Measured, in_turn, median, metric
from plan import Plan
from serving import Client, Server, Session

# As many as the server lets one client have in one session.
POLLS_A_SESSION = 4
WAYS = ("poll", "stream")


def measure(plan: Plan) -> Measured:
    measured = Measured("Forward flow", __doc__)
    counts = plan.amount((0, 1_000, 8_000), (0, 200, 1_000))
    actions = plan.amount(3_000, 300)
    rounds = min(plan.rounds, 5)
    for number in range(rounds):
        # Each round has a new server, as the polls wait for 55 s at most.
        with plan.serve() as server:
            client = Client(server.port)
            others = [client.open("login") for _ in range(counts[-1] // POLLS_A_SESSION)]
            followed = client.open("login")
            waiting: list[Client] = []
            for count in counts:
                waiting += wait(server, others, len(waiting), count)
                cases = {_case(way, count): partial(_frames, plan, server, followed, way, actions) for way in WAYS}
                if count == counts[-1]:
                    cases[f"{count:,} polls wait, nothing happens"] = partial(_idle, server, plan.amount(5, 1))
                in_turn(cases, 1, measured, lambda text: plan.tell(f"{number + 1} of {rounds}: {text}"))
            for each in waiting:
                each.close()
            burst = {f"one action in each of {len(others):,} sessions at once, {counts[-1]:,} polls":
                     partial(_burst, plan, server, others)}
            in_turn(burst, 1, measured, plan.tell)
            vanishing = plan.amount(1_000, 200)
            in_turn({f"{vanishing:,} clients vanish while they wait": partial(_vanish, server, others, vanishing)},
                    1, measured, plan.tell)
    _conclude(measured, counts)
    return measured


def wait(server: Server, sessions: list[Session], present: int, count: int) -> list[Client]:
    """Opens further polls that wait, so that there are `count` with the `present` ones."""
    added = []
    for number in range(present, count):
        client = Client(server.port)
        client.socket.sendall(load.poll(server.port, sessions[number // POLLS_A_SESSION]))
        added.append(client)
    settle(server)
    return added


def settle(server: Server) -> None:
    """Waits until the server's loops have taken the requests so far: each loop answers a later request."""
    for _ in range(4):
        client = Client(server.port)
        client.ask("GET", "/healthz")
        client.close()


def _case(way: str, count: int) -> str:
    return f"{way}, {count:,} other polls wait"


def _frames(plan: Plan, server: Server, session: Session, way: str, count: int) -> dict[str, float]:
    get = {"poll": load.poll, "stream": load.stream}[way](server.port, session, "@@")
    requests = load.write(plan.folder / "frames", [load.action(server.port, session), get])
    return load.frames(server, requests, way, count)


def _idle(server: Server, seconds: float) -> dict[str, float]:
    before = server.cpu_seconds
    time.sleep(seconds)
    return {"% CPU": (server.cpu_seconds - before) / seconds * 100}


def _burst(plan: Plan, server: Server, sessions: list[Session]) -> dict[str, float]:
    client = Client(server.port)
    polls = []
    for session in sessions:
        # These polls wait for changes from this version on: earlier frames do not count.
        head, _ = client.ask("GET", session.url, session.cookie)
        version = _tag(head)
        polls += [load.poll(server.port, session, version)] * POLLS_A_SESSION
    actions = [load.action(server.port, session) for session in sessions]
    return load.burst(server, load.write(plan.folder / "burst", actions), load.write(plan.folder / "polls", polls))


def _vanish(server: Server, sessions: list[Session], count: int) -> dict[str, float]:
    before = _held(server.port)
    # None of these polls is answered, as each has the present version.
    client = Client(server.port)
    kept = []
    for number in range(count):
        session = sessions[number // POLLS_A_SESSION]
        if number % POLLS_A_SESSION == 0:
            version = _tag(client.ask("GET", session.url, session.cookie)[0])
        kept.append(Client(server.port))
        kept[-1].socket.sendall(load.poll(server.port, session, version))
    settle(server)
    begun = time.monotonic()
    for each in kept:
        each.close()
    while _held(server.port) > before + 1:
        if time.monotonic() - begun > 10:
            raise Failure(f"{_held(server.port) - before} sockets are still open 10 s after their clients left")
        time.sleep(0.002)
    return {"ms until their sockets are free": (time.monotonic() - begun) * 1e3}


def _held(port: int) -> int:
    """The number of connections that the server holds, with those that their clients have left (08 of
    proc_net_tcp(5))."""
    local = f":{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(1 for row in rows if row[1].endswith(local) and row[3] in ("01", "08"))


def _tag(head: str) -> str:
    for line in head.split("\r\n"):
        if line.lower().startswith("etag:"):
            return line.split('"')[1]
    raise Failure(f"expected an ETag, got: {head}")


def _conclude(measured: Measured, counts: tuple[int, ...]) -> None:
    most = counts[-1]
    for name, unit in (("frame_p50_ms", "p50 ms"), ("frame_p99_ms", "p99 ms")):
        metric(measured, f"{name}_{most}", median(measured.cases, _case("poll", most), unit))
        metric(measured, f"{name}_{most}_stream", median(measured.cases, _case("stream", most), unit))
    metric(measured, f"idle_cpu_percent_{most}",
           median(measured.cases, f"{most:,} polls wait, nothing happens", "% CPU"))
    lines = {f"{way}, {quantile}": [(count, measured.cases[_case(way, count)][f"{quantile} ms"]) for count in counts
                                    if _case(way, count) in measured.cases]
             for way in WAYS for quantile in ("p50", "p99")}
    measured.plots["forward"] = plots.lines(
        "From an action to its frame on another connection, ms", "other polls that wait", lines)
