# SPDX-License-Identifier: MIT
"""Servers behind haproxy that share a PostgreSQL database with a standby. Each has links to the databases that can
be cut."""

import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

from databases import Pair
from node import Node, free_port

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Nodes"))

from proxied import Proxy, ends_with_its_parent  # noqa: E402

COUNT = 3
RELAY = """
global
  nbthread 1
  log stderr format raw local0 err
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  retries 0
listen database
  bind 127.0.0.1:{port}
  server database 127.0.0.1:{database}
"""


class Link:
    """The way of one server to one database: a relay. While it is stopped, the bytes stay where they are."""

    def __init__(self, database, folder, name):
        self.port = free_port()
        self.path = os.path.join(folder, f"{name}.cfg")
        pathlib.Path(self.path).write_text(RELAY.format(port=self.port, database=database), encoding="utf-8")
        self.log = open(os.path.join(folder, f"{name}.log"), "ab")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/haproxy", "-db", "-f", self.path], stdout=self.log, stderr=self.log, preexec_fn=ends_with_its_parent)
        end = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise SystemExit(f"a relay did not start; see {self.log.name}") from None
                time.sleep(0.01)

    def silence(self):
        """Stops the flow, as if a cable were out: connections stay, and nothing passes. The kernel still accepts
        new ones."""
        self.process.send_signal(signal.SIGSTOP)

    def restore(self):
        """Lets all that was on its way arrive, late."""
        self.process.send_signal(signal.SIGCONT)

    def cut(self):
        """Breaks the connections and refuses new ones, as a machine does on which no database runs."""
        self.process.kill()
        self.process.wait()


class LedgerNode(Node):
    """A server of ledgers with links to the databases and a wall clock of its own."""

    def __init__(self, server, databases, options, folder, index, clock):
        self.links = [Link(database, folder, f"link{index}{name}") for name, database in zip("ab", databases)]
        self.clock = os.path.join(folder, f"clock{index}")
        self.step_clock(0)
        ports = ",".join(str(link.port) for link in self.links)
        store = f"host={','.join('127.0.0.1' for _ in databases)} port={ports} user=euripus dbname=postgres"
        super().__init__(
            [server, "{port}", "{store}", "node={url}"], store, options, folder, index,
            {"LD_PRELOAD": clock, "CLOCK_STEP": self.clock})

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=self.log, env=self.environment, preexec_fn=ends_with_its_parent)

    def step_clock(self, seconds):
        """Sets its wall clock ahead by so many seconds, or behind."""
        # The server has the file mapped, so it is written in place.
        with open(self.clock, "r+b" if os.path.exists(self.clock) else "wb") as file:
            file.write(struct.pack("@l", seconds))

    def close(self):
        for process in (self.process, *(link.process for link in self.links)):
            if process and process.poll() is None:
                process.kill()
                process.wait()


class Cluster:
    """Three servers behind two haproxies: one as Documentation/SCALING.md has it, and one like it but without
    affinity."""

    def __init__(self, server, options=()):
        self.folder = tempfile.mkdtemp(prefix="euripus-nodes-")
        clock = os.path.join(self.folder, "clock.so")
        source = pathlib.Path(__file__).with_name("clock.c")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", clock, source], check=True)
        self.pair = Pair([free_port(), free_port()])
        ports = [database.port for database in self.pair.databases]
        self.nodes = [
            LedgerNode(server, ports, ["durability=acknowledged", *options], self.folder, index, clock) for index in range(COUNT)]
        self.proxies = []
        try:
            for node in self.nodes:
                node.start()
            for node in self.nodes:
                node.wait()
            for balance in ("hash path,field(4,/)", "roundrobin"):
                self.proxies.append(Proxy("haproxy", self.nodes, {"balance hash path,field(4,/)": f"balance {balance}"}))
        except BaseException:
            self.close()
            raise

    def kill_database(self, database):
        """Kills a database, and cuts the links to it: a relay would accept connections for a database that is not
        there."""
        database.kill()
        for link in self.links_to(database):
            link.cut()

    def start_database(self, database):
        database.start()
        database.wait()
        for link in self.links_to(database):
            link.start()

    def links_to(self, database):
        return [node.links[self.pair.databases.index(database)] for node in self.nodes]

    def owner(self, session):
        """The node that has a session."""
        url = self.pair.primary.ask(f"SELECT url FROM euripus_nodes JOIN euripus_sessions USING (boot) WHERE id = '{session}'")
        return next((node for node in self.nodes if node.url == url), self.nodes[0])

    def tell_of_database(self):
        """Writes down what the database does, for a reader who wants to know why no client is answered."""
        table = self.pair.primary.ask(
            "SELECT now(), pid, client_port, state, wait_event, pg_blocking_pids(pid), now() - state_change, left(query, 200)"
            " FROM pg_stat_activity WHERE backend_type IN ('client backend', 'walsender')", check=False)
        with open(os.path.join(self.folder, "database"), "a", encoding="utf-8") as file:
            file.write(f"{table}\n\n")

    def close(self):
        for proxy in self.proxies:
            proxy.close()
        for node in self.nodes:
            node.close()
        self.pair.close()

    def forget(self):
        """Removes the logs."""
        shutil.rmtree(self.folder, ignore_errors=True)
