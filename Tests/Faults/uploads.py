#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sends a long file to a server that is killed on the way, or to three of them, while connections are cut.

Usage: uploads.py [--megabytes N] [--faults N] [--seed S] [--store file|shared] [--apart] LEDGER_SERVER

The faults come at places of the file that the seed decides: a server is killed and started again, or the connection is cut in
the middle of a part. Then an action moves the file, which is asked for until it is answered. The claims: it comes once, byte
for byte the same; nothing is left in the spool; a server takes no more memory for it than 4 MiB. With --apart each of
three servers has a spool of its own, so that a file begins anew where its session goes to another one."""

import argparse
import hashlib
import http.client
import os
import random
import sys
import time
from pathlib import Path

from client import Client
from cluster import File, Relaxed
from processes import Failure, until

PART, PIECE = 8 << 20, 1 << 16
MOST_MEMORY = 4 << 20


class Content:
    """A long file that needs no place: each of its pieces is made of its number."""

    def __init__(self, length, seed):
        self.length, self.seed = length, seed

    def piece(self, offset):
        number, begin = divmod(offset, PIECE)
        piece = random.Random(f"{self.seed}/{number}").randbytes(PIECE)[begin:]
        return piece[: self.length - offset]

    def digest(self):
        digest = hashlib.sha256()
        for offset in range(0, self.length, PIECE):
            digest.update(self.piece(offset))
        return digest.hexdigest()


def memory(server):
    """The most bytes of memory that a process had at once."""
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in text.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024


class Sender:
    """A client that sends the file, and goes on after each fault."""

    def __init__(self, cluster, content, faults, seed, is_resumed):
        self.cluster, self.content, self.is_resumed = cluster, content, is_resumed
        self.random = random.Random(seed)
        self.faults = sorted(self.random.sample(range(1, content.length), faults))
        self.client = Client(cluster.ports[0], 20)
        self.client.open("shelf")
        self.path = f"{self.client.url}/uploads/papers/long"
        self.counts = {"kill": 0, "cut": 0, "anew": 0}
        self.base, self.growth = {}, 0
        for server in cluster.servers:
            self.begin(server)

    def ask(self, method, path, body=None, **fields):
        """The answer of the server, however often it has to be asked."""
        def asked():
            port = self.random.choice(self.cluster.ports)
            client = self.client if port == self.client.port else self.client.at(port, 20)
            answer = client.ask(method, path, body, **fields)
            return answer if answer[0] not in (0, 429, 502, 503, 504) else None

        return until(asked, f"an answer to {method} {path}")

    def send(self):
        status, answer, _ = self.ask("PUT", self.path, b"", Upload_Complete="?0", Upload_Length=str(self.content.length))
        if status != 201:
            raise Failure(f"expected the file to be declared with 201, got {status}: {answer!r}")
        sent = 0
        while True:
            status, answer, fields = self.ask("HEAD", self.path)
            if status != 204:
                raise Failure(f"expected HEAD to say how far the file has come, got {status}: {answer!r}")
            if fields["Upload-Complete"] == "?1":
                return
            offset = int(fields["Upload-Offset"])
            if offset < sent and self.is_resumed:
                raise Failure(f"{sent} bytes were acknowledged, and {offset} are there")
            self.counts["anew"] += offset < sent
            sent = self.part(offset)

    def part(self, offset):
        """Sends the next part, with the faults that are due in it. Gives the place up to which it was acknowledged."""
        end = min(self.content.length, offset + PART)
        port = self.random.choice(self.cluster.ports)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.putrequest("PATCH", self.path, skip_host=True)
            head = {"Host": f"127.0.0.1:{self.client.port}", **self.client.cookie, "Content-Type": "application/partial-upload",
                    "Upload-Offset": str(offset), "Upload-Complete": "?1" if end == self.content.length else "?0", "Content-Length": str(end - offset)}
            for name, value in head.items():
                connection.putheader(name, value)
            connection.endheaders()
            place = offset
            while place < end:
                piece = self.content.piece(place)[: end - place]
                connection.send(piece)
                place += len(piece)
                if self.faults and self.faults[0] <= place:
                    self.faults.pop(0)
                    if self.fault():
                        return offset
            answer = connection.getresponse()
            answer.read()
            return end if answer.status == 204 else offset
        except (OSError, http.client.HTTPException):
            return offset
        finally:
            connection.close()

    def fault(self):
        """Breaks something. Answers whether the connection is to be cut."""
        if self.random.random() < 0.3:
            self.counts["cut"] += 1
            return True
        self.counts["kill"] += 1
        server = self.random.choice(self.cluster.servers)
        self.measure(server)
        server.kill()
        server.serve()
        self.begin(server)
        return False

    def begin(self, server):
        """Has a server that has just begun take a short file, so that what it needs once for all files is there."""
        short = f"{self.client.url}/uploads/papers/short"
        client = self.client.at(server.port, 20)
        client.ask("PUT", short, b"x" * PIECE, Upload_Complete="?0")
        client.ask("DELETE", short)
        self.base[server] = memory(server)

    def measure(self, server):
        self.growth = max(self.growth, memory(server) - self.base[server])

    def keep(self):
        """Has the file moved, by requests with one key."""
        for _ in range(3):
            status, answer, _ = self.ask("POST", f"{self.client.url}/actions/keep", Idempotency_Key="keep")
            if status != 200:
                raise Failure(f"expected the file to be kept with 200, got {status}: {answer!r}")
        for server in self.cluster.servers:
            self.measure(server)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--faults", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=("file", "shared"), default="file")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("binary")
    given = parser.parse_args()
    content = Content(given.megabytes << 20, given.seed)
    folder = Path(os.environ.get("TMPDIR", "/tmp"), f"euripus-uploads-{os.getpid()}")
    kept, spool = folder / "kept", folder / "spool"
    kept.mkdir(parents=True)
    options = [f"kept={kept}"] + ([] if given.apart else [f"uploads={spool}"])
    cluster = (File if given.store == "file" else Relaxed)(str(Path(given.binary).resolve()), options)
    try:
        began = time.monotonic()
        sender = Sender(cluster, content, given.faults, given.seed, not given.apart)
        sender.send()
        seconds = time.monotonic() - began
        sender.keep()
        digest = hashlib.sha256()
        with open(kept / "long", "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
        if digest.hexdigest() != content.digest():
            raise Failure("the file that was kept is another one than was sent")
        if left := [path for path in spool.rglob("*") if path.is_file()]:
            raise Failure(f"files were left in the spool: {left}")
        print(f"{given.megabytes} MiB, {given.store}: {sender.counts['kill']} kills, {sender.counts['cut']} cuts, begun anew {sender.counts['anew']} times; "
              f"byte for byte the same; {seconds:.0f} s; a server's memory grew by {sender.growth / (1 << 20):.1f} MiB at most")
        if sender.growth > MOST_MEMORY:
            raise Failure(f"expected a server to take 4 MiB for it at most, got {sender.growth} bytes")
    finally:
        cluster.close()
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        folder.rmdir()


if __name__ == "__main__":
    sys.exit(main())
