# SPDX-License-Identifier: MIT
"""The kinds of faults, a row each: of one server with a file, and of several servers, their database, and the links
between them.

Each fault lasts until something happens: a number of requests, an answer for every client, a line of a log. So it does
the same on a machine of any speed.
"""

import json
import os
import select
import signal
from dataclasses import dataclass
from typing import Callable

from client import Client
from ledgers import Ledger
from processes import Failure, until

# A session leaves memory if nobody has used it for so many ms. One that was never acted on is forgotten then, so no
# server has this option when sessions are opened.
IDLE = "idle=200"
# The changes that a writer makes in a row: in one of four a ledger removes a row, and adds another one.
ACTS = 4
# The most crashes of a database until one has to have lost changes.
CRASHES = 20


@dataclass(frozen=True)
class Kind:
    # Its share in the choice of the next fault; 0 for one that is no server's but a control's.
    weight: int
    do: Callable


@dataclass(frozen=True)
class Control:
    """A fault of the servers themselves, which has to be found out by one kind of fault."""

    kind: str
    options: list
    # The ledgers' arguments.
    ledgers: dict
    # The number of ledgers, and the rooms: writers, readers, and onlookers with sessions that follow the room.
    count: int = 8
    rooms: tuple = ((3, 1, 1), (3, 0, 0), (2, 0, 1))


class Scene:
    """A cluster, the clients that use it, and the chance by which faults are chosen."""

    def __init__(self, cluster, crowd, record, chance):
        self.cluster, self.crowd, self.record, self.chance = cluster, crowd, record, chance
        self.server = cluster.servers[0]

    def choose(self):
        """Chooses the server that the next fault is about."""
        self.server = self.chance.choice(self.cluster.servers)

    def last(self):
        """Has a fault last: for some requests, or until each client was answered in spite of it."""
        if self.chance.random() < 0.5:
            self.crowd.settle()
        else:
            self.try_on()

    def try_on(self):
        self.crowd.try_on(self.chance.randint(0, 100))


# One server with a file

def kill(scene):
    scene.try_on()
    scene.server.kill()
    scene.cluster.check()
    scene.server.serve()


def kill_at_rest(scene):
    """Kills the server after all clients have their answers. Then each sends its last request again."""
    scene.crowd.rest()
    scene.server.kill()
    scene.server.serve()
    scene.crowd.go()


def die(point, most, *options):
    """A server that kills itself at a point of its code, the first to the most-th time that it passes there."""
    def do(scene):
        scene.server.kill()
        scene.server.start(f"die={point}:{scene.chance.randint(1, most)}", *options)
        scene.crowd.hesitates = bool(options)
        status = scene.server.ended(f"a death at {point}")
        scene.crowd.hesitates = False
        if status != -signal.SIGKILL:
            raise Failure(f"expected the server to kill itself at {point}, got status {status}; see {scene.server.log}")
        scene.server.serve()
    return do


def leave(scene):
    """Kills the server after sessions have left memory, and come back."""
    scene.server.kill()
    scene.server.start(IDLE)
    scene.server.wait()
    scene.crowd.hesitates = True
    until(lambda: scene.server.metric("euripus_sessions_left_total") >= 10, "sessions that leave memory", scene.server.process)
    scene.crowd.hesitates = False
    scene.crowd.settle()
    kill(scene)


def stop(scene):
    scene.server.stop()
    scene.server.serve()


def signed_in(scene):
    """Somebody who has signed in is known after a kill, with the parameters of the session, and not by the
    credential from before."""
    guest = Client(scene.server.port)
    guest.open("guest", '{"params":{"table":7}}')
    before = guest.at(guest.port)
    status, answer, fields = guest.ask("POST", f"{guest.url}/actions/enter", '"anna"')
    expect(scene, 200, status, answer)
    guest.take(fields)
    for _ in range(2):
        scene.server.kill()
        scene.server.serve()
        # The old credential comes first, to a server that has read nothing from its store yet.
        status, answer, _ = before.at(guest.port).ask("GET", guest.url)
        expect(scene, (401, "/problems/credential-replaced"), (status, json.loads(answer).get("type")), answer)
        expect(scene, (200, {"name": "anna", "table": 7, "bill": 0}), guest.at(guest.port).state(), "the guest")
        expect(scene, 404, Client(guest.port).ask("GET", guest.url)[0], "somebody else")


def expect(scene, expected, got, about):
    if got != expected:
        scene.record.findings.append(f"expected {expected}, got {got}: {about}")


# Several servers

def kill_one(scene):
    scene.server.kill()
    scene.last()
    scene.server.serve()


def freeze(scene):
    scene.server.freeze()
    scene.last()
    scene.server.thaw()


def deploy(scene):
    """Stops and starts all servers, one after the other, as for a new version."""
    for server in scene.cluster.servers:
        server.stop()
        server.serve()


def clock(scene):
    scene.server.step_clock(scene.chance.choice([-1, 1]) * scene.chance.randint(60, 7200))


