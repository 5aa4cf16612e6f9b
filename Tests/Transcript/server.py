# SPDX-License-Identifier: MIT
"""A server of a test's own, on a free port."""

import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / "Referee"), str(ROOT / "Tests" / "Faults")]

from processes import free_port  # noqa: E402
from relay import relayed  # noqa: E402

LIMIT = 300  # seconds, after which it hangs
SERVING = re.compile(r"Euripus is serving \d+ view models? on (http://127\.0\.0\.1:(\d+)/)")


class Failed(Exception):
    """A server that did not start, or did not stop as it should."""


class Server:
    """One run of the binary; its port is kept, so that it can be stopped and started under the same address."""

    def __init__(self, binary, port=None, recordings=None, store=None, options=(), is_demos=True, public=ROOT / "Public"):
        # The demos write here, and never into the stores of the person who runs the tests.
        self.temporary = tempfile.TemporaryDirectory()
        command = [binary, "serve", "--port", str(port or free_port()), "--public", str(public)]
        # A busy machine makes actions slow, and tests are faster than people.
        command += ["--openings-per-minute", "0", "--action-time", "0", "--actions-per-second", "0", *options]
        if is_demos:
            command += ["--recordings", str(recordings or f"{self.temporary.name}/recordings"), "--users", f"{self.temporary.name}/users"]
        if store:
            command += ["--store", str(store)]
        # The server's log is a part of a recording.
        directory = os.environ.get("EURIPUS_RECORDING")
        self.errors = open(Path(directory) / "server.log", "ab") if directory else None
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        try:
            found = lines.get(timeout=LIMIT)
        except queue.Empty:
            found = None
        if not found:
            self.kill()
            raise Failed(f"{binary} did not say within {LIMIT} s where it serves, or ended before")
        self.url, self.port = found.group(1), int(found.group(2))

    def _read(self, lines):
        for line in self.process.stdout:
            if found := SERVING.search(line):
                lines.put(found)
        lines.put(None)

    def metrics(self, pattern):
        """The number that the pattern finds in the server's /metrics, or 0."""
        with urllib.request.urlopen(self.url + "metrics", timeout=LIMIT) as answer:
            found = re.search(pattern, answer.read().decode(), re.MULTILINE)
        return int(found.group(1)) if found else 0

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._clean_up()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if status := self.process.wait(LIMIT):
            raise Failed(f"the server ended with status {status}")
        self._clean_up()

    def _clean_up(self):
        if self.errors:
            self.errors.close()
        self.temporary.cleanup()


@contextmanager
def serving(binary: Path, public: Path) -> Iterator[str]:
    """Starts the server, and gives its URL without the last slash. Then stops it."""
    server = Server(str(binary), public=public)
    try:
        with relayed(server.port) as port:
            yield f"http://127.0.0.1:{port}"
        server.stop()
    except BaseException:
        server.kill()
        raise
