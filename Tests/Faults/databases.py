# SPDX-License-Identifier: MIT
"""A primary of PostgreSQL and its synchronous standby, which take turns: child processes, on loopback. And schemas and
roles in the database of Scripts/with-postgresql.sh."""

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from processes import free_port, until
from proxies import EXAMPLES

PROGRAMS = "/usr/lib/postgresql/15/bin"
# A folder in memory, where a sync costs nothing, if there is one. A killed process loses no written byte, synced
# or not.
BASE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SETTINGS = {
    "listen_addresses": "127.0.0.1", "max_connections": "100", "shared_buffers": "64MB", "wal_level": "replica",
    "dynamic_shared_memory_type": "mmap", "max_wal_senders": "8", "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "200ms", "full_page_writes": "off" if BASE else "on",
}


def as_server(program, *arguments):
    """A command by a user that PostgreSQL accepts, which root is not. The kernel kills it when this process is
    gone."""
    own = [f"{PROGRAMS}/{program}", *arguments]
    if os.getuid() != 0:
        return own
    return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--pdeathsig", "KILL", *own]


class Database:
    def __init__(self, folder, name):
        self.data, self.folder, self.port = os.path.join(folder, name), folder, free_port()
        self.place = f"host=127.0.0.1 port={self.port} user=euripus dbname=postgres"
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
        self.do("pg_basebackup", "--pgdata", self.data, "--dbname", other.place, "--write-recovery-conf", "--checkpoint", "fast",
                "--wal-method", "stream", "--no-sync")

    def forget_memory(self):
        """Frees the System V memory of a killed server, in which PostgreSQL looks for other servers on the same
        data."""
        try:
            lines = Path(self.data, "postmaster.pid").read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return
        subprocess.run(["ipcrm", "--shmem-id", lines[6].split()[1]], check=False, stdout=self.log, stderr=self.log)

    def start(self):
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = as_server("postgres", "-D", self.data, "-p", str(self.port), "-c", f"unix_socket_directories={self.folder}", *options)
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd="/")

    def ask(self, sql):
        """The answer as text; `None` without an answer."""
        found = subprocess.run(
            ["psql", "-qAtX", f"{self.place} connect_timeout=5", "-c", sql], check=False, stdout=subprocess.PIPE, stderr=self.log,
            text=True)
        return found.stdout.strip() if found.returncode == 0 else None

    def wait(self, sql="SELECT true"):
        until(lambda: self.ask(sql) == "t", f"a database that says yes to {sql}; see {self.log.name}", self.process)

    def _signal(self, number):
        """Sends a signal to the postmaster and all that it has started."""
        first = self.process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii")
        for process in [first, *map(int, children.split())]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def child(self, kind):
        """The process of a kind (`backend_type`) that it has started."""
        return int(self.ask(f"SELECT pid FROM pg_stat_activity WHERE backend_type = '{kind}'"))

    def numbers(self):
        """The number of the last change of each session in it, by the session's id."""
        rows = self.ask("SELECT id, number FROM euripus_sessions").splitlines()
        return {session: int(number) for session, number in (row.split("|") for row in rows)}

    def kill(self):
        """Kills all of it, as the loss of a machine would."""
        self._signal(signal.SIGKILL)
        self.process.wait()

    def freeze(self):
        self._signal(signal.SIGSTOP)

    def thaw(self):
        self._signal(signal.SIGCONT)


class Pair:
    """A primary and its standby. Both have all acknowledged changes, except after a promotion, until `rebuild`:
    then one is alone."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="euripus-faults-", dir=BASE)
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            os.chmod(self.folder, 0o755)
        self.databases = [Database(self.folder, name) for name in ("one", "two")]
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
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.ask("SELECT pg_reload_conf()")
        self.primary.wait("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'")

    def wait_for_nobody(self):
        """Has commits wait for no standby, until `rebuild`."""
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.primary.ask("SELECT pg_reload_conf()")
        self.primary.wait("SELECT current_setting('synchronous_standby_names') = ''")

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


def superuser():
    """The database of Scripts/with-postgresql.sh."""
    if place := os.environ.get("TEST_POSTGRESQL"):
        return place
    raise SystemExit("expected TEST_POSTGRESQL: run it by Scripts/with-postgresql.sh")


def run_script(sql, **variables):
    subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", superuser()], input=sql, text=True, env=os.environ | variables, check=True)


def schema(name):
    """The address of a store in a schema of its own. The same name gives the same schema."""
    own = "nodes_" + hashlib.sha256(name.encode()).hexdigest()[:16]
    run_script(f"SET client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS {own}")
    return f"{superuser()} options='-c search_path={own}'"


def make_database(name):
    """Makes the database and the roles of Examples/Scaling/roles.sql, with a name in the place of euripus. Gives the
    folder of the server's socket."""
    roles = (EXAMPLES / "roles.sql").read_text(encoding="utf-8").replace("euripus", name)
    run_script(roles, EURIPUS_OWNER_PASSWORD="owner's", EURIPUS_SERVER_PASSWORD="server's")
    return superuser().split()[0].removeprefix("host=")


def database_of(name):
    """The address of a database of the same server, without its user."""
    return f"{superuser().split()[0]} dbname={name}"


def store_with_least_rights(binary):
    """The address of the database of Examples/Scaling/roles.sql, for the servers' role."""
    place = f"host={make_database('euripus')}"
    subprocess.run([binary, "store", "migrate", f"{place} user=euripus_owner dbname=euripus"], check=True, stdout=subprocess.DEVNULL)
    return f"{place} user=euripus_server dbname=euripus"
