# SPDX-License-Identifier: MIT
"""Servers of ledgers with one store: one server with a file, or three behind proxies that share a PostgreSQL database
with a standby. Each of the three has links to the databases that can be cut, and a wall clock of its own."""

import os
import sqlite3
import struct
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from databases import Pair
from processes import Server
from proxies import Link, Proxy

COUNT = 3


class File:
    """One server with an SQLite file."""

    durability = "relaxed"

    def __init__(self, binary, options):
        self.binary, self.folder = binary, tempfile.mkdtemp(prefix="euripus-faults-")
        self.store = os.path.join(self.folder, "sessions.db")
        self.server = Server([binary, "{port}", self.store, *options], self.folder, "server")
        self.servers, self.ports = [self.server], [self.server.port]
        self.server.serve()

    def rows(self, sql):
        """The rows of a query on the app's tables."""
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as file:
            return file.execute(sql).fetchall()

    def check(self):
        """Looks for damage in the file."""
        subprocess.run([self.binary, "check", self.store], check=True)

    def close(self):
        self.server.kill()


class Node(Server):
    """One of several servers."""

    def __init__(self, binary, pair, options, folder, index, clock):
        self.links = [Link(database.port, folder, f"link{index}{name}") for name, database in zip("ab", pair.databases)]
        self.clock, self.hold = Path(folder, f"clock{index}"), Path(folder, f"hold{index}")
        self.step_clock(0)
        ports = ",".join(str(link.port) for link in self.links)
        store = f"host={','.join('127.0.0.1' for _ in self.links)} port={ports} user=euripus dbname=postgres"
        command = [binary, "{port}", store, "node={url}", f"hold={self.hold}", *options]
        super().__init__(command, folder, f"node{index}", {"LD_PRELOAD": clock, "CLOCK_STEP": str(self.clock)})

    def step_clock(self, seconds):
        """Sets its wall clock ahead by so many seconds, or behind."""
        # The server has the file mapped, so it is written in place.
        with open(self.clock, "r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("@l", seconds))

    def silence(self):
        """Delays everything that the server sends to its databases."""
        for link in self.links:
            link.freeze()

    def restore(self):
        for link in self.links:
            link.thaw()


class Shared:
    """Three servers behind two haproxies: one as Documentation/SCALING.md has it, and one like it but without
    affinity. Behind that a session moves away from a server that is cut off."""

    durability = "acknowledged"
    def __init__(self, binary, options):
        self.folder = tempfile.mkdtemp(prefix="euripus-faults-")
        clock = os.path.join(self.folder, "clock.so")
        source = Path(__file__).with_name("clock.c")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", clock, source], check=True)
        self.servers, self.proxies, self.pair = [], [], Pair()
        try:
            self.servers += [Node(binary, self.pair, options, self.folder, index, clock) for index in range(COUNT)]
            for server in self.servers:
                server.start()
            for server in self.servers:
                server.wait()
            for balance in ("hash path,field(4,/)", "roundrobin"):
                self.proxies.append(Proxy("haproxy", self.servers, {"balance hash path,field(4,/)": f"balance {balance}"}))
        except BaseException:
            self.close()
            raise
        self.ports = [proxy.port for proxy in self.proxies]

    def kill_database(self, database):
        """Kills a database, and cuts the links to it: a relay would accept connections for a database that is not
        there."""
        database.kill()
        for link in self.links_to(database):
            link.kill()

    def start_database(self, database):
        database.start()
        database.wait()
        for link in self.links_to(database):
            link.start()

    def links_to(self, database):
        return [server.links[self.pair.databases.index(database)] for server in self.servers]

    def rows(self, sql):
        """The rows of a query on the app's tables."""
        lines = self.pair.primary.ask(sql).splitlines()
        return [tuple(int(value) if value.isdigit() else value for value in line.split("|")) for line in lines]

    def check(self):
        """Writes down what the database does, for a reader who wants to know why no client is answered."""
        table = self.pair.primary.ask(
            "SELECT now(), pid, client_port, state, wait_event, pg_blocking_pids(pid), now() - state_change, left(query, 200)"
            " FROM pg_stat_activity WHERE backend_type IN ('client backend', 'walsender')")
        Path(self.folder, "database").write_text(f"{table}\n", encoding="utf-8")

    def close(self):
        for proxy in self.proxies:
            proxy.close()
        for server in self.servers:
            for child in (server, *server.links):
                child.kill()
        self.pair.close()


class Relaxed(Shared):
    """The same, whose commits wait for no disk and no standby."""

    durability = "relaxed"