def terminate(scene):
    scene.cluster.pair.primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'euripus'")


def database(scene):
    """Kills the primary, at times a server with it, and starts it again."""
    killed = perhaps_killed(scene)
    scene.cluster.kill_database(scene.cluster.pair.primary)
    scene.try_on()
    scene.cluster.start_database(scene.cluster.pair.primary)
    back(killed)


def standby(scene):
    """Kills the standby and starts it again. Without it no commit is acknowledged."""
    scene.cluster.kill_database(scene.cluster.pair.standby)
    wait_for_standby(scene)
    scene.cluster.start_database(scene.cluster.pair.standby)


def wait_for_standby(scene):
    """Waits until a commit of a server waits for the standby."""
    scene.cluster.pair.primary.wait(
        "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'euripus' AND wait_event = 'SyncRep'")


def promotion(scene):
    """Has the standby take the primary's place. The primary is killed before, or after, or has to give up waits for
    the standby first."""
    pair = scene.cluster.pair
    before = pair.primary
    killed = perhaps_killed(scene)
    way = scene.chance.choice(["killed", "killed", "lives on", "cancelled"])
    if way == "cancelled":
        # PostgreSQL tells its client, with a warning, that a commit is done which the standby does not have.
        pair.standby.freeze()
        wait_for_standby(scene)
        before.ask("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'euripus'")
        scene.crowd.try_on(scene.chance.randint(0, 10))
    if way != "lives on":
        scene.cluster.kill_database(before)
    if way == "cancelled":
        pair.standby.thaw()
    pair.promote()
    if way == "lives on":
        scene.try_on()
        scene.cluster.kill_database(before)
    back(killed)
    scene.crowd.settle()
    pair.rebuild()
    for link in scene.cluster.links_to(before):
        link.start()


def lose(scene):
    """Promotes a standby that lacks the last changes, and the last new sessions, which clients were told of. Sessions go
    on in memory. What the database has of them after more changes, and a restart of all servers in good order, is what
    their clients saw."""
    cluster, pair, standby = scene.cluster, scene.cluster.pair, scene.cluster.pair.standby
    scene.crowd.rest()
    writers = opened(scene)
    for writer in writers:
        acts(scene, writer)
    pair.wait_for_nobody()
    cluster.kill_database(standby)
    # The standby has none of the sessions that are opened from here on. Some of them have had changes.
    writers += opened(scene)
    for writer in writers:
        acts(scene, writer)
    writers += opened(scene)
    before = pair.primary
    cluster.kill_database(before)
    standby.start()
    standby.wait("SELECT pg_is_in_recovery()")
    pair.promote()
    for link in cluster.links_to(standby):
        link.start()
    restart(scene, writers)
    scene.crowd.go()
    scene.crowd.settle()
    pair.rebuild()
    for link in cluster.links_to(before):
        link.start()


def opened(scene):
    """The writer of a new session at each server."""
    return [Ledger(server.port, scene.record, has_commands=False, rows=scene.cluster.rows).writers[0] for server in scene.cluster.servers]


def restart(scene, writers):
    """Has the writers, and the crowd's, which rest, act after their database has lost changes. What their sessions show
    then is there after a restart of all servers in good order as well."""
    writers = writers + scene.crowd.writers
    for writer in writers:
        acts(scene, writer)
    seen = [at_rest(writer) for writer in writers]
    deploy(scene)
    for writer, state in zip(writers, seen):
        found = at_rest(writer)
        scene.record.reversed += found != state
        expect(scene, state, found, f"{writer.client.url} after a database that had lost changes, and a restart")


def at_rest(writer):
    """The state of a ledger whose command is at its end, without the command. `None` if the writer got no state, which is a finding."""
    while state := writer.look():
        if not state["working"]["executing"]:
            return {name: value for name, value in state.items() if name != "working"}
    return None


def crash(scene):
    """Kills the process that writes the log of a database whose commits do not wait for it, until that loses changes which
    clients were told of: PostgreSQL starts all its processes again, without what was not written yet. Sessions go on in
    memory."""
    primary = scene.cluster.pair.primary
    scene.crowd.rest()
    writers = opened(scene)
    for _ in range(CRASHES):
        before = primary.numbers()
        log_writer = primary.child("walwriter")
        os.kill(log_writer, signal.SIGSTOP)
        for writer in writers:
            acts(scene, writer)
        os.kill(log_writer, signal.SIGKILL)
        primary.wait(f"SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'walwriter' AND pid <> {log_writer}")
        after = primary.numbers()
        # Each act is a change.
        if any(after.get(session, 0) < before[session] + ACTS for session in before.keys() & {writer.client.session for writer in writers}):
            break
    else:
        raise Failure(f"expected a database that loses changes in {CRASHES} crashes")
    restart(scene, writers)
    scene.crowd.go()


def perhaps_killed(scene):
    if scene.chance.random() < 0.7:
        return None
    scene.server.kill()
    return scene.server


