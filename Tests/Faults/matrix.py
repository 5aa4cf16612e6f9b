# SPDX-License-Identifier: MIT
"""The faults of servers, of their databases, and of the links between them."""

import time

# The weight of each kind in the choice of the next.
WEIGHTS = {
    "kill": 6, "freeze": 3, "stop": 2, "deploy": 1, "terminate": 3, "database": 3, "standby": 2, "promotion": 2, "silence": 3,
    "late": 2, "cut": 2, "clock": 2,
}
# Seconds: the longest gap that a client may see.
LONGEST = {"kill": 3.0, "promotion": 10.0}


class Matrix:
    """Does faults one after the other, by a generator of chance. A fault is over when all clients were answered
    after it."""

    def __init__(self, cluster, clients, generator, record, kinds):
        self.cluster, self.clients, self.random, self.record = cluster, clients, generator, record
        self.kinds = kinds
        # Each kind comes once, and from then on by its weight.
        self.bag = sorted(set(kinds))
        self.random.shuffle(self.bag)

    def next_kind(self):
        if not self.bag:
            self.bag = [kind for kind in self.kinds for _ in range(WEIGHTS[kind])]
            self.random.shuffle(self.bag)
        return self.bag.pop()

    def do(self, kind):
        node = self.random.choice(self.cluster.nodes)
        self.record.begin(kind)
        getattr(self, kind)(node)
        self.settle()
        self.record.end()

    def settle(self, clients=None, seconds=60):
        """Waits until each client has the answer to a request that it sends from now on."""
        before = [(client, client.acknowledged) for client in clients or self.clients]
        told, end = time.monotonic() + 15, time.monotonic() + seconds
        for client, acknowledged in before:
            while client.acknowledged < acknowledged + 2 and client.is_alive() and not client.faults:
                if time.monotonic() > told:
                    told = end
                    self.cluster.tell_of_database()
                if time.monotonic() > end:
                    client.faults.append(f"was not answered twice within {seconds} s after a fault")
                    return
                time.sleep(0.01)

    def pause(self, first, last):
        time.sleep(self.random.uniform(first, last))

    # Servers

    def kill(self, node):
        node.kill()
        self.pause(0, 3.5)
        node.start()
        node.wait()

    def freeze(self, node):
        node.freeze()
        self.pause(0.2, 4.5)
        node.thaw()

    def stop(self, node):
        self.expect_end(node)
        node.start()
        node.wait()

    def deploy(self, node):
        """Stops and starts all servers, one after the other, as for a new version."""
        for each in self.cluster.nodes:
            self.stop(each)

    def clock(self, node):
        node.step_clock(self.random.choice([-1, 1]) * self.random.randint(60, 7200))
        self.pause(0.5, 2)

    def expect_end(self, node):
        status = node.stop()
        if status != 0:
            raise SystemExit(f"a server ended with status {status}, expected 0; see {node.log.name}")

    # Databases

    def terminate(self, node):
        self.cluster.pair.primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'euripus'")

    def database(self, node):
        """Kills the primary, at times a server with it, and starts it again."""
        killed = self.perhaps_killed(node)
        self.cluster.kill_database(self.cluster.pair.primary)
        self.pause(0, 1)
        self.cluster.start_database(self.cluster.pair.primary)
        self.back(killed)

    def standby(self, node):
        """Kills the standby and starts it again. Without it no commit is acknowledged."""
        self.cluster.kill_database(self.cluster.pair.standby)
        self.pause(0, 2)
        self.cluster.start_database(self.cluster.pair.standby)

    def promotion(self, node):
        """Has the standby take the primary's place. The primary is killed before, or after, or has to give up
        waits for the standby first."""
        pair = self.cluster.pair
        before = pair.primary
        killed = self.perhaps_killed(node)
        way = self.random.choice(["killed", "killed", "lives on", "cancelled"])
        if way == "cancelled":
            # PostgreSQL tells its client, with a warning, that a commit is done which the standby does not have.
            pair.standby.freeze()
            self.pause(0.1, 0.5)
            before.ask("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'euripus'")
            self.pause(0.05, 0.3)
        if way != "lives on":
            self.cluster.kill_database(before)
        if way == "cancelled":
            pair.standby.thaw()
        pair.promote()
        if way == "lives on":
            self.pause(0, 1)
            self.cluster.kill_database(before)
        self.back(killed)
        self.settle()
        pair.rebuild()
        for link in self.cluster.links_to(before):
            link.start()

    def perhaps_killed(self, node):
        if self.random.random() < 0.7:
            return None
        node.kill()
        return node

    def back(self, node):
        if node:
            node.start()
            node.wait()

    # Links

    def silence(self, node):
        """Delays everything that a server sends to its databases."""
        self.silence_links(node)
        self.pause(0.2, 5)
        self.restore_links(node)

    def late(self, node):
        """Silences the server of a session until others have taken the session over. Then the changes that it had
        decided arrive, while no client acts that would write over them."""
        guests = [client for client in self.clients if client.moves]
        node = self.cluster.owner(self.random.choice(guests).session)
        self.silence_links(node)
        self.settle(guests)
        for client in self.clients:
            client.may_go.clear()
        for client in guests:
            if not client.rests.wait(20):
                client.faults.append("did not come to rest within 20 s")
        self.restore_links(node)
        self.pause(0.3, 1)
        for client in self.clients:
            client.may_go.set()

    def cut(self, node):
        for link in node.links:
            link.cut()
        self.pause(0, 4)
        for link in node.links:
            link.start()

    def silence_links(self, node):
        for link in node.links:
            link.silence()

    def restore_links(self, node):
        for link in node.links:
            link.restore()
