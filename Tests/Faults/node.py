# SPDX-License-Identifier: MIT
"""Servers that share a PostgreSQL database, behind haproxy: each is a process of this one's own, on loopback."""

import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

HAPROXY = """
global
  log stderr format raw local0 err
defaults
  mode http
  timeout connect 1s
  timeout client 70s
  timeout server 70s
  retries 2
  option redispatch 1
  retry-on conn-failure
  default-server inter 200ms fall 1 rise 1
frontend all
  bind 127.0.0.1:{port}
  default_backend nodes
backend nodes
  balance {balance}
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
{servers}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Node:
    """One server, which keeps its port over its restarts."""

    def __init__(self, command, store, options, folder, index):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [part.format(port=self.port, store=store, url=self.url) for part in command] + options
        self.log = open(os.path.join(folder, f"node{index}.log"), "ab")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=self.log)

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
        """As an operator does: it is to end by itself."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class Cluster:
    def __init__(self, command, store, count, options=(), balance="roundrobin"):
        self.folder = tempfile.mkdtemp(prefix="euripus-nodes-")
        self.nodes = [Node(command, store, list(options), self.folder, index) for index in range(count)]
        self.port = free_port()
        servers = "\n".join(f"  server node{i} 127.0.0.1:{n.port} check" for i, n in enumerate(self.nodes))
        path = os.path.join(self.folder, "haproxy.cfg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HAPROXY.format(port=self.port, servers=servers, balance=balance))
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.wait()
        self.log = open(os.path.join(self.folder, "haproxy.log"), "ab")
        self.proxy = subprocess.Popen(["/usr/sbin/haproxy", "-f", path], stdout=self.log, stderr=self.log)
        end = time.monotonic() + 10
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise SystemExit(f"haproxy did not start; see {self.folder}")
                time.sleep(0.05)

    def close(self):
        self.proxy.terminate()
        self.proxy.wait()
        for node in self.nodes:
            if node.process.poll() is None:
                node.thaw()
                node.kill()
