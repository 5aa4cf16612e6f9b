# SPDX-License-Identifier: MIT
"""The proxies of Examples/Scaling, and relays that can be silenced and cut."""

import os
import sys
import tempfile
from pathlib import Path

from processes import Child, accepts, free_port, is_ready, until

EXAMPLES = Path(__file__).resolve().parents[2] / "Examples" / "Scaling"
HAPROXY = "/usr/sbin/haproxy"
SLOW_RELAY = Path(__file__).with_name("slow_relay.py")
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


class Link(Child):
    """The way of one server to one database: a relay. Frozen, it is silent as if a cable were out: connections stay,
    the kernel accepts new ones, and nothing passes. Thawed, it lets all that was on its way arrive, late. Killed, it
    refuses connections, as a machine does on which no database runs."""

    def __init__(self, database, folder, name):
        self.port, self.database = free_port(), database
        path = Path(folder, f"{name}.cfg")
        path.write_text(RELAY.format(port=self.port, database=database), encoding="utf-8")
        self.quick = [HAPROXY, "-db", "-f", path]
        super().__init__(self.quick, Path(folder, f"{name}.log"))
        self.start()

    def slow(self, seconds):
        """Has bytes take so long each way, over new connections. The present ones end."""
        self.change([sys.executable, SLOW_RELAY, f"{self.port}", f"{self.database}", f"{seconds}"])

    def quicken(self):
        self.change(self.quick)

    def change(self, command):
        self.kill()
        self.command = command
        self.start()

    def start(self):
        super().start()
        until(lambda: accepts(self.port), f"a relay that listens; see {self.log}", self.process)


class Proxy(Child):
    """A proxy with a configuration of Examples/Scaling. Only the addresses differ: they are those of `servers`. If
    there are fewer servers than the configuration has, the last address is one at which no server listens.

    changes: lines of haproxy's configuration, with the lines that replace them.
    """

    def __init__(self, kind, servers, changes=None):
        self.kind, self.port = kind, free_port()
        self.folder = tempfile.mkdtemp(prefix=f"euripus-{kind}-")
        places = [server.port for server in servers]
        if len(places) < 3:
            places.append(free_port())
        if kind == "haproxy":
            path = self._configuration("haproxy.cfg", {"bind :8080": f"bind 127.0.0.1:{self.port}", **(changes or {})}, places)
            command = [HAPROXY, "-db", "-f", path]
        else:
            # The system's nginx.conf includes the configuration in the same way.
            path = self._configuration("nginx.conf", {"listen 8080;": f"listen 127.0.0.1:{self.port};"}, places)
            kept = " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            main = Path(self.folder, "main.conf")
            main.write_text(
                f"daemon off; pid {self.folder}/pid; error_log stderr warn; events {{ worker_connections 1024; }}\n"
                f"http {{ access_log off; {kept} include {path}; }}\n", encoding="utf-8")
            command = [os.environ["NGINX"], "-p", self.folder, "-e", "stderr", "-c", main]
        super().__init__(command, Path(self.folder, "log"))
        self.start()
        until(lambda: is_ready(self.port), f"{kind} before servers that are ready; see {self.log}", self.process)

    def _configuration(self, name, ports, places):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        addresses = {f"10.8.0.1{index + 1}:8080": f"127.0.0.1:{port}" for index, port in enumerate(places)}
        for before, after in (ports | addresses).items():
            if text.count(before) != 1:
                raise SystemExit(f"{name} has '{before}' {text.count(before)} times; expected once")
            text = text.replace(before, after)
        path = Path(self.folder, name)
        path.write_text(text, encoding="utf-8")
        return path

    def close(self):
        self.process.terminate()
        self.process.wait()
