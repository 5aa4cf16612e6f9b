# SPDX-License-Identifier: MIT
"""A primary of PostgreSQL and its synchronous standby, which take turns. Both are child processes, on loopback."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = "/usr/lib/postgresql/15/bin"
# A folder in memory, where a sync costs nothing, if there is one. A killed process loses no written byte, synced
# or not.
BASE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SETTINGS = {
    "listen_addresses": "127.0.0.1", "max_connections": "100", "shared_buffers": "64MB", "wal_level": "replica",
    "dynamic_shared_memory_type": "mmap", "max_wal_senders": "8", "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s", "wal_retrieve_retry_interval": "200ms",
    "full_page_writes": "off" if BASE else "on",
}


def as_server(program, *arguments):
    """A command by a user that PostgreSQL accepts, which root is not. The kernel kills it when this process is
    gone."""
    own = [f"{PROGRAMS}/{program}", *arguments]
    if os.getuid() != 0:
        return own
    return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--pdeathsig", "KILL", *own]


class Database:
    def __init__(self, folder, name, port):
        self.data = os.path.join(folder, name)
        self.folder, self.port = folder, port
        self.log = open(os.path.join(folder, f"{name}.log"), "ab")
        self.process = None

    def do(self, program, *arguments):
        subprocess.run(as_server(program, *arguments), check=True, stdout=self.log, stderr=self.log, cwd="/")

    def create(self):
        self.do("initdb", "--pgdata", self.data, "--username", "euripus", "--auth", "trust", "--encoding", "UTF8", "--no-locale",
                "--no-sync")

    def follow(self, other):
        """Becomes a copy of another one, and then its standby."""
        self.forget_memory()
        shutil.rmtree(self.data, ignore_errors=True)
        self.do("pg_basebackup", "--pgdata", self.data, "--dbname", f"host=127.0.0.1 port={other.port} user=euripus dbname=postgres",
                "--write-recovery-conf", "--checkpoint", "fast", "--wal-method", "stream", "--no-sync")

    def forget_memory(self):
        """Frees the System V memory of a killed server, in which PostgreSQL looks for other servers on the same
        data."""
        try:
            lines = pathlib.Path(self.data, "postmaster.pid").read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return
        subprocess.run(["ipcrm", "--shmem-id", lines[6].split()[1]], check=False, stdout=self.log, stderr=self.log)

    def start(self):
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = as_server("postgres", "-D", self.data, "-p", str(self.port), "-c", f"unix_socket_directories={self.folder}", *options)
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd="/")

    def ask(self, sql, check=True):
        """The answer as text; `None` without an answer, which is an error unless `check` is false."""
        found = subprocess.run(
            ["psql", "-qAtX", f"host=127.0.0.1 port={self.port} user=euripus dbname=postgres connect_timeout=5", "-c", sql],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if not check else self.log, text=True)
        if check and found.returncode != 0:
            raise SystemExit(f"the database did not answer to {sql}; see {self.log.name}")
        return found.stdout.strip() if found.returncode == 0 else None

    def wait(self, sql="SELECT true", seconds=60):
        """Waits until the database answers `t`."""
        end = time.monotonic() + seconds
        while self.ask(sql, check=False) != "t":
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"a database does not say yes to {sql}: status {self.process.poll()}; see {self.log.name}")
            time.sleep(0.02)

    def _all(self):
        """The ids of its processes, the postmaster's first."""
        first = self.process.pid
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii")
        return [first, *map(int, children.split())]

    def _signal(self, number):
        for process in self._all():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """Kills the postmaster and all that it has started, as the loss of a machine would."""
        self._signal(signal.SIGKILL)
        self.process.wait()

    def freeze(self):
        self._signal(signal.SIGSTOP)

    def thaw(self):
        self._signal(signal.SIGCONT)

    def set(self, name, value):
        self.ask(f"ALTER SYSTEM SET {name} = '{value}'")
        self.ask("SELECT pg_reload_conf()")


class Pair:
    """A primary and its standby. Both have all acknowledged changes, except after a promotion, until `rebuild`:
    then one is alone."""

    def __init__(self, ports):
        self.folder = tempfile.mkdtemp(prefix="euripus-faults-", dir=BASE)
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            os.chmod(self.folder, 0o755)
        self.databases = [Database(self.folder, name, port) for name, port in zip(("one", "two"), ports)]
        self.primary, self.standby = self.databases
        self.primary.create()
        self.primary.start()
        self.primary.wait()
        self.rebuild()

    def rebuild(self):
        """Makes a standby of the present primary. From then on commits wait for it."""
        self.standby.follow(self.primary)
        self.standby.start()
        self.primary.wait("SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'")
        self.primary.set("synchronous_standby_names", "*")
        self.primary.wait("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'")

    def promote(self):
        """Makes the standby the primary, whether the other one lives or not. Commits wait for no standby until
        there is one."""
        self.primary, self.standby = self.standby, self.primary
        self.primary.do("pg_ctl", "promote", "--pgdata", self.primary.data, "--wait", "--timeout", "60")
        self.primary.wait("SELECT NOT pg_is_in_recovery()")

    def close(self):
        for database in self.databases:
            if database.process and database.process.poll() is None:
                database.thaw()
                database.kill()
            database.forget_memory()
        shutil.rmtree(self.folder, ignore_errors=True)
