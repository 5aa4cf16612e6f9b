# SPDX-License-Identifier: MIT
"""The program of a package outside this one, as its tests start it."""

import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Examples" / "Todo"
sys.path.append(str(ROOT / "Tests" / "Faults"))

from client import Client  # noqa: E402, F401
from databases import make_database  # noqa: E402, F401
from processes import free_port as reserved_port  # noqa: E402, F401

LIMIT = 300
"""The seconds after which a wait says that it hangs."""


def expect(is_met, claim, found):
    if not is_met:
        raise SystemExit(f"not so: {claim}; found {found!r}")
    print(f"  {claim}", flush=True)


def run(script, folder, **environment):
    """The output of a script in bash, which has to succeed."""
    return subprocess.run(
        ["bash", "-euc", script], cwd=folder, env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE, text=True).stdout


def as_a_service():
    """Has the program take SIGHUP, as a service manager does. A test that is run by `nohup` would hand down that the
    signal is ignored, and then it replaces no server."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Running:
    """A server that runs, in the folder that has its Public. Its port is a free one, unless one is given."""

    def __init__(self, command, folder, port=0):
        self.log = pathlib.Path(folder) / "log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(each) for each in command], cwd=PACKAGE, env={**os.environ, "EURIPUS_PORT": str(port)},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=as_a_service)
        self.line = self.process.stdout.readline()
        if "serving" not in self.line:
            self.process.kill()
            raise SystemExit(f"expected a line that says where it serves; found {self.line!r}, and in its log: {self.log.read_text()}")
        self.port = int(self.line.rstrip().rstrip("/").rsplit(":", 1)[1])
        self.client = Client(self.port, LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def server(self):
        """The process that serves: a child of the one that was started, which supervises it."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii").split()
        return int(children[0])

    def add(self, text, key):
        """Adds an item to the list of the client's session. The requests have a key."""
        self.client.ask("PUT", f"{self.client.url}/state/draft", f'"{text}"', Idempotency_Key=f"{key}/1")
        return self.client.ask("POST", f"{self.client.url}/actions/add", Idempotency_Key=f"{key}/2")

    def left(self):
        """The number of items that are left to do in the client's session."""
        status, state = self.client.state()
        return state["left"] if status == 200 else (status, state)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT)
