# SPDX-License-Identifier: MIT
"""One server of several: a child process, on loopback."""

import os
import signal
import socket
import subprocess
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Node:
    """A server that keeps its port over its restarts."""

    def __init__(self, command, store, options, folder, index, environment=None):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [part.format(port=self.port, store=store, url=self.url) for part in command] + options
        self.environment = {**os.environ, **(environment or {})}
        self.log = open(os.path.join(folder, f"node{index}.log"), "ab")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=self.log, env=self.environment)

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def wait(self, seconds=20):
        end = time.monotonic() + seconds
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"a node did not start: status {self.process.poll()}; see {self.log.name}")
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, seconds=20):
        """Stops the server as an operator does, by a signal, and gives its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)
