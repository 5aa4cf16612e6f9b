# SPDX-License-Identifier: MIT
"""Rooms: one that many people have open, each a client of its own with a poll that waits. A further member changes it: from
that action to the first half of the others' frames and to the last, and the server's CPU for each, from the connection to
its answer. The frame is written once for all who hold the same. Beside it a Hummingbird server does by hand what is left
without cookies, versions and patches: an actor gives each POST's body to all GETs that wait. Then the memory of a member whose poll waits, with its
connection; and the actions that one room takes, of one member and of a hundred, in memory and stored."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import load
import peers
from figures import Failure, Measured, in_turn, median, metric, ratio
from forward import settle
from growing import GrowingServer
from plan import Plan
from serving import Client, Process, Session, request

SECONDS = 5
CONNECTIONS = 16


def measure(plan: Plan) -> Measured:
    measured = Measured("Rooms", __doc__)
    counts = plan.amount((1_000, 10_000), (100, 300))
    rounds = min(plan.rounds, 5)
    waiting = plan.amount(4_000, 300)
    in_turn({name(count): partial(tell, plan, count) for count in counts for name, tell in ((_told, _tell), (_told_by_hand, _tell_by_hand))},
            rounds, measured, plan.tell)
    in_turn({_waiting(waiting): partial(_wait, waiting)}, min(rounds, 3), measured, plan.tell)
    in_turn({_acting(members, where): partial(_act, plan, members, where) for where in ("in memory", "stored") for members in (1, 100)},
            rounds, measured, plan.tell)
    metric(measured, "room_reader_cpu_to_hummingbird",
           ratio(measured.cases, _told(counts[-1]), _told_by_hand(counts[-1]), "server us CPU a reader"))
    metric(measured, "room_last_frame_ms", median(measured.cases, _told(counts[-1]), "last ms"))
    metric(measured, "room_reader_us", median(measured.cases, _told(counts[-1]), "server us CPU a reader"))
    metric(measured, "room_member_kib", median(measured.cases, _waiting(waiting), "KiB each"))
    return measured


def _told(count: int) -> str:
    return f"one change for {count:,} readers"


def _told_by_hand(count: int) -> str:
    return f"Hummingbird, one change for {count:,} readers"


def _waiting(count: int) -> str:
    return f"a member whose poll waits, of {count:,}"


def _acting(members: int, where: str) -> str:
    return f"actions of {members} member{'s' if members > 1 else ''}, {where}"


def _enter(client: Client) -> Session:
    """A member of the room, by a client of its own."""
    head, answer = client.ask("POST", "/sessions/hall")
    cookie = re.search(r"(?im)^set-cookie: ([^;\r]+)", head)
    found = re.match(rb'\{"url":"([^"]+)","model":"hall","version":"([^"]+)"', answer)
    if not cookie or not found:
        raise Failure(f"entering a room: expected a cookie, a URL and a version, got: {head} {answer[:200]!r}")
    return Session(found.group(1).decode(), cookie.group(1), found.group(2).decode(), {})


def _posts(server: Process, members: Sequence[Session]) -> list[bytes]:
    return [load.action(server.port, each, "post") for each in members]


def _tell(plan: Plan, count: int) -> dict[str, float]:
    with GrowingServer() as server:
        client = Client(server.port)
        actor, members = _enter(client), [_enter(client) for _ in range(count)]
        polls = load.write(plan.folder / "room-polls", [load.poll(server.port, each) for each in members])
        return _burst(server, load.write(plan.folder / "room-action", _posts(server, [actor])), polls, count)


def _tell_by_hand(plan: Plan, count: int) -> dict[str, float]:
    with peers.hummingbird(0, plan.folder) as server:
        polls = load.write(plan.folder / "hand-polls", [request(server.port, "GET", "/hall")] * count)
        change = '{"from":"k7q2mzx4.3","to":"k7q2mzx4.4","patch":[{"op":"replace","path":"/notice","value":"user00000000"}]}'
        action = load.write(plan.folder / "hand-action", [request(server.port, "POST", "/hall", body=change)])
        return _burst(server, action, polls, count)


def _burst(server: Process, action: Path, polls: Path, count: int) -> dict[str, float]:
    cpu = server.cpu_seconds
    found = load.burst(server, action, polls)
    return {**found, "server us CPU a reader": (server.cpu_seconds - cpu) / count * 1e6}


def _wait(count: int) -> dict[str, float]:
    with GrowingServer() as server:
        client = Client(server.port)
        kept: list[Client] = []

        def follow() -> None:
            kept.append(Client(server.port))
            kept[-1].socket.sendall(load.poll(server.port, _enter(client)))

        # A first few, so that all that is made once is there already.
        for _ in range(20):
            follow()
        settle(server)
        memory = server.resident_kib
        for _ in range(count):
            follow()
        settle(server)
        found = (server.resident_kib - memory) / count
        for each in kept:
            each.close()
        return {"KiB each": found}


def _act(plan: Plan, count: int, where: str) -> dict[str, float]:
    store = str(plan.folder / f"room-{count}.db") if where == "stored" else ""
    with GrowingServer(store=store) as server:
        client = Client(server.port)
        requests = load.write(plan.folder / "room-posts", _posts(server, [_enter(client) for _ in range(count)]))
        return load.actions(server, requests, CONNECTIONS, plan.amount(SECONDS, 1))
