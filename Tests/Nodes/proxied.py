# SPDX-License-Identifier: MIT
"""Servers that share a schema of TEST_POSTGRESQL's database, and the proxies of Examples/Scaling before them."""

import ctypes
import hashlib
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests" / "Faults"))

from node import Node, free_port  # noqa: E402

EXAMPLES = ROOT / "Examples" / "Scaling"
LIBC = ctypes.CDLL(None)


def ends_with_its_parent():
    """Has the kernel kill this process when its parent is gone, however the parent ended (PR_SET_PDEATHSIG). It
    runs in a child, before the child starts its program."""
    LIBC.prctl(1, signal.SIGKILL)


def store(name):
    """The address of a store in a schema of its own. The same name gives the same schema."""
    database = os.environ.get("TEST_POSTGRESQL")
    if not database:
        raise SystemExit("expected TEST_POSTGRESQL: run it by Scripts/with-postgresql.sh")
    schema = "nodes_" + hashlib.sha256(name.encode()).hexdigest()[:16]
    subprocess.run(
        ["psql", "-qX", "-v", "ON_ERROR_STOP=1", database, "-c", f"SET client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS {schema}"],
        check=True)
    return f"{database} options='-c search_path={schema}'"


class LoggingNode(Node):
    """A server that logs each request, so that a test sees which servers have answered it."""

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=self.log, preexec_fn=ends_with_its_parent)

    def operate(self, *arguments):
        """The output of a command for the operator, who is at this server."""
        place = self.command[self.command.index("--admin") + 1]
        command = [self.command[0], "sessions", *arguments[:1], "--admin", place, *arguments[1:]]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def metric(self, name):
        """The value of a metric without labels."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])

    def requests(self):
        """Its answers about sessions so far: (method, route, status) of each."""
        found = []
        for line in Path(self.log.name).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["message"] == "request" and entry["route"].startswith("/sessions/"):
                found.append((entry["method"], entry["route"], int(entry["status"])))
        return found


def make_database(name):
    """Makes the database and the roles of Examples/Scaling/roles.sql, with a name in the place of euripus. Gives the
    folder of the server's socket."""
    database = os.environ.get("TEST_POSTGRESQL")
    if not database:
        raise SystemExit("expected TEST_POSTGRESQL: run it by Scripts/with-postgresql.sh")
    roles = (EXAMPLES / "roles.sql").read_text(encoding="utf-8").replace("euripus", name)
    passwords = {"EURIPUS_OWNER_PASSWORD": "owner's", "EURIPUS_SERVER_PASSWORD": "server's"}
    subprocess.run(
        ["psql", "-qX", "-v", "ON_ERROR_STOP=1", database], input=roles, text=True, env=os.environ | passwords, check=True)
    return database.split()[0].removeprefix("host=")


def store_with_least_rights(binary):
    """The address of the database of Examples/Scaling/roles.sql, for the servers' role."""
    place = f"host={make_database('euripus')}"
    subprocess.run([binary, "store", "migrate", f"{place} user=euripus_owner dbname=euripus"], check=True, stdout=subprocess.DEVNULL)
    return f"{place} user=euripus_server dbname=euripus"


def start_nodes(binary, address, count, options=()):
    folder = tempfile.mkdtemp(prefix="euripus-nodes-")
    command = [
        str(binary), "serve", "--port", "{port}", "--node-url", "{url}", "--store", "{store}", "--public", str(ROOT / "Public"),
        "--recordings", f"{folder}/recordings", "--users", f"{folder}/users", "--log-format", "json", "--log-requests", "yes",
        "--trusted-proxy", "127.0.0.1", "--openings-per-minute", "0", "--admin", f"{folder}/admin-{{port}}"]
    nodes = [LoggingNode(command, address, list(options), folder, index) for index in range(count)]
    for node in nodes:
        node.start()
    for node in nodes:
        node.wait()
    return nodes


class Proxy:
    """A proxy with a configuration of Examples/Scaling. Only the addresses differ: they are those of `nodes`. If
    there are fewer nodes than the configuration has, the last address is one at which no server listens.

    changes: lines of haproxy's configuration, with the lines that replace them.
    """

    def __init__(self, kind, nodes, changes=None):
        self.kind, self.port = kind, free_port()
        self.folder = tempfile.mkdtemp(prefix=f"euripus-{kind}-")
        places = [node.port for node in nodes]
        if len(places) < 3:
            places.append(free_port())
        self.log = open(f"{self.folder}/log", "ab")
        if kind == "haproxy":
            path = self._configuration("haproxy.cfg", {"bind :8080": f"bind 127.0.0.1:{self.port}", **(changes or {})}, places)
            command = ["/usr/sbin/haproxy", "-f", path]
        else:
            # The system's nginx.conf includes the configuration in the same way.
            path = self._configuration("nginx.conf", {"listen 8080;": f"listen 127.0.0.1:{self.port};"}, places)
            kept = " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            main = f"{self.folder}/main.conf"
            Path(main).write_text(
                f"daemon off; pid {self.folder}/pid; error_log stderr warn; events {{ worker_connections 1024; }}\n"
                f"http {{ access_log off; {kept} include {path}; }}\n", encoding="utf-8")
            command = [os.environ["NGINX"], "-p", self.folder, "-e", "stderr", "-c", main]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, preexec_fn=ends_with_its_parent)
        self._wait()

    def _configuration(self, name, ports, places):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        addresses = {f"10.8.0.1{index + 1}:8080": f"127.0.0.1:{port}" for index, port in enumerate(places)}
        for before, after in (ports | addresses).items():
            if text.count(before) != 1:
                raise SystemExit(f"{name} has '{before}' {text.count(before)} times; expected once")
            text = text.replace(before, after)
        path = f"{self.folder}/{name}"
        Path(path).write_text(text, encoding="utf-8")
        return path

    def _wait(self):
        end = time.monotonic() + 10
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{self.kind} did not start; see {self.folder}") from None
                time.sleep(0.05)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Client:
    """A client of one session, on one connection, which it makes anew when it has broken."""

    def __init__(self, port, timeout=30):
        self.port, self.timeout = port, timeout
        self.connection, self.cookie, self.url = None, {}, ""
        self.count = 0

    def at(self, port):
        """The same client of the same session at another port. Its Host still has the first port, which is in the
        cookie's name."""
        other = Client(port, self.timeout)
        other.cookie, other.url = {**self.cookie, "Host": f"127.0.0.1:{self.port}"}, self.url
        return other

    def open(self, model="login"):
        status, body, fields = self.ask("POST", f"/sessions/{model}")
        assert status == 201, (status, body)
        self.cookie = {"Cookie": fields["Set-Cookie"].split(";")[0]}
        self.url = fields["Location"]
        return json.loads(body)

    def ask(self, method, path, body=None, **fields):
        """The answer: (status, body, fields). The status is 0 if the connection breaks."""
        self.count += 1
        headers = {name.replace("_", "-"): value for name, value in fields.items()} | self.cookie
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read(), answer.headers
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            self.connection = None
            return 0, repr(error).encode(), {}

    def put(self, name):
        return self.ask("PUT", f"{self.url}/state/username", json.dumps(name))

    def state(self):
        status, body, _ = self.ask("GET", self.url)
        return status, json.loads(body)["state"] if status == 200 else body