def back(server):
    if server:
        server.serve()


def silence(scene):
    scene.server.silence()
    scene.last()
    scene.server.restore()


def cut(scene):
    for link in scene.server.links:
        link.kill()
    scene.last()
    for link in scene.server.links:
        link.start()


def slow(scene):
    """Has each way between servers and their databases take from 20 ms to 1 s, for one server or for all. With 1 s a
    server has no lease, and answers nothing from memory."""
    delay = scene.chance.choice([0.02, 0.1, 0.4, 1])
    servers = scene.chance.choice([[scene.server], scene.cluster.servers])
    links = [link for server in servers for link in server.links]
    for link in links:
        link.slow(delay)
    scene.try_on()
    for link in links:
        link.quicken()


def late(scene):
    """A change that a server had decided arrives after others have taken the session over, and written it."""
    server, proxy = scene.server, scene.cluster.proxies[1]
    writer = Ledger(server.port, scene.record, rows=scene.cluster.rows).writers[0]
    acts(scene, writer)
    session = writer.client.session
    hold = server.hold.with_suffix(f".{session}")
    hold.touch()
    path, body, key = writer.send(writer.acknowledged + 1)
    given_up = writer.client.at(server.port)

    def is_held():
        # Nobody waits for an answer. One that comes is a refusal, by a server whose lease has run out.
        if given_up.connection is None or select.select([given_up.connection.sock], [], [], 0)[0]:
            given_up.connection = None
            given_up.request("POST", path, body, Idempotency_Key=key)
        return server.has_said(f"held {session}")

    until(is_held, f"a change that is held; see {server.log}", server.process)
    server.silence()
    hold.unlink()
    writer.at(proxy.port)
    acts(scene, writer)
    server.restore()
    until(lambda: server.has_said(f"late {session}"), f"a change that comes late; see {server.log}", server.process)
    for each in scene.cluster.servers:
        writer.at(each.port)
        writer.look()
    writer.at(proxy.port)
    acts(scene, writer)
    lost, doubled = writer.ledger.judge()
    if lost or doubled:
        writer.ledger.find(f"{lost} lost, {doubled} doubled by a change that came late")


def acts(scene, writer):
    for _ in range(ACTS):
        if not scene.record.findings:
            writer.act()


FILE = {
    "kill": Kind(6, kill), "kill at rest": Kind(2, kill_at_rest), "leave": Kind(2, leave), "stop": Kind(1, stop),
    "signed in": Kind(1, signed_in), "before-commit": Kind(2, die("before-commit", 100)), "after-commit": Kind(2, die("after-commit", 100)),
    "at-work": Kind(2, die("at-work", 20)), "at-claim": Kind(2, die("at-claim", 3)), "after-claim": Kind(2, die("after-claim", 3)),
    "before-leaving": Kind(1, die("before-leaving", 1, IDLE)), "after-leaving": Kind(1, die("after-leaving", 1, IDLE)),
    "left": Kind(1, die("left", 3, IDLE)),
    # For the control alone.
    "between-commits": Kind(0, die("between-commits", 20, "apart")),
}
SHARED = {
    "kill": Kind(6, kill_one), "freeze": Kind(3, freeze), "stop": Kind(2, stop), "deploy": Kind(1, deploy), "terminate": Kind(3, terminate),
    "database": Kind(3, database), "standby": Kind(2, standby), "promotion": Kind(2, promotion), "lose": Kind(1, lose),
    "silence": Kind(3, silence), "late": Kind(2, late), "slow": Kind(2, slow), "cut": Kind(2, cut), "clock": Kind(2, clock),
}
# Those of the shared store whose commits do not wait for the database's disk.
RELAXED = {"crash": Kind(2, crash), "kill": Kind(2, kill_one), "deploy": Kind(1, deploy), "terminate": Kind(1, terminate)}
FILE_CONTROLS = {
    # Without seats: the transaction of one stores what its session has answered early. Without onlookers: the last change of all
    # may be one of theirs, of which nobody was told.
    "early": Control("kill at rest", ["early"], {"has_commands": False, "has_seats": False}, 8, ()),
    "few keys": Control("kill at rest", ["keys=1"], {"keys": "texts"}),
    "seats apart": Control("between-commits", ["apart"], {}),
    "a key a request": Control("kill at rest", ["request-keys"], {}),
    "early, in a room": Control("kill at rest", ["early"], {"has_commands": False, "has_seats": False}, 0, ((3, 0, 0),)),
    "half a version": Control("kill at rest", ["half"], {}, 0),
}
# A session that a control keeps from its new owner books no seats: its transactions do not begin.
SHARED_CONTROLS = {name: Control("late", [f"control={name}"], {"has_seats": False}) for name in ("no-fencing", "process-claims")} | {
    "no-since": Control("lose", ["control=no-since"], {"has_seats": False}),
}
RELAXED_CONTROLS = {"no-since": Control("crash", ["control=no-since"], {"has_seats": False})}
