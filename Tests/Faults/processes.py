# SPDX-License-Identifier: MIT
"""Servers as child processes, on loopback, and the events that tests wait for."""

import ctypes
import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

LIBC = ctypes.CDLL(None)
# The sockets that keep ports for servers.
HELD = []
# Seconds. Something that takes longer hangs. No claim is about this time.
HANGS = 120


class Failure(AssertionError):
    """An event that did not come, or an answer that is wrong."""


def until(happens, wanted="an event", process=None):
    """Waits until a question has a true answer, and gives the answer. It fails if the process ends before."""
    end = time.monotonic() + HANGS
    while not (found := happens()):
        if process and process.poll() is not None:
            raise Failure(f"expected {wanted}, but the process has ended with status {process.returncode}")
        if time.monotonic() > end:
            raise Failure(f"expected {wanted} within {HANGS} s")
        time.sleep(0.01)
    return found


def ends_with_its_parent():
    """Has the kernel kill this process when its parent is gone, however the parent ended (PR_SET_PDEATHSIG). It
    runs in a child, before the child starts its program."""
    LIBC.prctl(1, signal.SIGKILL)


def free_port():
    """A port for a server of this process alone. A socket that is bound to it, and does not listen, keeps others from
    it, so that a server that comes back finds it free."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    HELD.append(holder)
    return holder.getsockname()[1]


def accepts(port):
    """Whether something listens at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), HANGS).close()
    except OSError:
        return False
    return True


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=HANGS) as answer:
        return answer.read().decode()


def is_ready(port):
    """Whether a server that is ready answers at a port, its own or a proxy's."""
    try:
        return get(port, "/readyz") is not None
    except OSError:
        return False


class Child:
    """A process that is started again and again, with one log."""

    def __init__(self, command, log, environment=None):
        self.command, self.log, self.process = command, Path(log), None
        self.environment = {**os.environ, **(environment or {})}

    def start(self, *more):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.command, *more], stdout=subprocess.DEVNULL, stderr=log, env=self.environment, preexec_fn=ends_with_its_parent)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Stops the process as an operator does, by a signal."""
        self.process.send_signal(signal.SIGTERM)
        if status := self.ended("the end of a process that is stopped"):
            raise Failure(f"expected a process that is stopped to end with status 0, got {status}; see {self.log}")

    def ended(self, wanted):
        """Waits until the process has ended, and gives its status."""
        until(lambda: self.process.poll() is not None, f"{wanted}; see {self.log}")
        return self.process.returncode

    def has_said(self, text):
        return text in self.log.read_text(encoding="utf-8", errors="replace")


class Server(Child):
    """A server that keeps its port over its restarts."""

    def __init__(self, command, folder, name, environment=None):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__([part.format(port=self.port, url=self.url) for part in command], Path(folder, f"{name}.log"), environment)

    def metric(self, name):
        """The value of a metric, in all for all its labels."""
        values = re.findall(rf"^{name}(?:{{.*}})? (\d+)$", get(self.port, "/metrics"), re.MULTILINE)
        return sum(map(int, values))

    def serve(self):
        self.start()
        self.wait()

    def wait(self):
        until(lambda: is_ready(self.port), f"a server that is ready; see {self.log}", self.process)
